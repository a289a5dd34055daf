//! A batch: assets that are loaded one after the other, by as many threads as take from it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::task::Waker;
use std::time::Instant;

use super::fetching::{Fetches, fetches};
use super::{Store, WeakStore};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{AnyEntry, AnyHandle};
use crate::mounts::Mounts;
use crate::pool::{Priority, Work};
use crate::source::{Arrivals, FetchGuard, Hold, PartSource};
use crate::sync::{lock, may_wait, wait};
use crate::timeline::Asker;
use crate::variants::Selection;

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
    /// Stored bytes that are here, loaded or not: all of them, unless the pack is read in parts.
    pub bytes_here: u64,
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
    me: Weak<Self>,
    /// Weak, because the store's pool holds batches.
    store: WeakStore,
    asker: Asker,
    /// Stored bytes, by job.
    stored: Box<[u64]>,
    /// How many jobs could be begun.
    ready: AtomicUsize,
    /// Whether nobody but a thread of the pool would run it.
    is_alone: bool,
    priority: AtomicU8,
    state: Mutex<BatchState>,
    changed: Condvar,
}

#[derive(Default)]
struct BatchState {
    progress: Progress,
    /// The jobs that could be begun, in order: what they need is here.
    ready: VecDeque<usize>,
    /// What other jobs need, by job.
    fetching: Vec<Fetching>,
    /// The fetches that are not over.
    fetches: Vec<FetchGuard>,
    /// What they were planned for.
    planned_for: Option<(Arc<Mounts>, Arc<Selection>)>,
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

/// What a job waits for.
#[derive(Default)]
struct Fetching {
    /// What fetches the job's own resource, and its slot; `None` if it is here.
    part: Option<(Arc<dyn PartSource>, u32)>,
    /// How many sources fetch something for it.
    sources: usize,
    /// What was fetched, until the job is done.
    holds: Vec<Hold>,
}

impl Fetching {
    /// Returns what each of so many jobs waits for.
    fn of(fetches: &Fetches, jobs: usize) -> Vec<Self> {
        let mut fetching = Vec::new();
        fetching.resize_with(jobs, Self::default);
        for fetch in fetches {
            fetch.tickets.iter().for_each(|ticket| fetching[ticket.number].sources += 1);
            fetch.own.iter().for_each(|(job, slot)| fetching[*job].part = Some((Arc::clone(&fetch.parts), *slot)));
        }
        fetching
    }
}

impl BatchState {
    /// Returns whether nothing more will be loaded.
    fn is_over(&self) -> bool {
        self.running == 0 && (self.cancelled || self.progress.is_done())
    }
}

impl Batch {
    /// Creates a batch, and begins to fetch what it needs. `is_alone`: nobody who polls or waits for the batch would run it.
    pub(super) fn new(
        store: &Store,
        jobs: Vec<Job>,
        fetches: Fetches,
        priority: Priority,
        is_alone: bool,
        asker: Asker,
    ) -> Arc<Self> {
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
        let fetching = Fetching::of(&fetches, jobs.len());
        let ready: VecDeque<usize> = (0..jobs.len()).filter(|job| fetching[*job].sources == 0).collect();
        let planned_for = (!may_wait()).then(|| (store.mounts(), store.selection()));
        let entries = jobs.into_iter().map(|job| Some(job.entry)).collect();
        let batch = Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            store: store.downgrade(),
            asker,
            stored,
            ready: AtomicUsize::new(ready.len()),
            is_alone,
            priority: AtomicU8::new(priority as u8),
            state: Mutex::new(BatchState {
                progress,
                ready,
                fetching,
                planned_for,
                entries,
                loaded,
                ..BatchState::default()
            }),
            changed: Condvar::new(),
        });
        batch.fetch(fetches, priority);
        batch
    }

    fn fetch(&self, fetches: Fetches, priority: Priority) {
        for fetch in fetches {
            let Some(me) = self.me.upgrade() else { return };
            let guard = fetch.parts.fetch(&fetch.tickets, priority, me);
            lock(&self.state).fetches.push(guard);
        }
    }

    /// Plans anew what the jobs that are left need, if the mounts or the chosen variants have changed. Where threads may wait, each load fetches what
    /// it lacks by itself.
    fn follow_changes(&self) {
        let Some(store) = self.store.upgrade().filter(|_| !may_wait()) else { return };
        let (mounts, selection) = (store.mounts(), store.selection());
        let mut state = lock(&self.state);
        let is_same = |(old, choices): &(_, _)| Arc::ptr_eq(old, &mounts) && Arc::ptr_eq(choices, &selection);
        if state.cancelled || state.planned_for.as_ref().is_some_and(is_same) {
            return;
        }
        let left = |(job, entry): (usize, &Option<Result<Arc<dyn AnyEntry>>>)| {
            let key = entry.as_ref()?.as_ref().ok()?.meta().key;
            Some((job, (key.id, key.choice)))
        };
        let (jobs, assets): (Vec<usize>, Vec<_>) = state.entries.iter().enumerate().filter_map(left).unzip();
        let mut fetches = fetches(&mounts, &selection, &assets, |_| true);
        for fetch in &mut fetches {
            fetch.tickets.iter_mut().for_each(|ticket| ticket.number = jobs[ticket.number]);
            fetch.own.iter_mut().for_each(|(job, _)| *job = jobs[*job]);
        }
        state.planned_for = Some((mounts, selection));
        let before = std::mem::replace(&mut state.fetching, Fetching::of(&fetches, self.stored.len()));
        let (ended, is_left) =
            (std::mem::take(&mut state.fetches), |state: &BatchState, job: usize| state.entries[job].is_some());
        state.ready =
            (0..self.stored.len()).filter(|job| is_left(&state, *job) && state.fetching[*job].sources == 0).collect();
        self.ready.store(state.ready.len(), Ordering::Relaxed);
        drop(state);
        self.fetch(fetches, self.priority());
        // What both need goes on.
        drop((before, ended));
    }

    pub(super) fn set_priority(&self, priority: Priority) {
        self.priority.store(priority as u8, Ordering::Relaxed);
    }

    fn load(&self, entry: Arc<dyn AnyEntry>) -> Result<AnyHandle> {
        let Some(store) = self.store.upgrade() else { return Err(entry.meta().error(ErrorKind::Cancelled)) };
        let _asking = self.asker.clone().asks();
        // Otherwise threads that wait for the batch would wait forever after a panic.
        store.load_any_catching(&entry)?;
        Ok(AnyHandle::new(entry).expect("an entry that is loaded has a value"))
    }

    pub(super) fn progress(&self) -> Progress {
        let state = lock(&self.state);
        let here = |(stored, fetching): (&u64, &Fetching)| match &fetching.part {
            Some((parts, slot)) => parts.here(*slot).min(*stored),
            None => *stored,
        };
        let bytes_here = self.stored.iter().zip(&state.fetching).map(here).sum();
        Progress { bytes_here, ..state.progress.clone() }
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
            if !may_wait() {
                return false;
            }
            // If no thread could be started, nobody else runs what has arrived meanwhile.
            if !state.ready.is_empty() && self.has_no_threads() {
                drop(state);
                self.run_one();
                state = lock(&self.state);
                continue;
            }
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

    fn has_no_threads(&self) -> bool {
        self.store.upgrade().is_none_or(|store| store.shared.pool.has_no_threads())
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
        self.ready.load(Ordering::Relaxed) > 0
    }

    fn priority(&self) -> Priority {
        let stored = self.priority.load(Ordering::Relaxed);
        [Priority::Low, Priority::High].into_iter().find(|priority| *priority as u8 == stored).unwrap_or_default()
    }

    fn run_one(&self) -> bool {
        self.run_next().is_some()
    }

    fn cancel(&self) {
        let mut state = lock(&self.state);
        state.cancelled = true;
        let wakers = std::mem::take(&mut state.wakers);
        let left: Vec<_> = state.entries.iter_mut().filter_map(Option::take).collect();
        state.ready.clear();
        self.ready.store(0, Ordering::Relaxed);
        let holds: Vec<_> = state.fetching.iter_mut().map(|fetching| std::mem::take(&mut fetching.holds)).collect();
        let fetches = std::mem::take(&mut state.fetches);
        drop(state);
        drop((holds, fetches));
        for entry in left.iter().flatten() {
            entry.load_once().unqueue(self.is_alone);
        }
        self.notify(wakers);
    }
}

