//! Makes a type of the game's own from an asset.
//!
//! ```sh
//! cargo run -p rres-examples --example own_type
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

rres_runtime::include_assets!();

use rres_runtime::{FromAsset, Handle, Image, Store, Text};

/// A level: the image of its ground, and a map of characters.
struct Level {
    ground: Handle<Image>,
    map: Vec<String>,
}

impl FromAsset for Level {
    type Source = Text;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    /// The store calls this once, and again when the text or the image changes.
    fn from_asset(text: &Text, store: &Store) -> Result<Self, Self::Error> {
        let mut lines = text.as_str().lines();
        let ground = lines.next().ok_or("expected the path of an image in the first line")?;
        let ground = store.load(store.find_typed(ground)?)?;
        Ok(Self { ground, map: lines.map(str::to_owned).collect() })
    }
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let level = store.load(assets::levels::_1_TXT.into_type::<Level>())?;
    let value = level.get();
    println!("a map of {} rows on {}", value.map.len(), value.ground.path());

    // Like any asset, it is shared: loading it again returns the same value.
    assert_eq!(level, store.load(assets::levels::_1_TXT.into_type::<Level>())?);
    Ok(())
}
