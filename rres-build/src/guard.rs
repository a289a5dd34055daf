//! A pool of workers that survives bad jobs: a job that panics or never ends becomes an error of that job.
//!
//! Importers run other people's decoders on other people's files, and those are known to panic and to hang. A thread
//! cannot be stopped from outside, so workers are not joined: one that hangs is replaced and left behind. Workers keep
//! their outcomes until the end, since telling of each job would wake a thread as often as there are assets.
//!
//! A job has two steps: opening its source, which often tells that nothing is to be done, and the work, for which the
//! pool has memory first. Time spent waiting for memory does not count.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::memory::Memory;

/// What there is to do: jobs, numbered from 0.
pub(crate) trait Jobs: Send + Sync + 'static {
    /// What opening leaves for the work.
    type Opened;
    /// What a job gives.
    type Done: Send + 'static;

    /// How many there are.
    fn count(&self) -> usize;

    /// Bytes that opening a job takes.
    fn size(&self, job: usize) -> u64;

    /// The first step. A job that is put off is opened again, with `at_last`, when no other is left to be opened.
    fn open(&self, job: usize, at_last: bool) -> Opening<Self::Opened, Self::Done>;

    /// The second step.
    fn work(&self, job: usize, opened: Self::Opened) -> Self::Done;

    /// A job has ended, in order of time; `None` where it panicked.
    fn ended(&self, job: usize, done: Option<&Self::Done>);
}

/// What comes of opening a job.
pub(crate) enum Opening<O, D> {
    /// Nothing is to be done.
    Done(D),
    /// There is work, which takes this many bytes beside those of opening.
    Work(O, u64),
    /// Another is doing it: do others first.
    PutOff,
}

/// How a job ended.
pub(crate) enum Outcome<D> {
    Done(D),
    /// With the panic's message.
    Panicked(String),
    /// After this long.
    Overdue(Duration),
}

/// What one worker does and has done.
struct Worker<D> {
    state: Mutex<State<D>>,
}

struct State<D> {
    at: At,
    done: Vec<(usize, Outcome<D>)>,
}

/// What a worker is at.
#[derive(Clone, Copy)]
enum At {
    /// Between jobs, or waiting for memory.
    Rest,
    /// At this job since then, with so much memory taken.
    Job { job: usize, since: Instant, taken: u64 },
    /// Left behind; another has its place, and its memory is given back.
    GivenUp,
}

impl<D> Worker<D> {
    fn with<T>(&self, look: impl FnOnce(&mut State<D>) -> T) -> T {
        // No lock is held while a job runs, so a poisoned one is as good as another.
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Turns to `next`, unless given up meanwhile.
    fn turn_to(&self, next: At) -> Result<(), GivenUp> {
        self.with(|state| match state.at {
            At::GivenUp => Err(GivenUp),
            _ => {
                state.at = next;
                Ok(())
            }
        })
    }
}

/// The worker was given up while it was at a job.
struct GivenUp;

/// What workers share.
struct Pool<J> {
    jobs: Arc<J>,
    memory: Memory,
    next: AtomicUsize,
    put_off: Mutex<VecDeque<usize>>,
}

impl<J: Jobs> Pool<J> {
    /// The next job, and whether it was put off before.
    fn next(&self) -> Option<(usize, bool)> {
        // Whoever puts a job off comes here again, so none is left over.
        let put_off = || self.put_off.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        if next < self.jobs.count() { Some((next, false)) } else { put_off().map(|job| (job, true)) }
    }

    fn run(&self, own: &Worker<J::Done>) -> Result<(), GivenUp> {
        while let Some((job, at_last)) = self.next() {
            let mut taken = self.jobs.size(job);
            self.memory.take(taken);
            own.turn_to(At::Job { job, since: Instant::now(), taken })?;
            let done = match caught(|| self.jobs.open(job, at_last)) {
                Ok(Opening::PutOff) => None,
                Ok(Opening::Done(done)) => Some(Outcome::Done(done)),
                Ok(Opening::Work(opened, more)) => {
                    own.turn_to(At::Rest)?;
                    self.memory.take_more(more);
                    taken += more;
                    own.turn_to(At::Job { job, since: Instant::now(), taken })?;
                    Some(caught(|| self.jobs.work(job, opened)).map_or_else(Outcome::Panicked, Outcome::Done))
                }
                Err(panic) => Some(Outcome::Panicked(panic)),
            };
            own.turn_to(At::Rest)?;
            self.memory.give_back(taken);
            match done {
                Some(outcome) => {
                    let done = if let Outcome::Done(done) = &outcome { Some(done) } else { None };
                    // A listener that panics has been told of by its panic; the job is done all the same.
                    drop(caught(|| self.jobs.ended(job, done)));
                    own.with(|state| state.done.push((job, outcome)));
                }
                None => self.put_off.lock().unwrap_or_else(PoisonError::into_inner).push_back(job),
            }
        }
        Ok(())
    }
}

fn caught<T>(step: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|panic| message(&*panic))
}

