//! Loads a level as a group, with a loading bar, then goes to the next level.
//!
//! ```sh
//! cargo run -p rres-examples --example level
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

rres_runtime::include_assets!();

use std::time::Duration;

use assets::groups::{LEVEL_1, LEVEL_2}; // [group.level_1] and [group.level_2] in assets.toml

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = assets::open()?;

    // Threads of the store load; this thread draws.
    let mut loading = store.load_group(LEVEL_1);
    let level = loop {
        let progress = loading.progress(); // in bytes; the totals are exact from the start
        println!("[{:<20}] {:3.0} %", "=".repeat((progress.fraction() * 20.0) as usize), progress.fraction() * 100.0);
        // A game calls `loading.poll()` here and draws its next frame.
        if let Some(loaded) = loading.wait_for(Duration::from_millis(16)) {
            break loaded?;
        }
    };

    // Everything is loaded, so this cannot fail. An asset that is not in the group would not compile.
    let map = level.get(const { LEVEL_1.member(assets::levels::_1_TXT) });
    println!(
        "{} has {} assets, {} bytes; its map:\n{}",
        level.name(),
        level.iter().len(),
        level.bytes(),
        map.get().as_str()
    );

    // Keeps what both levels contain, frees the rest of the first, loads the rest of the second.
    let loads = store.stats().loads;
    drop(map);
    let next = level.switch_to(LEVEL_2).wait()?;
    println!(
        "{} has {} assets; {} of them were loaded now",
        next.name(),
        next.iter().len(),
        store.stats().loads - loads
    );
    Ok(())
}
