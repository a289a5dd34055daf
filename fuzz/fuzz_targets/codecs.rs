//! Decompresses any bytes with each codec, then compresses them and checks that decompression restores them.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use rres_format::{Compression, Compressor, Decompressor};

thread_local!(static CODECS: RefCell<(Compressor, Decompressor)> =
    RefCell::new((Compressor::with_level(1), Decompressor::default())));

fuzz_target!(|input: (u16, &[u8])| {
    let (size, bytes) = input;
    CODECS.with_borrow_mut(|(compressor, decompressor)| {
        for compression in
            [Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD, Compression::FILTERED]
        {
            let _ = decompressor.decompress(compression, bytes, &mut vec![0; size.into()]);
            // QOI compresses only images, and filters depend on the kind of a chunk.
            let Ok(packed) = compressor.compress(compression, bytes) else {
                assert!(matches!(compression, Compression::QOI | Compression::FILTERED));
                continue;
            };
            let mut out = vec![0; bytes.len()];
            decompressor.decompress(compression, &packed, &mut out).unwrap();
            assert!(out == bytes, "{compression} does not restore its input");
        }
    });
});
