//! Loads a TOML file as a type of the program. The build script has checked it against the same type (`shared/quest.rs`), so nothing is parsed here.
//!
//! ```sh
//! cargo run -p rres-examples --example typed_data
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../shared/quest.rs"]
mod quest;

use rres_runtime::{Handle, Id, Image};

use quest::Quest;

rres_runtime::include_assets!(mod quests); // `quests::LOST_COIN_TOML` is an `Id<crate::quest::Quest>`

fn main() -> Result<(), rres_runtime::Error> {
    let store = quests::open()?;
    let quest: Handle<Quest> = store.load(quests::LOST_COIN_TOML)?;
    let quest = quest.get();
    let picture = store.load(quest.picture)?.get();
    let (steps, width, height) = (quest.steps.len(), picture.width(), picture.height());
    println!("{}: {steps} steps, {} coins, picture of {width} × {height} pixels", quest.title, quest.reward);
    println!("{:?}", quest.steps);
    Ok(())
}
