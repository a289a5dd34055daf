use rres_runtime::{Facts, HasFacts, Id, Image, Text};

// What a generated module contains for one image of 64×32 pixels and a text.
mod assets {
    use super::*;

    pub const PLAYER_PNG: Id<Image> = Id { id: 1, kind: [] };
    pub const CREDITS_TXT: Id<Text> = Id { id: 2, kind: [] };
    static FACTS: &[u8] = b"\x01\0\0\0\x40\0\0\0\x20\0\0\0\x07\0\x01\0\x01\0\0\0\0\0\0\0";

    #[track_caller]
    pub const fn facts<T: HasFacts>(id: Id<T>) -> Facts<T> {
        Facts::find(FACTS, id)
    }
}

const WIDTH: u32 = assets::facts(assets::PLAYER_PNG).width();
const CHANNELS: u32 = assets::facts(assets::PLAYER_PNG).channels();
const LINES: Facts<Text> = assets::facts(assets::CREDITS_TXT);

fn main() {
    let _ = [0; WIDTH as usize];
}