impl Batch {
    /// Runs as many jobs as fit between two frames: there is no clock to ask everywhere, but small assets take little time.
    pub(super) fn run_slice(&self) {
        const BYTES: u64 = 256 << 10;
        const JOBS: usize = 64;
        let mut left = BYTES;
        for _ in 0..JOBS {
            match self.run_next().map(|stored| left.checked_sub(stored)) {
                Some(Some(rest)) => left = rest,
                Some(None) | None => return,
            }
        }
    }

    /// Runs a job, and returns its stored bytes; `None` if there is none.
    fn run_next(&self) -> Option<u64> {
        self.follow_changes();
        let (at, entry) = {
            let mut state = lock(&self.state);
            let at = state.ready.pop_front()?;
            self.ready.store(state.ready.len(), Ordering::Relaxed);
            let entry = state.entries.get_mut(at).and_then(Option::take)?;
            state.running += 1;
            if let Ok(entry) = &entry {
                state.progress.current = Some(Arc::clone(&entry.meta().path));
            }
            (at, entry)
        };
        let outcome = entry.and_then(|entry| self.load(entry));
        let mut state = lock(&self.state);
        state.running -= 1;
        state.progress.assets += 1;
        state.progress.bytes += self.stored[at];
        let holds = std::mem::take(&mut state.fetching[at].holds);
        match outcome {
            Ok(handle) => state.loaded[at] = Some(handle),
            Err(error) => {
                state.progress.failed += 1;
                state.errors.push(error);
            }
        }
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        drop(holds);
        self.notify(wakers);
        Some(self.stored[at])
    }
}

impl Arrivals for Batch {
    fn settled(&self, job: usize, hold: Hold) {
        let mut state = lock(&self.state);
        if state.cancelled {
            return;
        }
        let fetching = &mut state.fetching[job];
        fetching.holds.push(hold);
        fetching.sources -= 1;
        if fetching.sources > 0 {
            return;
        }
        fetching.part = None;
        state.ready.push_back(job);
        self.ready.store(state.ready.len(), Ordering::Relaxed);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        let (Some(store), Some(me)) = (self.store.upgrade(), self.me.upgrade()) else { return self.cancel() };
        store.shared.pool.push(me);
        if self.is_alone && store.shared.pool.has_no_threads() {
            self.run_one();
        }
        self.notify(wakers);
    }
}
