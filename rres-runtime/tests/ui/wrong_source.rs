#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{FromAsset, Store, Text};

struct Level;

impl FromAsset for Level {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, String> {
        Ok(Self)
    }
}

fn main() {
    let store = assets::open().unwrap();
    let _ = store.load(assets::ui::BUTTON_PNG.into_type::<Level>());
}
