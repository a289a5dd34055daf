//! Shows on a terminal how far a long operation is, and about how long the rest takes. Prints nothing elsewhere, as Cargo.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rres_engine::Build;
use rres_packs::progress::{Progress, ProgressMeter, Snapshot};
use rres_settings::ByteSize;

use crate::output::{bar, escape_terminal};

/// The interval at which the bar is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// How long an operation has to have run before its end is estimated.
const ESTIMATE_AFTER: Duration = Duration::from_secs(2);

/// How long an item has to have taken before its time is shown, as a sign that it is still being worked on.
const SHOW_ITEM_AFTER: Duration = Duration::from_secs(2);

/// The width of the bar in characters.
const BAR_WIDTH: usize = 24;

/// The largest number of characters of an item's name that are shown after the bar.
const MAX_NAME_WIDTH: usize = 40;

/// The smallest number of characters of a name that are worth showing.
const MIN_NAME_WIDTH: usize = 10;

/// The width of a terminal that does not report its width.
const DEFAULT_WIDTH: usize = 80;

/// A bar on the terminal, drawn by a thread of its own.
#[derive(Debug)]
pub(crate) struct ProgressBar {
    meter: ProgressMeter,
    /// Dropping it stops the thread.
    stop: Sender<()>,
    /// `None` if standard error is not a terminal.
    printer: Option<JoinHandle<()>>,
}

impl ProgressBar {
    /// Shows how far a build is.
    pub(crate) fn follow(&self, build: Build) -> Build {
        let meter = self.meter();
        build.progress(move |progress| {
            let rres_engine::Progress { assets: count, failed, bytes, bytes_done, running, .. } = *progress;
            let (done, item) = (progress.done(), running.to_owned());
            meter.set(Progress { noun: "assets", count, done, failed, bytes, bytes_done, item });
        })
    }

    /// Starts the thread. It draws nothing before the first interval has passed, so short operations print nothing.
    pub(crate) fn start() -> Self {
        let meter = ProgressMeter::default();
        let (stop, stopped) = channel::<()>();
        let latest = meter.clone();
        let draw = move || {
            let mut is_visible = false;
            while stopped.recv_timeout(REDRAW_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Some(line) = line_of(&latest.snapshot(), width(), Instant::now()) {
                    print(&format!("\r{line}\x1b[K"));
                    is_visible = true;
                }
            }
            if is_visible {
                print("\r\x1b[K");
            }
        };
        let printer = stderr().is_terminal().then(|| thread::spawn(draw));
        Self { meter, stop, printer }
    }

    /// Returns the end for the operation.
    pub(crate) fn meter(&self) -> ProgressMeter {
        self.meter.clone()
    }

    /// Erases the bar.
    pub(crate) fn stop(self) {
        drop(self.stop);
        // The thread never panics.
        drop(self.printer.map(JoinHandle::join));
    }
}

/// Writes to standard error. An error means that nobody is watching, which must not fail the operation.
fn print(text: &str) {
    drop(stderr().write_all(text.as_bytes()));
}

