#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{Id, Sound, Store};

fn play(_: &Store, _: Id<Sound>) {}

fn main() {
    let store = assets::open().unwrap();
    play(&store, assets::CREDITS_TXT);
}
