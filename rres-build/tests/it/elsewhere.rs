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
    // What was removed leaves the listing, when rules no longer name it.
    let error = build().listing().expect_err("a rule and a group match nothing");
    assert!(error.to_string().contains("levels/3"), "{error}");
    project.write("assets.toml", b"");
    let listing = build().listing().unwrap();
    assert_eq!((listing.count, &*listing.absent), (1, &["levels/1/a.txt".to_owned(), "levels/3/c.txt".to_owned()][..]));
    fs::write(listing.file, listing.text).unwrap();
    assert!(build().build().unwrap().note_lines().is_empty());
}

#[test]
fn paths_that_rules_and_targets_give_are_no_missing_files() {
    let project = Project::new(&[
        ("pictures/a.txt", b"a"),
        ("hud.desktop.txt", b"hud"),
        ("hud.mobile.txt", b"hud"),
        ("odd#name.txt", b"odd"),
        (
            "assets.toml",
            b"[\"pictures/a.txt\"]\npath = \"shown/b.txt\"\n[pack.targets]\ndesktop = 'cfg(not(target_os = \"android\"))'\nmobile = 'cfg(target_os = \"android\")'\n",
        ),
    ]);
    let listing = project.build().allow_missing().listing().unwrap();
    assert!(listing.text.contains("shown/b.txt") && listing.text.contains("\thud.txt\t"), "{}", listing.text);
    fs::write(&listing.file, &listing.text).unwrap();
    let report = project.build().allow_missing().build().unwrap();
    assert!(!report.note_lines().join("").contains("not on this machine"), "{:?}", report.note_lines());
    let again = project.build().allow_missing().listing().unwrap();
    assert_eq!((again.text, again.absent), (listing.text, Vec::new()));
}

#[test]
fn sources_that_are_kept_elsewhere_are_fetched_not_forgotten() {
    let project = sparse();
    let line = |path: &str| format!("{} 1 {path}\n", "01".repeat(32));
    let list = format!("rres-sources 1 https://example.com/a\n{}{}", line("levels/1/a.txt"), line("music/d.txt"));
    fs::write(project.assets().with_file_name("assets.sources"), list).unwrap();
    // One has a constant in the listing, the other has none.
    let error = project.build().debug(true).allow_missing().build().unwrap_err().to_string();
    assert!(
        error.contains("not on this machine: music/d.txt\n") && error.contains("cargo rres sources pull"),
        "{error}"
    );
    let error = project.build().allow_missing().build().unwrap_err().to_string();
    assert!(error.contains("music/d.txt and 1 more") && error.contains("levels/3/c.txt"), "{error}");
    // The listing keeps what is only not fetched.
    let error = project.build().debug(true).allow_missing().listing().unwrap_err().to_string();
    assert!(error.contains("cargo rres sources pull"), "{error}");
}

#[test]
fn a_release_build_must_have_all_files() {
    let project = sparse();
    let error = project.build().allow_missing().build().unwrap_err();
    let fault = error.to_string();
    assert!(
        fault
            .contains("assets.listing: has constants of files that are not on this machine: levels/1/a.txt and 1 more"),
        "{fault}"
    );
    assert!(fault.contains("check out all files"), "{fault}");
    // Without the option, the listing says nothing: a rule that matches no file is then a mistake.
    assert!(project.fail().to_string().contains("levels/3/**"));
}
