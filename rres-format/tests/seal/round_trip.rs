//! What is encrypted decrypts to itself, in the layout of the C library, with one derivation.

use std::sync::OnceLock;

use proptest::prelude::*;
use rres_format::seal::{Keys, Salt, Sealer, Secret};
use rres_format::{
    ChunkInfo, Cipher, Compression, Compressor, Decompressor, Error, FourCc, PackBuilder, PackView, Resource,
    ResourceId, StoredChunk,
};

use crate::sample;

const XCHACHA: Cipher = Cipher::XCHACHA20_POLY1305;

fn keys() -> Keys {
    // Deriving takes a while, so all tests of the process share the keys.
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| Keys::new(Secret::password("sixteen letters!").unwrap())).clone()
}

fn sealer(cipher: Cipher) -> Sealer {
    Sealer::new(keys(), cipher, Salt::from_name("tests")).unwrap()
}

/// Returns a pack of all kinds, encrypted, and its blocks by id.
fn pack(compression: Compression, sealer: &Sealer) -> (Vec<u8>, Vec<(ResourceId, Vec<u8>)>) {
    let (mut pack, mut blocks) = (PackBuilder::new(), Vec::new());
    for (kind, path, block) in sample::every_kind() {
        let is_qoi = compression == Compression::QOI;
        let compression = if is_qoi && kind != FourCc::IMGE { Compression::NONE } else { compression };
        let chunk = StoredChunk::encode(kind, &block, compression, &mut Compressor::default()).unwrap();
        let id = ResourceId::from_path(path);
        pack.push(Resource::new(path, vec![chunk.seal(sealer, id, 0).unwrap()]));
        blocks.push((id, block));
    }
    (pack.to_vec().unwrap(), blocks)
}

const COMPRESSIONS: [Compression; 6] = [
    Compression::NONE,
    Compression::DEFLATE,
    Compression::LZ4,
    Compression::QOI,
    Compression::ZSTD,
    Compression::FILTERED,
];

#[test]
fn every_kind_and_compression_decrypts_to_itself() {
    let keys = keys();
    for compression in COMPRESSIONS {
        let (bytes, blocks) = pack(compression, &sealer(XCHACHA));
        let view = PackView::parse(&bytes).unwrap();
        view.check_index().unwrap();
        for (id, block) in blocks {
            let chunk = view.find(id).unwrap().unwrap();
            chunk.verify().unwrap();
            if chunk.info.kind == FourCc::LINK {
                assert!(chunk.info.is_plain(), "C readers do not decrypt links");
                continue;
            }
            assert_eq!(chunk.info.cipher, XCHACHA);
            assert!(chunk.stored.windows(16).all(|window| window != &block[block.len() - 16..]));
            let unsealed = chunk.unseal(&keys).unwrap();
            assert_eq!(*unsealed.view().decode(&mut Decompressor::default()).unwrap().into_bytes(), block);
            assert_eq!(unsealed.into_block(&mut Decompressor::default()).unwrap(), block);
        }
    }
    assert_eq!(Sealer::new(keys, XCHACHA, Salt::from_name("tests")).unwrap().cipher(), XCHACHA);
}

#[test]
fn a_pack_costs_one_derivation() {
    let writer = Keys::new(Secret::password("one").unwrap());
    let (bytes, _) = pack(Compression::LZ4, &Sealer::new(writer.clone(), XCHACHA, Salt([7; 16])).unwrap());
    assert_eq!(writer.derivations(), 1);
    let reader = Keys::new(Secret::password("one").unwrap());
    let chunks: Vec<_> = PackView::parse(&bytes).unwrap().chunks().map(|chunk| chunk.unwrap()).collect();
    for chunk in &chunks {
        chunk.unseal(&reader).unwrap();
    }
    // On several threads at once, too.
    let reader = Keys::new(Secret::password("one").unwrap());
    std::thread::scope(|scope| {
        for chunk in &chunks {
            scope.spawn(|| chunk.unseal(&reader).map(drop).unwrap());
        }
    });
    assert_eq!(reader.derivations(), 1);
}

#[test]
fn aes_gives_each_chunk_its_own_salt() {
    let sealer = sealer(Cipher::AES);
    let chunk = |number| {
        let chunk = StoredChunk::encode(FourCc::RAWD, &[4; 80], Compression::NONE, &mut Compressor::default()).unwrap();
        chunk.seal(&sealer, ResourceId(1), number).unwrap()
    };
    let chunks = [chunk(0), chunk(1)];
    let salt = |chunk: &StoredChunk<'_>| chunk.stored().unwrap()[80..96].to_vec();
    assert_ne!(salt(&chunks[0]), salt(&chunks[1]));
    assert_ne!(chunks[0].stored().unwrap()[..80], chunks[1].stored().unwrap()[..80], "the keystreams differ");
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("a", chunks.to_vec()).with_id(ResourceId(1)));
    let bytes = pack.to_vec().unwrap();
    for chunk in PackView::parse(&bytes).unwrap().chunks().map(|chunk| chunk.unwrap()) {
        if chunk.info.cipher == Cipher::AES {
            assert_eq!(chunk.unseal(&keys()).unwrap().into_block(&mut Decompressor::default()).unwrap(), [4; 80]);
        }
    }
}

