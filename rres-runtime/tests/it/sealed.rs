//! Encrypted packs: what they cost, what a wrong key and no key lead to.

use std::io::Read;
use std::path::Path;

use rres_format::{Cipher, PackBuilder, Resource};
use rres_runtime::seal::{Keys, Salt, Sealer, Secret};
use rres_runtime::{ErrorKind, Image, Limits, Pack, PackOptions, Raw, Result, Store, Text};

use super::assets::{image, pack, pixels, raw, text};
use super::{File, assert_message, id};

fn keys(password: &str) -> Keys {
    Keys::new(Secret::password(password).unwrap())
}

pub(super) fn raw_keys(byte: u8) -> Keys {
    Keys::new(Secret::raw_key([byte; 32]))
}

pub(super) fn sealed(mut resource: Resource<'static>, keys: &Keys) -> Resource<'static> {
    let sealer = Sealer::new(keys.clone(), Cipher::XCHACHA20_POLY1305, Salt::from_name("test")).unwrap();
    let (id, chunks) = (resource.id, std::mem::take(&mut resource.chunks));
    resource.chunks = (0..).zip(chunks).map(|(number, chunk)| chunk.seal(&sealer, id, number).unwrap()).collect();
    resource
}

/// A pack with two encrypted resources and one that is not.
pub(super) fn game(keys: &Keys) -> PackBuilder<'static> {
    pack([
        sealed(text("plot.txt", "the butler"), keys),
        sealed(image("end.png", Default::default()), keys),
        raw("open.bin", b"open"),
    ])
}

fn open(pack: &PackBuilder<'_>, keys: Keys) -> Result<Pack> {
    PackOptions::default().keys(keys).from_bytes(pack.to_vec().unwrap())
}

#[test]
fn encrypted_assets_load_with_the_key() {
    for keys in [keys("sixteen letters!"), raw_keys(3)] {
        for with_index in [true, false] {
            let store = Store::from_packs([open(&game(&keys).index(with_index), keys.clone()).unwrap()]);
            assert_eq!(store.load(id::<Text>("plot.txt")).unwrap().get().as_str(), "the butler");
            assert_eq!(*store.load(id::<Image>("end.png")).unwrap().get().data(), pixels());
            assert_eq!(store.load(id::<Raw>("open.bin")).unwrap().get().bytes(), b"open");
        }
    }
}

#[test]
fn any_number_of_assets_costs_one_derivation() {
    let names: Vec<String> = (0..500).map(|number| format!("{number}.txt")).collect();
    let writer = keys("one for all");
    let packed = pack(names.iter().map(|name| sealed(text(name, name), &writer)));
    let keys = keys("one for all");
    let opened = open(&packed, keys.clone()).unwrap();
    assert_eq!(keys.derivations(), 1, "for the check");
    let store = Store::from_packs([opened]);
    let pending: Vec<_> = names.iter().map(|name| store.load_async(id::<Text>(name))).collect();
    for (name, pending) in names.iter().zip(pending) {
        assert_eq!(pending.wait().unwrap().get().as_str(), name);
    }
    // Another pack of the game shares them.
    open(&packed, keys.clone()).unwrap();
    assert_eq!(keys.derivations(), 1);
}

/// Each text has a salt of its own, as packs of the C tools do.
fn with_salts(name: &str, count: usize, keys: &Keys) -> PackBuilder<'static> {
    pack((0..count).map(|number| {
        let salt = Salt::from_name(&format!("{name}{number}"));
        let sealer = Sealer::new(keys.clone(), Cipher::XCHACHA20_POLY1305, salt).unwrap();
        let mut resource = text(&format!("{name}{number}.txt"), "text");
        let (id, chunks) = (resource.id, std::mem::take(&mut resource.chunks));
        resource.chunks = (0..).zip(chunks).map(|(number, chunk)| chunk.seal(&sealer, id, number).unwrap()).collect();
        resource
    }))
}

#[test]
fn a_pack_that_demands_many_keys_takes_none_of_another() {
    let limits = Limits::DEFAULT.with_max_key_derivations(4);
    let (writer, reader) = (keys("one for all"), keys("one for all"));
    let open = |pack: PackBuilder<'_>| {
        let options = PackOptions::default().keys(reader.clone()).limits(limits);
        Store::from_packs([options.from_bytes(pack.to_vec().unwrap()).unwrap()])
    };
    let load_all = |store: &Store| -> Vec<bool> {
        let entries = store.mounts();
        entries.entries().map(|entry| store.load(entry.id.typed::<Text>().unwrap()).is_ok()).collect()
    };
    let hostile = open(with_salts("mod", 6, &writer));
    assert_eq!(load_all(&hostile).into_iter().filter(|ok| *ok).count(), 4, "its own limit");
    assert_eq!(load_all(&open(with_salts("game", 4, &writer))), [true; 4]);
}

