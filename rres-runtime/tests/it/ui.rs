//! Mistakes that do not compile, and the compiler's message for each.
//!
//! The messages in `tests/ui` come from the compiler that `rust-toolchain.toml` pins. With another compiler the test is skipped. To update
//! them: `UPDATE_EXPECT=1 cargo test -p rres-runtime --test it ui`.

use std::fs;
use std::path::Path;
use std::process::Command;

use rres_test_support::fresh::Fresh;

const TOOLCHAIN: &str = include_str!("../../../rust-toolchain.toml");

/// Where a case is in the repository.
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui");

/// The pinned compiler without its patch release, such as `1.95`: patch releases do not change messages.
fn pinned_compiler() -> &'static str {
    let channel = TOOLCHAIN.lines().find_map(|line| line.strip_prefix("channel = \"")).unwrap();
    channel.trim_end_matches('"').rsplit_once('.').unwrap().0
}

/// Says why the compiler is not the pinned one.
fn other_compiler() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let (version, pinned) = (String::from_utf8_lossy(&version), pinned_compiler());
    let is_pinned = version.starts_with(&format!("rustc {pinned}."));
    (!is_pinned).then(|| format!("the expected messages are from rustc {pinned}, this is {}", version.trim()))
}

/// The names of the cases, without extension.
fn cases() -> Vec<String> {
    let files = fs::read_dir(CASES).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Gives the crate each case as a program.
fn add_cases(fresh: &Fresh, names: &[String]) {
    let mut manifest = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    fresh.write("tests/ui/support/assets.rs", fs::read(Path::new(CASES).join("support/assets.rs")).unwrap());
    for name in names {
        fresh.write(&format!("tests/ui/{name}.rs"), fs::read(Path::new(CASES).join(format!("{name}.rs"))).unwrap());
        manifest += &format!("[[bin]]\nname = \"{name}\"\npath = \"tests/ui/{name}.rs\"\n");
    }
    fresh.write("Cargo.toml", manifest);
    fs::remove_file(fresh.path("build.rs")).unwrap();
}

/// What the compiler prints, without what differs between machines or with every edit of the library: its directory, its lines, and the
/// margin, which is as wide as the largest number of a line.
fn normal(message: &str) -> String {
    let message = message.replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "");
    let is_summary =
        |line: &&str| line.starts_with("error: could not compile") || line.starts_with("For more information about");
    let mut is_in_library = false;
    let lines = message.lines().take_while(|line| !is_summary(line)).map(|line| {
        let start = line.trim_start_matches([' ', '.']);
        let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
        let line = match rest.trim_start() {
            arrow if arrow.starts_with("--> ") || arrow.starts_with("::: ") => {
                is_in_library = arrow[4..].starts_with("src/");
                let place = if is_in_library { arrow.split(':').next().unwrap() } else { arrow };
                format!("  {place}")
            }
            source if source.starts_with('|') && is_in_library => format!("   {source}"),
            source if source.starts_with('|') => format!("{:>2} {source}", &start[..start.len() - rest.len()]),
            note if note.starts_with("= ") => format!("   {note}"),
            more if line.starts_with("         ") => format!("            {more}"),
            _ => line.to_owned(),
        };
        line.trim_end().to_owned() + "\n"
    });
    lines.collect::<String>().trim_end().to_owned() + "\n"
}

/// The cases that a missing feature keeps from compiling.
const UNDECODED: [&str; 2] = ["wrong_decoder", "wrong_decompressor"];

#[test]
fn check_3_5_1_handles_of_another_type_and_other_mistakes_do_not_compile() {
    if let Some(why) = other_compiler() {
        return rres_test_support::skip(&format!("cases that do not compile: {why}"));
    }
    // With the decoder that it lacks, a case compiles.
    let names: Vec<_> = cases().into_iter().filter(|name| !UNDECODED.contains(&name.as_str())).collect();
    let fresh = Fresh::new("mistakes", "fn main() {}");
    add_cases(&fresh, &names);
    check(&fresh, &names);
}

#[test]
#[ignore = "long: compiles everything with other features"]
fn a_decoder_that_is_missing_is_named() {
    if let Some(why) = other_compiler() {
        return rres_test_support::skip(&format!("cases that do not compile: {why}"));
    }
    let fresh = Fresh::with_features("undecoded", &["engine"], "fn main() {}");
    let names = UNDECODED.map(str::to_owned);
    add_cases(&fresh, &names);
    check(&fresh, &names);
}

/// Compiles the cases, and compares the messages with the expected ones.
#[track_caller]
fn check(fresh: &Fresh, names: &[String]) {
    for name in names {
        let (_, message) = fresh.cargo(&["build", "-q", "--bin", name]);
        if name == "right" {
            assert_eq!(message, "");
            continue;
        }
        let found = normal(&message);
        let file = Path::new(CASES).join(format!("{name}.stderr"));
        if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
            fs::write(&file, &found).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert!(found.starts_with("error") && found == expected, "{name}.rs; expected:\n{expected}\nfound:\n{found}");
    }
}

#[test]
fn no_expected_message_points_into_the_standard_library() {
    // rustc quotes the library there if its sources are installed (`rustup component add rust-src`), and only then.
    for name in cases().iter().filter(|name| *name != "right") {
        let message = fs::read_to_string(Path::new(CASES).join(format!("{name}.stderr"))).unwrap();
        assert!(!message.contains("/rustc/") && !message.contains("rustlib"), "{name}");
    }
}
