//! Filters the data of images, sounds and vertices of any form, and checks that decoding restores them, also section by section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_format::{Compression, Compressor, Decompressor, FourCc, StoredChunk};

fuzz_target!(|input: (u8, [u16; 4], &[u8])| {
    let (kind, props, data) = input;
    let kind = [FourCc::IMGE, FourCc::WAVE, FourCc::VRTX, FourCc::FNTG][usize::from(kind) % 4];
    let block = rres_format::chunk::block(&props.map(u32::from), data);
    for mut compressor in [Compressor::with_level(1), Compressor::fast()] {
        let chunk = StoredChunk::encode(kind, &block, Compression::FILTERED, &mut compressor).unwrap();
        let mut out = vec![0; block.len()];
        Decompressor::default().decompress(chunk.info().compression, chunk.stored().unwrap(), &mut out).unwrap();
        assert!(out == block, "{kind} {props:?}, {compressor:?}");
    }
    // The same bytes, as LZ4 encodes them.
    let packed = Compressor::default().compress(Compression::LZ4, &block).unwrap();
    let mut out = vec![0; block.len()];
    Decompressor::default().decompress(Compression::LZ4, &packed, &mut out).unwrap();
    assert!(out == block);
});
