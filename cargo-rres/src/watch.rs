//! How far a build is → a bar on a terminal; elsewhere, where builds of seconds end up in logs, a line now and then.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rres_build::Progress;

use crate::output::{bar, shown, size};

/// How often a bar is drawn, and a line written.
const REDRAW: Duration = Duration::from_millis(100);
const LINES: Duration = Duration::from_secs(5);

/// How many characters the bar takes, and the name beside it.
const BAR: usize = 24;
const NAME: usize = 30;

/// The counts of [`Progress`], and a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) assets: usize,
    pub(crate) cached: usize,
    pub(crate) imported: usize,
    pub(crate) failed: usize,
    done: usize,
    bytes: u64,
    bytes_done: u64,
    path: String,
}

/// A build being watched.
#[derive(Debug)]
pub(crate) struct Watch {
    counts: Arc<Mutex<Counts>>,
    stop: Sender<()>,
    printer: JoinHandle<()>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let counts = Arc::new(Mutex::new(Counts::default()));
        let (stop, stopped) = channel::<()>();
        let own = Arc::clone(&counts);
        let is_terminal = stderr().is_terminal();
        let printer = thread::spawn(move || {
            let mut drawn = false;
            // Short builds need no word.
            while stopped.recv_timeout(if is_terminal { REDRAW } else { LINES }) == Err(RecvTimeoutError::Timeout) {
                let now = own.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if now.assets > 0 {
                    let line = if is_terminal { format!("\r{}\x1b[K", now.drawn()) } else { now.line() + "\n" };
                    // Where nobody listens there is nobody to tell about it.
                    drop(stderr().write_all(line.as_bytes()));
                    drawn = is_terminal;
                }
            }
            if drawn {
                drop(stderr().write_all(b"\r\x1b[K"));
            }
        });
        Self { counts, stop, printer }
    }

    /// What a build is to call.
    pub(crate) fn listener(&self) -> impl Fn(&Progress<'_>) + Send + Sync + 'static {
        let counts = Arc::clone(&self.counts);
        move |progress| {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            let Progress { assets, cached, imported, failed, bytes, bytes_done, .. } = *progress;
            let mut path = std::mem::take(&mut counts.path);
            path.replace_range(.., progress.path);
            *counts = Counts { assets, cached, imported, failed, done: progress.done(), bytes, bytes_done, path };
        }
    }

    /// Removes the bar, and gives the last counts.
    pub(crate) fn stop(self) -> Counts {
        drop(self.stop);
        // It never panics.
        drop(self.printer.join());
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Counts {
    /// The line on a terminal.
    fn drawn(&self) -> String {
        let share = if self.bytes == 0 { 1.0 } else { self.bytes_done as f64 / self.bytes as f64 };
        let bar = bar(share, BAR);
        let gap = " ".repeat(BAR - bar.chars().count().min(BAR));
        let path = shown(&self.path);
        // The end of a path tells more than its start.
        let skipped = path.chars().count().saturating_sub(NAME);
        let name: String = path.chars().skip(skipped).collect();
        let cut = if skipped > 0 { "…" } else { "" };
        format!("{bar}{gap} {}  {cut}{name}", self.line())
    }

    /// The line in a log.
    fn line(&self) -> String {
        let Self { assets, done, failed, .. } = self;
        let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
        format!("{done}/{assets} assets, {} of {}{failed}", size(self.bytes_done), size(self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_bytes_and_the_end_of_the_name() {
        let path = "levels/a very long directory name/1.txt".to_owned();
        let counts = Counts { assets: 4, done: 1, bytes: 4096, bytes_done: 1024, path, ..Counts::default() };
        let drawn = counts.drawn();
        assert!(drawn.starts_with("██████                   1/4 assets, 1.0 KiB of 4.0 KiB  …"), "{drawn}");
        assert!(drawn.ends_with("directory name/1.txt"), "{drawn}");
        let none = Counts { assets: 2, failed: 2, done: 2, ..Counts::default() };
        assert!(none.drawn().contains("2/2 assets, 0 B of 0 B, 2 failed"), "{}", none.drawn());
    }
}
