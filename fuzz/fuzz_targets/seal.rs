//! Decrypts any bytes as chunks of a pack, then encrypts them and checks that decryption restores them. A raw key, so that
//! nothing is derived.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_format::seal::{Keys, Salt, Sealer, Secret};
use rres_format::{
    Cipher, Compression, Compressor, Decompressor, FourCc, Limits, PackBuilder, PackView, Resource, ResourceId,
    StoredChunk,
};

fuzz_target!(|input: (&[u8], &[u8])| {
    let (pack, block) = input;
    let keys = Keys::new(Secret::raw_key([7; 32]));
    if let Ok(view) = PackView::parse_with(pack, Limits::DEFAULT.with_max_decoded(1 << 20)) {
        for chunk in view.chunks().take(64).flatten() {
            if let Ok(unsealed) = chunk.unseal(&keys) {
                let _ = (unsealed.view().frames(), unsealed.view().delta(), unsealed.view().end());
                let _ = unsealed.into_block(&mut Decompressor::default());
            }
        }
    }
    let sealer = Sealer::new(keys.clone(), Cipher::XCHACHA20_POLY1305, Salt([1; 16])).unwrap();
    let chunk = StoredChunk::encode(FourCc::RAWD, block, Compression::LZ4, &mut Compressor::default()).unwrap();
    let mut sealed = PackBuilder::new();
    sealed.push(Resource::new("a", vec![chunk.seal(&sealer, ResourceId(1), 0).unwrap()]).with_id(ResourceId(1)));
    let sealed = sealed.to_vec().unwrap();
    let chunk = PackView::parse(&sealed).unwrap().find(ResourceId(1)).unwrap().unwrap();
    assert_eq!(chunk.unseal(&keys).unwrap().into_block(&mut Decompressor::default()).unwrap(), block);
});
