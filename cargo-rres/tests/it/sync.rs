//! `cargo rres sync`: the lock file follows the assets.

use serde_json::Value;

use super::{Run, Sandbox};

const NO_BUILD: &str = "found no debug build of this package";

fn package(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    sandbox.write("src/main.rs", b"fn main() {}\n");
    sandbox.write("assets/assets.toml", settings.as_bytes());
    sandbox.write("assets/text/hello.txt", b"hello\n");
    sandbox.write("assets/table.bin", &[1, 2, 3]);
    sandbox
}

fn lock(sandbox: &Sandbox) -> String {
    String::from_utf8(sandbox.read("assets.lock")).unwrap()
}

/// Asserts that a run without a build script ended with `code` and warned about that. Returns its output.
#[track_caller]
fn without_script(run: Run, code: i32) -> String {
    assert!(run.code == code && run.err.contains(NO_BUILD), "{run:?}");
    run.out
}

#[test]
fn a_lock_file_is_created_checked_and_updated() {
    let sandbox = package("[pack]\nlock = true\n");
    let run = sandbox.run(["sync", "--check"]).failed(1, &["assets.lock is out of date; run `cargo rres sync`"]);
    assert_eq!(run.out, "added    table.bin\nadded    text/hello.txt\n");
    assert!(!sandbox.path("assets.lock").exists(), "--check writes nothing");

    let out = without_script(sandbox.run(["sync"]), 0);
    assert!(out.ends_with("assets.lock updated: 2 assets, 2 changes; commit it\n"), "{out}");
    let text = lock(&sandbox);
    assert!(text.contains(" raw table.bin\n") && text.contains(" text text/hello.txt\n"), "{text}");
    assert_eq!(without_script(sandbox.run(["sync", "--check"]), 0), "assets.lock is up to date: 2 assets\n");
    sandbox.run(["build", "assets", "-o", "out"]).success();

    sandbox.write("assets.lock", lock(&sandbox).replace("0x", "<<<<<<< ours\n0x").as_bytes());
    let out = without_script(sandbox.run(["sync"]), 0);
    assert_eq!(out, "merged   both sides of a conflict\nassets.lock updated: 2 assets, 0 changes; commit it\n");

    std::fs::remove_file(sandbox.path("assets/table.bin")).unwrap();
    sandbox.write("assets/assets.toml", b"[pack]\nlock = true\n[\"**/*.txt\"]\nkind = \"raw\"\n");
    sandbox.run(["build", "assets", "-o", "out"]).failed(1, &["table.bin no longer exists", "cargo rres sync"]);
    let run = sandbox.run(["sync", "--check", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &report["ok"], &report["lock_files"][0]["up_to_date"]), (1, &false.into(), &false.into()));
    assert_eq!(report["lock_files"][0]["changes"][0]["change"], "changed");
    let out = without_script(sandbox.run(["sync"]), 0);
    assert!(out.contains("changed  text/hello.txt: 0x") && out.contains("removed  table.bin\n"), "{out}");
}

#[test]
fn a_package_that_cannot_be_synced_is_reported_with_the_reason() {
    let sandbox = package("");
    sandbox.run(["sync"]).failed(1, &["is not in lock mode", "lock = true"]);
    sandbox.run(["sync", "--manifest-path", "no/Cargo.toml"]).failed(2, &["no such manifest"]);
    sandbox.run(["sync", "asets"]).failed(2, &["asets: no such directory"]);
    sandbox.write("assets/assets.toml", b"[pack]\nlock = true\nlok = 1\n");
    sandbox.run(["sync"]).failed(1, &["assets.toml:3:1"]);
    sandbox.write("assets/assets.toml", b"[pack]\nlock = true\n");
    sandbox.write("assets/text/hello.txt", b"\xff\xff");
    sandbox.run(["sync"]).failed(1, &["is not valid text"]);
    assert!(!lock(&sandbox).contains("hello.txt") && lock(&sandbox).contains("table.bin"));
    std::fs::remove_file(sandbox.path("Cargo.toml")).unwrap();
    sandbox.run(["sync"]).failed(2, &["no Cargo.toml"]);
}

