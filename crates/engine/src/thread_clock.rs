//! The processor time that a thread has used, as another thread reads it.
//!
//! A limit on the time of an import should not depend on what else the machine does. Linux tells how long each thread has run;
//! elsewhere, and if `/proc` is not mounted, there is only the time on the wall.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The unit of the times in `/proc`: `USER_HZ`, which Linux keeps at 100 for all programs.
const TICKS_PER_SECOND: u64 = 100;

/// The clock of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadClock {
    /// `/proc/PID/task/TID/stat`.
    stat: Option<PathBuf>,
}

impl ThreadClock {
    /// The clock of the thread that calls this.
    pub(crate) fn of_this_thread() -> Self {
        // `/proc/thread-self` is a link to `PID/task/TID`.
        let task = if cfg!(target_os = "linux") { fs::read_link("/proc/thread-self").ok() } else { None };
        Self { stat: task.map(|task| PathBuf::from("/proc").join(task).join("stat")) }
    }

    /// How long the thread has run; `None` if the system does not tell.
    pub(crate) fn read(&self) -> Option<Duration> {
        let stat = fs::read_to_string(self.stat.as_ref()?).ok()?;
        // The name of the thread, in parentheses, may contain anything. Fields 14 and 15 are the times in the program and in the
        // kernel; the one after the name is 3.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut times = fields.split_whitespace().skip(11).map_while(|field| field.parse::<u64>().ok());
        let ticks = times.next()?.saturating_add(times.next()?);
        Some(Duration::from_millis(ticks.saturating_mul(1000 / TICKS_PER_SECOND)))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;
    use std::time::Instant;

    use rres_test_support::wait;

    use super::*;

    #[test]
    fn only_time_in_which_the_thread_runs_counts() {
        let clock = ThreadClock::of_this_thread();
        let before = clock.read().unwrap();
        thread::sleep(Duration::from_millis(300));
        let slept = clock.read().unwrap() - before;
        // In processor time, so this ends on a busy machine as well.
        let began = Instant::now();
        while clock.read().unwrap() - before < slept + Duration::from_millis(50) {
            assert!(began.elapsed() < wait::LIMIT);
        }
        assert!(slept < Duration::from_millis(300), "{slept:?}");
        let other = thread::spawn(ThreadClock::of_this_thread).join().unwrap();
        // The system forgets a thread soon after it has been joined.
        wait::until("the clock of a thread that has ended is gone", || other.read().is_none());
    }
}