#[test]
fn a_wrong_key_is_an_error_of_opening() {
    let file = File::new(&game(&keys("right")));
    let error = PackOptions::default().keys(keys("wrong")).open(file.path()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(rres_format::Error::WrongKey { .. })));
    assert_eq!(error.file(), Some(&*file.path()));
    assert_message::<Pack>(
        Err(error),
        &["the key does not fit", "XChaCha20-Poly1305", "check that it is", "game.rres"],
    );
    assert!(open(&game(&raw_keys(1)).index(false), raw_keys(2)).is_err(), "in packs without an index, too");
}

#[test]
fn without_a_key_encrypted_assets_fail_by_name_and_others_load() {
    let store = super::store(&game(&raw_keys(1)));
    assert_message(
        store.load(id::<Text>("plot.txt")),
        &[
            "asset \"plot.txt\" (",
            "it is encrypted with XChaCha20-Poly1305",
            "assets::open_with(PackOptions::default().keys(",
        ],
    );
    assert_eq!(store.load(id::<Raw>("open.bin")).unwrap().get().bytes(), b"open");
}

#[test]
fn a_pack_that_is_not_encrypted_does_not_ask_for_the_key() {
    let plain = pack([text("a.txt", "plain")]);
    let keys = Keys::ask(|| panic!("nobody needs it"));
    let store = Store::from_packs([open(&plain, keys).unwrap()]);
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "plain");
}

#[test]
fn damage_of_an_encrypted_asset_is_not_taken_for_a_wrong_key() {
    let keys = raw_keys(1);
    let mut bytes = game(&keys).to_vec().unwrap();
    // The last byte of the smallest encrypted chunk, which opening tries first: its tag.
    let chunk = rres_format::PackView::parse(&bytes).unwrap().find(id::<Text>("plot.txt").resource()).unwrap().unwrap();
    let last = chunk.end() as usize - 1;
    bytes[last] ^= 1;
    let pack = PackOptions::default().keys(keys).from_bytes(bytes).unwrap();
    assert_message(pack.load::<Text>(id::<Text>("plot.txt")), &["plot.txt", "is damaged: crc32 is"]);
    assert_eq!(*pack.load::<Image>(id::<Image>("end.png")).unwrap().data(), pixels());
}

#[test]
fn encrypted_bytes_can_be_streamed() {
    let keys = raw_keys(1);
    let store = Store::from_packs([open(&pack([sealed(raw("a.bin", &[7; 5000]), &keys)]), keys).unwrap()]);
    let mut bytes = Vec::new();
    store.stream(id::<Raw>("a.bin")).unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, [7; 5000]);
}

#[test]
fn encrypted_packs_of_the_c_library_load() {
    let file = |name| Path::new(env!("CARGO_MANIFEST_DIR")).join("../rres-format/tests/c-packs").join(name);
    for (name, password) in [
        ("07_aes.rres", "password12345"),
        ("08_xchacha20poly1305.rres", "correct horse battery staple"),
        ("10_deflate_xchacha.rres", "pässwörd"),
    ] {
        let pack = PackOptions::default().keys(keys(password)).open(file(name)).unwrap();
        let text: Text = pack.load(pack.find("text/hello.txt").unwrap()).unwrap();
        assert_eq!(text.as_str().len(), 72, "{name}");
        let image: Image = pack.load(pack.find("images/rgba.png").unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (31, 17), "{name}");
    }
    // Each chunk has its own salt, which the limits cap.
    let limits = Limits::DEFAULT.with_max_key_derivations(1);
    let pack = PackOptions::default().limits(limits).keys(keys("password12345")).open(file("07_aes.rres")).unwrap();
    let rest = pack.entries().map(|entry| pack.load::<Image>(entry.id.resource())).filter_map(Result::err);
    assert!(
        rest.map(|error| error.to_string())
            .any(|error| error.contains("is 2, expected at most 1; raise `Limits::max_key_derivations`"))
    );
}
