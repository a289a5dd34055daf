//! What the new values of loaded assets are made from, as far as it has to be loaded.

use std::collections::HashSet;
use std::sync::Arc;

use rres_format::ResourceId;

use super::Store;
use super::change::Changes;
use super::fetching::{Fetches, fetches};
use crate::handle::{AnyEntry, Choice, Key};

/// What the new values of loaded assets are made from.
pub(super) struct Needs {
    pub(super) assets: Vec<(ResourceId, Choice)>,
    /// What has a value that stays.
    loaded: HashSet<ResourceId>,
    /// How many entries get a new value.
    pub(super) entries: usize,
}

impl Needs {
    pub(super) fn of(alive: &[Arc<dyn AnyEntry>], changed: &Changes<'_>) -> Self {
        let with_values = || alive.iter().filter(|entry| entry.version() > 0);
        let unchanged = || with_values().map(|entry| entry.meta().key).filter(|key| !changed.affect(*key));
        let kept: HashSet<Key> = unchanged().collect();
        let loaded = unchanged().map(|key| key.id).collect();
        let (mut assets, mut entries) = (HashSet::new(), 0);
        for entry in with_values() {
            let (key, provenance) = (entry.meta().key, entry.provenance());
            // What it refers to is not what it is made from.
            let made_from = provenance.as_deref().filter(|provenance| provenance.dependencies.is_empty());
            let sources = made_from.map(|provenance| &provenance.sources[..]).unwrap_or_default();
            if changed.affect(key) || sources.iter().any(|source| changed.affect(*source)) {
                entries += 1;
                // A value of the program is made from the asset with its id, which is one of the sources.
                let own = Some(key).filter(|key| sources.iter().all(|source| source.id != key.id));
                let needed = sources.iter().copied().filter(|source| !kept.contains(source)).chain(own);
                assets.extend(needed.map(|key| (key.id, key.choice)));
            }
        }
        let mut assets: Vec<_> = assets.into_iter().collect();
        assets.sort_by_key(|(id, choice)| (id.0, *choice == Choice::Fixed));
        Self { assets, loaded, entries }
    }

    /// Returns what must be fetched, numbered as the assets.
    pub(super) fn fetches(&self, store: &Store) -> Fetches {
        fetches(&store.mounts(), &store.selection(), &self.assets, |id| !self.loaded.contains(&id))
    }
}
