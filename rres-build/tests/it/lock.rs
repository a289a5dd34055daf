//! Lock mode: what builds require of the lock file, and how it is updated.

use std::collections::BTreeMap;
use std::fs;

use rres_format::{AssetKind, ResourceId};

use super::{Project, sources};

fn lock(project: &Project) -> String {
    fs::read_to_string(project.dir.path().join("assets.lock")).unwrap()
}

/// The ids and kinds in a lock file, by path.
fn lines(lock: &str) -> BTreeMap<String, (ResourceId, AssetKind)> {
    let line = |line: &str| {
        let [id, kind, path] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let id = ResourceId(u32::from_str_radix(&id[2..], 16).unwrap());
        (path.to_owned(), (id, AssetKind::from_name(kind).unwrap()))
    };
    lock.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

/// Updates the lock file, as `cargo rres sync` does.
fn sync(project: &Project) -> BTreeMap<String, (ResourceId, AssetKind)> {
    let state = project.build().debug(true).lock(true).lock_state().unwrap_or_else(|e| panic!("{e}")).unwrap();
    assert_eq!(state.file, project.dir.path().join("assets.lock"));
    fs::write(&state.file, &state.expected).unwrap();
    lines(&state.expected)
}

/// A project in lock mode after a debug build.
fn synced() -> Project {
    let project = Project::new(&sources());
    sync(&project);
    build(&project);
    project
}

fn build(project: &Project) {
    project.build().debug(true).lock(true).build().unwrap_or_else(|e| panic!("{e}"));
}

fn refusal(project: &Project, debug: bool) -> String {
    project.build().debug(debug).lock(true).build().expect_err("the lock file is out of date").to_string()
}

fn rename(project: &Project, from: &str, to: &str) {
    fs::create_dir_all(project.assets().join(to).parent().unwrap()).unwrap();
    fs::rename(project.assets().join(from), project.assets().join(to)).unwrap();
}

#[test]
fn a_lock_file_has_one_line_per_asset_sorted_by_path() {
    let project = synced();
    let text = lock(&project);
    assert!(text.starts_with("# "), "{text}");
    let paths: Vec<&str> = text.lines().skip(1).map(|line| line.splitn(3, ' ').last().unwrap()).collect();
    assert!(paths.is_sorted() && paths.len() == sources().len(), "{text}");
    assert!(text.contains(&format!("{} raw data/höhe 中.dat\n", ResourceId::from_path("data/höhe 中.dat"))), "{text}");
    // The assets are the same as without lock mode.
    let with = project.module();
    project.build().debug(true).build().unwrap();
    let kept = "const _: () = ::rres_runtime::__private::lock_mode();";
    assert!(with.contains(kept) && !project.module().contains(kept));
    assert_eq!(sync(&project), lines(&text));
}

#[test]
fn a_lock_file_that_does_not_match_fails_every_build_and_names_the_paths() {
    let project = synced();
    project.write("new.txt", b"new");
    fs::remove_file(project.assets().join("readme.txt")).unwrap();
    project.write("assets.toml", b"[\"levels/1.txt\"]\nkind = \"raw\"\n[\"levels/2.txt\"]\nid = 5\n");
    for debug in [true, false] {
        let error = refusal(&project, debug);
        for part in [
            "assets.lock: does not match the assets: ",
            "new.txt is missing",
            "readme.txt no longer exists",
            "levels/1.txt is listed as text, but is raw",
            "levels/2.txt is listed with the id 0x",
            "help: run `cargo rres sync`",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
    }
    assert_eq!(sync(&project)["levels/2.txt"].0, ResourceId(5));
    build(&project);
    for i in 0..20 {
        project.write(&format!("many/{i}.txt"), b"x");
    }
    assert!(refusal(&project, false).contains("; and 15 more"));
}

#[test]
fn a_release_build_requires_a_lock_file() {
    let project = Project::new(&sources());
    let error = refusal(&project, false);
    assert!(error.contains("assets.lock: lock file not found") && error.contains("cargo rres sync"), "{error}");
    sync(&project);
    project.build().lock(true).build().unwrap();
}

#[test]
fn a_moved_asset_keeps_its_id_and_frees_its_path() {
    let project = synced();
    let before = lines(&lock(&project));
    rename(&project, "levels/1.txt", "worlds/first.txt");
    let after = sync(&project);
    assert_eq!(after["worlds/first.txt"], before["levels/1.txt"]);
    assert!(!after.contains_key("levels/1.txt"));
    build(&project);
    let id = before["levels/1.txt"].0;
    let module = project.module();
    let constant = module.lines().find(|line| line.contains("const FIRST_TXT:")).unwrap();
    assert!(constant.contains(&format!("_{:08x},", id.0)), "{constant}");

    // Another file under the old path gets a new id, and both ids are kept.
    project.write("levels/1.txt", b"another one");
    let again = sync(&project);
    assert_eq!(again["worlds/first.txt"].0, id);
    assert_ne!(again["levels/1.txt"].0, id);
    assert_eq!(sync(&project), again);
    project.build().lock(true).build().unwrap();
}

#[test]
fn moved_copies_keep_their_ids_matched_by_file_name() {
    let project = Project::new(&[("a/one.txt", b"same"), ("a/two.txt", b"same"), ("empty.bin", b"")]);
    let before = sync(&project);
    build(&project);
    rename(&project, "a/two.txt", "b/two.txt");
    rename(&project, "a/one.txt", "b/one.txt");
    rename(&project, "empty.bin", "void.bin");
    let after = sync(&project);
    assert_eq!(after["b/one.txt"], before["a/one.txt"]);
    assert_eq!(after["b/two.txt"], before["a/two.txt"]);
    assert_eq!(after["void.bin"].0, ResourceId::from_path("void.bin"), "empty files are never matched");
}

#[test]
fn broken_files_keep_their_lines() {
    let project = synced();
    let before = lock(&project);
    project.write("levels/1.txt", b"\xff\xff");
    let state = project.build().debug(true).lock(true).lock_state().unwrap().unwrap();
    assert_eq!(state.expected, before);
    assert!(state.diagnostics[0].to_string().contains("is not valid text"), "{:?}", state.diagnostics);
}

#[test]
fn both_sides_of_a_merge_conflict_are_read() {
    let project = synced();
    let before = lock(&project);
    // One side moved a file, the other kept it: both have the id, and the first path in order keeps it.
    project.write("other.txt", b"####\n#..#\n####\n");
    let id = lines(&before)["levels/1.txt"].0;
    let line = format!("{id} text levels/1.txt\n");
    assert!(before.contains(&line));
    let conflict = format!("<<<<<<< ours\n{line}=======\n{id} text other.txt\n>>>>>>> theirs\n");
    fs::write(project.dir.path().join("assets.lock"), before.replace(&line, &conflict)).unwrap();
    let error = refusal(&project, true);
    assert!(error.contains("unresolved merge conflict") && error.contains("assets.lock:"), "{error}");
    assert_eq!(error.matches("conflict").count(), 1, "once, however many marks there are: {error}");
    let after = sync(&project);
    assert_eq!(after["levels/1.txt"].0, id);
    assert_ne!(after["other.txt"].0, id);
    build(&project);

    fs::write(project.dir.path().join("assets.lock"), "0x12 picture a.png\n").unwrap();
    let error = project.build().lock(true).lock_state().unwrap_err().to_string();
    assert!(error.contains("assets.lock:1:1") && error.contains("expected `id kind path`"), "{error}");
}

#[test]
fn without_lock_mode_the_lock_state_is_an_error() {
    let project = Project::new(&sources());
    assert!(project.build().lock_state().unwrap().is_none());
    project.write("assets.toml", b"[pack]\nlock = true\n");
    assert!(project.build().lock_state().unwrap().is_some());
    assert!(project.build().lock(false).lock_state().unwrap().is_none(), "build.rs wins");
}

#[test]
fn two_lines_for_one_path_are_refused_and_synced_away() {
    let project = synced();
    let text = lock(&project);
    let line = text.lines().last().unwrap();
    fs::write(project.dir.path().join("assets.lock"), format!("{text}{line}\n")).unwrap();
    let number = text.lines().count() + 1;
    let error = refusal(&project, true);
    assert!(error.contains(&format!("assets.lock:{number}:1: two lines for one path")), "{error}");
    assert!(error.contains("cargo rres sync"), "{error}");
    sync(&project);
    build(&project);
}
