//! Waiting for an event. How long it takes depends on what else the machine does, so no test states a time of its own.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for what has to happen. A machine that is busy with twenty other builds needs minutes for what takes
/// milliseconds otherwise; only a test that would hang forever reaches this.
pub const LIMIT: Duration = Duration::from_secs(1200);

/// The next value of `receiver`.
///
/// # Panics
///
/// If the sender is gone, or nothing comes within [`LIMIT`].
#[track_caller]
pub fn receive<T>(receiver: &Receiver<T>) -> T {
    match receiver.recv_timeout(LIMIT) {
        Ok(value) => value,
        Err(RecvTimeoutError::Timeout) => panic!("nothing came within {LIMIT:?}"),
        Err(RecvTimeoutError::Disconnected) => panic!("the sender is gone"),
    }
}

/// Asks `condition` every few milliseconds until it is true.
///
/// # Panics
///
/// If it is not true within [`LIMIT`].
#[track_caller]
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LIMIT, "not within {LIMIT:?}: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
