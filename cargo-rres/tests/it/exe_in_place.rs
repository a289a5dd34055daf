//! `cargo rres exe … --in-place`, which replaces the file that it reads.

use std::fs;

use super::Sandbox;
use super::packs::every_kind;

#[test]
fn a_program_is_replaced_by_itself_with_packs_and_by_itself_without() {
    let sandbox = Sandbox::new();
    let program = fs::read(env!("CARGO_BIN_EXE_cargo-rres")).unwrap();
    sandbox.write("bin/game.exe", &program);
    sandbox.write("game.rres", &every_kind().to_vec().unwrap());
    let run = sandbox.exe(&[&"embed", &"bin/game.exe", &"game.rres", &"--in-place"]).success();
    // Where the path is that of a file, it is as it was written, also on Windows.
    assert!(run.out.starts_with("bin/game.exe: "), "{run:?}");
    assert!(sandbox.read("bin/game.exe").len() > program.len());
    let info = sandbox.exe(&[&"info", &"bin/game.exe"]).success();
    assert!(info.out.contains("game.rres  ") && info.out.contains(", appended at "), "{info:?}");
    sandbox.exe(&[&"remove", &"bin/game.exe", &"--in-place"]).success();
    assert!(sandbox.read("bin/game.exe") == program, "the program is as it was");
    assert_eq!(fs::read_dir(sandbox.path("bin")).unwrap().count(), 1, "no temporary files are left");
}
