//! Tests that cannot run on this machine. `cargo test` hides what a test prints if it passes, so a test that skips something
//! leaves a note beside the test programs, and the last test program prints the notes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// Whether all of these programs can be started. If one is missing, the test is skipped.
///
/// # Panics
///
/// If one is missing and `RRES_REQUIRE_TOOLS` is 1, as `.ci/run` sets it.
#[track_caller]
pub fn has_tools(tools: &[&str]) -> bool {
    tools.iter().all(|tool| any_tool(&[tool]).is_some())
}

/// The first of these programs that can be started. If there is none, the test is skipped.
///
/// # Panics
///
/// As [`has_tools`].
#[track_caller]
pub fn any_tool<'a>(tools: &[&'a str]) -> Option<&'a str> {
    let found = tools.iter().copied().find(|tool| starts(tool));
    let why = format!("{} is not installed", tools.join(" or "));
    let note = note(&why);
    match found {
        // An earlier run may have skipped the test.
        Some(_) => _ = fs::remove_file(note),
        None => {
            let is_required = std::env::var_os("RRES_REQUIRE_TOOLS").is_some_and(|value| value == "1");
            assert!(!is_required, "{why}, and RRES_REQUIRE_TOOLS=1 forbids skipping the test");
            skip(&why);
        }
    }
    found
}

/// Notes that the running test skips something, and why.
pub fn skip(why: &str) {
    let note = note(why);
    fs::create_dir_all(note.parent().unwrap()).unwrap();
    fs::write(note, format!("{}: {why}", test())).unwrap();
}

/// Removes the notes, and returns them, sorted.
pub fn take_notes() -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory()) else { return Vec::new() };
    let take = |file: PathBuf| fs::read_to_string(&file).and_then(|note| fs::remove_file(file).map(|()| note)).ok();
    let mut notes: Vec<_> = entries.filter_map(|entry| take(entry.ok()?.path())).collect();
    notes.sort();
    notes
}

fn starts(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// The name of the running test: libtest gives it to the thread.
fn test() -> String {
    thread::current().name().unwrap_or("a thread of a test").to_owned()
}

/// The file of a note, with a name for each test and reason.
fn note(why: &str) -> PathBuf {
    let name = |text: &str| text.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect::<String>();
    directory().join(format!("{} {}", name(&test()), name(why)))
}

/// A directory beside the test programs, which are in `target/PROFILE/deps`.
fn directory() -> PathBuf {
    std::env::current_exe().unwrap().with_file_name("skipped-tests")
}
