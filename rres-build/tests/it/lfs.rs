//! Git LFS pointers in place of files are refused for every kind, and texts that only begin like one are not.

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};

use super::Project;

const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

/// Takes any bytes, and a file beside it, which need not exist.
struct LevelImporter;

impl Importer for LevelImporter {
    fn describe(&self) -> Description {
        Description::new("tiles", 1).reads(["level"]).makes(AssetType::custom(*b"LEVL", "crate::Level"))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let tiles = source.read_input("tiles.dat").map(|bytes| bytes.to_vec()).unwrap_or_default();
        Ok(vec![Asset::custom(*b"LEVL", [source.bytes(), &tiles].concat())])
    }
}

#[test]
fn a_pointer_is_refused_as_any_kind_and_no_rule_is_proposed() {
    let project = Project::new(&[
        ("notes.txt", POINTER),
        ("data.bin", POINTER),
        ("raw.png", POINTER),
        ("link.dat", POINTER),
        ("one.level", POINTER),
        ("windows.txt", String::from_utf8_lossy(POINTER).replace('\n', "\r\n").as_bytes()),
        ("assets.toml", b"[\"raw.png\"]\nkind = \"raw\"\n[\"link.dat\"]\nkind = \"link\"\n"),
    ]);
    #[cfg(feature = "image")]
    project.write("hero.png", POINTER);
    let error = project.build().importer(LevelImporter).build().expect_err("pointers are not assets");
    let expected = if cfg!(feature = "image") { 7 } else { 6 };
    assert_eq!(error.diagnostics().len(), expected, "{error}");
    for diagnostic in error.diagnostics() {
        assert_eq!(diagnostic.message(), "is a Git LFS pointer, not the file itself");
        assert_eq!(diagnostic.help(), Some("fetch the file with `git lfs pull`"));
    }
    assert_eq!(error.suggested_rules(), None);
    project.write("assets.toml", b"[\"**\"]\nignore = true\n");
    assert!(project.run().assets.is_empty());
}

#[test]
fn a_text_that_begins_like_a_pointer_is_a_text() {
    let text = String::from_utf8_lossy(POINTER);
    let project = Project::new(&[
        ("first_line.txt", b"version https://git-lfs.github.com/spec/v1\n"),
        ("about.txt", format!("{text}\nThis is what a pointer looks like.\n").as_bytes()),
        ("other_oid.txt", text.replace("4d7a", "4dza").as_bytes()),
        ("short_oid.txt", text.replace("4d7a", "").as_bytes()),
        ("no_size.txt", text.replace("12345", "large").as_bytes()),
        ("long.txt", format!("{text}{}", " ".repeat(1024)).as_bytes()),
    ]);
    assert_eq!(project.run().assets.len(), 6);
}

#[test]
fn a_pointer_in_place_of_a_file_that_a_source_reads_is_not_read() {
    let project = Project::new(&[
        ("one.level", b"level "),
        ("tiles.dat", POINTER),
        ("assets.toml", b"[\"tiles.dat\"]\nignore = true\n"),
    ]);
    let build = || project.build().importer(LevelImporter).build().unwrap();
    let without = build().assets[0].stored_size;
    // The importer went on without the tiles. Once they are fetched, they are read.
    project.write("tiles.dat", &(0..=255).collect::<Vec<u8>>());
    assert!(build().assets[0].stored_size > without);
}
