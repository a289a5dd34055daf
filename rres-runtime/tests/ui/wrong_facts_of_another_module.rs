use rres_runtime::{Facts, HasFacts, Id, Image};

const fn facts<T: HasFacts>(id: Id<T>) -> Facts<T> {
    Facts::find(b"\x01\0\0\0\x40\0\0\0\x20\0\0\0\x07\0\x01\0\x01\0\0\0\0\0\0\0", id)
}

const OTHER_PNG: Id<Image> = Id { id: 3, kind: [] };
const WIDTH: u32 = facts(OTHER_PNG).width();

fn main() {
    let _ = [0; WIDTH as usize];
}
