#[path = "support/assets.rs"]
mod assets;

struct Level;

fn main() {
    let store = assets::open().unwrap();
    let _ = store.load_as::<Level>(assets::CREDITS_TXT);
}
