//! The memory budget of imports: workers acquire what a task may need, and wait until it is available.
//!
//! A worker that waits keeps what it has. To prevent deadlock, a worker proceeds as soon as no other is active, however
//! much it requests: a task larger than the whole budget runs alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A number of bytes that workers share.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    limit: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    acquired: u64,
    /// Workers that have acquired memory and do not wait for more.
    active: usize,
    /// Workers that wait. If there are none, the system call to wake them is skipped, which is measurable with small
    /// sources.
    waiting: usize,
}

impl MemoryBudget {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Acquires `bytes` for a worker that has no memory; waits until they are available.
    pub(crate) fn acquire(&self, bytes: u64) {
        drop(self.wait(self.lock(), bytes));
    }

    /// Acquires `bytes` more for a worker that keeps what it has.
    pub(crate) fn acquire_more(&self, bytes: u64) {
        let mut state = self.lock();
        state.active -= 1;
        self.wake(&state);
        drop(self.wait(state, bytes));
    }

    /// Releases everything that a worker has acquired.
    pub(crate) fn release(&self, bytes: u64) {
        let mut state = self.lock();
        state.acquired -= bytes;
        state.active -= 1;
        self.wake(&state);
    }

    fn wake(&self, state: &State) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn wait<'m>(&self, mut state: MutexGuard<'m, State>, bytes: u64) -> MutexGuard<'m, State> {
        while state.active > 0 && state.acquired.saturating_add(bytes) > self.limit {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.acquired = state.acquired.saturating_add(bytes);
        state.active += 1;
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the mutex.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn the_limit_is_kept_and_larger_tasks_run_alone() {
        let memory = MemoryBudget::new(100);
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
                        memory.acquire(bytes);
                        work(bytes);
                        memory.release(bytes);
                    }
                });
            }
        });
        assert!(peak.into_inner() <= 100);
        assert_eq!(alone.into_inner(), 0);
        assert_eq!(memory.lock().acquired, 0);
    }

    #[test]
    fn workers_that_all_wait_for_more_proceed_one_after_the_other() {
        let memory = MemoryBudget::new(100);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        memory.acquire(20);
                        memory.acquire_more(70);
                        memory.release(90);
                    }
                });
            }
        });
        let state = memory.lock();
        assert_eq!((state.acquired, state.active), (0, 0));
    }
}
