//! Encrypted packs: which assets, with which key, and where the key does not go.

use std::fs;

use rres_engine::Build;
use rres_format::seal::Keys;
use rres_format::seal::Secret;
use rres_format::{Cipher, PackView, ResourceId};

use super::{Project, files_below, sources};

const PASSWORD: &str = "a password of this test";

fn secret() -> Secret {
    Secret::password(PASSWORD).unwrap()
}

fn raw(byte: u8) -> impl Fn() -> Secret {
    move || Secret::raw_key([byte; 32])
}

fn project(settings: &str) -> Project {
    let project = Project::new(&sources());
    project.write("assets.toml", settings.as_bytes());
    project
}

/// The path and the cipher of each resource, by path.
fn ciphers(pack: &[u8]) -> Vec<(String, Cipher)> {
    let view = PackView::parse(pack).unwrap();
    let cipher = |id| view.find(id).unwrap().unwrap().info.cipher;
    let entries = view.index().unwrap();
    let mut found: Vec<_> =
        entries.entries().map(|entry| entry.unwrap()).map(|e| (e.path.to_owned(), cipher(e.id))).collect();
    found.sort();
    found
}

fn built(build: Build) -> Vec<u8> {
    fs::read(&build.build().unwrap_or_else(|e| panic!("{e}")).packs[0]).unwrap()
}

#[test]
fn rules_choose_what_is_encrypted_and_how() {
    let project = project(
        "[pack]\ncipher = \"xchacha20-poly1305\"\n[\"levels/*\"]\ncipher = \"none\"\n[\"readme.txt\"]\ncipher = \"aes\"\n",
    );
    let pack = built(project.build().key(secret));
    let of = |path: &str| ciphers(&pack).into_iter().find(|(found, _)| found == path).unwrap().1;
    assert_eq!(of("data/noise.bin"), Cipher::XCHACHA20_POLY1305);
    assert_eq!(of("levels/1.txt"), Cipher::NONE);
    assert_eq!(of("readme.txt"), Cipher::AES);
    // Everything decrypts, with one derivation for the pack and one for the AES chunk.
    let (view, keys) = (PackView::parse(&pack).unwrap(), Keys::new(secret()));
    for chunk in view.chunks().map(|chunk| chunk.unwrap()).filter(|chunk| chunk.is_resource()) {
        chunk.unseal(&keys).unwrap();
    }
    assert_eq!(keys.derivations(), 2);
    view.check_index().unwrap();
    (0..view.index().unwrap().len() as u32).for_each(|slot| view.check_entry(slot).unwrap());
}

#[test]
fn builds_with_one_key_are_equal_and_with_another_differ() {
    let settings = "[pack]\ncipher = \"xchacha20-poly1305\"\n";
    let (one, other) = (project(settings), project(settings));
    let first = built(one.build().key(raw(1)));
    assert_eq!(first, built(other.build().key(raw(1)).threads(1)));
    // The pack that is in place is not taken for the pack of another key.
    assert_ne!(first, built(one.build().key(raw(2))));
    assert_eq!(first, built(one.build().key(raw(1))));
}

#[test]
fn nothing_but_the_pack_depends_on_the_key() {
    let project = project("[pack]\ncipher = \"xchacha20-poly1305\"\n");
    built(project.build().key(secret));
    for file in files_below(project.dir.path()) {
        let bytes = fs::read(&file).unwrap();
        let contains = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        assert!(!contains(PASSWORD.as_bytes()), "{}", file.display());
    }
    assert!(project.module().contains("::rres_runtime::__require_seal!(\"data/empty.bin and 6 more\");"));
    let report = project.build().key(raw(9)).build().unwrap();
    assert_eq!(report.imported(), 0, "blobs are not encrypted");
    // A debug build reads blobs, and needs no key.
    project.build().debug(true).build().unwrap();
}

#[test]
fn equal_assets_share_chunks_only_if_they_have_one_cipher() {
    let settings = "[\"a/*\"]\ncipher = \"xchacha20-poly1305\"\n";
    let project = Project::new(&[("assets.toml", settings.as_bytes())]);
    for path in ["a/1.bin", "a/2.bin", "b/1.bin", "b/2.bin"] {
        project.write(path, &[3; 900]);
    }
    let pack = built(project.build().key(raw(1)));
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let cipher = |path: &str| {
        let entry = index.entry(index.find(ResourceId::from_path(path)).unwrap()).unwrap();
        (view.first_chunk_of(&entry).unwrap().info.cipher, entry.is_shared)
    };
    assert_eq!(cipher("a/1.bin"), (Cipher::XCHACHA20_POLY1305, false));
    assert_eq!(cipher("a/2.bin"), (Cipher::XCHACHA20_POLY1305, true));
    assert_eq!(cipher("b/1.bin"), (Cipher::NONE, false));
    assert_eq!(cipher("b/2.bin"), (Cipher::NONE, true));
}

#[test]
fn the_key_can_come_from_a_file() {
    let project = project("");
    let file = project.dir.path().join("game.key");
    fs::write(&file, format!("{PASSWORD}\n")).unwrap();
    let settings =
        format!("[pack]\ncipher = \"xchacha20-poly1305\"\nkey_env = \"RRES_NOT_SET\"\nkey_file = {file:?}\n");
    project.write("assets.toml", settings.as_bytes());
    let pack = built(project.build());
    let view = PackView::parse(&pack).unwrap();
    view.find(ResourceId::from_path("readme.txt")).unwrap().unwrap().unseal(&Keys::new(secret())).unwrap();
    fs::write(&file, "").unwrap();
    assert!(project.fail().to_string().contains("game.key: the secret cannot be used: the password is empty"));
}

#[test]
fn a_missing_key_is_an_error_that_says_what_to_do() {
    let project = project("[pack]\nkey_env = \"RRES_NOT_SET\"\n[\"levels/*\"]\ncipher = \"xchacha20-poly1305\"\n");
    let error = project.fail().to_string();
    for part in [
        "settings encrypt assets (such as levels/1.txt)",
        "there is no key",
        "set the variable RRES_NOT_SET",
        "`key_file`",
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
    assert!(!project.out().join("game.rres").exists());
}

#[test]
fn paths_can_be_left_out_of_the_pack() {
    let project = project("[pack]\npaths = false\ncipher = \"xchacha20-poly1305\"\n[\"readme.txt\"]\nid = 7\n");
    let pack = built(project.build().key(raw(1)));
    let view = PackView::parse(&pack).unwrap();
    assert!(view.directory().unwrap().is_none());
    let index = view.index().unwrap();
    assert!(index.entries().all(|entry| entry.unwrap().path.is_empty()));
    assert_eq!((index.find_path("readme.txt"), index.find_path("")), (None, None));
    assert!(view.find(ResourceId(7)).unwrap().is_some());
    for path in sources().iter().map(|(path, _)| path.rsplit('/').next().unwrap()) {
        assert!(!pack.windows(path.len()).any(|window| window == path.as_bytes()), "{path}");
    }
}
