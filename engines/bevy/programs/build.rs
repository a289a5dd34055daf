//! Imports the assets of the examples, and a directory with one image, which a test edits.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    rres_build::import("../../../examples/assets").build_or_exit();
    let edited = Path::new(&env::var_os("OUT_DIR").expect("Cargo sets it")).join("edited");
    // Hot reload runs this program, too, when the image has been edited.
    if !edited.exists() {
        fs::create_dir(&edited)?;
        fs::write(edited.join("skin.tga"), include_bytes!("tests/skin.tga"))?;
    }
    rres_build::import(&edited).module("edited").build_or_exit();
    Ok(())
}
