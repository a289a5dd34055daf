#[path = "support/assets.rs"]
mod assets;

use assets::groups::INTERFACE;

fn main() {
    let store = assets::open().unwrap();
    let interface = store.load_group(INTERFACE).wait().unwrap();
    interface.get(const { INTERFACE.member(assets::CREDITS_TXT) });
}
