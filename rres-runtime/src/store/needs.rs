//! What the new values of loaded assets are made from, as far as it has to be loaded.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rres_format::ResourceId;

use super::Store;
use super::change::Changes;
use super::effects::{Effect, effect_on, sources_first};
use super::fetching::{Fetches, fetches};
use crate::handle::{AnyEntry, Choice, Key, Provenance};

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
        let provenances: Vec<Option<Arc<Provenance>>> = alive.iter().map(|entry| entry.provenance()).collect();
        let at: HashMap<Key, usize> = alive.iter().enumerate().map(|(i, entry)| (entry.meta().key, i)).collect();
        let mut effects = vec![Effect::None; alive.len()];
        for position in sources_first(&provenances, &at) {
            let is_new = |source: &Key| match at.get(source) {
                Some(source) => effects[*source] != Effect::None,
                None => changed.affect(*source),
            };
            let effect = effect_on(&*alive[position], provenances[position].as_deref(), changed, is_new);
            effects[position] = if alive[position].version() > 0 { effect } else { Effect::None };
        }
        let is_made = |position: usize| matches!(effects[position], Effect::Reload | Effect::Retry);
        let is_kept = |position: usize| alive[position].version() > 0 && !is_made(position);
        let kept = (0..alive.len()).filter(|position| is_kept(*position)).map(|position| alive[position].meta().key.id);
        let loaded = kept.collect();
        let mut assets = HashSet::new();
        for position in (0..alive.len()).filter(|position| is_made(*position)) {
            let key = alive[position].meta().key;
            // What it refers to is not what it is made from.
            let made_from = provenances[position].as_deref().filter(|provenance| provenance.dependencies.is_empty());
            let sources = made_from.map(|provenance| &provenance.sources[..]).unwrap_or_default();
            // A value of the program is made from the asset with its id, which is one of the sources.
            let own = Some(key).filter(|key| sources.iter().all(|source| source.id != key.id));
            let has_value = |source: &Key| at.get(source).is_some_and(|at| is_kept(*at));
            let needed = sources.iter().copied().filter(|source| !has_value(source)).chain(own);
            assets.extend(needed.map(|key| (key.id, key.choice)));
        }
        let entries = effects.iter().filter(|effect| matches!(effect, Effect::Touch | Effect::Reload)).count();
        let mut assets: Vec<_> = assets.into_iter().collect();
        assets.sort_by_key(|(id, choice)| (id.0, *choice == Choice::Fixed));
        Self { assets, loaded, entries }
    }

    /// Returns what must be fetched, numbered as the assets.
    pub(super) fn fetches(&self, store: &Store) -> Fetches {
        fetches(&store.mounts(), &store.selection(), &self.assets, |id| !self.loaded.contains(&id))
    }
}
