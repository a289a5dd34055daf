//! Imports the assets of the examples, and writes the chapter without its section on models, whose program needs a feature.

use std::path::Path;
use std::{env, fs};

const CHAPTER: &str = "../../../book/src/bevy.md";

fn main() {
    println!("cargo::rerun-if-changed={CHAPTER}");
    let chapter = fs::read_to_string(CHAPTER).expect("the chapter is in the repository");
    let (before, rest) = chapter.split_once("\n## Models\n").expect("the chapter has a section on models");
    let (_, after) = rest.split_once("\n## ").expect("another section follows");
    let file = Path::new(&env::var_os("OUT_DIR").expect("Cargo sets it")).join("without_models.md");
    fs::write(file, format!("{before}\n## {after}")).expect("Cargo's directory can be written to");
    rres_build::import("../../../examples/assets").build_or_exit();
}
