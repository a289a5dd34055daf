//! A cache over its size → the least recently used of it removed.
//!
//! A build that stored something prunes, at most once a day, and never what was used within [`SPARED`]: so what a
//! game needs that was built this week stays, whatever the size. What else a dev index may lead to is given up in
//! order (`roots.rs`).

use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

use super::{Cache, Key, USE_TICK};
use crate::settings;

/// How large a cache grows where `RRES_CACHE_SIZE` says nothing: 10 GB.
pub const DEFAULT_CACHE_SIZE: u64 = 10_000_000_000;

/// What was used within this time is not pruned by builds, however large the cache: seven days.
pub const SPARED: Duration = Duration::from_secs(7 * 24 * 3600);

/// What pruning did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pruned {
    /// Files removed.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes that stay.
    pub left: u64,
}

/// How large caches may grow, in bytes: the variable `RRES_CACHE_SIZE`, a size like `10 GB` or `off` for no limit.
///
/// # Errors
/// A message, where the variable holds neither.
pub fn cache_size_limit() -> Result<u64, String> {
    let Some(value) = env::var_os("RRES_CACHE_SIZE").filter(|value| !value.is_empty()) else {
        return Ok(DEFAULT_CACHE_SIZE);
    };
    match value.to_str() {
        Some("off") => Ok(u64::MAX),
        text => text.and_then(parse_size).ok_or_else(|| {
            format!("holds \"{}\", expected a size such as \"10 GB\", or \"off\" for no limit", value.to_string_lossy())
        }),
    }
}

/// The bytes of a size such as `10 GB` or `1.5 GiB`; `None` where it is none.
///
/// ```
/// assert_eq!(rres_build::cache::parse_size("1.5 KiB"), Some(1536));
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    settings::parse_size(text)
}

impl Cache {
    /// Removes what has not been used for longest until at most `limit` bytes are left, but nothing that was used
    /// within `spared`. Uses are recorded to the day.
    ///
    /// # Errors
    /// Where the cache cannot be read or its files cannot be removed.
    pub fn prune(&self, limit: u64, spared: Duration) -> io::Result<Pruned> {
        let mut items = self.items()?;
        let mut left: u64 = items.iter().map(|item| item.size).sum();
        // Ties are broken by name, so that the same cache is always pruned in the same way.
        items.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
        let now = SystemTime::now();
        let age = |used: SystemTime| now.duration_since(used).unwrap_or_default();
        let mut pruned = Pruned::default();
        let mut doomed = Vec::new();
        let mut blobs: HashSet<Key> = HashSet::new();
        for item in items {
            if left <= limit || age(item.used) < spared {
                break;
            }
            left -= item.size;
            blobs.extend(item.blob);
            doomed.push(item);
        }
        self.give_up(&blobs)?;
        for item in doomed {
            // A build may have used it while we looked.
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

    /// Prunes a cache that has grown, where nobody has today. A build loses nothing where it cannot.
    pub(crate) fn prune_if_due(&self, limit: u64) {
        let marker = self.dir.join("pruned");
        let age = fs::metadata(&marker).and_then(|last| last.modified()).ok().and_then(|last| last.elapsed().ok());
        let mark = || File::create(&marker).and_then(|file| file.set_modified(SystemTime::now()));
        if age.is_some_and(|age| age < USE_TICK) || mark().is_err() {
            return;
        }
        // A new cache starts its first day, and so does one whose marker is of the future.
        let size = || self.items().map_or(0, |items| items.iter().map(|item| item.size).sum());
        if age.is_some() && size() > limit {
            // Some room, so that tomorrow's build need not prune again.
            let _ = self.prune(limit / 5 * 4, SPARED);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// A cache with blobs of 100 bytes, the first of which was used today, the second a day ago, and so on.
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
    fn the_least_recently_used_goes_first_and_what_is_spared_stays() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 10);
        assert_eq!(cache.prune(1000, Duration::ZERO).unwrap(), Pruned { files: 0, bytes: 0, left: 1000 });
        assert_eq!(cache.prune(850, Duration::ZERO).unwrap(), Pruned { files: 2, bytes: 200, left: 800 });
        assert_eq!(left(&cache), (0..8).collect::<Vec<_>>());
        cache.prune(0, 5 * DAY).unwrap();
        assert_eq!(left(&cache), (0..5).collect::<Vec<_>>());
        let stat = cache.stat().unwrap();
        assert_eq!((stat.blobs, stat.bytes, stat.prunable), (5, 500, 0));
    }

    #[test]
    fn builds_prune_once_a_day_and_leave_room() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 20);
        cache.prune_if_due(1000);
        assert_eq!(left(&cache).len(), 20, "a new cache starts its first day");
        age(&cache.dir().join("pruned"), 2 * DAY);
        cache.prune_if_due(1000);
        assert_eq!(left(&cache), (0..8).collect::<Vec<_>>());
        for i in 8..20 {
            cache.store(&Key([i; 32]), &[0; 100]).unwrap();
            age(&cache.blob_file(&Key([i; 32])), 30 * DAY);
        }
        cache.prune_if_due(1000);
        assert_eq!(left(&cache).len(), 20, "it was pruned today");
    }

    #[test]
    fn a_use_is_recorded_once_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 4);
        let used = |i: u8| fs::metadata(cache.blob_file(&Key([i; 32]))).unwrap().modified().unwrap();
        let before = [used(0), used(3)];
        for i in [0, 3] {
            let metadata = fs::metadata(cache.blob_file(&Key([i; 32]))).unwrap();
            super::super::record_use(&cache.blob_file(&Key([i; 32])), &metadata);
        }
        assert_eq!(used(0), before[0]);
        assert!(used(3) > before[1] + 2 * DAY);
    }
}
