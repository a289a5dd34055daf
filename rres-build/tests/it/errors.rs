//! All faults are reported, each once, with the file and a remedy. A build that fails changes nothing.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use rres_protocol::files::local_path;
use rres_settings::diagnostic::Diagnostic;

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
    let texts: Vec<String> = errors.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(errors.diagnostics().len(), 3, "{errors}");
    for (text, file) in texts.iter().zip(["bad 1.txt", "bad 2.txt", "deep/down/bad.lua"]) {
        let file = project.place(file);
        assert!(text.starts_with(&format!("{file}: is not valid text")), "{text}");
        assert!(text.contains("\n  help: save it as UTF-8"), "{text}");
    }
    assert!(!project.out().join("game.rres").exists(), "a failed build leaves no pack");
}

#[test]
fn faults_of_every_kind_are_reported_in_one_run() {
    let project = Project::new(&sources());
    let lock = project.build().debug(true).lock(true).lock_state().unwrap().unwrap();
    fs::write(&lock.file, &lock.expected).unwrap();
    project.write("bad.txt", b"\xff");
    project.write("ui/a-b.txt", b"");
    project.write("ui/a_b.txt", b"");
    project.write(
        "assets.toml",
        // This is the id of data/empty.bin.
        b"[\"levels/1.txt\"]\nid = 0x5f67e631\n[\"shaders/*\"]\ncompresion = \"zstd\"\n\
          [\"nothing/*\"]\nlevel = 3\n[budget]\ntotal = \"100 B\"\n",
    );
    let error = project.build().debug(true).lock(true).build().unwrap_err();
    let reports = |place: &str, message: &str| {
        let place = local_path(place).display().to_string();
        let has =
            |diagnostic: &Diagnostic| diagnostic.place().ends_with(&place) && diagnostic.message().contains(message);
        error.diagnostics().iter().filter(|diagnostic| has(diagnostic)).count()
    };
    for (sort, place, message) in [
        ("a key", "assets.toml:4:1", "unknown key `compresion`"),
        ("an unmatched rule", "assets.toml:5:2", "matches no file"),
        ("an import", "assets/bad.txt", "invalid UTF-8 at byte 0"),
        ("ids", "levels/1.txt", "has the same id (0x5f67e631)"),
        ("names", "ui/a_b.txt", "ui::A_B_TXT"),
        ("a budget", "assets.toml:8:1", "over budget"),
        ("the lock file", "assets.lock", "ui/a-b.txt is missing"),
    ] {
        assert_eq!(reports(place, message), 1, "{sort} in:\n{error}");
    }
    assert_eq!(error.diagnostics().len(), 7, "{error}");
}

#[test]
fn a_failed_build_leaves_everything_that_a_program_opens_as_it_was() {
    let project = Project::new(&sources());
    project.write("assets.toml", b"[pack]\nsplit = \"8 KiB\"\ncompression = \"none\"\n");
    for debug in [false, true] {
        project.build().debug(debug).build().unwrap();
    }
    // Timestamps too: Cargo compares them.
    let outputs = || -> Vec<(PathBuf, Vec<u8>, SystemTime)> {
        let mut files = super::files_below(&project.out());
        files.retain(|file| file.extension().is_some_and(|extension| extension == "rres" || extension == "rs"));
        let read = |file: PathBuf| {
            let modified = fs::metadata(&file).unwrap().modified().unwrap();
            (file.clone(), fs::read(file).unwrap(), modified)
        };
        files.into_iter().map(read).collect()
    };
    let before = outputs();
    assert!(before.len() >= 3);
    let faults: [(&str, &[u8], &str); 5] = [
        ("assets.toml", b"[budget]\ntotal = \"100 B\"\n", "over budget"),
        ("assets.toml", b"[pack]\nname = 1\n", "name"),
        ("levels/1_txt", b"the constant of 1.txt", "levels::_1_TXT"),
        ("bad.txt", b"\xff", "invalid UTF-8"),
        ("assets.toml", b"[\"levels/*.txt\"]\nid = 3\n", "id"),
    ];
    for (path, bytes, message) in faults {
        let original = fs::read(project.assets().join(path)).ok();
        // The new contents of the other files would change the outputs.
        project.write("readme.txt", b"a longer text than before\n");
        project.write(path, bytes);
        for debug in [false, true] {
            let error = project.build().debug(debug).build().unwrap_err().to_string();
            assert!(error.contains(message), "{message} in: {error}");
            assert!(outputs() == before, "{path}: {message}");
        }
        match original {
            Some(bytes) => project.write(path, &bytes),
            None => fs::remove_file(project.assets().join(path)).unwrap(),
        }
    }
}

