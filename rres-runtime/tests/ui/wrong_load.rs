#[path = "support/assets.rs"]
mod assets;

use rres_runtime::Id;

fn main() {
    let store = assets::open().unwrap();
    let id: Id<String> = Id::new(1, 0);
    let _ = store.load::<String>(id);
}
