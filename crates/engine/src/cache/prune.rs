//! Pruning: if a cache exceeds its size limit, the least recently used files are removed.
//!
//! A build that stored something prunes the cache at most once a day, and never removes a file that was used within
//! [`MIN_AGE`]. So everything that a game built this week needs is kept, whatever the size. The roots of removed blobs
//! are invalidated first (`roots.rs`).

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

use super::{Cache, OFF, TOUCH_INTERVAL};
use crate::diagnostic::{Diagnostic, Place};
use crate::key::Key;
use crate::settings::ByteSize;

/// The size limit of a cache if `RRES_CACHE_SIZE` is not set: 10 GB.
pub const DEFAULT_CACHE_SIZE: u64 = 10_000_000_000;

/// Builds do not prune files that were used within this time, however large the cache: seven days.
pub const MIN_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The result of pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PruneReport {
    /// The number of files removed.
    pub files: usize,
    /// The number of bytes removed.
    pub bytes: u64,
    /// The number of bytes that are left.
    pub left: u64,
}

/// Returns the size limit of caches in bytes: the value of the variable `RRES_CACHE_SIZE`, which is a size such as `10
/// GB`, or `off` for no limit; or else [`DEFAULT_CACHE_SIZE`].
///
/// # Errors
/// If the variable has any other value.
pub fn size_limit() -> Result<u64, Diagnostic> {
    const VARIABLE: &str = "RRES_CACHE_SIZE";
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        return Ok(DEFAULT_CACHE_SIZE);
    };
    match value.to_str() {
        Some(OFF) => Ok(u64::MAX),
        text => text.and_then(ByteSize::parse).map(|size| size.0).ok_or_else(|| {
            let message = format!("unknown value \"{}\", expected a size or \"{OFF}\"", value.to_string_lossy());
            Diagnostic::new(Place::Name(VARIABLE.to_owned()), message)
                .with_help(format!("set it to a size such as \"10 GB\", or unset it; {}", ByteSize::UNITS_HELP))
        }),
    }
}

impl Cache {
    /// Removes the least recently used files until at most `limit` bytes are left, but none that was used within `min_age`.
    /// Uses are recorded to the day.
    ///
    /// # Errors
    /// If the cache cannot be read or its files cannot be removed.
    pub fn prune(&self, limit: u64, min_age: Duration) -> io::Result<PruneReport> {
        let mut files = self.files()?;
        let mut left: u64 = files.iter().map(|file| file.size).sum();
        // Ties are broken by name, so that the same cache is always pruned in the same way.
        files.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
        let now = SystemTime::now();
        let age = |used: SystemTime| now.duration_since(used).unwrap_or_default();
        let mut pruned = PruneReport::default();
        let mut to_remove = Vec::new();
        let mut blobs: HashSet<Key> = HashSet::new();
        for file in files {
            if left <= limit || age(file.used) < min_age {
                break;
            }
            left -= file.size;
            blobs.extend(file.blob);
            to_remove.push(file);
        }
        self.invalidate_roots(&blobs)?;
        for item in to_remove {
            // A build may have used it meanwhile.
            if fs::metadata(&item.path).and_then(|now| now.modified()).is_ok_and(|now| now != item.used) {
                left += item.size;
                continue;
            }
            match fs::remove_file(&item.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => (pruned.files, pruned.bytes) = (pruned.files + 1, pruned.bytes + item.size),
            }
        }
        pruned.left = left;
        Ok(pruned)
    }

    /// Prunes a cache that has grown too large, unless that was done today. Errors are ignored: the build does not
    /// depend on it.
    pub(crate) fn prune_if_due(&self, limit: u64) {
        let marker = self.dir.join("pruned");
        let age = fs::metadata(&marker).and_then(|last| last.modified()).ok().and_then(|last| last.elapsed().ok());
        let mark = || File::create(&marker).and_then(|file| file.set_modified(SystemTime::now()));
        if age.is_some_and(|age| age < TOUCH_INTERVAL) || mark().is_err() {
            return;
        }
        // A new cache is not pruned on its first day, nor is one whose marker is from the future.
        let size = || self.files().map_or(0, |files| files.iter().map(|file| file.size).sum());
        if age.is_some() && size() > limit {
            // Leave some room, so that tomorrow's build need not prune again.
            let _ = self.prune(limit / 5 * 4, MIN_AGE);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// A cache with blobs of 100 bytes: the first was used today, the second a day ago, and so on.
    fn cache(dir: &tempfile::TempDir, count: u8) -> Cache {
        let cache = Cache::open(Some(dir.path().join("cache")), dir.path()).unwrap();
        for i in 0..count {
            cache.store(&Key([i; 32]), &[0; 100]).unwrap();
            age(&cache.blob_file(&Key([i; 32])), DAY * u32::from(i));
        }
        cache
    }

    fn age(file: &PathBuf, age: Duration) {
        File::options().write(true).open(file).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    fn left(cache: &Cache) -> Vec<u8> {
        (0..=255).filter(|i| cache.blob_file(&Key([*i; 32])).exists()).collect()
    }

    #[test]
    fn the_least_recently_used_files_go_first_and_recent_ones_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 10);
        assert_eq!(cache.prune(1000, Duration::ZERO).unwrap(), PruneReport { files: 0, bytes: 0, left: 1000 });
        assert_eq!(cache.prune(850, Duration::ZERO).unwrap(), PruneReport { files: 2, bytes: 200, left: 800 });
        assert_eq!(left(&cache), (0..8).collect::<Vec<_>>());
        cache.prune(0, 5 * DAY).unwrap();
        assert_eq!(left(&cache), (0..5).collect::<Vec<_>>());
        let stat = cache.stats().unwrap();
        assert_eq!((stat.blobs, stat.bytes, stat.prunable), (5, 500, 0));
    }

    #[test]
    fn builds_prune_once_a_day_and_leave_room() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 20);
        cache.prune_if_due(1000);
        assert_eq!(left(&cache).len(), 20, "a new cache is not pruned on its first day");
        age(&cache.dir().join("pruned"), 2 * DAY);
        cache.prune_if_due(1000);
        assert_eq!(left(&cache), (0..8).collect::<Vec<_>>());
        for i in 8..20 {
            cache.store(&Key([i; 32]), &[0; 100]).unwrap();
            age(&cache.blob_file(&Key([i; 32])), 30 * DAY);
        }
        cache.prune_if_due(1000);
        assert_eq!(left(&cache).len(), 20, "the cache was pruned today");
    }

    #[test]
    fn a_use_is_recorded_once_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 4);
        let used = |i: u8| fs::metadata(cache.blob_file(&Key([i; 32]))).unwrap().modified().unwrap();
        let before = [used(0), used(3)];
        for i in [0, 3] {
            let metadata = fs::metadata(cache.blob_file(&Key([i; 32]))).unwrap();
            super::super::touch(&cache.blob_file(&Key([i; 32])), &metadata);
        }
        assert_eq!(used(0), before[0]);
        assert!(used(3) > before[1] + 2 * DAY);
    }
}
