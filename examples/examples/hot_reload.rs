//! Shows what a running game sees when you save an asset. It runs for ten seconds.
//!
//! Start it, then edit `examples/assets/ui/player.png` or `examples/assets/levels/1.txt` and save.
//!
//! ```sh
//! cargo run -p rres-examples --example hot_reload
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

rres_runtime::include_assets!();

use std::thread::sleep;
use std::time::{Duration, Instant};

fn main() -> Result<(), rres_runtime::Error> {
    let seconds = std::env::args().nth(1).and_then(|seconds| seconds.parse().ok()).unwrap_or(10.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);

    let store = assets::open()?;
    let level = store.load(assets::levels::_1_TXT)?;
    let mut player = store.load(assets::ui::PLAYER_PNG)?.watch();
    let events = store.events();
    println!("for {seconds} seconds: save examples/assets/ui/player.png or examples/assets/levels/1.txt");

    // The main loop of a game, one iteration per frame.
    while Instant::now() < end {
        // A handle always has the newest value.
        let _map = level.get();
        // A watch reports a change once: here a game uploads its texture again.
        if let Some(image) = player.changed() {
            println!("the player is now {} × {} pixels", image.width(), image.height());
        }
        // Optional: report what happened, including broken files, whose previous value stays.
        for event in events.try_iter() {
            println!("{event}");
        }
        sleep(Duration::from_millis(16));
    }
    Ok(())
}
