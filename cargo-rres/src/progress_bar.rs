//! Shows the progress of a build: a bar on a terminal, a line every few seconds in a log.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rres_build::{ByteSize, Progress};

use crate::output::{bar, escape_terminal};

/// The interval at which the bar is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// The interval at which lines are written if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// The width of the bar in characters.
const BAR_WIDTH: usize = 24;

/// The largest number of characters of an asset's path that are shown after the bar.
const MAX_PATH_WIDTH: usize = 40;

/// The smallest number of characters of a path that are worth showing.
const MIN_PATH_WIDTH: usize = 10;

/// The width of a terminal that does not report its width.
const DEFAULT_WIDTH: usize = 80;

/// The latest state of a build: an owned copy of [`Progress`].
#[derive(Clone, Debug, Default)]
pub(crate) struct BuildProgress {
    /// The number of assets in the build.
    pub(crate) assets: usize,
    /// The number of assets found in the cache so far.
    pub(crate) cached: usize,
    /// The number of assets imported so far.
    pub(crate) imported: usize,
    /// The number of assets that have failed so far.
    pub(crate) failed: usize,
    done: usize,
    bytes: u64,
    bytes_done: u64,
    path: String,
}

/// Draws the progress of a running build from a thread of its own.
#[derive(Debug)]
pub(crate) struct ProgressBar {
    progress: Arc<Mutex<BuildProgress>>,
    /// Dropping it stops the thread.
    stop: Sender<()>,
    printer: JoinHandle<()>,
}

impl ProgressBar {
    /// Starts the thread. It draws nothing before the first interval has passed, so short builds print nothing.
    pub(crate) fn start() -> Self {
        let progress = Arc::new(Mutex::new(BuildProgress::default()));
        let (stop, stopped) = channel::<()>();
        let latest = Arc::clone(&progress);
        let is_terminal = stderr().is_terminal();
        let printer = thread::spawn(move || {
            let interval = if is_terminal { REDRAW_INTERVAL } else { LINE_INTERVAL };
            let mut is_bar_visible = false;
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let now = latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if now.assets > 0 {
                    print(&if is_terminal { format!("\r{}\x1b[K", now.bar(width())) } else { now.line() + "\n" });
                    is_bar_visible = is_terminal;
                }
            }
            if is_bar_visible {
                print("\r\x1b[K");
            }
        });
        Self { progress, stop, printer }
    }

    /// Returns the callback for [`rres_build::Build::progress`].
    pub(crate) fn callback(&self) -> impl Fn(&Progress<'_>) + Send + Sync + 'static {
        let latest = Arc::clone(&self.progress);
        move |progress| {
            let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
            let Progress { assets, cached, imported, failed, bytes, bytes_done, .. } = *progress;
            // Reuses the allocation of the previous path.
            let mut path = std::mem::take(&mut latest.path);
            path.replace_range(.., progress.path);
            *latest =
                BuildProgress { assets, cached, imported, failed, done: progress.done(), bytes, bytes_done, path };
        }
    }

    /// Erases the bar and returns the last state of the build.
    pub(crate) fn stop(self) -> BuildProgress {
        drop(self.stop);
        // The thread never panics.
        drop(self.printer.join());
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Writes to standard error. An error means that nobody is watching, which must not fail the build.
fn print(text: &str) {
    drop(stderr().write_all(text.as_bytes()));
}

/// Returns the width of the terminal in characters, which may change while the build runs.
fn width() -> usize {
    terminal_size::terminal_size_of(stderr()).map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

impl BuildProgress {
    /// Returns the line for a terminal of `width` characters. It is shorter than that, because a line that wraps could
    /// not be erased.
    fn bar(&self, width: usize) -> String {
        let share = if self.bytes == 0 { 1.0 } else { self.bytes_done as f64 / self.bytes as f64 };
        let bar = bar(share, BAR_WIDTH);
        let gap = " ".repeat(BAR_WIDTH - bar.chars().count().min(BAR_WIDTH));
        let mut line = format!("{bar}{gap} {}  ", self.line());
        let rest = width.saturating_sub(line.chars().count() + 1);
        if rest >= MIN_PATH_WIDTH {
            line += &end(&escape_terminal(&self.path), rest.min(MAX_PATH_WIDTH));
        } else {
            line = self.line();
        }
        line.chars().take(width.saturating_sub(1)).collect()
    }

    /// Returns the line for a log.
    fn line(&self) -> String {
        let Self { assets, done, failed, .. } = self;
        let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
        format!("{done}/{assets} assets, {} of {}{failed}", ByteSize(self.bytes_done), ByteSize(self.bytes))
    }
}

/// Returns at most `width` characters from the end of a path, which is more specific than its start.
fn end(path: &str, width: usize) -> String {
    match path.chars().count().checked_sub(width) {
        None | Some(0) => path.to_owned(),
        Some(excess) => format!("…{}", path.chars().skip(excess + 1).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> BuildProgress {
        let path = "levels/a very long directory name/another directory/1.txt".to_owned();
        BuildProgress { assets: 4, done: 1, bytes: 4096, bytes_done: 1024, path, ..Default::default() }
    }

    #[test]
    fn the_bar_shows_bytes_and_the_end_of_the_path() {
        let bar = progress().bar(120);
        assert!(bar.starts_with("██████                   1/4 assets, 1.0 kB of 4.0 kB  …"), "{bar}");
        assert!(bar.ends_with("directory name/another directory/1.txt"), "{bar}");
        let empty = BuildProgress { assets: 2, failed: 2, done: 2, ..Default::default() };
        assert!(empty.bar(120).contains("2/2 assets, 0 B of 0 B, 2 failed"), "{}", empty.bar(120));
    }

    #[test]
    fn the_bar_is_never_as_wide_as_the_terminal() {
        for width in 0..200 {
            let bar = progress().bar(width);
            assert!(bar.chars().count() < width.max(1), "{width}: {bar}");
        }
        assert_eq!(progress().bar(60), "1/4 assets, 1.0 kB of 4.0 kB");
        assert!(progress().bar(80).ends_with("  …another directory/1.txt"), "{}", progress().bar(80));
    }

    #[test]
    fn paths_are_shortened_at_their_start() {
        assert_eq!([end("abcdef", 6), end("abcdef", 4)], ["abcdef", "…def"]);
    }
}
