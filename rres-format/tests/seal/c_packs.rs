//! Decrypts the packs that the C library encrypted, and compares every chunk with what the C reader found in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rres_format::seal::{Keys, Secret};
use rres_format::{Decompressor, Error, PackView, ResourceId};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c-packs").join(name)
}

#[test]
fn every_encrypted_chunk_is_what_the_c_reader_found() {
    let expected = std::fs::read_to_string(file("expected.tsv")).unwrap();
    let mut checked = BTreeMap::new();
    let mut opened: Option<(&str, Keys, Vec<u8>)> = None;
    for line in expected.lines().skip(1) {
        let field: Vec<&str> = line.split('\t').collect();
        let (name, password, id, number, cipher) = (field[0], field[1], field[4], field[5], field[8]);
        if cipher == "0" {
            continue;
        }
        if opened.as_ref().is_none_or(|(open, ..)| *open != name) {
            opened = Some((name, Keys::new(Secret::password(password).unwrap()), std::fs::read(file(name)).unwrap()));
        }
        let (_, keys, bytes) = opened.as_ref().unwrap();
        let view = PackView::parse(bytes).unwrap();
        let first = view.find(ResourceId(u32::from_str_radix(id, 16).unwrap())).unwrap().unwrap();
        let chunk = view.chain(first).nth(number.parse().unwrap()).unwrap().unwrap();

        let unsealed = chunk.unseal(keys).unwrap_or_else(|e| panic!("{name}: {line}: {e}"));
        let decoded = unsealed.view().decode(&mut Decompressor::default()).unwrap();
        let payload = decoded.view().unwrap();
        let props: Vec<String> = payload.props().map(|prop| prop.to_string()).collect();
        assert_eq!(props.join(","), field[13], "{line}");
        assert_eq!(payload.data().len().to_string(), field[14], "{line}");
        assert_eq!(format!("{:08x}", crc32fast::hash(payload.data())), field[15], "{line}");
        // A view of decrypted bytes keeps its place in the file.
        assert_eq!(unsealed.view().end(), chunk.end());
        assert_eq!(unsealed.view().verify(), Ok(()));
        *checked.entry(name).or_insert(0) += 1;
    }
    let files = ["07_aes.rres", "08_xchacha20poly1305.rres", "10_deflate_xchacha.rres", "27_kdf_pass16window.rres"];
    assert_eq!(checked, files.into_iter().zip([14, 14, 14, 4]).collect());
}

#[test]
fn a_wrong_password_is_told_from_damage() {
    for name in ["07_aes.rres", "08_xchacha20poly1305.rres"] {
        let mut bytes = std::fs::read(file(name)).unwrap();
        let keys = Keys::new(Secret::password("another password").unwrap());
        let chunk = |bytes: &[u8]| PackView::parse(bytes).unwrap().chunks().next().unwrap().unwrap().unseal(&keys);
        assert!(matches!(chunk(&bytes), Err(Error::WrongKey { offset: 16, .. })), "{name}");
        bytes[100] ^= 1;
        assert!(matches!(chunk(&bytes), Err(Error::CrcMismatch { offset: 16, .. })), "{name}");
    }
}

/// The results 0 to 4 of `UnpackResourceChunk`.
#[test]
fn the_five_outcomes_of_the_c_library_are_five_results() {
    let bytes = std::fs::read(file("10_deflate_xchacha.rres")).unwrap();
    let keys = Keys::new(Secret::password("pässwörd").unwrap());
    let outcome = |bytes: &[u8], keys: &Keys| {
        let chunk = PackView::parse(bytes).unwrap().chunks().next().unwrap().unwrap();
        match chunk.unseal(keys).and_then(|unsealed| unsealed.into_block(&mut Decompressor::default())) {
            Ok(_) => 0,
            Err(Error::UnsupportedCipher(_)) => 1,
            Err(Error::WrongKey { .. }) => 2,
            Err(Error::UnsupportedCompression(_)) => 3,
            Err(Error::Decompress { .. }) => 4,
            Err(other) => panic!("{other}"),
        }
    };
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    // The header of the first chunk is at 16: its compression at 24, its cipher at 25, its base size at 32.
    assert_eq!(outcome(&bytes, &keys), 0);
    assert_eq!(outcome(&changed(25, 31), &keys), 1);
    assert_eq!(outcome(&bytes, &Keys::new(Secret::password("x").unwrap())), 2);
    assert_eq!(outcome(&changed(24, 30), &keys), 3);
    assert_eq!(outcome(&changed(32, 0), &keys), 4);
}
