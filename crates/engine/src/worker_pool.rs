//! A pool of threads for tasks that may panic or never end. Neither affects the rest of the build.
//!
//! Importers run third-party decoders on arbitrary files. A panic becomes the outcome of its task. A task that exceeds
//! its [`TimeLimit`] is abandoned: its thread cannot be stopped and is left behind until the process ends, and a new one takes its
//! place.
//!
//! A task has two steps: opening its source, after which often nothing is left to do, and the work, for which the pool
//! acquires memory first. Time spent waiting for memory does not count, and neither does the time while the system runs
//! other programs, if the system tells it ([`ThreadClock`]).

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::memory_budget::MemoryBudget;
use crate::thread_clock::ThreadClock;

/// How often the workers are looked at.
const TICK: Duration = Duration::from_millis(500);

/// How many times as long as its limit a step may wait for the disk or for other programs.
const MAX_WAITING: u32 = 10;

/// How long a step of a task may run: some time, and more for each byte of memory that it takes, or that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimit {
    pub(crate) base: Duration,
    /// How long it runs before [`Tasks::still_running`] is called. The times in between double.
    pub(crate) notice: Duration,
    /// The bytes for which a step gets one more second.
    pub(crate) bytes_per_second: u64,
}

impl TimeLimit {
    fn of(self, bytes: u64) -> Duration {
        self.base + Duration::from_secs(bytes / self.bytes_per_second)
    }
}

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

    /// The bytes that a task reads. More than the memory that it takes if it reads in pieces.
    fn read(&self, task: usize) -> u64 {
        self.size(task)
    }

    /// The first step. A deferred task is opened again, with `is_retry`, after all other tasks have been opened.
    fn open(&self, task: usize, is_retry: bool) -> Opening<Self::Opened, Self::Output>;

    /// The second step.
    fn work(&self, task: usize, opened: Self::Opened) -> Self::Output;

    /// Called now and then while a step of a task takes more than a few seconds, with the time that it has taken.
    fn still_running(&self, task: usize, elapsed: Duration);

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
    /// It exceeded this limit.
    TimedOut(Duration),
}

/// One worker: its state, and the outcomes of its tasks.
struct Worker<T> {
    shared: Mutex<Shared<T>>,
    clock: OnceLock<ThreadClock>,
}

struct Shared<T> {
    state: WorkerState,
    outcomes: Vec<(usize, Outcome<T>)>,
}

#[derive(Clone, Copy)]
enum WorkerState {
    /// Between tasks, or waiting for memory.
    Idle,
    /// Busy with a step of this task.
    Busy(Step),
    /// Abandoned: another worker has its place, and its memory is released.
    GivenUp,
}

/// A step of a task that is being done.
#[derive(Clone, Copy)]
struct Step {
    task: usize,
    since: Instant,
    /// What the clock of the thread showed then.
    ran_before: Option<Duration>,
    /// The memory that the task has acquired.
    acquired: u64,
    /// The bytes that the task reads.
    read: u64,
    /// How long it had run when it was last noticed.
    noticed: Option<Duration>,
}

impl<T> Worker<T> {
    fn new() -> Self {
        Self { shared: Mutex::new(Shared { state: WorkerState::Idle, outcomes: Vec::new() }), clock: OnceLock::new() }
    }

    /// How long the thread has run in all.
    fn ran(&self) -> Option<Duration> {
        self.clock.get()?.read()
    }

    /// Begins a step of a task, unless the worker has been abandoned meanwhile.
    fn begin(&self, task: usize, acquired: u64, read: u64) -> Result<(), GivenUp> {
        let step = Step { task, since: Instant::now(), ran_before: None, acquired, read, noticed: None };
        self.enter(WorkerState::Busy(step))
    }

