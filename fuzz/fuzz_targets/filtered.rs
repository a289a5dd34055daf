//! Filters the data of images, sounds and vertices of any form, and checks that decoding restores them, also section by section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_format::{Compression, Compressor, Decompressor, FourCc, StoredChunk};

fuzz_target!(|input: (u8, [u16; 4], &[u8])| {
    let (kind, props, data) = input;
    let kind = [FourCc::IMGE, FourCc::WAVE, FourCc::VRTX, FourCc::FNTG][usize::from(kind) % 4];
    let block = rres_format::chunk::block(&props.map(u32::from), data);
    let chunk = StoredChunk::encode(kind, &block, Compression::FILTERED, &mut Compressor::with_level(1)).unwrap();
    let mut out = vec![0; block.len()];
    Decompressor::default().decompress(chunk.info().compression, chunk.stored(), &mut out).unwrap();
    assert!(out == block, "{kind} {props:?}");
});
