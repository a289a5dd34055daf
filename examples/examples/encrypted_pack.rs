//! Opens an encrypted pack with its password, and shows what a wrong one leads to. The pack is one that the C library wrote.
//!
//! ```sh
//! cargo run -p rres-examples --example encrypted_pack
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use rres_runtime::seal::{Keys, Secret};
use rres_runtime::{Image, PackOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../rres-format/tests/c-packs/08_xchacha20poly1305.rres");
    // A game asks its player or its server, or has the key in its code. That only slows down a person who looks for it.
    let keys = Keys::new(Secret::password("correct horse battery staple")?);
    let pack = PackOptions::default().keys(keys.clone()).open(file)?;
    let id = pack.find("images/rgba.png").ok_or("the pack has no such image")?;
    let image: Image = pack.load(id)?;
    println!("images/rgba.png: {} × {} pixels", image.width(), image.height());
    println!("keys derived: {}", keys.derivations());

    let wrong = Keys::new(Secret::password("a guess")?);
    if let Err(error) = PackOptions::default().keys(wrong).open(file) {
        println!("{error}");
    }
    Ok(())
}
