//! Assets that have changed → new values in the entries that are alive, and in those made from them.

use std::collections::HashMap;
use std::sync::Arc;

use super::Store;
use super::ahead::Ahead;
use super::change::{Changes, drop_later};
use super::effects::{Effect, effect_on, sources_first};
use super::load::catching;
use crate::events::{Event, Unheard};
use crate::handle::{Acquired, AnyEntry, AnyHandle, Key, Phase, Provenance};

/// What a change has done to loaded assets.
#[derive(Clone, Copy)]
pub(crate) struct Refreshed {
    /// How many have a new value.
    pub(crate) renewed: usize,
    /// Whether something that is loaded was made from what has changed, also if it could not be made again.
    pub(crate) is_loaded: bool,
}

/// Gives new values to the entries that the change affects, each after those that its value was made from.
pub(super) fn refresh(
    store: &Store,
    alive: Vec<Arc<dyn AnyEntry>>,
    changed: &Changes<'_>,
    ahead: Option<&Ahead>,
) -> Refreshed {
    let provenances: Vec<Option<Arc<Provenance>>> = alive.iter().map(|entry| entry.provenance()).collect();
    let at: HashMap<Key, usize> = alive.iter().enumerate().map(|(i, entry)| (entry.meta().key, i)).collect();
    let mut effects = vec![Effect::None; alive.len()];
    let mut refreshed = Refreshed { renewed: 0, is_loaded: false };
    let mut unheard = Unheard::new("assets with new values");
    for position in sources_first(&provenances, &at) {
        let entry = &alive[position];
        // A source may have been freed after use; it was made from the asset with its id.
        let is_new = |source: &Key| match at.get(source) {
            Some(source) => effects[*source] != Effect::None,
            None => changed.affect(*source),
        };
        let effect = effect_on(&**entry, provenances[position].as_deref(), changed, is_new);
        let is_renewed = apply(store, entry, effect);
        ahead.iter().for_each(|ahead| ahead.release(entry.meta().key));
        if effect == Effect::Retry && !is_renewed {
            continue;
        }
        effects[position] = effect;
        refreshed.is_loaded |= effect != Effect::None;
        if is_renewed {
            let handle = AnyHandle::new(Arc::clone(entry)).expect("an entry with a new value has one");
            match changed.is_summed_up {
                true => drop(store.shared.listeners.tell(&Event::Changed(handle))),
                false => store.shared.listeners.publish_all(&mut unheard, Event::Changed(handle)),
            }
            refreshed.renewed += 1;
        }
    }
    store.shared.watchers.add(changed.contents.iter().chain(changed.choices).copied());
    // Another thread may have dropped the last handle of some meanwhile.
    drop_later(alive);
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
        (Effect::None, _) | (Effect::Touch | Effect::Retry, 0) => false,
        // A first load that failed gets another chance if somebody still holds the entry.
        (Effect::Reload, 0) => {
            matches!(entry.load_once().phase(), Phase::Failed(_)) && store.load_any_catching(entry).is_ok()
        }
        (Effect::Touch, _) => {
            entry.touch();
            true
        }
        (Effect::Reload | Effect::Retry, _) => match catching(meta, || store.reload_any(entry)) {
            Ok(is_renewed) => {
                entry.set_failure(None);
                is_renewed
            }
            Err(error) => {
                let is_known = entry.failure().is_some_and(|known| known.to_string() == error.to_string());
                entry.set_failure(Some(error.clone()));
                // A user who has saved something else does not want to read it again.
                if effect == Effect::Reload || !is_known {
                    store.publish(Event::ReloadFailed { path: meta.path.to_string(), error });
                }
                false
            }
        },
    }
}
