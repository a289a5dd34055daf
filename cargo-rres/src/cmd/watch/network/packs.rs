//! The packs that games have, and the one that they should have.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rres_packs::compare::Side;
use rres_packs::patching::{Outlines, overlay};
use rres_packs::{PackOpener, PackSet};
use rres_protocol::network::{MAX_NEWS, News};

use crate::exit::Failure;

/// The longest message about faults, in bytes.
const MAX_FAULT: usize = 16 << 10;
/// How many packs that were built since the start are known although no game follows from them. Each edit builds one.
const REMEMBERED: usize = 16;

#[derive(Default)]
pub(super) struct Packs(Mutex<State>);

#[derive(Default)]
struct State {
    /// The packs that games may have, from the start on: what their resources are, without their bytes.
    bases: Vec<Arc<Outlines>>,
    /// Those that were built later, the newest one last.
    built: Vec<Arc<Outlines>>,
    newest: Option<Arc<Newest>>,
    /// What is wrong since it was built.
    fault: Option<String>,
    seen: Seen,
}

/// The newest pack set.
struct Newest {
    set: PackSet,
    /// Where it was copied to, if it had to be.
    _copies: Option<tempfile::TempDir>,
}

/// How often packs were built, and faults found: what a game has been sent.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    packs: u64,
    faults: u64,
}

/// What to send to a game.
pub(super) struct Change {
    pub(super) news: News,
    /// The number of the assets that differ; `None` if the news are of something else.
    pub(super) count: Option<usize>,
    /// Whether the terminal has it already.
    pub(super) is_printed: bool,
}

impl Packs {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a pack that games may have.
    pub(super) fn add_base(&self, pack: &Path) -> Result<(), Failure> {
        let set = PackOpener::default().open_set(pack)?;
        let base = outlines(&set, pack)?;
        self.state().add_base(base);
        Ok(())
    }

    /// Makes a pack the newest one.
    pub(super) fn publish(&self, pack: &Path) -> Result<(), Failure> {
        // Windows does not let a build replace a pack that is open here.
        let copies = if cfg!(windows) { Some(copied(pack)?) } else { None };
        let at = copies.as_ref().map_or(pack.to_owned(), |dir| dir.path().join(pack.file_name().unwrap_or_default()));
        let newest = Newest { set: PackOpener::default().open_set(&at)?, _copies: copies };
        let base = outlines(&newest.set, pack)?;
        let mut state = self.state();
        match state.newest {
            None => state.add_base(base),
            Some(_) => state.add_built(base),
        }
        (state.newest, state.fault) = (Some(Arc::new(newest)), None);
        state.seen.packs += 1;
        Ok(())
    }

    /// Tells what is wrong with the sources. The newest pack stays.
    pub(super) fn fault(&self, text: &str) {
        let mut end = text.len().min(MAX_FAULT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut state = self.state();
        state.fault = Some(text[..end].to_owned());
        state.seen.faults += 1;
    }

    /// Returns the pack set with these checksums.
    pub(super) fn base(&self, checksums: &[u32]) -> Option<Arc<Outlines>> {
        let state = self.state();
        let mut known = state.bases.iter().chain(&state.built);
        known.find(|base| base.checksums() == checksums).map(Arc::clone)
    }

    /// Returns what to send to a game that has `base`, and notes it in `seen`.
    pub(super) fn news(&self, base: &Outlines, seen: &mut Seen) -> Vec<Change> {
        let (before, newest, fault) = {
            let state = self.state();
            (std::mem::replace(seen, state.seen), state.newest.clone(), state.fault.clone())
        };
        let mut all = Vec::new();
        if let Some(newest) = newest.filter(|_| before.packs != seen.packs) {
            match differing(base, &newest.set) {
                Ok(changes) => all.extend(changes),
                Err(error) => all.push(Change { news: News::Fault(error.to_string()), count: None, is_printed: false }),
            }
        }
        let fault = fault.filter(|_| before != *seen);
        all.extend(fault.map(|text| Change { news: News::Fault(text), count: None, is_printed: true }));
        all
    }
}

impl State {
    fn add_base(&mut self, base: Outlines) {
        if !self.bases.iter().any(|known| known.checksums() == base.checksums()) {
            self.bases.push(Arc::new(base));
        }
    }

    fn add_built(&mut self, base: Outlines) {
        if self.bases.iter().any(|known| known.checksums() == base.checksums()) {
            return;
        }
        let known = self.built.iter().position(|known| known.checksums() == base.checksums());
        let base = known.map_or_else(|| Arc::new(base), |known| self.built.remove(known));
        self.built.push(base);
        forget(&mut self.built);
    }
}

/// Forgets all but the last packs, and those that games follow from, which share them.
fn forget<T>(built: &mut Vec<Arc<T>>) {
    let mut old = built.len().saturating_sub(REMEMBERED);
    built.retain(|base| {
        let is_old = old > 0;
        old = old.saturating_sub(1);
        !is_old || Arc::strong_count(base) > 1
    });
}

fn outlines(set: &PackSet, pack: &Path) -> Result<Outlines, Failure> {
    let side = Side::new(set)?;
    if !side.has_index || side.is_dev_index {
        return Err(Failure::Usage(format!(
            "{} is no pack of rres-build, which games could follow from",
            pack.display()
        )));
    }
    Ok(Outlines::of(&side))
}

fn differing(base: &Outlines, newest: &PackSet) -> Result<Vec<Change>, rres_packs::Error> {
    let new = Side::new(newest)?;
    let overlay = overlay(base, &new)?;
    let pack = if overlay.count == 0 { Vec::new() } else { overlay.to_vec(MAX_NEWS)? };
    let refused = (!overlay.of_other_kind.is_empty()).then(|| {
        let names = overlay.of_other_kind.join(", ");
        let text =
            format!("of another kind than in the pack of the game, so it is not sent: {names}; install the game again");
        Change { news: News::Fault(text), count: None, is_printed: false }
    });
    let sent = Change { news: News::Assets(pack), count: Some(overlay.count), is_printed: overlay.count == 0 };
    Ok([sent].into_iter().chain(refused).collect())
}

/// Copies a pack and the additional packs of its set.
fn copied(pack: &Path) -> Result<tempfile::TempDir, Failure> {
    let copy = || {
        let dir = tempfile::tempdir()?;
        let mut file = Some(pack.to_owned());
        for number in 1.. {
            let Some(found) = file.filter(|file| number == 1 || file.is_file()) else { break };
            std::fs::copy(&found, dir.path().join(found.file_name().unwrap_or_default()))?;
            file = Some(rres_protocol::files::additional_pack(pack, number));
        }
        Ok(dir)
    };
    copy().map_err(|e: std::io::Error| Failure::Usage(format!("cannot copy {}: {e}", pack.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_packs_are_remembered_and_those_that_games_have() {
        let mut built: Vec<Arc<usize>> = Vec::new();
        let mut followed = Vec::new();
        for number in 0..100 {
            let base = Arc::new(number);
            followed.extend(Some(&base).filter(|_| number == 3).cloned());
            built.push(base);
            forget(&mut built);
        }
        let known = |built: &[Arc<usize>]| built.iter().map(|base| **base).collect::<Vec<_>>();
        assert_eq!(known(&built), [3].into_iter().chain(84..100).collect::<Vec<_>>());
        followed.clear();
        forget(&mut built);
        assert_eq!(known(&built), (84..100).collect::<Vec<_>>());
    }
}
