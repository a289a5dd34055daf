//! Fetching what new values need of packs that are read in parts, while a thread makes one value after the other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rres_format::ResourceId;

use super::Store;
use super::change::Changes;
use super::needs::Needs;
use crate::handle::{AnyEntry, Choice, Key};
use crate::pool::Priority;
use crate::source::{Arrivals, FetchGuard, Hold};
use crate::sync::lock;

/// What is fetched ahead; it ends with this value. The thread that makes the values waits for what it needs next by itself.
pub(super) struct Ahead {
    numbers: HashMap<(ResourceId, Choice), usize>,
    holds: Arc<Holds>,
    #[expect(dead_code, reason = "they end the fetches when they are dropped")]
    fetches: Vec<FetchGuard>,
}

/// What was fetched, by asset; `None` if nobody needs it any more.
struct Holds(Mutex<Vec<Option<Vec<Hold>>>>);

impl Ahead {
    /// Begins to fetch what a change needs. Returns `None` if no pack is read in parts.
    pub(super) fn begin(store: &Store, alive: &[Arc<dyn AnyEntry>], changed: &Changes<'_>) -> Option<Self> {
        if store.mounts().are_whole() {
            return None;
        }
        let needs = Needs::of(alive, changed);
        let fetches = needs.fetches(store);
        let numbers: HashMap<_, _> = needs.assets.into_iter().zip(0..).collect();
        let holds = Arc::new(Holds(Mutex::new(numbers.keys().map(|_| Some(Vec::new())).collect())));
        // Not as urgent as what the thread waits for: only so much as there is room for comes ahead of that.
        let fetches = fetches
            .into_iter()
            .map(|fetch| fetch.parts.fetch(&fetch.tickets, Priority::Normal, Arc::clone(&holds) as _))
            .collect();
        Some(Self { numbers, holds, fetches })
    }

    /// Lets go of what was fetched for an asset.
    pub(super) fn release(&self, key: Key) {
        if let Some(number) = self.numbers.get(&(key.id, key.choice)) {
            let holds = lock(&self.holds.0)[*number].take();
            drop(holds);
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        let holds = std::mem::take(&mut *lock(&self.holds.0));
        drop(holds);
    }
}

impl Arrivals for Holds {
    fn settled(&self, number: usize, hold: Hold) {
        let unneeded = match lock(&self.0).get_mut(number) {
            Some(Some(holds)) => {
                holds.push(hold);
                None
            }
            _ => Some(hold),
        };
        drop(unneeded);
    }
}
