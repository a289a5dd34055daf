//! How long a directory that has changed must rest: until each file that has changed is likely to be complete.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The longest wait for rest, however busy the directory is.
const LIMIT: Duration = Duration::from_secs(3);

/// The changes since the directory was at rest.
pub(super) struct Unrest {
    limit: Instant,
    /// When the last change was reported.
    changed_at: Instant,
    /// When each file that has changed is complete, unless it changes again. One that is closed does not wait any more, and one that is half
    /// written waits although another one was closed.
    complete_at: HashMap<PathBuf, Instant>,
    /// How many files are complete at each of these moments, as the last one is asked for after each change.
    moments: BTreeMap<Instant, usize>,
}

impl Unrest {
    /// Begins with a change at `now`, which [`Self::add`] adds.
    pub(super) fn new(now: Instant) -> Self {
        Self { limit: now + LIMIT, changed_at: now, complete_at: HashMap::new(), moments: BTreeMap::new() }
    }

    /// Adds a change at `now`, after which these files must rest for `rest`. Without a path it is a change of something unknown.
    pub(super) fn add(&mut self, now: Instant, paths: Vec<PathBuf>, rest: Duration) {
        self.changed_at = now;
        let unknown = paths.is_empty().then(PathBuf::new);
        for path in paths.into_iter().chain(unknown) {
            *self.moments.entry(now + rest).or_default() += 1;
            let Some(before) = self.complete_at.insert(path, now + rest) else { continue };
            if let Some(files) = self.moments.get_mut(&before) {
                *files -= 1;
                if *files == 0 {
                    self.moments.remove(&before);
                }
            }
        }
    }

    /// Returns when the last change was reported.
    pub(super) fn changed_at(&self) -> Instant {
        self.changed_at
    }

    /// Returns when the directory is at rest, if nothing more changes.
    pub(super) fn ends_at(&self) -> Instant {
        let last = self.moments.last_key_value().map_or(self.changed_at, |(at, _)| *at);
        last.min(self.limit)
    }
}
