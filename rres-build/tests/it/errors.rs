//! What is wrong is said once, completely, with the file and the remedy.

use super::{Project, sources};

#[test]
fn every_broken_asset_is_reported_in_one_run() {
    let project = Project::new(&[
        ("good.txt", b"good"),
        ("bad 1.txt", b"\xff\xff"),
        ("bad 2.txt", b"ok \xc0"),
        ("deep/down/bad.lua", b"\x80"),
    ]);
    let errors = project.fail();
    let texts: Vec<String> = errors.problems().iter().map(ToString::to_string).collect();
    assert_eq!(errors.problems().len(), 3, "{errors}");
    for (text, file) in texts.iter().zip(["bad 1.txt", "bad 2.txt", "deep/down/bad.lua"]) {
        let file = project.assets().join(file).display().to_string();
        assert!(text.starts_with(&format!("{file}: is not text")), "{text}");
        assert!(text.contains("\n  help: save it as UTF-8"), "{text}");
    }
    assert!(!project.out().join("game.rres").exists(), "a failed build leaves no pack");
}

#[test]
fn a_missing_directory_and_an_empty_one() {
    let project = Project::new(&[]);
    let report = project.run();
    assert!(report.assets.is_empty());
    assert!(project.module().contains("fn open()"));
    std::fs::remove_dir(project.assets()).unwrap();
    assert!(project.fail().to_string().contains("the assets directory is not there"));
}

#[test]
fn names_that_become_the_same_constant_name_both_files() {
    let project = Project::new(&[("ui/a-b.txt", b""), ("ui/a_b.txt", b"")]);
    let text = project.fail().to_string();
    for part in ["ui/a-b.txt", "ui/a_b.txt", "ui::A_B_TXT", "rename"] {
        assert!(text.contains(part), "{part} in: {text}");
    }
}

#[test]
fn ids_that_collide_name_both_files() {
    // Two paths of real games with the same CRC-32.
    let first = "tuxpaint-stamps-default/share/tuxpaint/stamps/medical/mercurythermometer_desc_ca.ogg";
    let second = "large/wesnoth/games/wesnoth/1.16/data/core/images/units/saurians/augur/augur-se-run9.png";
    let project = Project::new(&[(first, b"a"), (second, b"b"), ("assets.toml", b"[\"**\"]\nkind = \"raw\"\n")]);
    let text = project.fail().to_string();
    for part in [first, second, "0x565b2922", "id = "] {
        assert!(text.contains(part), "{part} in: {text}");
    }
    let rules = format!("[\"**\"]\nkind = \"raw\"\n[\"{first}\"]\nid = 7\n");
    project.write("assets.toml", rules.as_bytes());
    project.run();
}

#[test]
fn settings_errors_name_file_line_and_column() {
    let project = Project::new(&sources());
    project.write("assets.toml", b"[\"levels/*.txt\"]\ncompresion = \"zstd\"\n\n[\"nothing/*\"]\nid = 4\n");
    let text = project.fail().to_string();
    assert!(text.contains("assets.toml:2:1: "), "{text}");
    assert!(text.contains("compression"), "{text}");
    project.write("assets.toml", b"\n[\"nothing/*\"]\ncompression = \"none\"\n");
    let text = project.fail().to_string();
    assert!(text.contains("assets.toml:2:2: "), "{text}");
}

#[test]
fn rules_of_the_build_script_name_their_line() {
    let project = Project::new(&sources());
    let errors = project.build().rule("nothing/**", |s| s.ignore = true).build().unwrap_err();
    assert!(errors.to_string().contains("errors.rs:"), "{errors}");
    let errors = project.build().rule("a{b,c}", |s| s.ignore = true).build().unwrap_err();
    assert!(errors.to_string().contains("errors.rs:"), "{errors}");
}

#[test]
fn budgets_fail_the_build() {
    let project = Project::new(&sources());
    project.write("assets.toml", b"[budget]\ntotal = \"100 B\"\n");
    let text = project.fail().to_string();
    assert!(text.contains("assets.toml:2:"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_one_problem_among_others_and_can_be_ignored() {
    let project = Project::new(&[("good.txt", b"good"), ("bad.txt", b"\xff")]);
    std::os::unix::fs::symlink("nowhere", project.assets().join("font.ttf")).unwrap();
    let text = project.fail().to_string();
    assert!(text.contains("font.ttf: is a link to a file that is not there") && text.contains("bad.txt"), "{text}");
    project.write("assets.toml", b"[\"font.ttf\"]\nignore = true\n[\"bad.txt\"]\nkind = \"raw\"\n");
    assert_eq!(project.run().assets.len(), 2);
}

#[test]
fn progress_counts_every_asset_whatever_becomes_of_it() {
    use std::sync::{Arc, Mutex};

    let project = Project::new(&sources());
    project.run();
    project.write("new.txt", b"new");
    project.write("bad.txt", b"\xff\xfe\xff");
    let told = Arc::new(Mutex::new(Vec::new()));
    let teller = Arc::clone(&told);
    let listen = move |progress: &rres_build::Progress<'_>| {
        let counts = (progress.cached, progress.imported, progress.failed);
        teller.lock().unwrap().push((progress.done(), progress.path.to_owned(), counts, progress.bytes_done));
    };
    project.build().progress(listen).build().unwrap_err();
    let told = told.lock().unwrap();
    let count = sources().len();
    let bytes: usize = sources().iter().map(|(_, bytes)| bytes.len()).sum();
    let done: Vec<usize> = told.iter().map(|(done, ..)| *done).collect();
    assert_eq!(done, (0..=count + 2).collect::<Vec<_>>());
    assert_eq!((told.last().unwrap().2, told.last().unwrap().3), ((count, 1, 1), bytes as u64 + 6));
    assert!(told.iter().any(|(_, path, ..)| path == "new.txt"));
}
