//! Lists the contents of a pack, and loads from it by path. Works on packs of other programs, too.
//!
//! ```sh
//! cargo run -p rres-examples --example inspect_pack -- game.rres
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use rres_runtime::{AssetKind, Image, Pack};

fn main() -> Result<(), rres_runtime::Error> {
    let example = concat!(env!("OUT_DIR"), "/mods/winter.rres").to_owned();
    let pack = Pack::open(std::env::args().nth(1).unwrap_or(example))?;

    println!("{:<24} {:<10} {:>10} {:>10}  path", "id", "kind", "stored", "size");
    for entry in pack.entries() {
        // `None` for a kind of a newer version.
        let kind = entry.kind.map_or_else(|| "unknown".to_owned(), |kind| kind.to_string());
        println!("{:<24} {kind:<10} {:>10} {:>10}  {}", entry.id, entry.stored_size, entry.base_size, entry.path);
        if entry.kind == Some(AssetKind::Image) {
            let image: Image = pack.load(entry.id)?;
            println!("{:<24} {} × {} pixels, {:?}", "", image.width(), image.height(), image.format());
        }
    }
    Ok(())
}
