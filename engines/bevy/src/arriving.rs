//! Assets whose bytes may still be on a server, and a thread that has to draw frames meanwhile.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use bevy_ecs::prelude::Resource;
use rres_runtime::{Asset, AssetList, Id, Result, Store};

/// How many stored bytes are decoded between two frames where one thread does everything.
const BYTES: u64 = 256 << 10;

/// Divides the work of loading among frames, in browsers.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Turns(Arc<Mutex<Frame>>);

#[derive(Debug, Default)]
struct Frame {
    used: u64,
    /// Who goes on in the next frame.
    waiting: Vec<Waker>,
}

impl Turns {
    /// Lets loads go on.
    pub(crate) fn begin_frame(&self) {
        let waiting = {
            let mut frame = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            frame.used = 0;
            std::mem::take(&mut frame.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Polls a load that decodes so many stored bytes when it is done, unless other loads have used up this frame.
    fn poll<T>(
        &self,
        bytes: u64,
        context: &mut Context<'_>,
        load: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        {
            let mut frame = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if frame.used >= BYTES {
                frame.waiting.push(context.waker().clone());
                return Poll::Pending;
            }
        }
        let loaded = load(context);
        if loaded.is_ready() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).used += bytes;
        }
        loaded
    }

    /// Loads an asset for Bevy, which keeps it: on this thread, once its bytes are here.
    pub(crate) async fn load<T: Asset>(&self, store: &Store, id: Id<T>) -> Result<T> {
        let mut load = pin!(store.load_owned(id));
        if cfg!(not(target_family = "wasm")) {
            return load.await;
        }
        let bytes = store.stored_bytes(AssetList::from([id.into()])).total;
        poll_fn(|context| self.poll(bytes, context, |context| load.as_mut().poll(context))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_wait_for_the_next_frame_when_others_have_used_up_this_one() {
        let (turns, context) = (Turns::default(), &mut Context::from_waker(Waker::noop()));
        let mut load = |bytes| turns.poll(bytes, context, |_| Poll::Ready(()));
        assert!(load(BYTES - 1).is_ready());
        // The last one may be larger than what is left, or nothing large would ever be loaded.
        assert!(load(BYTES * 9).is_ready());
        assert!(load(1).is_pending());
        assert!(turns.poll(1, &mut Context::from_waker(Waker::noop()), |_| Poll::<()>::Pending).is_pending());
        turns.begin_frame();
        assert!(turns.poll(1, &mut Context::from_waker(Waker::noop()), |_| Poll::Ready(())).is_ready());
    }
}
