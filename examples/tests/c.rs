//! Compiles `c/find.c` with the header that the build script of the examples made, and runs it on the pack beside the header.
//! `interop/c/run` does the same with `c/raylib.c`, which needs sources that no package registry has.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The directory of the pack and the header.
const BUILT: &str = concat!(env!("OUT_DIR"), "/c");

/// Compiles a program with the header; an error is what the compiler printed.
fn compile(source: &Path, program: &Path) -> Result<(), String> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", BUILT, "-o"];
    let output = Command::new(&compiler).args(flags).args([program, source]).output().unwrap_or_else(|error| {
        panic!(
            "cannot start the C compiler {}: {error}\n\
             this repository needs one, for zstd too: install build-essential, or name yours in the variable CC",
            compiler.display()
        )
    });
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The compiled `c/find.c`, in a directory of its own.
fn find() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("find");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/find.c");
    compile(&source, &program).unwrap_or_else(|message| panic!("{message}"));
    (dir, program)
}

fn run(program: &Path, pack: &Path) -> (Output, String, String) {
    let output = Command::new(program).arg(pack).output().unwrap();
    let (out, err) =
        (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap());
    (output, out, err)
}

#[test]
fn a_program_in_c_finds_resources_by_the_constants_of_the_header() {
    let (_dir, program) = find();
    let (output, out, err) = run(&program, &Path::new(BUILT).join("demo.rres"));
    assert!(output.status.success(), "{out}{err}");
    let page = include_str!("../../book/src/c.md").replace("\r\n", "\n");
    let shown = page.split("```text\nRRES_").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(out, format!("RRES_{shown}"), "book/src/c.md shows something else");
}

#[test]
fn a_damaged_pack_is_found_out() {
    let (dir, program) = find();
    let pack = std::fs::read(Path::new(BUILT).join("demo.rres")).unwrap();
    let changed = dir.path().join("changed.rres");
    let text = b"Light the lantern";
    let at = pack.windows(text.len()).position(|bytes| bytes == text).expect("the text is stored as it is");
    let flipped = [&pack[..at], b"l", &pack[at + 1..]].concat();
    for (bytes, fault) in [
        (&flipped[..], "RRES_TEXT_INTRO_TXT is damaged: the CRC-32 of its bytes is"),
        (&pack[..at], "RRES_TEXT_INTRO_TXT is not in the pack"),
        (&pack[..15], "is not an rres pack"),
        (b"", "is not an rres pack"),
    ] {
        std::fs::write(&changed, bytes).unwrap();
        let (output, _, err) = run(&program, &changed);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains(fault), "{fault:?} is not in:\n{err}");
    }
    let (output, _, err) = run(&program, Path::new("no-such.rres"));
    assert!(output.status.code() == Some(2) && err.contains("no-such.rres"), "{err}");
}

#[test]
fn a_constant_that_is_gone_does_not_compile() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("gone.c");
    std::fs::write(&source, "#include \"demo.h\"\nint main(void) { return RRES_UI_GONE_PNG == 0; }\n").unwrap();
    let message = compile(&source, &dir.path().join("gone")).unwrap_err();
    assert!(message.contains("RRES_UI_GONE_PNG"), "{message}");
}

#[test]
fn the_page_about_c_has_lines_of_the_programs() {
    let page = include_str!("../../book/src/c.md").replace("\r\n", "\n");
    let programs = concat!(include_str!("../c/find.c"), include_str!("../c/raylib.c")).replace("\r\n", "\n");
    let known: Vec<&str> = programs.lines().map(str::trim).collect();
    let blocks: Vec<&str> = page.split("```c\n").skip(1).filter_map(|rest| rest.split("```\n").next()).collect();
    assert!(blocks.len() >= 3, "{blocks:?}");
    for line in blocks.concat().lines() {
        assert!(known.contains(&line.trim()), "{line:?} is not a line of c/find.c or c/raylib.c");
    }
}