    /// Looks at what the worker is doing: a notice that is due, and whether it has exceeded its limit.
    fn look(&self, limit: TimeLimit) -> Option<Look> {
        self.with(|shared| {
            let WorkerState::Busy(step) = &mut shared.state else { return None };
            let elapsed = step.since.elapsed();
            let ran = self.ran();
            // Reading the clock at the start of each of 65,000 short tasks would take longer than the tasks.
            let ran_before = *step.ran_before.get_or_insert_with(|| ran.unwrap_or_default().saturating_sub(elapsed));
            let ran = ran.map_or(elapsed, |ran| ran.saturating_sub(ran_before));
            let (limit, notice) = (limit.of(step.acquired.max(step.read)), limit.notice);
            let longest_wait = limit * MAX_WAITING;
            let Step { task, acquired, .. } = *step;
            // A notice comes before the end, however late this look is.
            if elapsed >= step.noticed.map_or(notice, |noticed| noticed * 2) {
                step.noticed = Some(elapsed);
                return Some(Look::Slow { task, elapsed });
            }
            if elapsed >= limit && (ran >= limit || elapsed >= longest_wait) {
                shared.state = WorkerState::GivenUp;
                let exceeded = if ran >= limit { limit } else { longest_wait };
                shared.outcomes.push((task, Outcome::TimedOut(exceeded)));
                return Some(Look::GivenUp { task, acquired });
            }
            None
        })
    }

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

/// What a look at a worker found.
enum Look {
    /// It has been busy with this task for some time.
    Slow { task: usize, elapsed: Duration },
    /// It exceeded its limit and is abandoned; its task had acquired this much memory.
    GivenUp { task: usize, acquired: u64 },
}

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
            let (mut acquired, read) = (self.tasks.size(task), self.tasks.read(task));
            self.memory.acquire(acquired);
            worker.begin(task, acquired, read)?;
            let outcome = match catch(|| self.tasks.open(task, is_retry)) {
                Ok(Opening::Deferred) => None,
                Ok(Opening::Finished(output)) => Some(Outcome::Finished(output)),
                Ok(Opening::Work(opened, more)) => {
                    worker.enter(WorkerState::Idle)?;
                    self.memory.acquire_more(more);
                    acquired += more;
                    worker.begin(task, acquired, read)?;
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
/// long as `limit`. Returns the outcome of each task, by number.
pub(crate) fn run<J: Tasks>(tasks: &Arc<J>, threads: usize, memory: u64, limit: TimeLimit) -> Vec<Outcome<J::Output>> {
    let count = tasks.count();
    let pool = Arc::new(Pool {
        tasks: Arc::clone(tasks),
        memory: MemoryBudget::new(memory),
        next: AtomicUsize::new(0),
        deferred: Mutex::default(),
    });
    let (send, ended) = mpsc::channel::<()>();
    let spawn = || {
        let worker = Arc::new(Worker::new());
        let (own, pool, send) = (Arc::clone(&worker), Arc::clone(&pool), send.clone());
        thread::spawn(move || {
            let _ = own.clock.set(ThreadClock::of_this_thread());
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
        if ended.recv_timeout(TICK).is_ok() {
            running -= 1;
            continue;
        }
        let looks: Vec<Look> = workers.iter().filter_map(|worker| worker.look(limit)).collect();
        for look in looks {
            match look {
                // If a progress callback panics, the panic has been printed, and the build goes on.
                Look::Slow { task, elapsed } => drop(catch(|| tasks.still_running(task, elapsed))),
                Look::GivenUp { task, acquired } => {
                    pool.memory.release(acquired);
                    drop(catch(|| tasks.ended(task, None)));
                    workers.push(spawn());
                }
            }
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
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Long enough for a panic to print its backtrace.
    const LIMIT: TimeLimit =
        TimeLimit { base: Duration::from_secs(1), notice: Duration::from_millis(500), bytes_per_second: 1 << 20 };

    /// Tasks that misbehave depending on their number, and record when they end, in order.
    #[derive(Default)]
    struct Trouble {
        count: usize,
        ended: Mutex<Vec<(usize, bool)>>,
        slow: Mutex<Vec<usize>>,
        /// Whether endless tasks may end.
        is_over: AtomicBool,
    }

    impl Trouble {
        fn new(count: usize) -> Arc<Self> {
            Arc::new(Self { count, ..Self::default() })
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
                3 | 21 => {
                    while !self.is_over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                    opened
                }
                // Waits much longer than it may run.
                13 if ThreadClock::of_this_thread().read().is_some() => {
                    thread::sleep(LIMIT.base * 2);
                    opened
                }
                _ => opened,
            }
        }

        fn still_running(&self, task: usize, _elapsed: Duration) {
            self.slow.lock().unwrap().push(task);
        }

        fn ended(&self, task: usize, output: Option<&usize>) {
            self.ended.lock().unwrap().push((task, output.is_some()));
        }
    }

    #[test]
    fn panics_and_endless_tasks_are_outcomes_of_those_tasks_alone() {
        let tasks = Trouble::new(40);
        // Memory for hardly two tasks at once, so the memory of an endless task must be released.
        let outcomes = run(&tasks, 2, 40_000, LIMIT);
        tasks.is_over.store(true, Ordering::Relaxed);
        for (i, outcome) in outcomes.iter().enumerate() {
            match (i, outcome) {
                (7 | 11, Outcome::Panicked(message)) => assert_eq!(*message, format!("bad file {i}")),
                // On a machine with much other work, the limit of the time on the wall may come first.
                (3 | 21, Outcome::TimedOut(limit)) => assert!([LIMIT.base, LIMIT.base * MAX_WAITING].contains(limit)),
                (i, Outcome::Finished(result)) => assert_eq!(*result, i * 2),
                (i, _) => panic!("wrong outcome of task {i}"),
            }
        }
        assert_eq!(outcomes.len(), 40);
        let slow = tasks.slow.lock().unwrap().clone();
        assert!(slow.contains(&3) && slow.contains(&21), "{slow:?}");
        let mut ended = tasks.ended.lock().unwrap().clone();
        let when = |number: usize| ended.iter().position(|(task, _)| *task == number);
        assert!(when(9) > when(36), "deferred tasks come last: {ended:?}");
        ended.sort_unstable();
        assert_eq!(ended, (0..40).map(|task| (task, ![3, 7, 11, 21].contains(&task))).collect::<Vec<_>>());
    }

    #[test]
    fn a_task_gets_more_time_for_more_memory() {
        assert_eq!(LIMIT.of((1 << 20) - 1), LIMIT.base);
        assert_eq!(LIMIT.of(5 << 20), LIMIT.base + Duration::from_secs(5));
        assert!(LIMIT.of(u64::MAX) > LIMIT.base);
    }

    #[test]
    fn no_tasks_are_finished_at_once() {
        assert!(run(&Trouble::new(0), 4, 0, LIMIT).is_empty());
    }
}
