//! How far a build is, told while it runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How far a build is: what [`Build::progress`](crate::Build::progress) is called with after each asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Assets found.
    pub assets: usize,
    /// Of these, whose imported form was in the cache.
    pub cached: usize,
    /// Of these, imported.
    pub imported: usize,
    /// Of these, that cannot be imported.
    pub failed: usize,
    /// Bytes of all sources.
    pub bytes: u64,
    /// Bytes of the sources that are done, whichever way.
    pub bytes_done: u64,
    /// Path of the asset that was done last; empty at the start, when what has not changed is counted at once.
    pub path: &'a str,
}

impl Progress<'_> {
    /// Assets done, whichever way.
    pub fn done(&self) -> usize {
        self.cached + self.imported + self.failed
    }
}

/// Whoever wants to know.
pub(crate) type Listener = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// How an asset was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Cached,
    Imported,
    Failed,
}

/// Counts for a listener, where there is one.
#[derive(Clone, Default)]
pub(crate) struct Tally(Option<Arc<(Mutex<Progress<'static>>, Listener)>>);

impl Tally {
    /// Counts from here on, and tells the start.
    pub(crate) fn start(listener: Option<&Listener>, start: impl FnOnce() -> Progress<'static>) -> Self {
        Self(listener.map(|listener| {
            let start = start();
            listener(&start);
            Arc::new((Mutex::new(start), Arc::clone(listener)))
        }))
    }

    pub(crate) fn count(&self, path: &str, bytes: u64, done: Done) {
        let Some((progress, listener)) = self.0.as_deref() else { return };
        let mut now = progress.lock().unwrap_or_else(PoisonError::into_inner);
        match done {
            Done::Cached => now.cached += 1,
            Done::Imported => now.imported += 1,
            Done::Failed => now.failed += 1,
        }
        now.bytes_done += bytes;
        // With the lock held, so that what is told never goes back.
        listener(&Progress { path, ..*now });
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tally").field(&self.0.as_deref().map(|(progress, _)| progress)).finish()
    }
}
