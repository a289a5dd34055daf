//! What a change means to each entry, and in which order the entries get their values.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::change::Changes;
use crate::handle::{AnyEntry, Key, Provenance};

/// What a change means to one entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// Something that the value refers to is new.
    Touch,
    /// The value has to be made again.
    Reload,
    /// The value could not be made again after an earlier change. This one may be the cure: what the failed attempt has asked for is not known.
    Retry,
}

/// Returns what the change means to an entry. `is_new` tells whether one that its value was made from is new.
pub(super) fn effect_on(
    entry: &dyn AnyEntry,
    provenance: Option<&Provenance>,
    changed: &Changes<'_>,
    is_new: impl Fn(&Key) -> bool,
) -> Effect {
    let has_failed = entry.failure().is_some();
    if changed.affect(entry.meta().key) {
        return Effect::Reload;
    }
    match provenance.filter(|provenance| provenance.sources.iter().any(is_new)) {
        // A model refers to its images by id and need not be decoded again.
        Some(provenance) if !provenance.dependencies.is_empty() && !has_failed => Effect::Touch,
        Some(_) => Effect::Reload,
        None if has_failed && changed.is_any() => Effect::Retry,
        None => Effect::None,
    }
}

/// Returns the positions of all entries, each one after those that its value was made from.
pub(super) fn sources_first(provenances: &[Option<Arc<Provenance>>], at: &HashMap<Key, usize>) -> Vec<usize> {
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
