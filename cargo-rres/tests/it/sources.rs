//! `cargo rres sources`, without a store: what is listed, and how it stands. The tests of `rres-remote-cache` have a store.

use super::Sandbox;

/// A directory with a list of three files: one as listed, one that has changed, and one that is missing.
pub(crate) fn with_list() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/same.txt", b"same");
    sandbox.write("assets/levels/changed.txt", b"now");
    let line = |bytes: &[u8], path: &str| format!("{} {} {path}\n", blake3::hash(bytes).to_hex(), bytes.len());
    let lines = [line(b"then", "levels/changed.txt"), line(b"gone", "levels/gone.txt"), line(b"same", "same.txt")];
    let list = format!("# A comment.\nrres-sources 1 https://example.com/sources\n{}", lines.concat());
    sandbox.write("assets.sources", list.as_bytes());
    sandbox
}

#[test]
fn the_status_names_what_is_missing_and_what_has_changed() {
    let sandbox = with_list();
    let lines = [
        "missing  levels/gone.txt",
        "changed  levels/changed.txt",
        "1 missing, 1 changed; 3 files in https://example.com/sources",
    ];
    let run = sandbox.run(["sources", "status"]);
    assert_eq!((run.code, run.out.lines().collect::<Vec<_>>()), (1, lines.to_vec()), "{}", run.err);
    sandbox.write("assets/levels/changed.txt", b"then");
    sandbox.write("assets/levels/gone.txt", b"gone");
    let run = sandbox.run(["sources", "status"]).success();
    assert!(run.out.starts_with("ok; 3 files"), "{}", run.out);
}

#[test]
fn a_build_without_a_listed_file_fails_and_says_what_helps() {
    let sandbox = with_list();
    let run = sandbox.run(["build", "assets", "-o", "out"]);
    assert_eq!(run.code, 1);
    for part in ["assets.sources: lists files that are not on this machine: levels/gone.txt", "cargo rres sources pull"]
    {
        assert!(run.err.contains(part), "{part} in {}", run.err);
    }
    sandbox.write("assets/levels/gone.txt", b"gone");
    sandbox.run(["build", "assets", "-o", "out"]).success();
}

#[test]
fn wrong_lists_and_arguments_are_named() {
    let sandbox = with_list();
    if !cfg!(feature = "remote-cache") {
        let run = sandbox.run(["sources", "pull"]);
        assert!(run.code == 2 && run.err.contains("the feature `remote-cache`"), "{}", run.err);
    }
    for (args, code, why) in [
        (vec!["sources", "status", "-a", "nowhere"], 2, "nowhere.sources does not exist"),
        (vec!["sources", "pull", "music"], 2, "no listed file matches music"),
        (vec!["sources", "pull", "[a"], 2, "\"[a\""),
        (vec!["sources", "push", "Cargo.toml"], 2, "cannot read Cargo.toml"),
        (vec!["sources", "push", ".."], 2, "is not in the assets directory"),
    ] {
        let run = sandbox.run(&args);
        assert!(run.code == code && run.err.contains(why), "{args:?}: {}", run.err);
    }
    let list = String::from_utf8(sandbox.read("assets.sources")).unwrap();
    sandbox.write("assets.sources", list.replace("levels/gone.txt", "../../gone.txt").as_bytes());
    let run = sandbox.run(["sources", "status"]);
    assert!(run.code == 1 && run.err.contains("assets.sources:4:1: has a path that no asset can have"), "{}", run.err);
}
