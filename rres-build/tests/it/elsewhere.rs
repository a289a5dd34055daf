//! Sparse checkouts: assets that a listing names, and whose files are not on this machine.

use std::fs;

use super::Project;

/// A project of which two files are missing, with the listing of the whole.
fn sparse() -> Project {
    let settings = b"[\"levels/3/**\"]\nlevel = 3\n[\"levels/1/a.txt\"]\nrename = \"FIRST\"\n[group.third]\ninclude = [\"levels/3/**\"]\n";
    let project = Project::new(&[
        ("levels/1/a.txt", b"a"),
        ("levels/2/b.txt", b"b"),
        ("levels/3/c.txt", b"c"),
        ("assets.toml", settings),
    ]);
    let listing = project.build().allow_missing().listing().unwrap();
    fs::write(listing.file, listing.text).unwrap();
    fs::remove_dir_all(project.assets().join("levels/3")).unwrap();
    fs::remove_file(project.assets().join("levels/1/a.txt")).unwrap();
    project
}

#[test]
fn assets_that_are_not_here_keep_their_constants() {
    let project = sparse();
    let build = || project.build().debug(true).allow_missing();
    let report = build().build().unwrap();
    assert_eq!(report.assets.iter().map(|asset| &*asset.path).collect::<Vec<_>>(), ["levels/2/b.txt"]);
    let notes = report.note_lines().join("\n");
    for part in ["not on this machine", "levels/1/a.txt", "levels/3/c.txt", "run `cargo rres listing`"] {
        assert!(notes.contains(part), "{part} in {notes}");
    }
    let module = project.module();
    for part in ["FIRST", "B_TXT", "C_TXT", "THIRD", "not on this machine"] {
        assert!(module.contains(part), "{part} in {module}");
    }
    // What was removed leaves the listing.
    let listing = build().listing().unwrap();
    assert_eq!((listing.count, &*listing.absent), (1, &["levels/1/a.txt".to_owned(), "levels/3/c.txt".to_owned()][..]));
    fs::write(listing.file, listing.text).unwrap();
    let error = build().build().expect_err("a rule and a group match nothing");
    assert!(error.to_string().contains("levels/3"), "{error}");
}

#[test]
fn a_release_build_must_have_all_files() {
    let project = sparse();
    let error = project.build().allow_missing().build().unwrap_err();
    let faults: Vec<String> = error.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[1].contains("levels/3/c.txt") && faults[1].contains("check out all files"), "{faults:?}");
    // Without the option, the listing says nothing: a rule that matches no file is then a mistake.
    assert!(project.fail().to_string().contains("levels/3/**"));
}
