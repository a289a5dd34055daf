//! The packs that games have, and the one that they should have.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rres_packs::compare::Side;
use rres_packs::{PackOpener, PackSet, patching};
use rres_protocol::network::{MAX_NEWS, News};

use crate::exit::Failure;

/// How many packs are remembered for games that have them. Each build adds one, which a game may be installed with.
const MAX_BASES: usize = 64;

/// The longest message about faults, in bytes.
const MAX_FAULT: usize = 16 << 10;

#[derive(Default)]
pub(super) struct Packs(Mutex<State>);

#[derive(Default)]
struct State {
    /// The packs that games may have, the oldest first.
    bases: Vec<Arc<Base>>,
    /// The newest pack.
    newest: Option<Arc<Base>>,
    /// What is wrong since it was built.
    fault: Option<String>,
    seen: Seen,
}

/// How often packs were built, and faults found: what a game has been sent.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    packs: u64,
    faults: u64,
}

/// A pack set, and what tells it from others.
pub(super) struct Base {
    set: PackSet,
    checksums: Vec<u32>,
    /// Where the packs were copied to, if they had to be.
    _copies: Option<tempfile::TempDir>,
}

impl Base {
    fn open(pack: &Path) -> Result<Self, Failure> {
        // Windows does not let a build replace a pack that is open here.
        let copies = if cfg!(windows) { Some(copied(pack)?) } else { None };
        let at = copies.as_ref().map_or(pack.to_owned(), |dir| dir.path().join(pack.file_name().unwrap_or_default()));
        let set = PackOpener::default().open_set(&at)?;
        let checksums = {
            let side = Side::new(&set)?;
            if !side.has_index || side.is_dev_index {
                let name = pack.display();
                return Err(Failure::Usage(format!("{name} is no pack of rres-build, which games could follow from")));
            }
            patching::checksums(&side)
        };
        Ok(Self { set, checksums, _copies: copies })
    }
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

impl Packs {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a pack that games may have.
    pub(super) fn add_base(&self, pack: &Path) -> Result<(), Failure> {
        let base = Arc::new(Base::open(pack)?);
        self.state().add(base);
        Ok(())
    }

    /// Makes a pack the newest one.
    pub(super) fn publish(&self, pack: &Path) -> Result<(), Failure> {
        let newest = Arc::new(Base::open(pack)?);
        let mut state = self.state();
        state.add(Arc::clone(&newest));
        (state.newest, state.fault) = (Some(newest), None);
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
    pub(super) fn base(&self, checksums: &[u32]) -> Option<Arc<Base>> {
        self.state().bases.iter().find(|base| base.checksums == checksums).map(Arc::clone)
    }

    /// Returns what to send to a game that has `base`, with the number of assets that differ, and notes it in `seen`.
    pub(super) fn news(&self, base: &Base, seen: &mut Seen) -> Vec<(usize, News)> {
        let (before, newest, fault) = {
            let state = self.state();
            (std::mem::replace(seen, state.seen), state.newest.clone(), state.fault.clone())
        };
        let newest = newest.filter(|_| before.packs != seen.packs);
        let fault = fault.filter(|_| before != *seen);
        let differing = newest.map(|newest| match differing(base, &newest) {
            Ok(news) => news,
            Err(error) => (0, News::Fault(error.to_string())),
        });
        differing.into_iter().chain(fault.map(|text| (0, News::Fault(text)))).collect()
    }
}

impl State {
    fn add(&mut self, base: Arc<Base>) {
        self.bases.retain(|known| known.checksums != base.checksums);
        self.bases.push(base);
        let too_many = self.bases.len().saturating_sub(MAX_BASES);
        self.bases.drain(..too_many);
    }
}

fn differing(base: &Base, newest: &Base) -> Result<(usize, News), rres_packs::Error> {
    let [old, new] = [Side::new(&base.set)?, Side::new(&newest.set)?];
    let overlay = patching::overlay(&old, &new)?;
    let pack = if overlay.count == 0 { Vec::new() } else { overlay.to_vec(MAX_NEWS)? };
    Ok((overlay.count, News::Assets(pack)))
}
