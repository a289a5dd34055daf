//! Assets that have changed → new values in the entries that are alive, and in those made from them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rres_format::ResourceId;

use super::Store;
use super::load::catching;
use crate::events::{Event, Unheard};
use crate::handle::{Acquired, AnyEntry, AnyHandle, Choice, Key, Phase, Provenance};

/// What has changed.
#[derive(Clone, Copy)]
pub(super) struct Changes<'c> {
    /// The resources that have other contents.
    pub(super) contents: &'c HashSet<ResourceId>,
    /// The assets for which another variant is loaded, or one with other contents.
    pub(super) choices: &'c HashSet<ResourceId>,
    /// Whether an event of its own says how many assets have changed, so that none has to be printed.
    pub(super) is_summed_up: bool,
}

impl Changes<'_> {
    /// Whether the asset with this key has to be made again.
    fn affect(&self, key: Key) -> bool {
        self.contents.contains(&key.id) || key.choice == Choice::Preferred && self.choices.contains(&key.id)
    }
}

/// What a change means to one entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    /// Something that the value refers to is new.
    Touch,
    /// The value has to be made again.
    Reload,
}

/// What a change has done to loaded assets.
#[derive(Clone, Copy)]
pub(crate) struct Refreshed {
    /// How many have a new value.
    pub(crate) renewed: usize,
    /// Whether something that is loaded was made from what has changed, also if it could not be made again.
    pub(crate) is_loaded: bool,
}

/// Gives new values to the entries that the change affects.
pub(super) fn refresh(store: &Store, changed: &Changes<'_>) -> Refreshed {
    let alive = settled(store);
    let mut refreshed = Refreshed { renewed: 0, is_loaded: false };
    let mut unheard = Unheard::new("assets with new values");
    for (entry, effect) in effects(&alive, changed) {
        refreshed.is_loaded |= effect != Effect::None;
        if apply(store, entry, effect) {
            let handle = AnyHandle::new(Arc::clone(entry)).expect("an entry with a new value has one");
            match changed.is_summed_up {
                true => drop(store.shared.listeners.tell(&Event::Changed(handle))),
                false => store.shared.listeners.publish_all(&mut unheard, Event::Changed(handle)),
            }
            refreshed.renewed += 1;
        }
    }
    store.shared.watchers.add(changed.contents.iter().chain(changed.choices).copied());
    refreshed
}

/// Returns the entries that are alive, after those that are loading have finished: their loads may have begun before a change, and what a
/// value was made from is known when it is made.
pub(super) fn settled(store: &Store) -> Vec<Arc<dyn AnyEntry>> {
    let alive = store.shared.table.alive();
    for entry in alive.iter().filter(|entry| matches!(entry.load_once().phase(), Phase::Loading(_))) {
        if let Acquired::MustLoad(guard) = entry.load_once().acquire(&store.shared.waits) {
            drop(guard);
        }
    }
    alive
}

/// Returns whether the entry has a new value, or counts as new. A panic of the program's code is a failure of this entry: the others still
/// get their values, and the thread of hot reload goes on.
fn apply(store: &Store, entry: &Arc<dyn AnyEntry>, effect: Effect) -> bool {
    let meta = entry.meta();
    match (effect, entry.version()) {
        (Effect::None, _) | (Effect::Touch, 0) => false,
        // A first load that failed gets another chance if somebody still holds the entry.
        (Effect::Reload, 0) => {
            matches!(entry.load_once().phase(), Phase::Failed(_)) && catching(meta, || store.load_any(entry)).is_ok()
        }
        (Effect::Touch, _) => {
            entry.touch();
            true
        }
        (Effect::Reload, _) => catching(meta, || store.reload_any(entry)).unwrap_or_else(|error| {
            store.publish(Event::ReloadFailed { path: meta.path.to_string(), error });
            false
        }),
    }
}

/// Returns what the change means to each entry. An entry comes after those that its value was made from.
fn effects<'e>(alive: &'e [Arc<dyn AnyEntry>], changed: &Changes<'_>) -> Vec<(&'e Arc<dyn AnyEntry>, Effect)> {
    let provenances: Vec<Option<Arc<Provenance>>> = alive.iter().map(|entry| entry.provenance()).collect();
    let at: HashMap<Key, usize> = alive.iter().enumerate().map(|(i, entry)| (entry.meta().key, i)).collect();
    let mut effects = vec![Effect::None; alive.len()];
    let order = sources_first(&provenances, &at);
    for &entry in &order {
        let provenance = provenances[entry].as_deref();
        let meta = alive[entry].meta();
        // A source may have been freed after use; it was made from the asset with its id.
        let is_new = |source: &Key| match at.get(source) {
            Some(source) => effects[*source] != Effect::None,
            None => changed.affect(*source),
        };
        effects[entry] = if changed.affect(meta.key) {
            Effect::Reload
        } else if !provenance.is_some_and(|provenance| provenance.sources.iter().any(is_new)) {
            Effect::None
        } else if provenance.is_some_and(|provenance| !provenance.dependencies.is_empty()) {
            // A model refers to its images by id and need not be decoded again.
            Effect::Touch
        } else {
            Effect::Reload
        };
    }
    order.into_iter().map(|entry| (&alive[entry], effects[entry])).collect()
}

/// Returns the positions of all entries, each one after those that its value was made from.
fn sources_first(provenances: &[Option<Arc<Provenance>>], at: &HashMap<Key, usize>) -> Vec<usize> {
    let mut made_from_it = vec![Vec::new(); provenances.len()];
    let mut waits_for = vec![0; provenances.len()];
    for (entry, provenance) in provenances.iter().enumerate() {
        for source in provenance.iter().flat_map(|provenance| &provenance.sources).filter_map(|key| at.get(key)) {
            made_from_it[*source].push(entry);
            waits_for[entry] += 1;
        }
    }
    let mut ready: VecDeque<usize> = (0..provenances.len()).filter(|entry| waits_for[*entry] == 0).collect();
    let mut order = Vec::with_capacity(provenances.len());
    while let Some(source) = ready.pop_front() {
        order.push(source);
        for entry in &made_from_it[source] {
            waits_for[*entry] -= 1;
            if waits_for[*entry] == 0 {
                ready.push_back(*entry);
            }
        }
    }
    // The rest are values that were made from each other at different times. Their order does not matter.
    order.extend((0..provenances.len()).filter(|entry| waits_for[*entry] > 0));
    order
}
