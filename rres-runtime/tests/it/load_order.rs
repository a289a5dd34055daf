//! The order in which a program loads its assets, recorded for a build.

use std::fs;
use std::process::Command;

use rres_runtime::{Id, Raw, Text};

use super::assets::{pack, raw, text};
use super::{id, store};

/// Runs in a process of its own, whose variable names the file.
#[test]
#[ignore = "run by the next test, in a process of its own"]
fn child() {
    let packed = pack([text("a.txt", "a"), text("b.txt", "b"), text("c.txt", "c"), raw("d.bin", b"d")]);
    let store = store(&packed);
    drop(store.load::<Text>(id("c.txt")).unwrap());
    store.load::<Text>(id("missing.txt")).unwrap_err();
    store.stream(Id::<Raw>::from_path("d.bin")).unwrap();
    // Once each, also in another store.
    drop(store.load::<Text>(id("c.txt")).unwrap());
    drop(super::store(&packed).load::<Text>(id("a.txt")).unwrap());
}

#[test]
fn debug_builds_record_what_is_loaded_first() {
    let dir = tempfile::tempdir().unwrap();
    let run = |file: &std::path::Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "load_order::child", "--nocapture"]).env("RRES_RECORD", file);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        text
    };
    let file = dir.path().join("order.txt");
    run(&file);
    // This test may run without debug assertions.
    if cfg!(debug_assertions) {
        assert_eq!(fs::read_to_string(&file).unwrap(), "c.txt\nd.bin\na.txt\n");
        let text = run(&dir.path().join("missing/order.txt"));
        assert_eq!(text.matches("which RRES_RECORD names").count(), 1, "{text}");
    } else {
        assert!(!file.exists());
    }
}
