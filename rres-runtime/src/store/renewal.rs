//! Fetching what the new values of loaded assets are made from, for packs that are read in parts.
//!
//! All of it is asked for at once. A thread that may wait then makes one value after the other. In a browser, an asset gets its new value
//! when what it needs is here, and keeps the old one until then.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::change::after_change;
use super::fetching::{fetches, with_dependencies};
use super::refresh::{Changes, refresh_here};
use super::{Store, WeakStore};
use crate::handle::{Choice, Key};
use crate::mounts::Mounts;
use crate::pool::Priority;
use crate::source::{Arrivals, FetchGuard, Hold};
use crate::sync::{lock, may_wait};
use crate::variants::Selection;

/// Loaded assets whose new values need something of packs that are read in parts.
pub(super) struct Renewal {
    store: WeakStore,
    /// What the values are made from.
    mounts: Arc<Mounts>,
    selection: Arc<Selection>,
    assets: Vec<(ResourceId, Choice)>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many packs have something that an asset needs and that is not here, by asset.
    missing: Vec<usize>,
    /// What was fetched, by asset.
    holds: Vec<Vec<Hold>>,
    /// They end with the renewal.
    fetches: Vec<FetchGuard>,
    /// The assets whose needs are here, until they have their new values.
    ready: Vec<usize>,
    /// Whether a thread goes through the packs, and renews what is ready afterwards.
    is_beginning: bool,
}

impl Renewal {
    /// Begins to fetch what new values of these assets need: in a browser when the change that this thread makes is over. Returns `None` if
    /// no pack is read in parts.
    pub(super) fn begin(store: &Store, keys: impl IntoIterator<Item = Key>) -> Option<Arc<Self>> {
        let (mounts, selection) = (store.mounts(), store.selection());
        if mounts.sources().all(|source| source.parts().is_none()) {
            return None;
        }
        let mut seen = HashSet::new();
        let assets = keys.into_iter().map(|key| (key.id, key.choice)).filter(|asset| seen.insert(*asset));
        let assets: Vec<_> = assets.filter(|(id, choice)| is_in_parts(&mounts, &selection, *id, *choice)).collect();
        if assets.is_empty() {
            return None;
        }
        let renewal = Arc::new(Self { store: store.downgrade(), mounts, selection, assets, state: Mutex::default() });
        match may_wait() {
            true => renewal.fetch(),
            false => {
                let renewal = Arc::clone(&renewal);
                after_change(move || renewal.fetch());
            }
        }
        Some(renewal)
    }

    /// Whether an asset keeps its value for now, and gets the new one later.
    pub(super) fn is_awaited(&self, key: Key) -> bool {
        !may_wait() && self.assets.contains(&(key.id, key.choice))
    }

    /// Lets go of what was fetched for an asset.
    pub(super) fn release(&self, key: Key) {
        if let Some(at) = self.assets.iter().position(|asset| *asset == (key.id, key.choice)) {
            self.let_go(at);
        }
    }

    fn let_go(&self, at: usize) {
        let holds = lock(&self.state).holds.get_mut(at).map(std::mem::take);
        drop(holds);
    }

    fn fetch(self: &Arc<Self>) {
        let fetches = fetches(&self.mounts, &self.selection, &self.assets);
        let mut missing = vec![0; self.assets.len()];
        fetches.iter().flat_map(|fetch| &fetch.tickets).for_each(|ticket| missing[ticket.number] += 1);
        {
            let mut state = lock(&self.state);
            state.missing = missing;
            state.holds.resize_with(self.assets.len(), Vec::new);
            state.is_beginning = true;
        }
        for fetch in fetches {
            let guard = fetch.parts.fetch(&fetch.tickets, Priority::High, Arc::clone(self) as _);
            lock(&self.state).fetches.push(guard);
        }
        lock(&self.state).is_beginning = false;
        self.renew();
    }

    /// Gives the assets whose needs are here their new values, where threads do not wait for them.
    fn renew(&self) {
        if may_wait() {
            return;
        }
        let ready = std::mem::take(&mut lock(&self.state).ready);
        if ready.is_empty() {
            return;
        }
        self.renew_assets(&ready);
        ready.into_iter().for_each(|at| self.let_go(at));
    }

    fn renew_assets(&self, assets: &[usize]) {
        let Some(store) = self.store.upgrade() else { return };
        let Some(_change) = store.begin_change() else { return };
        let (mounts, selection) = (store.mounts(), store.selection());
        let (mut contents, mut choices) = (HashSet::new(), HashSet::new());
        for (id, choice) in assets.iter().map(|at| self.assets[*at]) {
            // If a later change has made it another one, that change gives it its value.
            if place(&self.mounts, &self.selection, id, choice) == place(&mounts, &selection, id, choice) {
                choices.insert(id);
                contents.extend((choice == Choice::Fixed).then_some(id));
            }
        }
        refresh_here(&store, &Changes { contents: &contents, choices: &choices, is_summed_up: false });
    }
}

impl Arrivals for Renewal {
    fn settled(&self, at: usize, hold: Hold) {
        let is_beginning = {
            let mut state = lock(&self.state);
            state.holds[at].push(hold);
            state.missing[at] -= 1;
            if state.missing[at] == 0 {
                state.ready.push(at);
            }
            state.is_beginning
        };
        if !is_beginning {
            self.renew();
        }
    }
}

/// Whether an asset or something that it depends on is in a pack that is read in parts.
fn is_in_parts(mounts: &Mounts, selection: &Selection, id: ResourceId, choice: Choice) -> bool {
    with_dependencies(mounts, selection, id, choice).iter().any(|(_, source, _)| source.parts().is_some())
}

/// Returns what tells the resource that is loaded for an asset from others.
fn place(mounts: &Mounts, selection: &Selection, id: ResourceId, choice: Choice) -> Option<(*const (), u32)> {
    let chosen = if choice == Choice::Fixed { id } else { selection.of(id) };
    let (source, slot) = mounts.locate(chosen, Slot(0))?;
    Some((source.address(), slot))
}

#[cfg(test)]
mod tests;
