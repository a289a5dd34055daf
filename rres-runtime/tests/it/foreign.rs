//! Packs of other programs, without an index and perhaps without a directory.

use std::path::{Path, PathBuf};

use rres_format::PackBuilder;
use rres_runtime::{AssetKind, Font, Image, Link, Model, Pack, PackOptions, Raw, ResourceId, Sound, Store, Text};

use super::assets::{SAMPLES, image, pack, pixels, raw, sound, text};
use super::{assert_message, id};

fn foreign() -> PackBuilder<'static> {
    pack([text("a.txt", "text"), image("b.png", Default::default()), sound("c.wav"), raw("d.bin", b"raw")]).index(false)
}

#[test]
fn packs_without_an_index_load_by_path_and_by_id() {
    let pack = PackOptions::default().from_bytes(foreign().to_vec().unwrap()).unwrap();
    let mut found: Vec<_> = pack.entries().map(|entry| (entry.path, entry.kind.unwrap())).collect();
    found.sort_unstable();
    let kinds = [AssetKind::Text, AssetKind::Image, AssetKind::Sound, AssetKind::Raw];
    assert_eq!(found, ["a.txt", "b.png", "c.wav", "d.bin"].into_iter().zip(kinds).collect::<Vec<_>>());
    assert_eq!(pack.find("b.png"), Some(ResourceId::from_path("b.png")));
    assert_eq!(pack.find("b.pn"), None);
    let store = Store::from_packs([pack]);
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "text");
    assert_eq!(*store.load(id::<Image>("b.png")).unwrap().get().data(), pixels());
    let sound = store.load(id::<Sound>("c.wav")).unwrap().get();
    assert_eq!(sound.samples(), rres_runtime::asset::Samples::I16(&SAMPLES));
    assert_message(store.load(id::<Sound>("d.bin")), &["asset \"d.bin\" (", "expected kind sound, found raw"]);
}

#[test]
fn packs_without_a_directory_load_by_id() {
    let pack = PackOptions::default().from_bytes(foreign().directory(false).to_vec().unwrap()).unwrap();
    assert!(pack.entries().all(|entry| entry.path.is_empty()));
    assert_eq!(pack.find("a.txt"), None);
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("d.bin")).unwrap().bytes(), b"raw");
}

#[cfg(not(feature = "font"))]
#[test]
fn without_its_feature_a_font_that_is_a_file_is_refused_by_name() {
    let pack = pack([raw("a.ttf", b"\0\x01\0\0 and tables"), raw("b.otf", b"OTTO and tables")]).index(false);
    let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
    for name in ["a.ttf", "b.otf"] {
        let expected = [name, "is a TTF or OTF file", "compiled without the feature \"font\""];
        assert_message(store.load(id::<Font>(name)), &expected);
    }
}

/// As in a pack of ours whose index was lost: a game that divides by the rate must not divide by 0.
#[cfg(all(feature = "ogg", feature = "mp3"))]
#[test]
fn a_sound_file_without_metadata_has_the_rate_and_the_channels_of_its_head() {
    for (name, channels, bytes) in [
        ("a.ogg", 2, &include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg")[..]),
        ("b.mp3", 1, include_bytes!("../../../crates/test-data/fixtures/sound/mono.mp3")),
    ] {
        let pack = pack([raw(name, bytes)]).index(false).to_vec().unwrap();
        let store = Store::from_packs([PackOptions::default().from_bytes(pack).unwrap()]);
        let sound = store.load(id::<Sound>(name)).unwrap().get();
        assert!(sound.sample_rate() >= 8000, "{name}: {}", sound.sample_rate());
        assert_eq!((sound.channels(), sound.frames()), (channels, 0), "{name}");
    }
}

/// A file of the packs that the C library wrote.
fn c_pack(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rres-format/tests/c-packs").join(name)
}

#[test]
fn a_pack_of_the_c_library_loads_as_every_kind() {
    let mut names = vec!["01_plain_all_types_cdir.rres"];
    if rres_format::Compression::DEFLATE.is_enabled() {
        names.push("03_deflate_cdir.rres");
    }
    for name in names {
        let store = Store::from_packs([Pack::open(c_pack(name)).unwrap()]);
        let text = store.load(id::<Text>("text/hello.txt")).unwrap().get();
        assert!(text.as_str().starts_with("Hello, rres!\n"), "{name}");
        assert_eq!(text.culture(), Some(1033));
        assert_eq!(store.load(id::<Raw>("data/blob.bin")).unwrap().get().bytes().len(), 1000);
        assert_eq!(store.load(id::<Raw>("data/blob.bin")).unwrap().get().extension(), ".bin");
        let image = store.load(id::<Image>("images/rgba.png")).unwrap().get();
        assert_eq!((image.width(), image.height(), image.data().len()), (31, 17, 2108));
        let sound = store.load(id::<Sound>("audio/stereo16.wav")).unwrap().get();
        assert_eq!((sound.frames(), sound.sample_rate(), sound.channels()), (800, 8000, 2));
        let font = store.load(id::<Font>("fonts/sans.ttf")).unwrap().get();
        assert_eq!((font.strikes().len(), font.strikes()[0].glyphs().len()), (1, 95));
        assert_eq!(font.strikes()[0].atlas().width(), 128);
        let model = store.load(id::<Model>("models/cube.obj")).unwrap().get();
        let [cube] = model.primitives() else { panic!("{model:?}") };
        assert_eq!((cube.positions().len(), cube.attributes().count()), (24, 7));
        assert!(
            matches!(cube.indices(), Some(rres_runtime::asset::model::Indices::U16(indices)) if indices.len() == 36)
        );
        assert!(cube.normals().is_some() && cube.tangents().is_some() && cube.colors().is_some());
        if name.starts_with("01") {
            assert_eq!(store.load(id::<Link>("links/linked.txt")).unwrap().get().path(), "links/linked.txt");
        }
    }
}

#[test]
fn encrypted_packs_of_the_c_library_are_listed_and_refused_with_the_cipher() {
    for (name, cipher) in [("07_aes.rres", "AES"), ("08_xchacha20poly1305.rres", "XChaCha20-Poly1305")] {
        let store = Store::from_packs([Pack::open(c_pack(name)).unwrap()]);
        assert_eq!(store.mounts().entries().count(), 7);
        let says = if cfg!(feature = "seal") { "give the password or the key" } else { "enable the feature `seal`" };
        assert_message(store.load(id::<Text>("text/hello.txt")), &["\"text/hello.txt\"", cipher, says, name]);
    }
}

#[test]
fn every_pack_of_the_c_library_loads_or_fails_with_an_error() {
    let mut opened = 0;
    for entry in std::fs::read_dir(c_pack("quirk")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "rres") {
            continue;
        }
        let Ok(pack) = Pack::open(&file) else { continue };
        opened += 1;
        for entry in pack.entries() {
            let id = entry.id.resource();
            let (text, image, raw) = (pack.load::<Text>(id), pack.load::<Image>(id), pack.load::<Raw>(id));
            let errors = [text.err(), image.err(), raw.err()];
            for error in errors.into_iter().flatten() {
                assert!(error.to_string().contains(&id.to_string()), "{}: {error}", file.display());
            }
        }
    }
    assert!(opened > 10, "{opened} packs opened");
}
