#[path = "support/assets.rs"]
mod assets;

struct Level;

fn main() {
    let store = assets::open().unwrap();
    let _ = store.load(assets::CREDITS_TXT.into_type::<Level>());
}
