//! Writes the databases of the documentation, `Synth.db` and `Hero.db`, into a directory.
//!
//! ```sh
//! cargo run -p rres-import-srsc --features write --example write_databases DIR
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::fs;
use std::path::PathBuf;

use rres_import_srsc::write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or("expected a directory")?);
    for (path, bytes) in write::example().into_iter().chain(write::hero()) {
        let file = directory.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&directory))?;
        fs::write(&file, bytes)?;
        println!("{}", file.display());
    }
    Ok(())
}
