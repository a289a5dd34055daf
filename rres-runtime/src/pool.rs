//! Threads that work in the background: as many as the machine has processors, started when there is work and asleep
//! when there is none.

use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::sync::{lock, may_wait, wait};

/// The priority of a load: loads of a higher priority come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// For assets that may be wanted later: the next level, while this one is played.
    Low,
    /// The default.
    #[default]
    Normal,
    /// For assets that the player waits for.
    High,
}

/// Work that threads share by taking one item after the other.
pub(crate) trait Work: Send + Sync {
    /// Returns how many items there are.
    fn len(&self) -> usize;
    /// Returns whether an item is left to take.
    fn has_next(&self) -> bool;
    fn priority(&self) -> Priority;
    /// Takes an item and works on it; returns whether there was one.
    fn run_one(&self) -> bool;
    /// Takes back the items that nobody has taken.
    fn cancel(&self);
}

pub(crate) struct Pool {
    shared: Arc<Shared>,
    /// Called by each thread when it starts.
    on_start: fn(),
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Oldest first. May contain work whose items are all taken.
    work: Vec<Arc<dyn Work>>,
    threads: usize,
    idle: usize,
    closed: bool,
}

impl Pool {
    /// Creates a pool without threads; they call `on_start` when they are started.
    pub(crate) fn new(on_start: fn()) -> Self {
        Self { shared: Arc::default(), on_start }
    }

    /// Adds work, or tells the threads that it has more, and starts threads if there are too few.
    pub(crate) fn push(&self, work: Arc<dyn Work>) {
        let mut queue = lock(&self.shared.queue);
        if !queue.work.iter().any(|known| Arc::ptr_eq(known, &work)) {
            queue.work.push(work);
        }
        // Threads that were woken for earlier work still count as idle, so what nobody has taken of that counts as well.
        let left = queue.work.iter().filter(|work| work.has_next()).map(|work| work.len());
        let wanted = left.fold(0, usize::saturating_add).min(limit());
        let most = if may_wait() { limit() } else { 0 };
        let missing = wanted.saturating_sub(queue.idle).min(most.saturating_sub(queue.threads));
        for _ in 0..missing {
            let (shared, on_start) = (Arc::clone(&self.shared), self.on_start);
            let thread = thread::Builder::new().name("rres loading".to_owned()).spawn(move || {
                on_start();
                shared.work();
            });
            // If a thread cannot be started, the threads that wait for the work do it.
            if thread.is_ok() {
                queue.threads += 1;
            }
        }
        drop(queue);
        self.shared.changed.notify_all();
    }

    /// Removes work whose items are all taken. The caller owns it, too, so it is not dropped here.
    pub(crate) fn forget(&self, work: &Arc<dyn Work>) {
        lock(&self.shared.queue).work.retain(|known| !Arc::ptr_eq(known, work));
    }

    /// Returns whether work is only done by threads that wait for it, because no thread can be started, as on the web.
    pub(crate) fn has_no_threads(&self) -> bool {
        lock(&self.shared.queue).threads == 0
    }

    /// Ends the threads, each after its current item, and cancels the rest.
    pub(crate) fn close(&self) {
        let mut queue = lock(&self.shared.queue);
        queue.closed = true;
        let left = std::mem::take(&mut queue.work);
        drop(queue);
        self.shared.changed.notify_all();
        left.iter().for_each(|work| work.cancel());
    }
}

impl Shared {
    fn work(&self) {
        while let Some(work) = self.next() {
            work.run_one();
        }
    }

    /// Waits for work; `None` when the pool is closed.
    fn next(&self) -> Option<Arc<dyn Work>> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            let finished: Vec<_> = queue.work.extract_if(.., |work| !work.has_next()).collect();
            if !finished.is_empty() {
                // Dropping the last owner of a batch frees its assets, which may run the program's code.
                drop(queue);
                drop(finished);
                queue = lock(&self.queue);
                continue;
            }
            // The first one of the most urgent: `max_by_key` would take the last one.
            let urgent = queue.work.iter().map(|work| work.priority()).max();
            if let Some(work) = queue.work.iter().find(|work| Some(work.priority()) == urgent) {
                return Some(Arc::clone(work));
            }
            queue.idle += 1;
            queue = wait(&self.changed, queue);
            queue.idle -= 1;
        }
    }
}

fn limit() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
