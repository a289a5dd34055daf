//! Which parts of packs a load needs, for packs that are read in parts.

use std::collections::HashSet;
use std::sync::Arc;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::Store;
use crate::group::AssetList;
use crate::handle::Choice;
use crate::mounts::Mounts;
use crate::pool::Priority;
use crate::source::{PartSource, Source, Ticket};
use crate::variants::Selection;

/// How many bytes of some assets are here; see [`Store::stored_bytes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredBytes {
    /// The bytes that the assets and their dependencies take in their packs.
    pub total: u64,
    /// Those of them that are in memory or in a file of this computer. What a source keeps by itself, such as on disk, does not count
    /// until it was read.
    pub here: u64,
}

impl Store {
    /// Returns how many bytes loading some assets would fetch: those of a group, a folder or a list of ids. Nothing is fetched or
    /// loaded.
    ///
    /// ```
    /// use rres_runtime::{AssetList, Store};
    ///
    /// fn describe(store: &Store, level: AssetList) -> String {
    ///     let bytes = store.stored_bytes(level);
    ///     format!("{} of {} bytes left to download", bytes.total - bytes.here, bytes.total)
    /// }
    /// ```
    pub fn stored_bytes<G>(&self, group: impl Into<AssetList<G>>) -> StoredBytes {
        let (mounts, selection) = (self.mounts(), self.selection());
        let (mut bytes, mut seen) = (StoredBytes::default(), HashSet::new());
        for id in group.into().ids() {
            for (id, source, slot) in with_dependencies(&mounts, &selection, id, Choice::Preferred) {
                let size = source.index().stored_range(slot).map_or(0, |range| u64::from(range.size));
                if seen.insert(id) {
                    bytes.total += size;
                    bytes.here += source.parts().map_or(size, |parts| parts.here(slot));
                }
            }
        }
        bytes
    }
}

impl Store {
    /// Chooses what is read from packs that are read in parts: from now on only requests of this priority and of higher ones are sent. The
    /// others wait, and their loads with them; requests that were sent already are answered to the end.
    ///
    /// With [`Priority::High`], downloads in the background pause, such as during a match, and what [`Self::load`] waits for is still read. With
    /// [`Priority::Low`], which is the default, everything is read. It applies to the packs that are mounted now.
    ///
    /// ```
    /// use rres_runtime::{Priority, Store};
    ///
    /// fn set_match(store: &Store, is_running: bool) {
    ///     store.fetch_from(if is_running { Priority::High } else { Priority::Low });
    /// }
    /// ```
    pub fn fetch_from(&self, least: Priority) {
        self.mounts().sources().filter_map(Source::parts).for_each(|parts| parts.send_from(least));
    }
}

/// What is fetched from one pack.
pub(super) struct Fetch {
    pub(super) parts: Arc<dyn PartSource>,
    /// One for each job that needs something of the pack, numbered as the jobs.
    pub(super) tickets: Vec<Ticket>,
    /// The jobs whose own resources are in the pack, and their slots.
    pub(super) own: Vec<(usize, u32)>,
}

/// What is fetched, by pack.
pub(super) type Fetches = Vec<Fetch>;

/// Returns what must be fetched so that each of `assets`, which are jobs, can be loaded with everything that it depends on.
/// `is_needed` tells whether that has to be loaded for a dependency, too. That is nothing if all packs are files.
pub(super) fn fetches(
    mounts: &Mounts,
    selection: &Selection,
    assets: &[(ResourceId, Choice)],
    is_needed: impl Fn(ResourceId) -> bool,
) -> Fetches {
    let mut fetches = Fetches::new();
    if mounts.are_whole() {
        return fetches;
    }
    for (job, (asset, choice)) in assets.iter().enumerate() {
        for (id, source, slot) in needed(mounts, selection, *asset, *choice, &is_needed) {
            let Some(parts) = source.parts() else { continue };
            let known = fetches.iter().position(|fetch| Arc::ptr_eq(&fetch.parts, parts));
            let at = known.unwrap_or_else(|| {
                fetches.push(Fetch { parts: Arc::clone(parts), tickets: Vec::new(), own: Vec::new() });
                fetches.len() - 1
            });
            let fetch = &mut fetches[at];
            if id == *asset {
                fetch.own.push((job, slot));
            }
            match fetch.tickets.last_mut().filter(|ticket| ticket.number == job) {
                Some(ticket) => ticket.slots.push(slot),
                None => fetch.tickets.push(Ticket { slots: vec![slot], number: job }),
            }
        }
    }
    fetches
}

/// Returns an asset and everything that it depends on, in the variants that are chosen; `choice` is about the asset alone.
pub(super) fn with_dependencies<'m>(
    mounts: &'m Mounts,
    selection: &Selection,
    id: ResourceId,
    choice: Choice,
) -> Vec<(ResourceId, &'m Source, u32)> {
    needed(mounts, selection, id, choice, |_| true)
}

/// Like [`with_dependencies`], without the dependencies that are not needed.
fn needed<'m>(
    mounts: &'m Mounts,
    selection: &Selection,
    id: ResourceId,
    choice: Choice,
    is_needed: impl Fn(ResourceId) -> bool,
) -> Vec<(ResourceId, &'m Source, u32)> {
    let (mut found, mut seen, mut left) = (Vec::new(), HashSet::from([id]), vec![id]);
    let asset = id;
    while let Some(id) = left.pop() {
        let chosen = if id == asset && choice == Choice::Fixed { id } else { selection.of(id) };
        let Some((source, slot)) = mounts.locate(chosen, Slot(0)) else { continue };
        found.push((id, source, slot));
        let dependencies = source.index().dependencies(slot).into_iter().flatten();
        left.extend(dependencies.filter(|id| is_needed(*id) && seen.insert(*id)));
    }
    found
}
