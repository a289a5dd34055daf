//! `cargo rres sync`: the lock follows the assets.

use serde_json::Value;

use super::{Place, Run};

const NO_BUILD: &str = "no debug build of this package was found";

fn package(settings: &str) -> Place {
    let place = Place::new();
    place.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    place.write("src/main.rs", b"fn main() {}\n");
    place.write("assets/assets.toml", settings.as_bytes());
    place.write("assets/text/hello.txt", b"hello\n");
    place.write("assets/table.bin", &[1, 2, 3]);
    place
}

fn lock(place: &Place) -> String {
    String::from_utf8(place.read("assets.lock")).unwrap()
}

/// A run without a build script: it says so, on standard error.
#[track_caller]
fn without_script(run: Run, code: i32) -> String {
    assert!(run.code == code && run.err.contains(NO_BUILD), "{run:?}");
    run.out
}

#[test]
fn a_lock_is_made_checked_and_kept_in_step() {
    let place = package("[pack]\nlock = true\n");
    let run = place.run(["sync", "--check"]).failed(1, &["assets.lock is out of step; run `cargo rres sync`"]);
    assert_eq!(run.out, "added    table.bin\nadded    text/hello.txt\n");
    assert!(!place.path("assets.lock").exists(), "--check writes nothing");

    let out = without_script(place.run(["sync"]), 0);
    assert!(out.ends_with("assets.lock written: 2 assets, 2 changed; commit it\n"), "{out}");
    let text = lock(&place);
    assert!(text.contains(" raw table.bin\n") && text.contains(" text text/hello.txt\n"), "{text}");
    assert_eq!(without_script(place.run(["sync", "--check"]), 0), "assets.lock is in step: 2 assets\n");
    place.run(["build", "assets", "-o", "out"]).fine();

    place.write("assets.lock", lock(&place).replace("0x", "<<<<<<< ours\n0x").as_bytes());
    let out = without_script(place.run(["sync"]), 0);
    assert_eq!(out, "merged   both sides of a conflict\nassets.lock written: 2 assets, 0 changed; commit it\n");

    std::fs::remove_file(place.path("assets/table.bin")).unwrap();
    place.write("assets/assets.toml", b"[pack]\nlock = true\n[\"**/*.txt\"]\nkind = \"raw\"\n");
    place.run(["build", "assets", "-o", "out"]).failed(1, &["table.bin is gone", "cargo rres sync"]);
    let run = place.run(["sync", "--check", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &report[0]["in_step"]), (1, &false.into()));
    assert_eq!(report[0]["changes"][0]["change"], "changed");
    let out = without_script(place.run(["sync"]), 0);
    assert!(out.contains("changed  text/hello.txt: 0x") && out.contains("removed  table.bin\n"), "{out}");
}

#[test]
fn what_cannot_be_synced_says_why() {
    let place = package("");
    place.run(["sync"]).failed(1, &["is not in lock mode", "lock = true"]);
    place.run(["sync", "--manifest-path", "no/Cargo.toml"]).failed(2, &["no such manifest"]);
    place.write("assets/assets.toml", b"[pack]\nlock = true\nlok = 1\n");
    place.run(["sync"]).failed(1, &["assets.toml:3:1"]);
    place.write("assets/assets.toml", b"[pack]\nlock = true\n");
    place.write("assets/text/hello.txt", b"\xff\xff");
    place.run(["sync"]).failed(1, &["is not text"]);
    assert!(!lock(&place).contains("hello.txt") && lock(&place).contains("table.bin"));
    std::fs::remove_file(place.path("Cargo.toml")).unwrap();
    place.run(["sync"]).failed(2, &["no Cargo.toml"]);
}

/// A stand-in for a build script: it says what one says.
#[cfg(unix)]
#[test]
fn the_build_script_of_the_last_build_is_asked() {
    use std::os::unix::fs::PermissionsExt;

    let place = package("");
    place.write("assets.lock", b"# old\n0x00000001 text a.txt\n0x00000002 raw b.bin\n");
    let record = |hash: &str, answer: &str| {
        let dir = format!("target/debug/build/game-{hash}");
        let wanted = "0x00000001 text new name.txt\n0x00000002 raw b.bin\n";
        place.write(&format!("{dir}/out/game.lock"), wanted.as_bytes());
        let (script, root) = (place.path(&format!("{dir}/script")), place.dir.path().display());
        place.write(&format!("{dir}/script"), format!("#!/bin/sh\nread request\n{answer}\n").as_bytes());
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let text = format!(
            "rres-serve 1\nscript {}\ndir {root}\nmodule assets.rs\nword later\nenv CARGO_MANIFEST_DIR={root}\nenv OUT={}\n",
            script.display(),
            place.path(&format!("{dir}/out")).display()
        );
        place.write(&format!("{dir}/out/game.serve"), text.as_bytes());
    };
    record("1", "echo 'not ours'; printf 'rres: locked\\t%s/assets.lock\\t%s/game.lock\\n' \"$PWD\" \"$OUT\"");
    let out = place.run(["sync"]).fine().out;
    assert!(out.starts_with("moved    a.txt → new name.txt\nassets.lock written: 2 assets, 1 changed"), "{out}");
    assert_eq!(lock(&place), "0x00000001 text new name.txt\n0x00000002 raw b.bin\n");

    // The last one counts, whatever it is called.
    record("0", "printf 'rres: failed\\ta\\tassets/a\\tis bad\\tmend it\\nrres: locked\\t\\t\\n'");
    place.run(["sync"]).failed(1, &["assets/a: is bad\n  help: mend it"]);
    record("0", "exit 3");
    place.run(["sync"]).failed(1, &["gave no answer; run `cargo build`"]);
}
