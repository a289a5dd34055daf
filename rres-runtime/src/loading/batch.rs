//! A batch: assets that are loaded one by one, by as many threads as take from it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::task::Waker;
use std::time::Instant;

use super::{Priority, Progress};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::AnyHandle;
use crate::handle::cell::AnyCell;
use crate::store::{Shared, Store};
use crate::sync::{lock, wait};

/// One asset of a batch.
pub(crate) struct Job {
    pub(crate) cell: Result<Arc<dyn AnyCell>>,
    /// Bytes that it takes in the pack.
    pub(crate) stored: u64,
}

pub(crate) struct Batch {
    /// Weak, since the store's pool holds batches.
    store: Weak<Shared>,
    /// Stored bytes, by job.
    stored: Box<[u64]>,
    next: AtomicUsize,
    priority: AtomicU8,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    progress: Progress,
    running: usize,
    cancelled: bool,
    /// What is still to be loaded, by job. Taken out by who loads it: a batch that is done keeps nothing alive.
    cells: Vec<Option<Result<Arc<dyn AnyCell>>>>,
    /// By job.
    loaded: Vec<Option<AnyHandle>>,
    /// In the order in which they happened.
    errors: Vec<Error>,
    wakers: Vec<Waker>,
}

impl State {
    /// Whether nothing more will come.
    fn is_over(&self) -> bool {
        self.running == 0 && (self.cancelled || self.progress.is_done())
    }
}

impl Batch {
    pub(crate) fn new(store: &Store, jobs: Vec<Job>, priority: Priority) -> Self {
        let progress = Progress {
            assets_total: jobs.len(),
            bytes_total: jobs.iter().map(|job| job.stored).sum(),
            ..Progress::default()
        };
        for job in &jobs {
            if let Ok(cell) = &job.cell {
                cell.gate().queue();
            }
        }
        let stored = jobs.iter().map(|job| job.stored).collect();
        let loaded = vec![None; jobs.len()];
        let cells = jobs.into_iter().map(|job| Some(job.cell)).collect();
        let state = State { progress, cells, loaded, ..State::default() };
        Self {
            store: Arc::downgrade(&store.shared),
            stored,
            next: AtomicUsize::new(0),
            priority: AtomicU8::new(priority as u8),
            state: Mutex::new(state),
            moved: Condvar::new(),
        }
    }

    /// A batch of one asset, which is queued already.
    pub(crate) fn of_one(store: &Store, cell: Arc<dyn AnyCell>, priority: Priority) -> Self {
        Self::new(store, vec![Job { cell: Ok(cell), stored: 0 }], priority)
    }

    pub(crate) fn len(&self) -> usize {
        self.stored.len()
    }

    /// Whether a thread that comes now finds something to do.
    pub(crate) fn has_next(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.stored.len()
    }

    pub(crate) fn priority(&self) -> u8 {
        self.priority.load(Ordering::Relaxed)
    }

    pub(crate) fn set_priority(&self, priority: Priority) {
        self.priority.store(priority as u8, Ordering::Relaxed);
    }

    /// Loads the next asset on this thread; `false` where all are taken.
    pub(crate) fn run_one(&self) -> bool {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(stored) = self.stored.get(at) else {
            // Stays beyond the last, however often this is asked.
            self.next.store(self.stored.len(), Ordering::Relaxed);
            return false;
        };
        let cell = {
            let mut state = lock(&self.state);
            let Some(cell) = state.cells.get_mut(at).and_then(Option::take) else { return false };
            state.running += 1;
            if let Ok(cell) = &cell {
                state.progress.current = Some(Arc::clone(&cell.head().path));
            }
            cell
        };
        let outcome = cell.and_then(|cell| self.load(cell));
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
        self.moved.notify_all();
        wakers.into_iter().for_each(Waker::wake);
        true
    }

    fn load(&self, cell: Arc<dyn AnyCell>) -> Result<AnyHandle> {
        let path = Arc::clone(&cell.head().path);
        let of_asset = |kind| Error::new(kind).of_asset(|| format!("\"{path}\""));
        let Some(shared) = self.store.upgrade() else { return Err(of_asset(ErrorKind::Cancelled)) };
        let store = Store { shared };
        // What a program makes of an asset may panic; those who wait for this batch would wait for ever.
        catch_unwind(AssertUnwindSafe(|| cell.load_any(&store))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(of_asset(ErrorKind::Convert(format!("its making panicked: {text}").into())))
        })
    }

    /// Lets nobody take another asset; those being loaded are loaded to their end.
    pub(crate) fn cancel(&self) {
        let mut state = lock(&self.state);
        state.cancelled = true;
        let wakers = std::mem::take(&mut state.wakers);
        let left: Vec<_> = state.cells.iter_mut().filter_map(Option::take).collect();
        drop(state);
        self.next.store(self.stored.len(), Ordering::Relaxed);
        for cell in left.iter().flatten() {
            cell.gate().unqueue();
        }
        self.moved.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(crate) fn progress(&self) -> Progress {
        lock(&self.state).progress.clone()
    }

    /// Whether nothing more will come; else `waker` is woken with the next asset.
    pub(crate) fn poll(&self, waker: Option<&Waker>) -> bool {
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

    /// Waits until nothing more will come, at most until `deadline`.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        while !state.is_over() {
            let Some(deadline) = deadline else {
                state = wait(&self.moved, state);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// What was loaded, by job, and what failed.
    pub(crate) fn take(&self) -> (Vec<Option<AnyHandle>>, Vec<Error>) {
        let mut state = lock(&self.state);
        (std::mem::take(&mut state.loaded), std::mem::take(&mut state.errors))
    }
}
