//! The progress of a build, reported while it runs.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The progress of a build, which the callback of [`Build::progress`](crate::Build::progress) receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Number of assets found.
    pub assets: usize,
    /// Number of assets whose blob was in the cache.
    pub cached: usize,
    /// Number of assets imported so far.
    pub imported: usize,
    /// Number of assets that cannot be imported.
    pub failed: usize,
    /// Bytes of all sources.
    pub bytes: u64,
    /// Bytes of the sources that are done.
    pub bytes_done: u64,
    /// Path of the last asset that was done; empty for the first call, which counts all unchanged assets.
    pub path: &'a str,
    /// Path of the source that is being imported and has taken longest, if that is more than three seconds; else of the largest one
    /// that is being imported, if it has a megabyte or more; else empty. One such source can take as long as all others. Before the first
    /// import it may be what the build waits for: `the remote cache, 160 of 4000`.
    pub running: &'a str,
}

impl Progress<'_> {
    /// Number of assets done: cached, imported or failed.
    pub fn done(&self) -> usize {
        self.cached + self.imported + self.failed
    }
}

/// A progress callback.
pub(crate) type ProgressCallback = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// The outcome of one asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    Cached,
    Imported,
    Failed,
}

/// Sources of at least this many bytes are reported when their import begins.
const LARGE: u64 = 1_000_000;

/// Counts assets and calls the callback, if there is one.
#[derive(Clone, Default)]
pub(crate) struct ProgressCounter(Option<Arc<(Mutex<Counts>, ProgressCallback)>>);

#[derive(Debug)]
struct Counts {
    progress: Progress<'static>,
    /// Size and path of the large sources that are being imported.
    running: BTreeSet<(u64, String)>,
    /// Paths of sources that have taken long, the first one for the longest time.
    slow: Vec<String>,
}

impl Counts {
    /// The progress after the asset `path`.
    fn progress<'a>(&'a self, path: &'a str) -> Progress<'a> {
        let slow = self.slow.first().or_else(|| self.running.last().map(|(_, path)| path));
        let running = slow.map_or("", String::as_str);
        Progress { path, running, ..self.progress }
    }
}

impl ProgressCounter {
    /// Starts counting, and reports the start.
    pub(crate) fn start(callback: Option<&ProgressCallback>, start: impl FnOnce() -> Progress<'static>) -> Self {
        Self(callback.map(|callback| {
            let start = start();
            callback(&start);
            let counts = Counts { progress: start, running: BTreeSet::new(), slow: Vec::new() };
            Arc::new((Mutex::new(counts), Arc::clone(callback)))
        }))
    }

    /// The import of a source begins.
    pub(crate) fn begin(&self, path: &str, bytes: u64) {
        let Some((counts, callback)) = self.0.as_deref().filter(|_| bytes >= LARGE) else { return };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.running.insert((bytes, path.to_owned()));
        callback(&counts.progress(""));
    }

    /// A source takes long. It is reported until it is done.
    pub(crate) fn still_running(&self, path: &str) {
        let Some((counts, callback)) = self.0.as_deref() else { return };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        if !counts.slow.iter().any(|slow| slow == path) {
            counts.slow.push(path.to_owned());
        }
        callback(&counts.progress(""));
    }

    /// A source is done.
    pub(crate) fn count(&self, path: &str, bytes: u64, completion: Completion) {
        let Some((counts, callback)) = self.0.as_deref() else { return };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = &mut counts.progress;
        match completion {
            Completion::Cached => now.cached += 1,
            Completion::Imported => now.imported += 1,
            Completion::Failed => now.failed += 1,
        }
        now.bytes_done += bytes;
        counts.slow.retain(|slow| slow != path);
        if bytes >= LARGE {
            counts.running.remove(&(bytes, path.to_owned()));
        }
        // The mutex is held during the call, so that the reported progress never decreases.
        callback(&counts.progress(path));
    }
}

impl fmt::Debug for ProgressCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProgressCounter").field(&self.0.as_deref().map(|(counts, _)| counts)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_or_largest_source_is_reported_until_it_is_done() {
        let running: Arc<Mutex<Vec<String>>> = Arc::default();
        let listened = Arc::clone(&running);
        let callback: ProgressCallback =
            Arc::new(move |progress| listened.lock().unwrap().push(progress.running.to_owned()));
        let counter = ProgressCounter::start(Some(&callback), Progress::default);
        counter.begin("small", LARGE - 1);
        counter.begin("large", LARGE);
        counter.begin("larger", 2 * LARGE);
        counter.count("small", LARGE - 1, Completion::Imported);
        counter.count("larger", 2 * LARGE, Completion::Failed);
        counter.still_running("slow");
        counter.count("slow", 1, Completion::Failed);
        counter.count("large", LARGE, Completion::Imported);
        assert_eq!(*running.lock().unwrap(), ["", "large", "larger", "larger", "large", "slow", "large", ""]);
    }
}
