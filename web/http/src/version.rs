//! Whether the server still has the pack that was opened.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rres_runtime::front_len;

use crate::kept;

/// The version of the pack that was opened.
#[derive(Debug, Default)]
pub(crate) struct Version(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    front: Option<Front>,
    /// What servers call it. Two servers of one site may name one pack differently, and so does one server when a site is published again.
    etags: Vec<String>,
    /// Whether the front is read again to see if another name is of this version.
    is_confirming: bool,
}

/// A server with more names than this for one pack has names that say nothing.
const MOST_NAMES: usize = 16;

/// What stands for a version of a pack: its front index, with the checksums of everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Front {
    pub(crate) len: u64,
    pub(crate) hash: u64,
}

impl Front {
    /// Finds the front in the first bytes of a pack. If they end before it does, all of them count. What follows the front does not count, because
    /// its checksums are not compared before it is loaded.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let len = front_len(bytes).map_or(usize::MAX, |len| usize::try_from(len).unwrap_or(usize::MAX));
        let front = &bytes[..len.min(bytes.len())];
        Self { len: front.len() as u64, hash: kept::hash(front) }
    }
}

impl Version {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the front that was read. The first one decides which version it is, unless it was damaged, so that it is read `again`.
    pub(crate) fn begin(&self, front: Front, again: bool) {
        let mut state = self.state();
        if again {
            state.front = None;
        }
        state.front.get_or_insert(front);
    }

    /// The front, if the pack was opened.
    pub(crate) fn front(&self) -> Option<Front> {
        self.state().front
    }

    /// Whether an answer is known to be of this version. The first one that arrives decides which version it is.
    pub(crate) fn knows(&self, etag: Option<&str>) -> bool {
        // Without a name, checksums find what is of another version.
        let Some(etag) = etag else { return true };
        let mut state = self.state();
        if state.front.is_none() && state.etags.is_empty() {
            state.etags.push(etag.to_owned());
        }
        state.etags.len() > MOST_NAMES || state.etags.iter().any(|known| known == etag)
    }

    /// Takes another name of this version.
    pub(crate) fn add(&self, etag: Option<String>) {
        let mut state = self.state();
        if let Some(etag) = etag.filter(|etag| !state.etags.contains(etag)) {
            state.etags.push(etag);
        }
    }

    /// Forgets what the first answers said, of which no front came.
    pub(crate) fn forget_names(&self) {
        self.state().etags.clear();
    }

    /// Returns what ends the confirmation when it is dropped; `None` if there is one already.
    pub(crate) fn begin_to_confirm(&self) -> Option<Confirmation<'_>> {
        let was = std::mem::replace(&mut self.state().is_confirming, true);
        (!was).then_some(Confirmation(self))
    }
}

/// The front is being read again.
#[derive(Debug)]
pub(crate) struct Confirmation<'a>(&'a Version);

impl Drop for Confirmation<'_> {
    fn drop(&mut self) {
        self.0.state().is_confirming = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_decides_and_others_are_in_doubt() {
        let version = Version::default();
        assert!(version.knows(Some("a")) && version.knows(Some("a")) && version.knows(None));
        assert!(!version.knows(Some("b")));
        version.add(Some("b".to_owned()));
        assert!(version.knows(Some("b")) && version.knows(Some("a")) && !version.knows(Some("c")));
    }

    #[test]
    fn a_front_that_was_kept_has_no_name_yet() {
        let version = Version::default();
        version.begin(Front::of(b"front"), false);
        version.begin(Front::of(b"a longer front"), false);
        assert!(!version.knows(Some("a")));
        assert_eq!(version.front(), Some(Front::of(b"front")));
        version.begin(Front::of(b"mended"), true);
        assert_eq!(version.front(), Some(Front::of(b"mended")));
    }

    #[test]
    fn names_that_are_never_the_same_say_nothing() {
        let version = Version::default();
        version.begin(Front::of(b"front"), false);
        (0..=MOST_NAMES).for_each(|number| version.add(Some(number.to_string())));
        assert!(version.knows(Some("another")));
    }

    #[test]
    fn one_confirmation_runs_at_a_time() {
        let version = Version::default();
        let first = version.begin_to_confirm();
        assert!(first.is_some() && version.begin_to_confirm().is_none());
        drop(first);
        assert!(version.begin_to_confirm().is_some());
    }
}
