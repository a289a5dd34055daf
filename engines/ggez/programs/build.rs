//! Imports the assets of the examples, and takes the section on ggez out of the chapter on engines, whose other programs are compiled in
//! `book/engines`. There its program is ignored.

use std::path::Path;
use std::{env, fs, io};

const CHAPTER: &str = "../../../book/src/engines.md";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={CHAPTER}");
    let chapter = fs::read_to_string(CHAPTER)?;
    let (_, section) = chapter.split_once("\n## ggez\n").expect("the chapter has a section on ggez");
    let (section, _) = section.split_once("\n## ").expect("another section follows");
    let section = section.replace("```rust,ignore", "```rust,no_run");
    let out_dir = env::var_os("OUT_DIR").expect("Cargo sets it");
    fs::write(Path::new(&out_dir).join("ggez.md"), section)?;
    rres_build::import("../../../examples/assets").build_or_exit();
    Ok(())
}