/// Runs every job on `threads` workers, job 0 first, with at most `memory` bytes taken at once. A step may take as
/// long as `deadline`. Results come by job.
pub(crate) fn run<J: Jobs>(jobs: &Arc<J>, threads: usize, memory: u64, deadline: Duration) -> Vec<Outcome<J::Done>> {
    let count = jobs.count();
    let pool = Arc::new(Pool {
        jobs: Arc::clone(jobs),
        memory: Memory::new(memory),
        next: AtomicUsize::new(0),
        put_off: Mutex::default(),
    });
    let (send, ended) = mpsc::channel::<()>();
    let spawn = || {
        let worker = Arc::new(Worker { state: Mutex::new(State { at: At::Rest, done: Vec::new() }) });
        let (own, pool, send) = (Arc::clone(&worker), Arc::clone(&pool), send.clone());
        thread::spawn(move || {
            if pool.run(&own).is_ok() {
                // The receiver waits for as many workers as have not been given up.
                let _ = send.send(());
            }
        });
        worker
    };
    let mut workers: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| spawn()).collect();
    let mut at_work = workers.len();
    while at_work > 0 {
        let since = |worker: &Arc<Worker<_>>| match worker.with(|state| state.at) {
            At::Job { since, .. } => Some(since),
            At::Rest | At::GivenUp => None,
        };
        // A job that starts later is due later: this is the first moment at which one can be overdue.
        let oldest = workers.iter().filter_map(since).min();
        let patience = oldest.map_or(deadline, |since| (since + deadline).saturating_duration_since(Instant::now()));
        if ended.recv_timeout(patience).is_ok() {
            at_work -= 1;
            continue;
        }
        let give_up = |worker: &Arc<Worker<_>>| {
            worker.with(|state| match state.at {
                At::Job { job, since, taken } if since.elapsed() >= deadline => {
                    state.at = At::GivenUp;
                    state.done.push((job, Outcome::Overdue(since.elapsed())));
                    Some((job, taken))
                }
                _ => None,
            })
        };
        let given_up: Vec<(usize, u64)> = workers.iter().filter_map(give_up).collect();
        for (job, taken) in given_up {
            pool.memory.give_back(taken);
            jobs.ended(job, None);
            workers.push(spawn());
        }
    }
    let done = workers.iter().flat_map(|worker| worker.with(|state| std::mem::take(&mut state.done)));
    let mut outcomes: Vec<Option<Outcome<J::Done>>> = (0..count).map(|_| None).collect();
    done.for_each(|(job, outcome)| outcomes[job] = Some(outcome));
    outcomes.into_iter().flatten().collect()
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs that behave badly by number, and note in which order they end.
    struct Trouble {
        count: usize,
        ended: Mutex<Vec<(usize, bool)>>,
    }

    impl Trouble {
        fn new(count: usize) -> Arc<Self> {
            Arc::new(Self { count, ended: Mutex::default() })
        }
    }

    impl Jobs for Trouble {
        type Opened = usize;
        type Done = usize;

        fn count(&self) -> usize {
            self.count
        }

        fn size(&self, job: usize) -> u64 {
            job as u64
        }

        fn open(&self, job: usize, at_last: bool) -> Opening<usize, usize> {
            match job {
                7 => panic!("bad file {job}"),
                9 if !at_last => Opening::PutOff,
                _ if job.is_multiple_of(2) => Opening::Done(job * 2),
                _ => Opening::Work(job * 2, 1000 * job as u64),
            }
        }

        fn work(&self, job: usize, opened: usize) -> usize {
            match job {
                11 => panic!("bad file {job}"),
                3 | 21 => loop {
                    thread::sleep(Duration::from_secs(3600));
                },
                _ => opened,
            }
        }

        fn ended(&self, job: usize, done: Option<&usize>) {
            self.ended.lock().unwrap().push((job, done.is_some()));
        }
    }

    #[test]
    fn panics_and_endless_jobs_are_outcomes_of_those_jobs_alone() {
        let jobs = Trouble::new(40);
        // Memory for hardly two at once: what an endless job has taken is not lost.
        // Long enough for a panic to print its backtrace on a busy machine.
        let outcomes = run(&jobs, 2, 40_000, Duration::from_secs(3));
        for (i, outcome) in outcomes.iter().enumerate() {
            match (i, outcome) {
                (7 | 11, Outcome::Panicked(message)) => assert_eq!(*message, format!("bad file {i}")),
                (3 | 21, Outcome::Overdue(_)) => {}
                (i, Outcome::Done(result)) => assert_eq!(*result, i * 2),
                (i, _) => panic!("wrong outcome of job {i}"),
            }
        }
        assert_eq!(outcomes.len(), 40);
        let mut ended = jobs.ended.lock().unwrap().clone();
        let when = |number: usize| ended.iter().position(|(job, _)| *job == number);
        assert!(when(9) > when(36), "what is put off comes last: {ended:?}");
        ended.sort_unstable();
        assert_eq!(ended, (0..40).map(|job| (job, ![3, 7, 11, 21].contains(&job))).collect::<Vec<_>>());
    }

    #[test]
    fn no_jobs_are_done_at_once() {
        assert!(run(&Trouble::new(0), 4, 0, Duration::from_secs(60)).is_empty());
    }
}
