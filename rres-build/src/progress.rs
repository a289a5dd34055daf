//! The progress of a build, reported while it runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The progress of a build, which the callback of [`Build::progress`](crate::Build::progress) receives after each
/// asset.
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

/// Counts assets and calls the callback, if there is one.
#[derive(Clone, Default)]
pub(crate) struct ProgressCounter(Option<Arc<(Mutex<Progress<'static>>, ProgressCallback)>>);

impl ProgressCounter {
    /// Starts counting, and reports the start.
    pub(crate) fn start(callback: Option<&ProgressCallback>, start: impl FnOnce() -> Progress<'static>) -> Self {
        Self(callback.map(|callback| {
            let start = start();
            callback(&start);
            Arc::new((Mutex::new(start), Arc::clone(callback)))
        }))
    }

    pub(crate) fn count(&self, path: &str, bytes: u64, completion: Completion) {
        let Some((progress, callback)) = self.0.as_deref() else { return };
        let mut now = progress.lock().unwrap_or_else(PoisonError::into_inner);
        match completion {
            Completion::Cached => now.cached += 1,
            Completion::Imported => now.imported += 1,
            Completion::Failed => now.failed += 1,
        }
        now.bytes_done += bytes;
        // The mutex is held during the call, so that the reported progress never decreases.
        callback(&Progress { path, ..*now });
    }
}

impl fmt::Debug for ProgressCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProgressCounter").field(&self.0.as_deref().map(|(progress, _)| progress)).finish()
    }
}
