//! Assets that have changed → new values in the cells that are alive, and in those that were made of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rres_format::ResourceId;

use super::events::Event;
use super::make::is_making;
use super::{Mounts, Store};
use crate::error::{Error, ErrorKind};
use crate::handle::AnyHandle;
use crate::handle::cell::{AnyCell, Key};
use crate::handle::gate::{Entered, Phase};
use crate::sync::lock;

/// What a change means to one cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    /// Something that it leads to is new.
    Touched,
    /// It has to be made again.
    Remade,
}

impl Store {
    /// Looks for assets in another order or in other sources from now on, and makes those of `changed` that are loaded
    /// again. Tells how many are new.
    pub(crate) fn replace_mounts(
        &self,
        next: impl FnOnce(&Mounts) -> crate::Result<(Mounts, HashSet<ResourceId>)>,
    ) -> crate::Result<usize> {
        if is_making() {
            let why = "the order of packs cannot change within `from_asset`, which is made again when it does";
            return Err(Error::new(ErrorKind::Overlay(why.to_owned())));
        }
        // One change at a time: who is last to be mounted is last to be made.
        let _refreshing = lock(&self.shared.refreshing);
        let (mounts, changed) = next(&self.mounts())?;
        self.shared.set_mounts(mounts);
        Ok(self.refresh(&changed))
    }

    fn refresh(&self, changed: &HashSet<ResourceId>) -> usize {
        let alive = self.shared.table.alive();
        let cells: HashMap<Key, &Arc<dyn AnyCell>> = alive.iter().map(|cell| (cell.head().key(), cell)).collect();
        for cell in cells.values().filter(|cell| matches!(cell.gate().phase(), Phase::Loading(_))) {
            // It may have begun before the change; what it is made of is known at its end.
            if let Entered::Turn(turn) = cell.gate().enter(&self.shared.waits) {
                drop(turn);
            }
        }
        let mut effects = HashMap::new();
        let mut order = Vec::new();
        for key in cells.keys() {
            effect(*key, &cells, changed, &mut effects, &mut order);
        }
        let mut renewed = 0;
        // A cell comes after what it was made of.
        for key in order {
            let cell = cells[&key];
            let is_new = match (effects[&key], cell.version()) {
                (Effect::None, _) | (Effect::Touched, 0) => false,
                (Effect::Remade, 0) => self.retry(cell),
                (Effect::Touched, _) => {
                    cell.touch();
                    true
                }
                (Effect::Remade, _) => cell.remake(self).unwrap_or_else(|error| {
                    self.shared.listeners.tell(Event::Failed { path: cell.head().path.to_string(), error });
                    false
                }),
            };
            if is_new {
                self.shared.listeners.tell(Event::Changed(AnyHandle(Arc::clone(cell))));
                renewed += 1;
            }
        }
        renewed
    }

    /// An asset whose first load failed gets another chance when it changes, if somebody still waits for it.
    fn retry(&self, cell: &Arc<dyn AnyCell>) -> bool {
        matches!(cell.gate().phase(), Phase::Failed(_)) && Arc::clone(cell).load_any(self).is_ok()
    }
}

fn effect(
    key: Key,
    cells: &HashMap<Key, &Arc<dyn AnyCell>>,
    changed: &HashSet<ResourceId>,
    effects: &mut HashMap<Key, Effect>,
    order: &mut Vec<Key>,
) -> Effect {
    let own = changed.contains(&key.0);
    if let Some(effect) = effects.get(&key) {
        return *effect;
    }
    let Some(cell) = cells.get(&key) else {
        // Something that was freed after use; made again when it is asked for.
        return if own { Effect::Remade } else { Effect::None };
    };
    // Stands while its sources are looked at, should they lead back here.
    effects.insert(key, Effect::None);
    let made_of = cell.made_of();
    let sources = made_of.iter().flat_map(|made| &made.sources);
    let of_sources = sources.filter(|source| effect(**source, cells, changed, effects, order) != Effect::None).count();
    let keeps = made_of.as_ref().is_some_and(|made| !made.needs.is_empty());
    let effect = match (own, of_sources) {
        (true, _) => Effect::Remade,
        (false, 0) => Effect::None,
        // A model leads to its images by id and need not be decoded again; what a program made has to be made again.
        (false, _) if keeps => Effect::Touched,
        (false, _) => Effect::Remade,
    };
    effects.insert(key, effect);
    order.push(key);
    effect
}
