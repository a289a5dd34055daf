#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{Id, ResourceId, Slot};

fn main() {
    let store = assets::open().unwrap();
    let id: Id<String> = Id::new(ResourceId(1), Slot(0));
    let _ = store.load::<String>(id);
}