/// Writes a shell script that replaces a compiled build script of the pack `name`, and the script's manifest. `dir` is
/// the directory that Cargo runs the script for, `answer` the commands that answer a request.
#[cfg(unix)]
pub(crate) fn serving_script(sandbox: &Sandbox, dir: &str, name: &str, answer: &str) {
    use std::os::unix::fs::PermissionsExt;

    let expected = "0x00000001 text new name.txt\n0x00000002 raw b.bin\n";
    sandbox.write(&format!("{dir}/out/{name}.lock"), expected.as_bytes());
    let (script, root) = (sandbox.path(&format!("{dir}/script")), sandbox.dir.path().display());
    sandbox.write(&format!("{dir}/script"), format!("#!/bin/sh\nread request\n{answer}\n").as_bytes());
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let manifest = format!(
        "rres-serve 1\nscript {}\ndir {root}\nmodule assets.rs\nword later\nenv CARGO_MANIFEST_DIR={root}\nenv OUT={}\n",
        script.display(),
        sandbox.path(&format!("{dir}/out")).display()
    );
    sandbox.write(&format!("{dir}/out/{name}.serve"), manifest.as_bytes());
}

/// The answer that the lock file should be `game.lock`.
#[cfg(unix)]
pub(crate) const LOCKED: &str = "printf 'rres: locked\\t%s/assets.lock\\t%s/game.lock\\n' \"$PWD\" \"$OUT\"";

/// The answer that the pack has no lock file, for a reason.
#[cfg(unix)]
pub(crate) fn failed(message: &str) -> String {
    format!("printf 'rres: failed\\ta\\tassets/a\\t{message}\\tmend it\\nrres: locked\\t\\t\\n'")
}

#[cfg(unix)]
#[test]
fn the_build_script_of_the_last_build_is_asked() {
    let sandbox = package("");
    sandbox.write("assets.lock", b"# old\n0x00000001 text a.txt\n0x00000002 raw b.bin\n");
    let script = |hash: &str, answer: &str| {
        serving_script(&sandbox, &format!("target/debug/build/game-{hash}"), "game", answer);
    };
    script("1", &format!("echo 'not ours'; {LOCKED}"));
    let out = sandbox.run(["sync"]).success().out;
    assert!(out.starts_with("moved    a.txt → new name.txt\nassets.lock updated: 2 assets, 1 change;"), "{out}");
    assert_eq!(lock(&sandbox), "0x00000001 text new name.txt\n0x00000002 raw b.bin\n");

    // The last one counts, whatever its directory is called.
    script("0", &failed("is bad"));
    sandbox.run(["sync"]).failed(1, &["assets/a: is bad\n  help: mend it"]);
    let run = sandbox.run(["sync", "--json"]).failed(1, &[]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let diagnostic = serde_json::json!({ "place": "assets/a", "message": "is bad", "help": "mend it" });
    assert_eq!((&report["diagnostics"][0], &report["lock_files"]), (&diagnostic, &serde_json::json!([])));
    script("0", "exit 3");
    sandbox.run(["sync"]).failed(1, &["ended before it answered (exit status: 3); run `cargo build`"]);

    // Cargo builds in the directory that the environment names.
    serving_script(&sandbox, "elsewhere/debug/build/game-1", "game", &failed("is elsewhere"));
    let run: Run = sandbox.command().env("CARGO_TARGET_DIR", "elsewhere").arg("sync").output().unwrap().into();
    run.failed(1, &["assets/a: is elsewhere"]);
}

#[cfg(unix)]
#[test]
fn of_several_packs_one_may_need_no_lock_file_but_its_faults_are_reported() {
    let sandbox = package("");
    serving_script(&sandbox, "target/debug/build/game-1", "game", LOCKED);
    let off = "printf 'rres: lock-is-off\\tmods\\nrres: locked\\t\\t\\n'";
    serving_script(&sandbox, "target/debug/build/game-2", "mods", off);
    sandbox.run(["sync"]).success();
    serving_script(&sandbox, "target/debug/build/game-1", "game", off);
    sandbox.run(["sync"]).failed(1, &["mods: is not in lock mode\n  help: set `lock = true`"]);
    serving_script(&sandbox, "target/debug/build/game-1", "game", LOCKED);
    serving_script(&sandbox, "target/debug/build/game-2", "mods", &failed("unknown key \"lok\""));
    let run = sandbox.run(["sync"]).failed(1, &["assets/a: unknown key \"lok\""]);
    assert!(run.out.contains("assets.lock is up to date: 2 assets"), "{}", run.out);
}
