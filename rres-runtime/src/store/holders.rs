//! What keeps the assets of a store alive, counted at one moment.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use super::Store;
use crate::handle::{AnyEntry, Key};
use crate::sync::lock;

/// The entries that are alive, and which of them hold which others.
///
/// An entry has four kinds of owners: handles (also those in groups), entries that depend on it, the store if the asset
/// is pinned or the budget keeps it, and this list. All but handles are known here, so the rest of the owners are
/// handles.
pub(super) struct Holders<'s> {
    alive: Vec<Arc<dyn AnyEntry>>,
    /// For each entry that others depend on, those others, once for each time that they hold it.
    dependents: HashMap<Key, Vec<usize>>,
    /// Entries that the store holds.
    kept: HashSet<Key>,
    /// Given up after the entries: the last field is dropped last.
    _turn: Turn<'s>,
}

thread_local! {
    /// Whether this thread has a turn.
    static HAS_TURN: Cell<bool> = const { Cell::new(false) };
}

/// The right to have a list of all entries, which another thread would count as handles.
///
/// A list that ends may be the last owner of a value, whose own code may ask for a list again. It gets one without waiting for itself.
struct Turn<'s>(Option<MutexGuard<'s, ()>>);

impl<'s> Turn<'s> {
    fn wait(counting: &'s Mutex<()>) -> Self {
        if HAS_TURN.get() {
            return Self(None);
        }
        let turn = lock(counting);
        HAS_TURN.set(true);
        Self(Some(turn))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if self.0.is_some() {
            HAS_TURN.set(false);
        }
    }
}

impl Store {
    /// Counts what holds the entries.
    pub(super) fn holders(&self) -> Holders<'_> {
        let turn = Turn::wait(&self.shared.counting);
        let alive = self.shared.table.alive();
        let mut dependents: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, entry) in alive.iter().enumerate() {
            for dependency in entry.provenance().iter().flat_map(|provenance| &provenance.dependencies) {
                dependents.entry(dependency.meta().key).or_default().push(at);
            }
        }
        Holders { alive, dependents, kept: self.shared.residency.held(), _turn: turn }
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
