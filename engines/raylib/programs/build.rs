//! Imports the assets of the examples, and writes the section on raylib-rs with a program that is compiled.

use std::path::Path;
use std::{env, fs, io};

const CHAPTER: &str = "../../../book/src/engines.md";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={CHAPTER}");
    let chapter = fs::read_to_string(CHAPTER)?;
    let (_, section) = chapter.split_once("\n## raylib-rs\n").expect("the chapter has a section on raylib-rs");
    let (section, _) = section.split_once("\n## ").expect("another section follows");
    // The workspace of the other programs has no raylib, so the page says `ignore`.
    let compiled = section.replace("```rust,ignore\n", "```rust,no_run\n");
    assert_ne!(compiled, section, "the section has a program");
    fs::write(Path::new(&env::var_os("OUT_DIR").expect("Cargo sets it")).join("section.md"), compiled)?;
    rres_build::import("../../../examples/assets").build_or_exit();
    Ok(())
}
