//! The exclusive right to import one source, among all builds that share a cache, so that no build repeats the work of
//! another.
//!
//! An import lock is a lock on a file, which the system releases when its holder dies. Locks only save work; correctness
//! never depends on them: on file systems without locks, or if a holder hangs, two builds import the same source and store
//! the same blob.
//!
//! Keys that begin with the same digits share a file, and the files are never removed: creating and removing a file per
//! import would take longer than importing a small source. Imports that share a file by chance merely wait for each
//! other.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::Cache;
use crate::key::Key;

/// How many hexadecimal digits of a key determine its lock file: 4,096 files, far more than concurrent imports.
const DIGITS: usize = 3;

/// The right to import a source; released when dropped.
#[derive(Debug)]
pub(crate) struct ImportLock {
    /// Holds the lock; `None` if the import goes on without one.
    _file: Option<File>,
}

impl Cache {
    /// Takes the import lock of the source with this key; `None` while another build holds it.
    pub(crate) fn try_lock(&self, source: &Key) -> Option<ImportLock> {
        let file = self.locks().join(format!("{}.lock", &source.hex()[..DIGITS]));
        let file = File::options().create(true).append(true).open(file).ok();
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => None,
            Some(Ok(()) | Err(TryLockError::Error(_))) | None => Some(ImportLock { _file: file }),
        }
    }

    /// Takes the import lock once its holder has released it, or goes on without one after `timeout`.
    pub(crate) fn lock_or_time_out(&self, source: &Key, timeout: Duration) -> ImportLock {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(lock) = self.try_lock(source) {
                return lock;
            }
            if started.elapsed() >= timeout {
                return ImportLock { _file: None };
            }
            // File locks cannot be waited for with a timeout.
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    pub(super) fn locks(&self) -> PathBuf {
        self.dir.join("locks")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_build_holds_the_lock_and_the_others_wait_for_its_release_or_time_out() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(dir.path().to_owned()), dir.path()).unwrap();
        let (key, other) = (Key([1; 32]), Key([2; 32]));
        let lock = cache.try_lock(&key).unwrap();
        assert!(cache.try_lock(&key).is_none());
        assert!(cache.try_lock(&other).is_some());
        // A holder that hangs does not block others for ever.
        drop(cache.lock_or_time_out(&key, Duration::from_millis(20)));
        assert!(cache.try_lock(&key).is_none());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| cache.lock_or_time_out(&key, Duration::from_secs(60)));
            drop(lock);
            assert!(waiting.join().unwrap()._file.is_some());
        });
        assert!(cache.try_lock(&key).is_some());
    }
}