/// Returns the width of the terminal in characters, which may change while the operation runs.
fn width() -> usize {
    terminal_size::terminal_size_of(stderr()).map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// Returns the line for a terminal of `width` characters, or `None` before there is any progress. It is shorter than the
/// terminal, because a line that wraps could not be erased.
fn line_of(Snapshot { progress, started, item_since }: &Snapshot, width: usize, now: Instant) -> Option<String> {
    let (started, bytes_before) = started.filter(|_| progress.count > 0)?;
    let left = time_left(progress, bytes_before, now.duration_since(started));
    let taken = item_since.map(|since| now.duration_since(since)).filter(|taken| *taken >= SHOW_ITEM_AFTER);
    Some(line(progress, width, left, taken))
}

/// Estimates how long the rest takes: as long per byte as what was done in `elapsed`.
fn time_left(progress: &Progress, bytes_before: u64, elapsed: Duration) -> Option<Duration> {
    let worked = progress.bytes_done.checked_sub(bytes_before).filter(|worked| *worked > 0)?;
    let rest = progress.bytes.checked_sub(progress.bytes_done).filter(|rest| *rest > 0)?;
    let seconds = elapsed.as_secs_f64() * rest as f64 / worked as f64;
    (elapsed >= ESTIMATE_AFTER).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

fn line(progress: &Progress, width: usize, left: Option<Duration>, taken: Option<Duration>) -> String {
    let share = if progress.bytes == 0 { 1.0 } else { progress.bytes_done as f64 / progress.bytes as f64 };
    let bar = bar(share, BAR_WIDTH);
    let gap = " ".repeat(BAR_WIDTH - bar.chars().count().min(BAR_WIDTH));
    let numbers = numbers(progress, left);
    let taken = taken.map(|taken| format!(" ({})", duration(taken))).unwrap_or_default();
    let mut line = format!("{bar}{gap} {numbers}  ");
    let rest = width.saturating_sub(line.chars().count() + taken.chars().count() + 1);
    if rest >= MIN_NAME_WIDTH {
        line += &end(&escape_terminal(&progress.item), rest.min(MAX_NAME_WIDTH));
        line += &taken;
    } else {
        line = numbers + &taken;
    }
    line.chars().take(width.saturating_sub(1)).collect()
}

fn numbers(progress: &Progress, left: Option<Duration>) -> String {
    let Progress { noun, count, done, failed, bytes, bytes_done, .. } = progress;
    let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
    let left = left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
    format!("{done}/{count} {noun}, {} of {}{failed}{left}", ByteSize(*bytes_done), ByteSize(*bytes))
}

/// Returns a duration as people say it: `40 s`, `3 min`, `2 h`.
fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{} s", seconds.max(1)),
        seconds @ 100..6000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

/// Returns at most `width` characters from the end of a name, which is more specific than its start.
fn end(name: &str, width: usize) -> String {
    match name.chars().count().checked_sub(width) {
        None | Some(0) => name.to_owned(),
        Some(excess) => format!("…{}", name.chars().skip(excess + 1).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Option<Duration> = Some(Duration::from_secs(40));

    fn progress() -> Progress {
        let item = "levels/a very long directory name/another directory/1.txt".to_owned();
        Progress { noun: "assets", count: 4, done: 1, bytes: 4096, bytes_done: 1024, item, failed: 0 }
    }

    #[test]
    fn the_bar_shows_bytes_the_time_left_and_the_end_of_the_name() {
        let line = super::line(&progress(), 120, LEFT, None);
        assert!(line.starts_with("██████                   1/4 assets, 1.0 kB of 4.0 kB, 40 s left  …"), "{line}");
        assert!(line.ends_with("directory name/another directory/1.txt"), "{line}");
        let failed = super::line(&Progress { failed: 2, ..progress() }, 120, None, None);
        assert!(failed.contains("1/4 assets, 1.0 kB of 4.0 kB, 2 failed  "), "{failed}");
    }

    #[test]
    fn an_item_that_takes_long_shows_its_time() {
        let meter = ProgressMeter::default();
        meter.set(progress());
        let started = meter.snapshot().started.unwrap().0;
        let line = |seconds| line_of(&meter.snapshot(), 120, started + Duration::from_secs(seconds)).unwrap();
        assert!(line(1).ends_with("/1.txt") && line(7).ends_with("/1.txt (7 s)"), "{}", line(7));
        meter.next(Some(1024), "next.txt");
        assert!(line(1).contains("2/4 assets, 2.0 kB of 4.0 kB  next.txt"), "{}", line(1));
        assert!(line(10).contains("2.0 kB of 4.0 kB, 20 s left"), "the first kilobyte does not count: {}", line(10));
    }

    #[test]
    fn the_time_left_is_estimated_from_what_was_done() {
        let at = |bytes_done, seconds| {
            time_left(&Progress { bytes: 1000, bytes_done, ..Progress::default() }, 100, Duration::from_secs(seconds))
        };
        assert_eq!(at(400, 30), Some(Duration::from_secs(60)));
        assert_eq!([at(400, 1), at(100, 30), at(1000, 30), at(50, 30)], [None; 4]);
        let times = [0, 99, 100, 3600, 7200].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["1 s", "99 s", "2 min", "60 min", "2 h"]);
    }

    #[test]
    fn the_line_is_never_as_wide_as_the_terminal() {
        for width in 0..200 {
            let line = super::line(&progress(), width, LEFT, LEFT);
            assert!(line.chars().count() < width.max(1), "{width}: {line}");
        }
        assert_eq!(super::line(&progress(), 60, None, None), "1/4 assets, 1.0 kB of 4.0 kB");
        assert!(super::line(&progress(), 80, None, None).ends_with("  …another directory/1.txt"));
    }

    #[test]
    fn names_are_shortened_at_their_start() {
        assert_eq!([end("abcdef", 6), end("abcdef", 4)], ["abcdef", "…def"]);
    }
}
