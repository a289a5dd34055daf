//! What keeps the assets of a store alive, counted at one moment.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, MutexGuard};

use super::Store;
use crate::handle::{AnyEntry, Key};
use crate::sync::lock;

/// The entries that are alive, and which of them hold which others.
///
/// An entry has four kinds of owners: handles (also those in groups), entries that depend on it, the store if the asset
/// is pinned or the budget keeps it, and this list. All but handles are known here, so the rest of the owners are
/// handles.
pub(super) struct Holders<'s> {
    /// The list of another thread would hold the entries, too. The first field is dropped first.
    _turn: MutexGuard<'s, ()>,
    alive: Vec<Arc<dyn AnyEntry>>,
    /// For each entry that others depend on, those others, once for each time that they hold it.
    dependents: HashMap<Key, Vec<usize>>,
    /// Entries that the store holds.
    kept: HashSet<Key>,
}

/// Lets go of the entries before the turn, but for those that nothing else owns: the code of their values may list entries itself.
impl Drop for Holders<'_> {
    fn drop(&mut self) {
        self.alive.retain(|entry| Arc::strong_count(entry) == 1);
    }
}

impl Store {
    /// Counts what holds the entries. A thread must not have two of these at a time.
    pub(super) fn holders(&self) -> Holders<'_> {
        let turn = lock(&self.shared.counting);
        let alive = self.shared.table.alive();
        let mut dependents: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, entry) in alive.iter().enumerate() {
            for dependency in entry.provenance().iter().flat_map(|provenance| &provenance.dependencies) {
                dependents.entry(dependency.meta().key).or_default().push(at);
            }
        }
        Holders { _turn: turn, alive, dependents, kept: self.shared.residency.held() }
    }
}

impl Holders<'_> {
    /// Returns every entry that is alive.
    pub(super) fn alive(&self) -> impl Iterator<Item = &Arc<dyn AnyEntry>> {
        self.alive.iter()
    }

    /// Returns whether the store holds the entry with this key.
    pub(super) fn is_kept(&self, key: Key) -> bool {
        self.kept.contains(&key)
    }

    /// Returns the entries that depend on the one with this key.
    pub(super) fn dependents(&self, key: Key) -> impl Iterator<Item = &Arc<dyn AnyEntry>> {
        let mut all = self.dependents.get(&key).cloned().unwrap_or_default();
        all.dedup();
        all.into_iter().map(|at| &self.alive[at])
    }

    /// Returns how many handles an entry has.
    pub(super) fn handles(&self, entry: &Arc<dyn AnyEntry>) -> usize {
        let key = entry.meta().key;
        let dependents = self.dependents.get(&key).map_or(0, Vec::len);
        let list = 1;
        Arc::strong_count(entry).saturating_sub(list + dependents + usize::from(self.kept.contains(&key)))
    }
}
