//! The gate before an asset: one thread loads it, the others wait for that one, and no two threads wait for each other.

use std::task::Waker;

use crate::error::Error;
use crate::sync::thread::{self, ThreadId};
use crate::sync::{Condvar, Mutex, lock, wait};

/// How far an asset is.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Nobody has asked for its value yet.
    Reserved,
    /// It waits for a thread of the pool.
    Queued,
    /// This thread loads it.
    Loading(ThreadId),
    /// Its value is there.
    Ready,
    /// The last attempt failed; whoever asks next tries again.
    Failed(Error),
}

#[derive(Debug)]
pub(crate) struct Gate {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Threads that wait for the one that loads.
    waiting: usize,
    wakers: Vec<Waker>,
}

/// What a thread finds at the gate.
pub(crate) enum Entered<'a> {
    /// The value is there.
    Ready,
    /// The attempt that this thread waited for failed.
    Failed(Error),
    /// It is this thread's turn to load.
    Turn(Turn<'a>),
    /// Waiting would never end: who loads this waits for what this thread loads.
    Circle,
}

impl Gate {
    pub(crate) fn new(phase: Phase) -> Self {
        Self { state: Mutex::new(State { phase, waiting: 0, wakers: Vec::new() }), moved: Condvar::new() }
    }

    /// Waits while another thread loads, then says what came of it; else gives the turn to this thread.
    pub(crate) fn enter<'a>(&'a self, waits: &'a Waits) -> Entered<'a> {
        let me = thread::current().id();
        let mut state = lock(&self.state);
        let mut waited = false;
        loop {
            match &state.phase {
                Phase::Ready => return Entered::Ready,
                Phase::Failed(error) if waited => return Entered::Failed(error.clone()),
                Phase::Reserved | Phase::Queued | Phase::Failed(_) => {
                    state.phase = Phase::Loading(me);
                    return Entered::Turn(Turn { gate: self, waits, outcome: None });
                }
                Phase::Loading(owner) => {
                    if !waits.begin(me, self.address(), *owner) {
                        return Entered::Circle;
                    }
                    state.waiting += 1;
                    state = wait(&self.moved, state);
                    state.waiting -= 1;
                    waited = true;
                }
            }
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        lock(&self.state).phase.clone()
    }

    /// From reserved or failed to queued; `false` where there is nothing to do.
    pub(crate) fn queue(&self) -> bool {
        let mut state = lock(&self.state);
        let idle = matches!(state.phase, Phase::Reserved | Phase::Failed(_));
        if idle {
            state.phase = Phase::Queued;
        }
        idle
    }

    /// From queued back to reserved.
    pub(crate) fn unqueue(&self) {
        let mut state = lock(&self.state);
        if matches!(state.phase, Phase::Queued) {
            state.phase = Phase::Reserved;
            self.tell(state);
        }
    }

    /// Has `waker` woken when the asset becomes ready or fails; `false` where it has already.
    pub(crate) fn wake_later(&self, waker: &Waker) -> bool {
        let mut state = lock(&self.state);
        if matches!(state.phase, Phase::Ready | Phase::Failed(_)) {
            return false;
        }
        if !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        true
    }

    /// Waits at most until `deadline` for the asset to become ready or fail.
    pub(crate) fn wait_until(&self, deadline: Option<std::time::Instant>) -> Phase {
        let mut state = lock(&self.state);
        loop {
            match (&state.phase, deadline) {
                (Phase::Ready | Phase::Failed(_), _) => return state.phase.clone(),
                (_, None) => state = wait(&self.moved, state),
                (_, Some(deadline)) => {
                    let left = deadline.saturating_duration_since(std::time::Instant::now());
                    if left.is_zero() {
                        return state.phase.clone();
                    }
                    let waited = self.moved.wait_timeout(state, left);
                    state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
                }
            }
        }
    }

    fn settle(&self, phase: Phase, waits: &Waits) {
        let mut state = lock(&self.state);
        state.phase = phase;
        if state.waiting > 0 {
            // Before anyone of them can be asked for something by this thread.
            waits.end(self.address());
        }
        self.tell(state);
    }

    fn tell(&self, mut state: crate::sync::MutexGuard<'_, State>) {
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.moved.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// The right to load an asset. Where it is dropped without [`Self::finish`], by a panic, the next one gets it.
pub(crate) struct Turn<'a> {
    gate: &'a Gate,
    waits: &'a Waits,
    outcome: Option<Phase>,
}

impl Turn<'_> {
    /// Lets the waiting threads go on; the value was published before.
    pub(crate) fn finish(mut self, outcome: Result<(), Error>) {
        self.outcome = Some(match outcome {
            Ok(()) => Phase::Ready,
            Err(error) => Phase::Failed(error),
        });
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.gate.settle(self.outcome.take().unwrap_or(Phase::Reserved), self.waits);
    }
}

/// Which thread waits at which gate for which thread. One per store.
#[derive(Debug)]
pub(crate) struct Waits(Mutex<Vec<Wait>>);

#[derive(Debug)]
struct Wait {
    thread: ThreadId,
    gate: usize,
    owner: ThreadId,
}

impl Waits {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Notes that `thread` is about to wait, unless `owner` waits for it, directly or through others. The last one to
    /// close a circle is the one who finds it, since all notes are taken under one lock.
    fn begin(&self, thread: ThreadId, gate: usize, owner: ThreadId) -> bool {
        let mut waits = lock(&self.0);
        waits.retain(|wait| wait.thread != thread);
        let mut next = Some(owner);
        while let Some(at) = next {
            if at == thread {
                return false;
            }
            next = waits.iter().find(|wait| wait.thread == at).map(|wait| wait.owner);
        }
        waits.push(Wait { thread, gate, owner });
        true
    }

    fn end(&self, gate: usize) {
        lock(&self.0).retain(|wait| wait.gate != gate);
    }
}
