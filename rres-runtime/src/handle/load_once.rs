//! The lock of one asset's load: one thread loads it, the others wait for that thread, and no two threads wait for each
//! other.

use std::task::Waker;

use crate::error::Error;
use crate::sync::thread::{self, ThreadId};
use crate::sync::{Condvar, Mutex, lock, may_wait, wait};

/// The phase of an asset's load.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Not asked for.
    Reserved,
    /// Waiting for a thread of the pool.
    Queued,
    /// Being loaded by this thread.
    Loading(ThreadId),
    /// Loaded.
    Ready,
    /// The last attempt failed; the next thread that asks tries again.
    Failed(Error),
}

#[derive(Debug)]
pub(crate) struct LoadOnce {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// How many threads wait for the one that loads.
    waiting: usize,
    /// Whether, of those who queued it, one has queued it alone. It stays queued if a group that it is in is cancelled.
    is_queued_alone: bool,
    wakers: Vec<Waker>,
}

/// What a thread that asks for an asset has to do.
pub(crate) enum Acquired<'a> {
    /// Nothing: the asset is loaded.
    Ready,
    /// Nothing: the attempt that this thread waited for failed.
    Failed(Error),
    /// It has to load the asset.
    MustLoad(LoadGuard<'a>),
    /// It cannot wait: the thread that loads the asset waits for something that this thread loads.
    Cycle,
}

impl LoadOnce {
    pub(crate) fn new() -> Self {
        let state = State { phase: Phase::Reserved, waiting: 0, is_queued_alone: false, wakers: Vec::new() };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits while another thread loads. If none does, this thread has to.
    pub(crate) fn acquire<'a>(&'a self, waits: &'a WaitGraph) -> Acquired<'a> {
        let me = thread::current().id();
        let mut state = lock(&self.state);
        let mut waited = false;
        loop {
            match &state.phase {
                Phase::Ready => return Acquired::Ready,
                Phase::Failed(error) if waited => return Acquired::Failed(error.clone()),
                Phase::Reserved | Phase::Queued | Phase::Failed(_) => {
                    (state.phase, state.is_queued_alone) = (Phase::Loading(me), false);
                    return Acquired::MustLoad(LoadGuard { load: self, waits, outcome: None });
                }
                Phase::Loading(owner) => {
                    if !waits.add(me, self.address(), *owner) {
                        return Acquired::Cycle;
                    }
                    state.waiting += 1;
                    state = wait(&self.changed, state);
                    state.waiting -= 1;
                    waited = true;
                }
            }
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        lock(&self.state).phase.clone()
    }

    /// Goes from reserved or failed to queued; returns whether it did.
    pub(crate) fn queue(&self) -> bool {
        let mut state = lock(&self.state);
        let idle = matches!(state.phase, Phase::Reserved | Phase::Failed(_));
        if idle {
            state.phase = Phase::Queued;
        }
        idle
    }

    /// Goes from reserved or failed to queued, or notes that somebody needs it by itself although a group has queued it; returns whether it did either.
    pub(crate) fn queue_alone(&self) -> bool {
        let mut state = lock(&self.state);
        let is_new = match state.phase {
            Phase::Reserved | Phase::Failed(_) => true,
            Phase::Queued => !state.is_queued_alone,
            Phase::Loading(_) | Phase::Ready => false,
        };
        if is_new {
            (state.phase, state.is_queued_alone) = (Phase::Queued, true);
        }
        is_new
    }

    /// Goes from queued back to reserved, unless somebody else has queued it: `alone` says who gives it up.
    pub(crate) fn unqueue(&self, alone: bool) {
        let mut state = lock(&self.state);
        if matches!(state.phase, Phase::Queued) && (alone || !state.is_queued_alone) {
            (state.phase, state.is_queued_alone) = (Phase::Reserved, false);
            self.notify(state);
        }
    }

    /// Wakes `waker` when the load succeeds or fails; returns `false` if it has already.
    pub(crate) fn register_waker(&self, waker: &Waker) -> bool {
        let mut state = lock(&self.state);
        if matches!(state.phase, Phase::Ready | Phase::Failed(_)) {
            return false;
        }
        if !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        true
    }

    /// Waits until the load succeeds or fails, at most until `deadline`; returns the phase then.
    pub(crate) fn wait_until(&self, deadline: Option<std::time::Instant>) -> Phase {
        let mut state = lock(&self.state);
        loop {
            match (&state.phase, deadline) {
                (Phase::Ready | Phase::Failed(_), _) => return state.phase.clone(),
                _ if !may_wait() => return state.phase.clone(),
                (_, None) => state = wait(&self.changed, state),
                (_, Some(deadline)) => {
                    let left = deadline.saturating_duration_since(std::time::Instant::now());
                    if left.is_zero() {
                        return state.phase.clone();
                    }
                    let waited = self.changed.wait_timeout(state, left);
                    state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Returns how many threads wait for the one that loads.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        lock(&self.state).waiting
    }

    fn complete(&self, phase: Phase, waits: &WaitGraph) {
        let mut state = lock(&self.state);
        state.phase = phase;
        if state.waiting > 0 {
            // Under the lock, because a thread that continues may at once load something else that this thread waits
            // for.
            waits.remove(self.address());
        }
        self.notify(state);
    }

    /// Wakes everything that waits, after the lock is released, because a waker runs code of the program.
    fn notify(&self, mut state: crate::sync::MutexGuard<'_, State>) {
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// The right and the duty to load an asset. If it is dropped without [`Self::finish`], by a panic, the next thread that
/// asks gets the right.
pub(crate) struct LoadGuard<'a> {
    load: &'a LoadOnce,
    waits: &'a WaitGraph,
    outcome: Option<Phase>,
}

impl LoadGuard<'_> {
    /// Releases the threads that wait. A value was published before.
    pub(crate) fn finish(mut self, outcome: Result<(), Error>) {
        self.outcome = Some(match outcome {
            Ok(()) => Phase::Ready,
            Err(error) => Phase::Failed(error),
        });
    }
}

impl Drop for LoadGuard<'_> {
    fn drop(&mut self) {
        self.load.complete(self.outcome.take().unwrap_or(Phase::Reserved), self.waits);
    }
}

/// Which thread waits for which other thread, and for what load. One per store.
#[derive(Debug)]
pub(crate) struct WaitGraph(Mutex<Vec<Wait>>);

#[derive(Debug)]
struct Wait {
    thread: ThreadId,
    /// The address of the [`LoadOnce`].
    load: usize,
    owner: ThreadId,
}

impl WaitGraph {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Records that `thread` is about to wait for `owner`, unless `owner` waits for `thread`, directly or through
    /// others. All waits are recorded under one lock, so the thread that would close a cycle finds it.
    fn add(&self, thread: ThreadId, load: usize, owner: ThreadId) -> bool {
        let mut waits = lock(&self.0);
        waits.retain(|wait| wait.thread != thread);
        let mut next = Some(owner);
        while let Some(at) = next {
            if at == thread {
                return false;
            }
            next = waits.iter().find(|wait| wait.thread == at).map(|wait| wait.owner);
        }
        waits.push(Wait { thread, load, owner });
        true
    }

    fn remove(&self, load: usize) {
        lock(&self.0).retain(|wait| wait.load != load);
    }
}
