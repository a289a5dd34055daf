//! A pool of threads for tasks that may panic or never end, neither of which affects the rest of the build.
//!
//! Importers run third-party decoders on arbitrary files. A panic becomes the outcome of its task. A task that exceeds
//! the timeout is abandoned: its thread cannot be stopped and is left behind, and a new one takes its place.
//!
//! A task has two steps: opening its source, after which often nothing is left to do, and the work, for which the pool
//! acquires memory first. Time spent waiting for memory does not count.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::memory_budget::MemoryBudget;

/// A list of tasks, numbered from 0.
pub(crate) trait Tasks: Send + Sync + 'static {
    /// The input of the second step, which the first one returns.
    type Opened;
    /// The result of a task.
    type Output: Send + 'static;

    /// The number of tasks.
    fn count(&self) -> usize;

    /// The memory in bytes that opening a task takes.
    fn size(&self, task: usize) -> u64;

    /// The first step. A deferred task is opened again, with `is_retry`, after all other tasks have been opened.
    fn open(&self, task: usize, is_retry: bool) -> Opening<Self::Opened, Self::Output>;

    /// The second step.
    fn work(&self, task: usize, opened: Self::Opened) -> Self::Output;

    /// Called when a task has ended, in chronological order; with `None` if it panicked or timed out.
    fn ended(&self, task: usize, output: Option<&Self::Output>);
}

/// The result of opening a task.
pub(crate) enum Opening<O, T> {
    /// There is nothing to do.
    Finished(T),
    /// There is work, which takes this many bytes in addition to the memory of opening.
    Work(O, u64),
    /// Another build is doing it: do other tasks first.
    Deferred,
}

/// How a task ended.
pub(crate) enum Outcome<T> {
    Finished(T),
    /// It panicked, with this message.
    Panicked(String),
    /// It timed out after this duration.
    TimedOut(Duration),
}

/// One worker: its state, and the outcomes of its tasks.
struct Worker<T> {
    shared: Mutex<Shared<T>>,
}

struct Shared<T> {
    state: WorkerState,
    outcomes: Vec<(usize, Outcome<T>)>,
}

#[derive(Clone, Copy)]
enum WorkerState {
    /// Between tasks, or waiting for memory.
    Idle,
    /// Busy with this task since this time, with this much memory acquired.
    Busy { task: usize, since: Instant, acquired: u64 },
    /// Abandoned: another worker has its place, and its memory is released.
    GivenUp,
}

