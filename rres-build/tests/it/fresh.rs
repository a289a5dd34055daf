//! Debug builds that have nothing to do, which find that out from the times of files, in a process of their own like each build script.
//!
//! The build script is this test program, started for its test [`script`] alone.

use std::fs;
use std::process::Command;

use rres_test_support::wait;

use super::{Project, files_below};

/// The build script. It prints how many assets the build has looked at, if it has looked at any.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
#[expect(clippy::print_stdout, reason = "a build script may print what it likes")]
fn script() {
    let Ok(assets) = std::env::var("SCRIPT_ASSETS") else { return };
    let mut build =
        rres_build::import(assets).name("game").progress(|progress| println!("looked at {}", progress.assets));
    if std::env::var_os("SCRIPT_RULE").is_some() {
        build = build.rule("a.txt", |rule| rule.rename("FIRST"));
    }
    build.build_or_exit();
}

/// Runs the script as Cargo does, and returns what it prints to Cargo, and whether it has looked at assets.
fn run(project: &Project, variables: &[(&str, &str)]) -> (Vec<String>, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "fresh::script", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("SCRIPT_ASSETS", project.assets()).env("OUT_DIR", project.out()).env("PROFILE", "debug");
    command.env("CARGO_MANIFEST_DIR", project.dir.path()).env("RRES_CACHE_DIR", project.cache());
    command
        .env_remove("RRES_SERVE")
        .env_remove("SCRIPT_RULE")
        .env_remove("CARGO_PKG_NAME")
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    let directive = |line: &str| line.find("cargo::").map(|at| line[at..].to_owned());
    let mut lines: Vec<String> = out.lines().filter_map(directive).collect();
    lines.sort();
    (lines, out.contains("looked at"))
}

#[test]
fn a_build_with_nothing_to_do_tells_cargo_the_same_and_looks_at_no_asset() {
    let project = Project::new(&[("a.txt", b"a"), ("b.txt", b"b"), ("unusual.bin", b"x"), ("c/.hidden", b"")]);
    // A limit that warns.
    project.write("assets.toml", b"[budget]\ntotal = 1\n[lints]\nover_budget = \"warn\"\n");
    fs::create_dir_all(project.out()).unwrap();
    let (first, has_looked) = run(&project, &[]);
    assert!(has_looked && first.iter().any(|line| line.starts_with("cargo::warning=")), "{first:?}");
    let outputs =
        || files_below(&project.out()).into_iter().map(|file| (fs::read(&file).unwrap(), file)).collect::<Vec<_>>();
    // The files must be older than a tick of the clock.
    wait::until("the build is fresh", || !run(&project, &[]).1);
    let before = outputs();
    let again = || run(&project, &[]);
    assert_eq!(again(), (first.clone(), false));
    assert_eq!(outputs(), before);
    // What it has left is gone, or of others.
    let module = project.out().join("assets.rs");
    fs::remove_file(&module).unwrap();
    assert_eq!(again(), (first.clone(), true));
    assert!(module.exists() && !again().1);
    fs::write(project.out().join("game.dev.rres"), b"damaged").unwrap();
    assert!(again().1 && !again().1);
    // The cache was pruned.
    let root = files_below(&project.cache().join("roots")).remove(0);
    fs::remove_file(&root).unwrap();
    assert!(again().1 && root.exists() && !again().1);
    // Another rule in build.rs, and back.
    let other = || run(&project, &[("SCRIPT_RULE", "1")]);
    assert!(other().1 && !other().1 && again().1 && !again().1);
    // Release builds trust no times.
    assert!(run(&project, &[("PROFILE", "release")]).1);
    again();
    fs::write(project.assets().join("c/.hidden"), b"an input of a model may be hidden").unwrap();
    assert!(again().1);
}
