//! Tests of the program on a machine without a display.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_example-game"));
    command.args(args).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("LANG", "C");
    command.output().expect("the game should start")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output should be UTF-8")
}

#[test]
fn without_a_display_the_game_reports_that_and_flies_anyway() {
    let output = run(&[]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("no window: neither DISPLAY nor WAYLAND_DISPLAY is set"), "{stderr}");
    assert!(stdout.contains("world/lantern.png") && stdout.contains("music/drift.ogg"), "{stdout}");
    assert_eq!(stdout.matches("the lamp burns").count(), 3, "{stdout}");
}

#[test]
fn a_display_that_does_not_answer_does_not_crash_the_game() {
    let game = env!("CARGO_BIN_EXE_example-game");
    let output = Command::new(game).env("DISPLAY", ":4711").env_remove("WAYLAND_DISPLAY").output();
    let output = output.expect("the game should start");
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("no window: "), "{}", text(&output.stderr));
}

#[test]
fn a_missing_pack_is_named() {
    let game = env!("CARGO_BIN_EXE_example-game");
    let output = Command::new(game).arg("--headless").env("RRES_PATH", "no/such/pack.rres").output();
    let output = output.expect("the game should start");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no/such/pack.rres"), "{}", text(&output.stderr));
}

#[test]
fn mistakes_on_the_command_line_exit_with_2() {
    for (args, part) in [
        (&["--frobnicate"][..], "unexpected argument '--frobnicate'"),
        (&["--level", "7"], "7 is not in 1..=3"),
        (&["--language", "tlh"], "[possible values: en, de, fr, es, el, ja]"),
        (&["--screenshot"], "a value is required for '--screenshot <FILE>'"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}

#[test]
fn licences_are_shipped_with_the_game() {
    let output = run(&["--licenses"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("SIL OPEN FONT LICENSE Version 1.1"));
}
