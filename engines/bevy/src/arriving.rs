//! Assets whose bytes may still be on a server, and a thread that has to draw frames meanwhile.

use bevy_ecs::prelude::Resource;
use rres_runtime::{Asset, Id, Result, Store};

use crate::waiting::Waiting;

/// How many stored bytes are decoded between two frames where one thread does everything.
const BYTES: u64 = 256 << 10;

/// Divides the work of loading among frames, in browsers: how many stored bytes this frame has decoded.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Turns(Waiting<u64>);

impl Turns {
    /// Lets loads go on.
    pub(crate) fn begin_frame(&self) {
        self.0.set(0);
    }

    /// Waits until a frame has time for so many stored bytes.
    async fn wait(&self, bytes: u64) {
        // What is larger than what is left has its turn, too, or it would never be loaded.
        let take = |used: &mut u64| {
            let has_time = *used < BYTES;
            *used += if has_time { bytes } else { 0 };
            has_time
        };
        self.0.until(take).await;
    }

    /// Loads an asset for Bevy, which keeps it: on this thread, once its bytes are here.
    pub(crate) async fn load<T: Asset>(&self, store: &Store, id: Id<T>) -> Result<T> {
        let fetched = store.fetch(id).await;
        if cfg!(target_family = "wasm") {
            self.wait(fetched.stored_bytes()).await;
        }
        fetched.load()
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn loads_wait_for_the_next_frame_when_others_have_used_up_this_one() {
        let turns = Turns::default();
        let is_turn = |bytes| pin!(turns.wait(bytes)).poll(&mut Context::from_waker(Waker::noop())).is_ready();
        assert!(is_turn(BYTES - 1));
        assert!(is_turn(BYTES * 9));
        assert!(!is_turn(1));
        turns.begin_frame();
        assert!(is_turn(1));
    }
}