impl<T> Worker<T> {
    fn with<R>(&self, access: impl FnOnce(&mut Shared<T>) -> R) -> R {
        // The mutex is not held while a task runs, so a poisoned one is as good as another.
        access(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Enters another state, unless the worker has been abandoned meanwhile.
    fn enter(&self, next: WorkerState) -> Result<(), GivenUp> {
        self.with(|shared| match shared.state {
            WorkerState::GivenUp => Err(GivenUp),
            _ => {
                shared.state = next;
                Ok(())
            }
        })
    }
}

/// The worker was abandoned while it was busy.
struct GivenUp;

/// The state that the workers share.
struct Pool<J> {
    tasks: Arc<J>,
    memory: MemoryBudget,
    next: AtomicUsize,
    deferred: Mutex<VecDeque<usize>>,
}

impl<J: Tasks> Pool<J> {
    /// The next task, and whether it was deferred before.
    fn next(&self) -> Option<(usize, bool)> {
        // A worker that defers a task calls this again, so every deferred task is done.
        let deferred = || self.deferred.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        if next < self.tasks.count() { Some((next, false)) } else { deferred().map(|task| (task, true)) }
    }

    fn run(&self, worker: &Worker<J::Output>) -> Result<(), GivenUp> {
        while let Some((task, is_retry)) = self.next() {
            let mut acquired = self.tasks.size(task);
            self.memory.acquire(acquired);
            worker.enter(WorkerState::Busy { task, since: Instant::now(), acquired })?;
            let outcome = match catch(|| self.tasks.open(task, is_retry)) {
                Ok(Opening::Deferred) => None,
                Ok(Opening::Finished(output)) => Some(Outcome::Finished(output)),
                Ok(Opening::Work(opened, more)) => {
                    worker.enter(WorkerState::Idle)?;
                    self.memory.acquire_more(more);
                    acquired += more;
                    worker.enter(WorkerState::Busy { task, since: Instant::now(), acquired })?;
                    Some(catch(|| self.tasks.work(task, opened)).map_or_else(Outcome::Panicked, Outcome::Finished))
                }
                Err(message) => Some(Outcome::Panicked(message)),
            };
            worker.enter(WorkerState::Idle)?;
            self.memory.release(acquired);
            match outcome {
                Some(outcome) => {
                    let output = if let Outcome::Finished(output) = &outcome { Some(output) } else { None };
                    // If a progress callback panics, the panic has been printed, and the task still counts as ended.
                    drop(catch(|| self.tasks.ended(task, output)));
                    worker.with(|shared| shared.outcomes.push((task, outcome)));
                }
                None => self.deferred.lock().unwrap_or_else(PoisonError::into_inner).push_back(task),
            }
        }
        Ok(())
    }
}

fn catch<T>(step: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|panic| panic_message(&*panic))
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// Runs every task on `threads` workers, task 0 first, with at most `memory` bytes acquired at once. A step may take as
/// long as `timeout`. Returns the outcome of each task, by number.
pub(crate) fn run<J: Tasks>(tasks: &Arc<J>, threads: usize, memory: u64, timeout: Duration) -> Vec<Outcome<J::Output>> {
    let count = tasks.count();
    let pool = Arc::new(Pool {
        tasks: Arc::clone(tasks),
        memory: MemoryBudget::new(memory),
        next: AtomicUsize::new(0),
        deferred: Mutex::default(),
    });
    let (send, ended) = mpsc::channel::<()>();
    let spawn = || {
        let worker = Arc::new(Worker { shared: Mutex::new(Shared { state: WorkerState::Idle, outcomes: Vec::new() }) });
        let (own, pool, send) = (Arc::clone(&worker), Arc::clone(&pool), send.clone());
        thread::spawn(move || {
            if pool.run(&own).is_ok() {
                // The receiver waits for all workers that have not been abandoned.
                let _ = send.send(());
            }
        });
        worker
    };
    let mut workers: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| spawn()).collect();
    let mut running = workers.len();
    while running > 0 {
        let since = |worker: &Arc<Worker<_>>| match worker.with(|shared| shared.state) {
            WorkerState::Busy { since, .. } => Some(since),
            WorkerState::Idle | WorkerState::GivenUp => None,
        };
        // Tasks that start later time out later, so this is the earliest time at which a task can time out.
        let oldest = workers.iter().filter_map(since).min();
        let wait = oldest.map_or(timeout, |since| (since + timeout).saturating_duration_since(Instant::now()));
        if ended.recv_timeout(wait).is_ok() {
            running -= 1;
            continue;
        }
        let give_up = |worker: &Arc<Worker<_>>| {
            worker.with(|shared| match shared.state {
                WorkerState::Busy { task, since, acquired } if since.elapsed() >= timeout => {
                    shared.state = WorkerState::GivenUp;
                    shared.outcomes.push((task, Outcome::TimedOut(since.elapsed())));
                    Some((task, acquired))
                }
                _ => None,
            })
        };
        let given_up: Vec<(usize, u64)> = workers.iter().filter_map(give_up).collect();
        for (task, acquired) in given_up {
            pool.memory.release(acquired);
            tasks.ended(task, None);
            workers.push(spawn());
        }
    }
    let mut outcomes: Vec<(usize, Outcome<J::Output>)> =
        workers.iter().flat_map(|worker| worker.with(|shared| std::mem::take(&mut shared.outcomes))).collect();
    outcomes.sort_unstable_by_key(|(task, _)| *task);
    assert!(
        outcomes.len() == count && outcomes.iter().enumerate().all(|(i, (task, _))| i == *task),
        "every task has exactly one outcome"
    );
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks that misbehave depending on their number, and record the order in which they end.
    struct Trouble {
        count: usize,
        ended: Mutex<Vec<(usize, bool)>>,
    }

    impl Trouble {
        fn new(count: usize) -> Arc<Self> {
            Arc::new(Self { count, ended: Mutex::default() })
        }
    }

    impl Tasks for Trouble {
        type Opened = usize;
        type Output = usize;

        fn count(&self) -> usize {
            self.count
        }

        fn size(&self, task: usize) -> u64 {
            task as u64
        }

        fn open(&self, task: usize, is_retry: bool) -> Opening<usize, usize> {
            match task {
                7 => panic!("bad file {task}"),
                9 if !is_retry => Opening::Deferred,
                _ if task.is_multiple_of(2) => Opening::Finished(task * 2),
                _ => Opening::Work(task * 2, 1000 * task as u64),
            }
        }

        fn work(&self, task: usize, opened: usize) -> usize {
            match task {
                11 => panic!("bad file {task}"),
                3 | 21 => loop {
                    thread::sleep(Duration::from_secs(3600));
                },
                _ => opened,
            }
        }

        fn ended(&self, task: usize, output: Option<&usize>) {
            self.ended.lock().unwrap().push((task, output.is_some()));
        }
    }

    #[test]
    fn panics_and_endless_tasks_are_outcomes_of_those_tasks_alone() {
        let tasks = Trouble::new(40);
        // Memory for hardly two tasks at once, so the memory of an endless task must be released. Long enough for a
        // panic to print its backtrace on a busy machine.
        let outcomes = run(&tasks, 2, 40_000, Duration::from_secs(3));
        for (i, outcome) in outcomes.iter().enumerate() {
            match (i, outcome) {
                (7 | 11, Outcome::Panicked(message)) => assert_eq!(*message, format!("bad file {i}")),
                (3 | 21, Outcome::TimedOut(_)) => {}
                (i, Outcome::Finished(result)) => assert_eq!(*result, i * 2),
                (i, _) => panic!("wrong outcome of task {i}"),
            }
        }
        assert_eq!(outcomes.len(), 40);
        let mut ended = tasks.ended.lock().unwrap().clone();
        let when = |number: usize| ended.iter().position(|(task, _)| *task == number);
        assert!(when(9) > when(36), "deferred tasks come last: {ended:?}");
        ended.sort_unstable();
        assert_eq!(ended, (0..40).map(|task| (task, ![3, 7, 11, 21].contains(&task))).collect::<Vec<_>>());
    }

    #[test]
    fn no_tasks_are_finished_at_once() {
        assert!(run(&Trouble::new(0), 4, 0, Duration::from_secs(60)).is_empty());
    }
}
