//! A pool of workers that survives bad jobs: a job that panics or never ends becomes an error of that job.
//!
//! Importers run other people's decoders on other people's files, and those are known to panic and to hang. A thread
//! cannot be stopped from outside, so workers are not joined: one that hangs is replaced and left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
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

enum Event<R> {
    Started(usize),
    Ended(usize, Outcome<R>),
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
    let (send, events) = mpsc::channel();
    let spawn = || {
        let (job, next, send) = (Arc::clone(&job), Arc::clone(&next), send.clone());
        thread::spawn(move || {
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    return;
                }
                // The receiver is gone once every job has an outcome: nothing is left to report.
                let _ = send.send(Event::Started(i));
                let outcome = match catch_unwind(AssertUnwindSafe(|| job(i))) {
                    Ok(result) => Outcome::Done(result),
                    Err(panic) => Outcome::Panicked(message(&*panic)),
                };
                let _ = send.send(Event::Ended(i, outcome));
            }
        });
    };
    for _ in 0..threads.clamp(1, count.max(1)) {
        spawn();
    }
    let mut outcomes: Vec<Option<Outcome<R>>> = (0..count).map(|_| None).collect();
    let mut running: Vec<(usize, Instant)> = Vec::new();
    let mut left = count;
    while left > 0 {
        let oldest = running.iter().map(|(_, since)| *since).min();
        let patience = oldest.map_or(deadline, |since| (since + deadline).saturating_duration_since(Instant::now()));
        match events.recv_timeout(patience) {
            Ok(Event::Started(i)) => running.push((i, Instant::now())),
            Ok(Event::Ended(i, outcome)) => {
                running.retain(|(job, _)| *job != i);
                // A job that ends after its deadline has its outcome already.
                if outcomes[i].is_none() {
                    outcomes[i] = Some(outcome);
                    left -= 1;
                }
            }
            Err(_) => {
                let now = Instant::now();
                let (overdue, rest) = running.into_iter().partition(|(_, since)| now >= *since + deadline);
                running = rest;
                for (i, since) in overdue as Vec<(usize, Instant)> {
                    outcomes[i] = Some(Outcome::Overdue(now - since));
                    left -= 1;
                    spawn();
                }
            }
        }
    }
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
