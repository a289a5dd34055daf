#[path = "support/assets.rs"]
mod assets;

fn main() {
    let store = assets::open().unwrap();
    let _ = store.load("ui/button.png");
}
