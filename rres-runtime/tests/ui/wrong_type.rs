#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{Handle, Sound};

fn main() {
    let store = assets::open().unwrap();
    let _: Handle<Sound> = store.load(assets::ui::BUTTON_PNG).unwrap();
}
