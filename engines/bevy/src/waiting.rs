//! A value that tasks wait for without a thread.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// A value, and the tasks that wait until it has changed. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting<T>(Arc<Mutex<State<T>>>);

#[derive(Debug, Default)]
struct State<T> {
    value: T,
    wakers: Vec<Waker>,
}

impl<T> Waiting<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the value, and wakes who waits.
    pub(crate) fn set(&self, value: T) {
        let wakers = {
            let mut state = self.state();
            state.value = value;
            std::mem::take(&mut state.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Waits until `take` returns true. It may change the value.
    pub(crate) async fn until(&self, mut take: impl FnMut(&mut T) -> bool) {
        poll_fn(|context| {
            let mut state = self.state();
            if take(&mut state.value) {
                return Poll::Ready(());
            }
            state.wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}
