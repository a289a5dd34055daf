use rres_runtime::{Facts, HasFacts, Id, Image};

// What a generated module contains in lock mode.
mod assets {
    use super::*;

    pub const PLAYER_PNG: Id<Image> = Id { id: 1, kind: [] };

    pub const fn facts<T: HasFacts>(_id: Id<T>) -> Facts<T> {
        const { ::rres_runtime::__private::no_facts_in_lock_mode::<T>() }
    }
}

const WIDTH: u32 = assets::facts(assets::PLAYER_PNG).width();

fn main() {
    let _ = [0; WIDTH as usize];
}
