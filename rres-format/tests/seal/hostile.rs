//! Packs that are made to do harm.

use rres_format::seal::{Keys, Secret};
use rres_format::{ChunkInfo, Cipher, Compression, Decompressor, Error, FourCc, Header, Limits, PackView, ResourceId};

/// Returns a pack of chunks with these ciphers and stored bytes.
fn pack(chunks: &[(Cipher, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Header { chunk_count: chunks.len() as u16, directory_offset: 0, reserved: 0 }.to_bytes().to_vec();
    for (number, (cipher, stored)) in (1..).zip(chunks) {
        let info = ChunkInfo {
            kind: FourCc::RAWD,
            id: ResourceId(number),
            compression: Compression::NONE,
            cipher: *cipher,
            flags: 0,
            packed_size: stored.len() as u32,
            base_size: 1 << 30,
            next_offset: 0,
            reserved: 0,
            crc32: crc32fast::hash(stored),
        };
        bytes.extend(info.to_bytes());
        bytes.extend(stored);
    }
    bytes
}

#[test]
fn a_chunk_shorter_than_its_trailer_is_truncated() {
    let keys = Keys::new(Secret::password("p").unwrap());
    for (cipher, trailer) in [(Cipher::AES, 32), (Cipher::XCHACHA20_POLY1305, 56)] {
        for len in 0..trailer {
            let bytes = pack(&[(cipher, vec![1; len])]);
            let chunk = PackView::parse(&bytes).unwrap().chunks().next().unwrap().unwrap();
            let what = "trailer of an encrypted chunk";
            let expected = Error::Truncated { what, offset: 0, needed: trailer as u64, available: len as u64 };
            assert_eq!(chunk.unseal(&keys).unwrap_err(), expected);
        }
    }
    assert_eq!(keys.derivations(), 0, "nothing was derived for them");
}

#[test]
fn salts_cost_at_most_as_many_derivations_as_the_limit() {
    let bytes = pack(&(0..8).map(|salt| (Cipher::XCHACHA20_POLY1305, vec![salt; 56])).collect::<Vec<_>>());
    let keys = Keys::new(Secret::password("p").unwrap());
    let view = PackView::parse_with(&bytes, Limits::DEFAULT.with_max_key_derivations(4)).unwrap();
    let errors: Vec<Error> = view.chunks().map(|chunk| chunk.unwrap().unseal(&keys).unwrap_err()).collect();
    // Two derivations for each: of the whole password, and of 16 bytes.
    assert!(errors[..2].iter().all(|error| matches!(error, Error::WrongKey { .. })));
    assert!(
        errors[2..].iter().all(|error| matches!(error, Error::LimitExceeded { value: 5, limit: 4, .. })),
        "{errors:?}"
    );
    assert_eq!(keys.derivations(), 4);
    // Another pack has a limit of its own, and shares what is known.
    let view = PackView::parse_with(&bytes, Limits::DEFAULT.with_max_key_derivations(4)).unwrap();
    let other = keys.for_pack();
    let errors: Vec<Error> = view.chunks().map(|chunk| chunk.unwrap().unseal(&other).unwrap_err()).collect();
    assert!(errors[..4].iter().all(|error| matches!(error, Error::WrongKey { .. })), "{errors:?}");
    assert!(errors[4..].iter().all(|error| matches!(error, Error::LimitExceeded { value: 5, limit: 4, .. })));
    assert_eq!(keys.derivations(), 8);
    // The same salt again costs nothing.
    assert!(matches!(view.chunks().next().unwrap().unwrap().unseal(&keys), Err(Error::WrongKey { .. })));
}

#[test]
fn other_ciphers_are_refused_by_name() {
    let keys = Keys::new(Secret::raw_key([0; 32]));
    for cipher in Cipher::NAMED.iter().filter(|cipher| !cipher.is_implemented()) {
        let bytes = pack(&[(*cipher, vec![1; 100])]);
        let error = PackView::parse(&bytes).unwrap().chunks().next().unwrap().unwrap().unseal(&keys).unwrap_err();
        assert_eq!(error.to_string(), format!("cipher {} ({}) is not supported", cipher.name().unwrap(), cipher.0));
    }
}

#[test]
fn a_plain_chunk_needs_no_key() {
    let bytes = pack(&[(Cipher::NONE, vec![1; 100])]);
    let unsealed = PackView::parse(&bytes).unwrap().chunks().next().unwrap().unwrap();
    let unsealed = unsealed.unseal(&Keys::new(Secret::password("p").unwrap())).unwrap();
    assert_eq!(unsealed.view().stored, [1; 100]);
    // It claims a block of 1 GiB.
    assert!(matches!(unsealed.into_block(&mut Decompressor::default()), Err(Error::Truncated { .. })));
}
