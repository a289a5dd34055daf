//! A pool of workers that survives bad jobs: a job that panics or never ends becomes an error of that job.
//!
//! Importers run other people's decoders on other people's files, and those are known to panic and to hang. A thread
//! cannot be stopped from outside, so workers are not joined: one that hangs is replaced and left behind. Workers keep
//! their outcomes until the end, since telling of each job would wake a thread as often as there are assets.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How a job ended.
pub(crate) enum Outcome<R> {
    Done(R),
    /// With the panic's message.
    Panicked(String),
    /// After this long.
    Overdue(Duration),
}

/// What one worker does and has done.
struct Worker<R> {
    state: Mutex<State<R>>,
}

struct State<R> {
    /// The job at hand and its start; `None` before the first, after the last, and once the worker is given up.
    running: Option<(usize, Instant)>,
    done: Vec<(usize, Outcome<R>)>,
}

impl<R> Worker<R> {
    fn with<T>(&self, look: impl FnOnce(&mut State<R>) -> T) -> T {
        // No lock is held while a job runs, so a poisoned one is as good as another.
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs `job(i)` for every `i` below `count` on `threads` workers; job 0 starts first. Results come by job.
pub(crate) fn run<R: Send + 'static>(
    count: usize,
    threads: usize,
    deadline: Duration,
    job: impl Fn(usize) -> R + Send + Sync + 'static,
) -> Vec<Outcome<R>> {
    let job = Arc::new(job);
    let next = Arc::new(AtomicUsize::new(0));
    let (send, ended) = mpsc::channel::<()>();
    let spawn = || {
        let worker = Arc::new(Worker { state: Mutex::new(State { running: None, done: Vec::new() }) });
        let (own, job, next, send) = (Arc::clone(&worker), Arc::clone(&job), Arc::clone(&next), send.clone());
        thread::spawn(move || {
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    break;
                }
                own.with(|state| state.running = Some((i, Instant::now())));
                let outcome = match catch_unwind(AssertUnwindSafe(|| job(i))) {
                    Ok(result) => Outcome::Done(result),
                    Err(panic) => Outcome::Panicked(message(&*panic)),
                };
                let is_given_up = own.with(|state| {
                    let is_given_up = state.running.take().is_none();
                    if !is_given_up {
                        state.done.push((i, outcome));
                    }
                    is_given_up
                });
                // Another has taken this one's place.
                if is_given_up {
                    return;
                }
            }
            // The receiver waits for as many workers as have not been given up.
            let _ = send.send(());
        });
        worker
    };
    let mut workers: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| spawn()).collect();
    let mut at_work = workers.len();
    while at_work > 0 {
        let oldest =
            workers.iter().filter_map(|worker| worker.with(|state| state.running)).map(|(_, since)| since).min();
        // A job that starts later is due later: this is the first moment at which one can be overdue.
        let patience = oldest.map_or(deadline, |since| (since + deadline).saturating_duration_since(Instant::now()));
        if ended.recv_timeout(patience).is_ok() {
            at_work -= 1;
            continue;
        }
        let is_overdue = |worker: &Arc<Worker<R>>| {
            worker.with(|state| match state.running {
                Some((i, since)) if since.elapsed() >= deadline => {
                    state.running = None;
                    state.done.push((i, Outcome::Overdue(since.elapsed())));
                    true
                }
                _ => false,
            })
        };
        let overdue = workers.iter().filter(|worker| is_overdue(worker)).count();
        workers.extend((0..overdue).map(|_| spawn()));
    }
    let done = workers.iter().flat_map(|worker| worker.with(|state| std::mem::take(&mut state.done)));
    let mut outcomes: Vec<Option<Outcome<R>>> = (0..count).map(|_| None).collect();
    done.for_each(|(i, outcome)| outcomes[i] = Some(outcome));
    outcomes.into_iter().flatten().collect()
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_and_endless_jobs_are_outcomes_of_those_jobs_alone() {
        let outcomes = run(40, 2, Duration::from_millis(300), |i| match i {
            7 => panic!("bad file {i}"),
            3 | 20 => loop {
                thread::sleep(Duration::from_secs(3600));
            },
            i => i * 2,
        });
        for (i, outcome) in outcomes.iter().enumerate() {
            match (i, outcome) {
                (7, Outcome::Panicked(message)) => assert_eq!(message, "bad file 7"),
                (3 | 20, Outcome::Overdue(_)) => {}
                (i, Outcome::Done(result)) => assert_eq!(*result, i * 2),
                (i, _) => panic!("wrong outcome of job {i}"),
            }
        }
        assert_eq!(outcomes.len(), 40);
    }

    #[test]
    fn no_jobs_are_done_at_once() {
        assert!(run(0, 4, Duration::from_secs(60), |i| i).is_empty());
    }
}
