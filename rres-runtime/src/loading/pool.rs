//! The threads that load: as many as the machine has processors, started when there is something to do, asleep when not.

use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use super::Batch;
use crate::source::decode;
use crate::sync::{lock, wait};

#[derive(Default)]
pub(crate) struct Pool(Arc<Threads>);

#[derive(Default)]
struct Threads {
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    /// With something left to take, in the order in which they came.
    batches: Vec<Arc<Batch>>,
    threads: usize,
    idle: usize,
    closed: bool,
}

impl Pool {
    /// Adds a batch, and threads where there are too few.
    pub(crate) fn push(&self, batch: Arc<Batch>) {
        let mut queue = lock(&self.0.queue);
        let wanted = batch.len().min(limit());
        queue.batches.push(batch);
        let missing = wanted.saturating_sub(queue.idle).min(limit().saturating_sub(queue.threads));
        for _ in 0..missing {
            let threads = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("rres loading".to_owned()).spawn(move || threads.work());
            // Where no thread can be started, whoever waits does the work.
            if thread.is_ok() {
                queue.threads += 1;
            }
        }
        drop(queue);
        self.0.work.notify_all();
    }

    /// Forgets a batch of which nothing is left to take.
    pub(crate) fn forget(&self, batch: &Arc<Batch>) {
        lock(&self.0.queue).batches.retain(|known| !Arc::ptr_eq(known, batch));
    }

    /// Whether batches wait in vain for threads: there are none, as on the web.
    pub(crate) fn has_no_threads(&self) -> bool {
        lock(&self.0.queue).threads == 0
    }

    /// Ends the threads, each after what it is loading.
    pub(crate) fn close(&self) {
        let mut queue = lock(&self.0.queue);
        queue.closed = true;
        let batches = std::mem::take(&mut queue.batches);
        drop(queue);
        self.0.work.notify_all();
        batches.iter().for_each(|batch| batch.cancel());
    }
}

impl Threads {
    fn work(&self) {
        // The pool itself keeps all processors busy.
        decode::on_one_thread();
        while let Some(batch) = self.next() {
            batch.run_one();
        }
    }

    /// The batch to take from, once there is one; `None` when the pool is closed.
    fn next(&self) -> Option<Arc<Batch>> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            queue.batches.retain(|batch| batch.has_next());
            // The first of the most urgent: `max_by_key` would take the last.
            let urgent = queue.batches.iter().map(|batch| batch.priority()).max();
            if let Some(batch) = queue.batches.iter().find(|batch| Some(batch.priority()) == urgent) {
                return Some(Arc::clone(batch));
            }
            queue.idle += 1;
            queue = wait(&self.work, queue);
            queue.idle -= 1;
        }
    }
}

fn limit() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
