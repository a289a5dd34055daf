//! Mistakes that do not compile, and the compiler's message for each.
//!
//! The messages in `tests/ui` come from the compiler that `rust-toolchain.toml` pins. With another compiler the test is
//! skipped.

use std::process::Command;

const TOOLCHAIN: &str = include_str!("../../../rust-toolchain.toml");

/// The pinned compiler without its patch release, such as `1.95`: patch releases do not change messages.
fn pinned_compiler() -> &'static str {
    let channel = TOOLCHAIN.lines().find_map(|line| line.strip_prefix("channel = \"")).unwrap();
    channel.trim_end_matches('"').rsplit_once('.').unwrap().0
}

#[test]
fn check_3_5_1_handles_of_another_type_and_other_mistakes_do_not_compile() {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8_lossy(&version);
    let pinned = pinned_compiler();
    if !version.starts_with(&format!("rustc {pinned}.")) {
        let why = format!("the expected messages are from rustc {pinned}, this is {}", version.trim());
        rres_test_support::skip(&format!("cases that do not compile: {why}"));
        return;
    }
    // To update the expected messages: TRYBUILD=overwrite cargo test -p rres-runtime --test it ui
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/right.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // With the decoder, this one compiles.
        if name.starts_with("wrong_")
            && name.ends_with(".rs")
            && !(cfg!(feature = "jpeg") && name == "wrong_decoder.rs")
        {
            cases.compile_fail(format!("tests/ui/{name}"));
        }
    }
}

#[test]
fn no_expected_message_points_into_the_standard_library() {
    // rustc quotes the library there if its sources are installed (`rustup component add rust-src`), and only then.
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "stderr") {
            assert!(!std::fs::read_to_string(&file).unwrap().contains("$RUST"), "{}", file.display());
        }
    }
}
