//! A batch: assets that are loaded one after the other, by as many threads as take from it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::Waker;
use std::time::Instant;

use super::{Store, WeakStore};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{AnyEntry, AnyHandle};
use crate::pool::{Priority, Work};
use crate::sync::{lock, wait};

/// The progress of loading several assets. The totals are exact from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Assets that are loaded or have failed.
    pub assets: usize,
    /// All assets, including the dependencies of those that were asked for.
    pub assets_total: usize,
    /// Stored bytes of the assets that are loaded or have failed.
    pub bytes: u64,
    /// Stored bytes of all assets.
    pub bytes_total: u64,
    /// Assets that have failed.
    pub failed: usize,
    /// The path of the asset whose load began last; `None` before the first one.
    pub current: Option<Arc<str>>,
}

impl Progress {
    /// Returns the part that is done, from 0 to 1, by stored bytes.
    pub fn fraction(&self) -> f32 {
        match self.bytes_total {
            0 if self.assets == self.assets_total => 1.0,
            0 => self.assets as f32 / self.assets_total as f32,
            total => (self.bytes as f64 / total as f64) as f32,
        }
    }

    /// Returns whether all assets are loaded or have failed.
    pub fn is_done(&self) -> bool {
        self.assets == self.assets_total
    }
}

/// One asset of a batch.
pub(super) struct Job {
    pub(super) entry: Result<Arc<dyn AnyEntry>>,
    /// Bytes that it takes in the pack.
    pub(super) stored: u64,
}

pub(super) struct Batch {
    /// Weak, because the store's pool holds batches.
    store: WeakStore,
    /// Stored bytes, by job.
    stored: Box<[u64]>,
    next: AtomicUsize,
    priority: AtomicU8,
    state: Mutex<BatchState>,
    changed: Condvar,
}

#[derive(Default)]
struct BatchState {
    progress: Progress,
    /// How many jobs are being worked on.
    running: usize,
    cancelled: bool,
    /// What is left to load, by job. The thread that loads an entry takes it out, so that a batch that is done keeps
    /// nothing alive but its result.
    entries: Vec<Option<Result<Arc<dyn AnyEntry>>>>,
    /// By job.
    loaded: Vec<Option<AnyHandle>>,
    /// Oldest first.
    errors: Vec<Error>,
    wakers: Vec<Waker>,
}

impl BatchState {
    /// Returns whether nothing more will be loaded.
    fn is_over(&self) -> bool {
        self.running == 0 && (self.cancelled || self.progress.is_done())
    }
}

impl Batch {
    pub(super) fn new(store: &Store, jobs: Vec<Job>, priority: Priority) -> Self {
        let progress = Progress {
            assets_total: jobs.len(),
            bytes_total: jobs.iter().map(|job| job.stored).sum(),
            ..Progress::default()
        };
        for job in &jobs {
            if let Ok(entry) = &job.entry {
                entry.load_once().queue();
            }
        }
        let stored = jobs.iter().map(|job| job.stored).collect();
        let loaded = vec![None; jobs.len()];
        let entries = jobs.into_iter().map(|job| Some(job.entry)).collect();
        Self {
            store: store.downgrade(),
            stored,
            next: AtomicUsize::new(0),
            priority: AtomicU8::new(priority as u8),
            state: Mutex::new(BatchState { progress, entries, loaded, ..BatchState::default() }),
            changed: Condvar::new(),
        }
    }

    /// Creates a batch of one asset.
    pub(super) fn of_one(store: &Store, entry: Arc<dyn AnyEntry>, priority: Priority) -> Self {
        Self::new(store, vec![Job { entry: Ok(entry), stored: 0 }], priority)
    }

    pub(super) fn set_priority(&self, priority: Priority) {
        self.priority.store(priority as u8, Ordering::Relaxed);
    }

    fn load(&self, entry: Arc<dyn AnyEntry>) -> Result<AnyHandle> {
        let Some(store) = self.store.upgrade() else { return Err(entry.meta().error(ErrorKind::Cancelled)) };
        // The program's own types may panic while they are made. Without this, waiting threads would wait forever.
        let loaded = catch_unwind(AssertUnwindSafe(|| store.load_any(&entry)));
        loaded.unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(entry.meta().error(ErrorKind::Panicked(message)))
        })?;
        Ok(AnyHandle::new(entry).expect("an entry that is loaded has a value"))
    }

    pub(super) fn progress(&self) -> Progress {
        lock(&self.state).progress.clone()
    }

    /// Returns whether nothing more will be loaded; if not, wakes `waker` after the next asset.
    pub(super) fn poll(&self, waker: Option<&Waker>) -> bool {
        let mut state = lock(&self.state);
        if state.is_over() {
            return true;
        }
        if let Some(waker) = waker
            && !state.wakers.iter().any(|known| known.will_wake(waker))
        {
            state.wakers.push(waker.clone());
        }
        false
    }

    /// Waits until nothing more will be loaded, at most until `deadline`; returns whether that is so.
    pub(super) fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        while !state.is_over() {
            let Some(deadline) = deadline else {
                state = wait(&self.changed, state);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Takes what was loaded, by job, and the errors.
    pub(super) fn take(&self) -> (Vec<Option<AnyHandle>>, Vec<Error>) {
        let mut state = lock(&self.state);
        (std::mem::take(&mut state.loaded), std::mem::take(&mut state.errors))
    }

    /// Wakes everything that waits. The caller must not hold a lock, because a waker runs code of the program.
    fn notify(&self, wakers: Vec<Waker>) {
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Work for Batch {
    fn len(&self) -> usize {
        self.stored.len()
    }

    fn has_next(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.stored.len()
    }

    fn priority(&self) -> Priority {
        let stored = self.priority.load(Ordering::Relaxed);
        [Priority::Low, Priority::High].into_iter().find(|priority| *priority as u8 == stored).unwrap_or_default()
    }

    fn run_one(&self) -> bool {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(stored) = self.stored.get(at) else {
            // This prevents an overflow, however often it is called.
            self.next.store(self.stored.len(), Ordering::Relaxed);
            return false;
        };
        let entry = {
            let mut state = lock(&self.state);
            let Some(entry) = state.entries.get_mut(at).and_then(Option::take) else { return false };
            state.running += 1;
            if let Ok(entry) = &entry {
                state.progress.current = Some(Arc::clone(&entry.meta().path));
            }
            entry
        };
        let outcome = entry.and_then(|entry| self.load(entry));
        let mut state = lock(&self.state);
        state.running -= 1;
        state.progress.assets += 1;
        state.progress.bytes += stored;
        match outcome {
            Ok(handle) => state.loaded[at] = Some(handle),
            Err(error) => {
                state.progress.failed += 1;
                state.errors.push(error);
            }
        }
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.notify(wakers);
        true
    }

    fn cancel(&self) {
        let mut state = lock(&self.state);
        state.cancelled = true;
        let wakers = std::mem::take(&mut state.wakers);
        let left: Vec<_> = state.entries.iter_mut().filter_map(Option::take).collect();
        drop(state);
        self.next.store(self.stored.len(), Ordering::Relaxed);
        for entry in left.iter().flatten() {
            entry.load_once().unqueue();
        }
        self.notify(wakers);
    }
}