#[test]
fn a_module_that_cannot_be_written_leaves_the_pack_as_it_was() {
    let project = Project::new(&sources());
    project.run();
    let pack = fs::read(project.out().join("game.rres")).unwrap();
    fs::remove_file(project.out().join("assets.rs")).unwrap();
    fs::create_dir(project.out().join("assets.rs")).unwrap();
    project.write("readme.txt", b"a longer text than before\n");
    let error = project.fail().to_string();
    assert!(error.contains("assets.rs"), "{error}");
    assert!(fs::read(project.out().join("game.rres")).unwrap() == pack);
}

#[test]
fn the_same_fault_is_at_the_same_place_for_every_extension_of_a_kind() {
    for (kind, extensions) in [("font", &["ttf", "otf", "ttc", "otc"][..]), ("sound", &["wav", "wave", "ogg", "oga"])] {
        let setting = if kind == "font" { "sound = { gain = 1 }" } else { "text =  { lang = 'c' }" };
        let places: Vec<_> = extensions
            .iter()
            .map(|extension| {
                let project = Project::new(&[(&format!("x.{extension}"), b"anything")]);
                project.write("assets.toml", format!("[\"x.{extension}\"]\n{setting}\n").as_bytes());
                let error = project.fail();
                error.diagnostics().iter().map(|diagnostic| diagnostic.position()).collect::<Vec<_>>()
            })
            .collect();
        assert!(places[0].contains(&Some((2, 11))), "{kind}: {places:?}");
        assert!(places.iter().all(|place| *place == places[0]), "{kind}: {places:?}");
    }
}

#[test]
fn a_name_that_is_not_a_file_name_is_refused_before_anything_is_written() {
    for name in ["", "a/b", "..", "nul\0"] {
        let project = Project::new(&sources());
        let error = project.build().name(name).build().unwrap_err();
        assert!(error.to_string().starts_with("options of the build: unknown value for `name`"), "{error}");
        assert_eq!(super::files_below(&project.out()), Vec::<PathBuf>::new(), "{name:?}");
    }
}

#[test]
fn a_missing_directory_and_an_empty_one() {
    let project = Project::new(&[]);
    let report = project.run();
    assert!(report.assets.is_empty());
    assert!(project.module().contains("fn open()"));
    std::fs::remove_dir(project.assets()).unwrap();
    assert!(project.fail().to_string().contains("assets directory not found"));
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
    // Two realistic paths with the same CRC-32.
    let first = "tuxpaint-stamps-default/share/tuxpaint/stamps/medical/mercurythermometer_desc_ca.ogg";
    let second = "large/wesnoth/games/wesnoth/1.16/data/core/images/units/saurians/augur/augur-se-run9.png";
    let project = Project::new(&[(first, b"a"), (second, b"b"), ("assets.toml", b"[\"**\"]\nkind = \"raw\"\n")]);
    let text = project.fail().to_string();
    for part in [&project.place(first), &project.place(second), "0x565b2922", "id = "] {
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
    let errors = project.build().rule("nothing/**", |rule| rule.level(3)).build().unwrap_err();
    assert!(errors.to_string().contains("errors.rs:"), "{errors}");
    let errors = project.build().rule("a{b,c", |rule| rule.ignore(true)).build().unwrap_err();
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
fn a_dangling_link_is_one_fault_among_others_and_can_be_ignored() {
    let project = Project::new(&[("good.txt", b"good"), ("bad.txt", b"\xff")]);
    std::os::unix::fs::symlink("nowhere", project.assets().join("font.ttf")).unwrap();
    let text = project.fail().to_string();
    assert!(text.contains("font.ttf: is a link to a file that does not exist") && text.contains("bad.txt"), "{text}");
    project.write("assets.toml", b"[\"font.ttf\"]\nignore = true\n[\"bad.txt\"]\nkind = \"raw\"\n");
    assert_eq!(project.run().assets.len(), 2);
}

#[test]
fn progress_counts_every_asset_whatever_its_outcome() {
    use std::sync::{Arc, Mutex};

    let project = Project::new(&sources());
    project.run();
    project.write("new.txt", b"new");
    project.write("bad.txt", b"\xff\xfe\xff");
    let calls = Arc::new(Mutex::new(Vec::new()));
    let callback = Arc::clone(&calls);
    let listen = move |progress: &rres_engine::Progress<'_>| {
        let counts = (progress.cached, progress.imported, progress.failed);
        callback.lock().unwrap().push((progress.done(), progress.path.to_owned(), counts, progress.bytes_done));
    };
    project.build().progress(listen).build().unwrap_err();
    let calls = calls.lock().unwrap();
    let count = sources().len();
    let bytes: usize = sources().iter().map(|(_, bytes)| bytes.len()).sum();
    let done: Vec<usize> = calls.iter().map(|(done, ..)| *done).collect();
    assert_eq!(done, (0..=count + 2).collect::<Vec<_>>());
    assert_eq!((calls.last().unwrap().2, calls.last().unwrap().3), ((count, 1, 1), bytes as u64 + 6));
    assert!(calls.iter().any(|(_, path, ..)| path == "new.txt"));
}
