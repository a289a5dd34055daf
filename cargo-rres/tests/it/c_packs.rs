//! The command on packs that the C library wrote: `rres-format/tests/c-packs`.

use std::path::{Path, PathBuf};

use super::Sandbox;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rres-format/tests/c-packs")
}

fn packs(folder: &Path) -> Vec<PathBuf> {
    let mut packs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    packs.retain(|file| file.extension().is_some_and(|extension| extension == "rres"));
    packs.sort();
    assert!(!packs.is_empty(), "no packs in {}", folder.display());
    packs
}

#[test]
fn packs_of_the_c_library_have_no_faults() {
    let sandbox = Sandbox::new();
    for pack in packs(&folder()) {
        let pack = pack.to_str().unwrap();
        for command in ["ls", "info", "verify"] {
            sandbox.run([command, pack]).success();
        }
    }
}

#[test]
fn every_resource_of_them_is_described_and_extracted() {
    let sandbox = Sandbox::new();
    let pack = folder().join("01_plain_all_types_cdir.rres");
    let pack = pack.to_str().unwrap();
    let ls: serde_json::Value = serde_json::from_str(&sandbox.run(["ls", "--json", pack]).success().out).unwrap();
    let resources = ls["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 9);
    for resource in resources {
        sandbox.run(["info", pack, resource["path"].as_str().unwrap()]).success();
    }
    let run = sandbox.run(["extract", pack, "-o", "tree"]);
    assert!(run.out.ends_with("8 files written, 2 resources skipped\n"), "{run:?}");
    for link in ["links/linked.bin", "links/linked.txt"] {
        assert!(run.err.contains(&format!("skipped {link}: it is a link to {link}")), "{run:?}");
    }
    for (file, start) in [
        ("audio/stereo16.wav", &b"RIFF"[..]),
        ("images/rgba.png", b"\x89PNG"),
        ("fonts/sans.ttf.10.png", b"\x89PNG"),
        ("fonts/sans.ttf.10.json", b"{"),
        ("models/cube.obj.glb", b"glTF"),
    ] {
        assert!(sandbox.read(&format!("tree/{file}")).starts_with(start), "{file}");
    }
    let crc = |bytes: &[u8]| rres_format::ResourceId::from_path(std::str::from_utf8(bytes).unwrap()).0;
    assert_eq!(crc(&sandbox.read("tree/text/hello.txt")), 0x4066_5c65, "the CRC that the C reader computed");
    assert_eq!(sandbox.read("tree/data/blob.bin").len(), 1000);
}

#[test]
fn damage_and_oddities_are_reported() {
    let sandbox = Sandbox::new();
    for pack in packs(&folder().join("quirk")) {
        let name = pack.file_stem().unwrap().to_str().unwrap().to_owned();
        let pack = pack.to_str().unwrap();
        let expected = match name.as_str() {
            "badcrc" => Some("is damaged: crc32 is 6f6392ca, expected 00000001"),
            "deflate_zlibwrapped" => Some("DEFLATE data is damaged"),
            "lz4_frame" => Some("LZ4 data is damaged"),
            "id_zero" => Some("has the id 0"),
            "img_mips2_l0" => Some("truncated pixels at offset 0: expected 80 bytes, found 64"),
            "linked_self" => Some("its links lead back to itself"),
            "text_size_too_big" => Some("truncated text at offset 0: expected 100 bytes, found 2"),
            "zero_packed" => Some("expected 4 bytes, found 0"),
            _ => None,
        };
        let run = sandbox.run(["verify", pack]);
        assert_eq!(run.code, i32::from(expected.is_some()), "{run:?}");
        assert!(run.out.contains(expected.unwrap_or(": ok; ")), "{run:?}");
        assert_eq!(run.out.contains("note[link-unterminated]"), name == "link_no_nul", "{run:?}");
        for command in ["ls", "info"] {
            // A loop of links is a fault; other odd chunks are listed as they are.
            let run = sandbox.run([command, pack]);
            assert_eq!(
                (run.code, run.err.contains("closes a loop")),
                if name == "linked_self" { (1, true) } else { (0, false) },
                "{run:?}"
            );
        }
        let tree = format!("tree-{name}");
        assert!(sandbox.run(["extract", pack, "-o", &tree]).code < 2);
    }
}
