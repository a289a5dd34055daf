//! Imports the assets of the examples and a directory with one image, which a test edits, and writes the chapter without its section on
//! models, whose program needs a feature.

use std::path::Path;
use std::{env, fs, io};

const CHAPTER: &str = "../../../book/src/bevy.md";

fn main() -> io::Result<()> {
    let out_dir = env::var_os("OUT_DIR").expect("Cargo sets it");
    let out_dir = Path::new(&out_dir);
    println!("cargo::rerun-if-changed={CHAPTER}");
    let chapter = fs::read_to_string(CHAPTER)?;
    let (before, rest) = chapter.split_once("\n## Models\n").expect("the chapter has a section on models");
    let (_, after) = rest.split_once("\n## ").expect("another section follows");
    fs::write(out_dir.join("without_models.md"), format!("{before}\n## {after}"))?;
    rres_build::import("../../../examples/assets").build_or_exit();
    let edited = out_dir.join("edited");
    // Hot reload runs this program, too, when the image has been edited.
    if !edited.exists() {
        fs::create_dir(&edited)?;
        fs::write(edited.join("skin.tga"), include_bytes!("tests/skin.tga"))?;
    }
    rres_build::import(&edited).module("edited").build_or_exit();
    Ok(())
}
