//! Packs that the C library wrote, where they are at hand: the folder that `RRES_REAL_PACKS` names, else
//! `../shared/real-packs` beside the repository. They are not part of it; without them the tests say so and pass.

use std::path::{Path, PathBuf};

use super::Place;

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("RRES_REAL_PACKS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real-packs"),
    };
    if folder.join("expected.tsv").is_file() {
        return Some(folder);
    }
    eprintln!("skipped: no packs of the C library in {}; set RRES_REAL_PACKS", folder.display());
    None
}

fn packs(folder: &Path) -> Vec<PathBuf> {
    let mut packs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    packs.retain(|file| file.extension().is_some_and(|extension| extension == "rres"));
    packs.sort();
    packs
}

#[test]
fn packs_of_the_c_library_are_fine() {
    let Some(folder) = folder() else { return };
    let place = Place::new();
    let packs = packs(&folder);
    assert!(!packs.is_empty());
    for pack in packs {
        let pack = pack.to_str().unwrap();
        for command in ["ls", "info", "verify"] {
            place.run([command, pack]).fine();
        }
    }
}

#[test]
fn every_resource_of_them_is_described_and_extracted() {
    let Some(folder) = folder() else { return };
    let place = Place::new();
    let pack = folder.join("01_plain_all_types_cdir.rres");
    let pack = pack.to_str().unwrap();
    let ls: serde_json::Value = serde_json::from_str(&place.run(["ls", "--json", pack]).fine().out).unwrap();
    let resources = ls["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 9);
    for resource in resources {
        place.run(["info", pack, resource["path"].as_str().unwrap()]).fine();
    }
    let run = place.run(["extract", pack, "tree"]);
    assert!(run.out.ends_with("5 files written, 4 resources skipped\n"), "{run:?}");
    let crc = |bytes: &[u8]| rres_format::ResourceId::from_path(std::str::from_utf8(bytes).unwrap()).0;
    assert_eq!(crc(&place.read("tree/text/hello.txt")), 0x4066_5c65, "the CRC that the C reader computed");
    assert_eq!(place.read("tree/data/blob.bin").len(), 1000);
}

#[test]
fn awkward_packs_end_in_words() {
    let Some(folder) = folder() else { return };
    let place = Place::new();
    for pack in packs(&folder.join("quirk")) {
        let name = pack.file_stem().unwrap().to_str().unwrap().to_owned();
        let pack = pack.to_str().unwrap();
        let expected = match name.as_str() {
            "badcrc" => Some("is damaged: crc32 is 6f6392ca, expected 00000001"),
            "deflate_zlibwrapped" => Some("DEFLATE data is damaged"),
            "lz4_frame" => Some("LZ4 data is damaged"),
            "id_zero" => Some("has the id 0"),
            "img_mips2_l0" => Some("pixels at offset 0 needs 80 bytes, 64 are there"),
            "linked_self" => Some("comes back to it"),
            "text_size_too_big" => Some("text at offset 0 needs 100 bytes, 2 are there"),
            "zero_packed" => Some("needs 4 bytes, 0 are there"),
            _ => None,
        };
        let run = place.run(["verify", pack]);
        assert_eq!(run.code, i32::from(expected.is_some()), "{run:?}");
        assert!(run.out.contains(expected.unwrap_or(": ok; ")), "{run:?}");
        assert_eq!(run.out.contains("no NUL after the path"), name == "link_no_nul", "{run:?}");
        for command in ["ls", "info"] {
            // A loop of links is damage; other odd chunks are listed as they are.
            let run = place.run([command, pack]);
            assert_eq!(
                (run.code, run.err.contains("closes a loop")),
                if name == "linked_self" { (1, true) } else { (0, false) },
                "{run:?}"
            );
        }
        let tree = format!("tree-{name}");
        assert!(place.run(["extract", pack, &tree]).code < 2);
    }
}
