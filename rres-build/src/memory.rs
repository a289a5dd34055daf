//! How much memory imports may take at once: workers take from it what a job may need, and wait where it is not there.
//!
//! Whoever waits keeps what it has. So that nobody waits for ever, a worker goes ahead as soon as no other is at work,
//! however much it asks for: a job larger than all of it runs alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A number of bytes that workers share.
#[derive(Debug)]
pub(crate) struct Memory {
    most: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    taken: u64,
    /// Workers that have taken something and do not wait for more.
    at_work: usize,
    /// Workers that wait. To wake nobody is a system call as well, which small sources would feel.
    waiting: usize,
}

impl Memory {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Takes `bytes` for a worker that has none; waits until they are there.
    pub(crate) fn take(&self, bytes: u64) {
        drop(self.wait(self.lock(), bytes));
    }

    /// Takes `bytes` more for a worker that keeps what it has taken.
    pub(crate) fn take_more(&self, bytes: u64) {
        let mut state = self.lock();
        state.at_work -= 1;
        self.wake(&state);
        drop(self.wait(state, bytes));
    }

    /// Gives back all that a worker has taken.
    pub(crate) fn give_back(&self, bytes: u64) {
        let mut state = self.lock();
        state.taken -= bytes;
        state.at_work -= 1;
        self.wake(&state);
    }

    fn wake(&self, state: &State) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn wait<'m>(&self, mut state: MutexGuard<'m, State>, bytes: u64) -> MutexGuard<'m, State> {
        while state.at_work > 0 && state.taken.saturating_add(bytes) > self.most {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.taken = state.taken.saturating_add(bytes);
        state.at_work += 1;
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is_and_what_is_larger_runs_alone() {
        let memory = Memory::new(100);
        let (now, peak, alone) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let work = |bytes: u64| {
            let before = now.fetch_add(bytes, Ordering::SeqCst);
            if bytes > 100 {
                alone.fetch_max(before, Ordering::SeqCst);
            } else {
                peak.fetch_max(before + bytes, Ordering::SeqCst);
            }
            thread::yield_now();
            now.fetch_sub(bytes, Ordering::SeqCst);
        };
        thread::scope(|scope| {
            for i in 0..8 {
                let (memory, work) = (&memory, &work);
                scope.spawn(move || {
                    for round in 0..200 {
                        let bytes = if (i + round) % 50 == 0 { 1000 } else { 10 + (i * 13 + round) % 60 };
                        memory.take(bytes);
                        work(bytes);
                        memory.give_back(bytes);
                    }
                });
            }
        });
        assert!(peak.into_inner() <= 100);
        assert_eq!(alone.into_inner(), 0);
        assert_eq!(memory.lock().taken, 0);
    }

    #[test]
    fn workers_that_all_want_more_go_ahead_one_after_the_other() {
        let memory = Memory::new(100);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        memory.take(20);
                        memory.take_more(70);
                        memory.give_back(90);
                    }
                });
            }
        });
        let state = memory.lock();
        assert_eq!((state.taken, state.at_work), (0, 0));
    }
}
