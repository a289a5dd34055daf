//! How far a long operation is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How far a long operation is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The noun for the items: `assets`, `chunks`.
    pub noun: &'static str,
    /// The number of items.
    pub count: usize,
    /// The number of items that are done.
    pub done: usize,
    /// The number of items that have failed.
    pub failed: usize,
    /// Bytes of all items.
    pub bytes: u64,
    /// Bytes of the items that are done.
    pub bytes_done: u64,
    /// The item that is being worked on, or that was done last.
    pub item: String,
}

/// What an operation reports its progress to. Its clones are the same meter, so that another thread can show it.
#[derive(Clone, Debug, Default)]
pub struct ProgressMeter(Arc<Mutex<Snapshot>>);

/// The latest progress, and when it began.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// How far the operation is.
    pub progress: Progress,
    /// When the first progress was reported, and the bytes that were done already: they do not count for the estimate.
    pub started: Option<(Instant, u64)>,
    /// Since when the item is the same.
    pub item_since: Option<Instant>,
}

impl ProgressMeter {
    /// Reports the progress.
    pub fn set(&self, progress: Progress) {
        let mut state = self.state();
        let now = Instant::now();
        state.started.get_or_insert((now, progress.bytes_done));
        if state.item_since.is_none() || state.progress.item != progress.item {
            state.item_since = Some(now);
        }
        state.progress = progress;
    }

    /// Reports which item is next, and that the one before it is done, if there was one: it had `done` bytes.
    pub fn next(&self, done: Option<u64>, item: &str) {
        let mut progress = self.state().progress.clone();
        progress.done += usize::from(done.is_some());
        progress.bytes_done += done.unwrap_or(0);
        item.clone_into(&mut progress.item);
        self.set(progress);
    }

    /// Returns the latest progress.
    pub fn snapshot(&self) -> Snapshot {
        self.state().clone()
    }

    fn state(&self) -> MutexGuard<'_, Snapshot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
