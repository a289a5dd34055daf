//! Mistakes that do not compile, and what the compiler says of them.

/// The compiler that the expected messages in `tests/ui` are from; others word theirs in other ways.
const COMPILER: &str = "rustc 1.95";

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn wrong_uses_of_ids_do_not_compile() {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(COMPILER) {
        eprintln!("skipped: the expected messages are from {COMPILER}, this is {version}");
        return;
    }
    // To take new messages: TRYBUILD=overwrite cargo test -p rres-runtime --test it ui
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/right.rs");
    cases.compile_fail("tests/ui/wrong_*.rs");
}
