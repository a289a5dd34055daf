//! Mounts mods over the game's assets, and removes them again.
//!
//! ```sh
//! cargo run -p rres-examples --example mods
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

rres_runtime::include_assets!();

use rres_runtime::{PackOptions, packs_in};

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let grass = store.load(assets::levels::GRASS_PNG)?;
    println!("the grass has the colour {:?}", &grass.get().data()[..3]);

    // A game would look in a directory "mods" next to its executable. Players make packs with
    // `cargo rres build winter --name winter -o mods`; here build.rs has done that.
    let mut mounted = Vec::new();
    for file in packs_in(concat!(env!("OUT_DIR"), "/mods"))? {
        // Copies the file, so that players may change it while the game runs.
        match PackOptions::default().read(&file).and_then(|pack| store.mount(pack)) {
            Ok(id) => mounted.push(id),
            Err(error) => eprintln!("{} is left out: {error}", file.display()),
        }
    }
    println!("with {} mod, existing handles have the new value: {:?}", mounted.len(), &grass.get().data()[..3]);

    for id in mounted {
        store.unmount(id);
    }
    println!("without it: {:?}", &grass.get().data()[..3]);
    Ok(())
}