#[test]
fn nonces_depend_on_contents_place_key_and_entropy_only() {
    let encode = |byte: u8| {
        StoredChunk::encode(FourCc::RAWD, &[byte; 64], Compression::NONE, &mut Compressor::default()).unwrap()
    };
    let raw = |byte: u8| Sealer::new(Keys::new(Secret::raw_key([byte; 32])), XCHACHA, Salt([0; 16])).unwrap();
    let stored = |sealer: Sealer, byte, id, number| {
        encode(byte).seal(&sealer, ResourceId(id), number).unwrap().stored().unwrap().to_vec()
    };
    let first = stored(raw(1), 4, 1, 0);
    assert_eq!(stored(raw(1), 4, 1, 0), first, "builds are reproducible");
    let others = [
        stored(raw(1), 5, 1, 0),
        stored(raw(1), 4, 2, 0),
        stored(raw(1), 4, 1, 1),
        stored(raw(2), 4, 1, 0),
        stored(raw(1).with_entropy([9; 32]), 4, 1, 0),
    ];
    let nonce = |stored: &[u8]| stored[stored.len() - 40..stored.len() - 16].to_vec();
    for other in &others {
        assert_ne!(nonce(other), nonce(&first));
        assert_ne!(other[..64], first[..64]);
    }
}

#[test]
fn ciphers_that_the_c_library_lacks_are_refused_for_writing() {
    for cipher in Cipher::NAMED {
        let sealer = Sealer::new(Keys::new(Secret::raw_key([1; 32])), *cipher, Salt([0; 16]));
        match *cipher {
            XCHACHA => drop(sealer.unwrap()),
            Cipher::AES => {
                assert!(matches!(sealer.unwrap_err(), Error::BadSecret(why) if why.contains("key of its own")))
            }
            other => assert_eq!(sealer.unwrap_err(), Error::UnsupportedCipher(other)),
        }
    }
}

#[test]
fn a_chunk_is_encrypted_once() {
    let sealer = Sealer::new(Keys::new(Secret::raw_key([1; 32])), XCHACHA, Salt([0; 16])).unwrap();
    let chunk = StoredChunk::encode(FourCc::RAWD, &[4; 64], Compression::NONE, &mut Compressor::default()).unwrap();
    let once = chunk.seal(&sealer, ResourceId(1), 0).unwrap();
    assert!(
        once.seal(&sealer, ResourceId(1), 0).unwrap_err().to_string().contains("found one encrypted with XChaCha20")
    );
}

#[test]
fn a_fingerprint_tells_keys_apart() {
    let of = |byte: u8, salt| {
        Sealer::new(Keys::new(Secret::raw_key([byte; 32])), XCHACHA, Salt([salt; 16])).unwrap().fingerprint()
    };
    assert_eq!(of(1, 0), of(1, 0));
    assert!(of(1, 0) != of(2, 0) && of(1, 0) != of(1, 1));
}

proptest! {
    #![proptest_config(rres_test_support::cases(256))]

    #[test]
    fn any_bytes_decrypt_to_themselves(block in proptest::collection::vec(any::<u8>(), 4..3000), id in 1u32.., key: [u8; 32]) {
        let keys = Keys::new(Secret::raw_key(key));
        let sealer = Sealer::new(keys.clone(), XCHACHA, Salt([3; 16])).unwrap();
        for compression in [Compression::NONE, Compression::ZSTD] {
            let chunk = StoredChunk::encode(FourCc::RAWD, &block, compression, &mut Compressor::default()).unwrap();
            let mut pack = PackBuilder::new();
            pack.push(Resource::new("a", vec![chunk.seal(&sealer, ResourceId(id), 0).unwrap()]).with_id(ResourceId(id)));
            let bytes = pack.to_vec().unwrap();
            let chunk = PackView::parse(&bytes).unwrap().find(ResourceId(id)).unwrap().unwrap();
            prop_assert_eq!(&chunk.unseal(&keys).unwrap().into_block(&mut Decompressor::default()).unwrap(), &block);
            // Any changed bit is noticed, also in the trailer, unless it is one of the salt, which a raw key does not use.
            let at = chunk.offset as usize + ChunkInfo::SIZE + block[0] as usize % (chunk.stored.len() - 56).max(1);
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (block[1] % 8);
            let chunk = PackView::parse(&changed).unwrap().find(ResourceId(id)).unwrap().unwrap();
            prop_assert!(chunk.unseal(&keys).is_err());
        }
    }
}
