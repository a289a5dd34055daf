//! The part of a place that keeps one pack. What cannot be read or written there is as if it were not kept.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kept::{Keep, KeptRanges, Step};
use crate::system::Storage;
use crate::version::Front;

#[derive(Debug)]
pub(crate) struct Place {
    storage: Storage,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The version that the server has; `None` before that is known.
    version: Option<u64>,
    /// Whether other versions have nothing to keep, or may not be deleted.
    is_settled: bool,
    kept: KeptRanges,
}

impl Place {
    pub(crate) fn new(keep: &Keep, name: &str) -> Self {
        let state = State { version: None, is_settled: true, kept: KeptRanges::new(keep.limit) };
        Self { storage: Storage::new(&keep.place, name), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the first bytes of the pack. Their front decides which kept ranges are of the same version. Only the first call decides, unless what
    /// it took was damaged, so that it is read `again`.
    pub(crate) async fn begin(&self, bytes: &[u8], again: bool) {
        let front = Front::of(bytes);
        // A longer front is read if the first one was too short; the first one is the version.
        if again || self.state().version.is_none() {
            let all = self.storage.list().await;
            let mut state = self.state();
            (state.version, state.is_settled) = (Some(front.hash), false);
            state.kept.clear();
            all.into_iter().filter(|(version, _)| *version == front.hash).for_each(|(_, range)| state.kept.add(range));
        }
        // What follows the front belongs to other ranges, and may be damaged.
        self.keep(0..front.len, &bytes[..front.len as usize]).await;
    }

    /// Deletes what is kept of other versions. The front was right: something is asked for that it names.
    pub(crate) async fn settle(&self) {
        let version = {
            let mut state = self.state();
            if std::mem::replace(&mut state.is_settled, true) { None } else { state.version }
        };
        let Some(wanted) = version else { return };
        for (version, range) in self.storage.list().await {
            if version != wanted {
                self.storage.delete(version, &range).await;
            }
        }
    }

    /// Whether a front was kept.
    pub(crate) async fn has_front(&self) -> bool {
        self.storage.list().await.iter().any(|(_, range)| range.start == 0)
    }

    /// Returns the front that was kept, of whatever version.
    pub(crate) async fn kept_front(&self, wanted: &Range<u64>) -> Option<Vec<u8>> {
        let all = self.storage.list().await;
        let known = self.state().version;
        let fronts =
            all.iter().filter(|(version, range)| range.start == 0 && known.is_none_or(|known| known == *version));
        // The pack may end within the range.
        let (version, front) = fronts.max_by_key(|(_, range)| range.end.min(wanted.end))?;
        {
            let mut state = self.state();
            state.version.get_or_insert(*version);
            let of_version = all.iter().filter(|(of, _)| of == version);
            of_version.for_each(|(_, range)| state.kept.add(range.clone()));
        }
        let mut bytes = self.read(front).await?;
        bytes.truncate(usize::try_from(wanted.end).unwrap_or(usize::MAX));
        Some(bytes)
    }

    /// Returns what comes next of a range.
    pub(crate) fn next(&self, range: &Range<u64>) -> Step {
        self.state().kept.next(range)
    }

    /// Reads a kept range; `None` if it is not there any more: browsers delete what they need the room of.
    pub(crate) async fn read(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        let version = {
            let mut state = self.state();
            state.kept.used(range);
            state.version?
        };
        let bytes = self.storage.read(version, range).await?;
        (bytes.len() as u64 == range.end - range.start).then_some(bytes)
    }

    /// Keeps a range.
    pub(crate) async fn keep(&self, range: Range<u64>, bytes: &[u8]) {
        let version = {
            let state = self.state();
            state.version.filter(|_| !range.is_empty() && state.kept.may_keep(&range))
        };
        let Some(version) = version else { return };
        if !self.storage.write(version, &range, bytes).await {
            return;
        }
        let evicted = {
            let mut state = self.state();
            state.kept.add(range);
            state.kept.evict()
        };
        for range in evicted {
            self.storage.delete(version, &range).await;
        }
    }

    /// Deletes what is kept of a range.
    pub(crate) async fn forget(&self, range: &Range<u64>) {
        let (version, overlapping) = {
            let state = self.state();
            (state.version, state.kept.overlapping(range))
        };
        let Some(version) = version else { return };
        for kept in overlapping {
            self.state().kept.remove(&kept);
            self.storage.delete(version, &kept).await;
        }
    }
}
