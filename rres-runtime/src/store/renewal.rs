//! New values for what is loaded, after a change. What they need of packs that are read in parts is fetched.
//!
//! In a browser, nothing may wait for that: all values of a change are made when it is here, so that they fit each other. A change that comes
//! before that includes it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, Weak};

use rres_format::ResourceId;

use super::ahead::Ahead;
use super::change::{Changes, after_change, drop_later};
use super::fetching::Fetches;
use super::needs::Needs;
use super::refresh::{Refreshed, refresh, settled};
use super::{Store, WeakStore};
use crate::handle::AnyEntry;
use crate::pool::Priority;
use crate::source::{Arrivals, FetchGuard, Hold, PartSource, Ticket};
use crate::sync::{lock, may_wait};

/// A change whose values are not made yet.
pub(super) struct PutOff {
    me: Weak<Self>,
    store: WeakStore,
    contents: HashSet<ResourceId>,
    choices: HashSet<ResourceId>,
    is_summed_up: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many packs have something that is not here.
    missing: usize,
    holds: Vec<Hold>,
    fetches: Vec<FetchGuard>,
    /// What was asked for, by pack and slot: once, so that what cannot be had does not keep the rest from being made.
    asked: HashSet<(usize, u32)>,
    /// Whether the packs are being gone through.
    is_beginning: bool,
}

/// Gives new values to the entries that a change affects. In a browser, all of them may get them later, and are counted now. The caller has
/// begun the change.
pub(super) fn renew(store: &Store, changed: &Changes<'_>) -> Refreshed {
    let alive = settled(store);
    if !may_wait() {
        return renew_later(store, alive, changed);
    }
    let ahead = Ahead::begin(store, &alive, changed);
    refresh(store, alive, changed, ahead.as_ref())
}

/// Gives the values now if nothing has to be fetched, and otherwise when it is here.
fn renew_later(store: &Store, alive: Vec<Arc<dyn AnyEntry>>, changed: &Changes<'_>) -> Refreshed {
    let before = lock(&store.shared.put_off).take();
    let with = |new: &HashSet<ResourceId>, old: Option<&HashSet<ResourceId>>| {
        new.iter().chain(old.into_iter().flatten()).copied().collect::<HashSet<_>>()
    };
    let contents = with(changed.contents, before.as_deref().map(|before| &before.contents));
    let choices = with(changed.choices, before.as_deref().map(|before| &before.choices));
    let changed = Changes { contents: &contents, choices: &choices, is_summed_up: changed.is_summed_up };
    let needs = Needs::of(&alive, &changed);
    let fetches = needs.fetches(store);
    if fetches.is_empty() {
        before.iter().for_each(|before| before.cancel());
        return refresh(store, alive, &changed, None);
    }
    let put_off = Arc::new_cyclic(|me| PutOff {
        me: Weak::clone(me),
        store: store.downgrade(),
        contents,
        choices,
        is_summed_up: changed.is_summed_up,
        state: Mutex::default(),
    });
    *lock(&store.shared.put_off) = Some(Arc::clone(&put_off));
    after_change(move || {
        put_off.fetch(fetches);
        // What both need goes on.
        before.iter().for_each(|before| before.cancel());
    });
    drop_later(alive);
    Refreshed { renewed: needs.entries, is_loaded: needs.entries > 0 }
}

impl PutOff {
    fn fetch(&self, fetches: Fetches) {
        {
            let mut state = lock(&self.state);
            (state.missing, state.is_beginning) = (state.missing + fetches.len(), true);
        }
        for fetch in fetches {
            let Some(me) = self.me.upgrade() else { return };
            // One for all assets: the room for parts is then as for one large asset.
            let slots: Vec<u32> = fetch.tickets.iter().flat_map(|ticket| ticket.slots.iter().copied()).collect();
            lock(&self.state).asked.extend(slots.iter().map(|slot| (address(&fetch.parts), *slot)));
            let guard = fetch.parts.fetch(&[Ticket { slots, number: 0 }], Priority::High, me);
            lock(&self.state).fetches.push(guard);
        }
        lock(&self.state).is_beginning = false;
        self.try_finish();
    }

    fn cancel(&self) {
        let state = std::mem::take(&mut *lock(&self.state));
        drop(state);
    }

    /// Makes the values if everything is here.
    fn try_finish(&self) {
        {
            let state = lock(&self.state);
            if state.missing > 0 || state.is_beginning {
                return;
            }
        }
        let (Some(store), Some(me)) = (self.store.upgrade(), self.me.upgrade()) else { return };
        let Some(_change) = store.begin_change() else {
            after_change(move || me.try_finish());
            return;
        };
        let is_newest = |newest: &mut Arc<Self>| Arc::ptr_eq(newest, &me);
        if lock(&store.shared.put_off).as_mut().is_some_and(is_newest) {
            let Self { contents, choices, is_summed_up, .. } = self;
            let changed = Changes { contents, choices, is_summed_up: *is_summed_up };
            let alive = settled(&store);
            // What was loaded meanwhile gets a new value, too.
            let more = self.not_asked(Needs::of(&alive, &changed).fetches(&store));
            if !more.is_empty() {
                after_change(move || me.fetch(more));
                drop_later(alive);
                return;
            }
            let newest = lock(&store.shared.put_off).take();
            refresh(&store, alive, &changed, None);
            drop_later(newest);
        }
        self.cancel();
    }

    /// Leaves out what was asked for already.
    fn not_asked(&self, mut fetches: Fetches) -> Fetches {
        let state = lock(&self.state);
        for fetch in &mut fetches {
            let parts = address(&fetch.parts);
            for ticket in &mut fetch.tickets {
                ticket.slots.retain(|slot| !state.asked.contains(&(parts, *slot)));
            }
            fetch.tickets.retain(|ticket| !ticket.slots.is_empty());
        }
        fetches.retain(|fetch| !fetch.tickets.is_empty());
        fetches
    }
}

/// What tells the parts of a pack from those of others.
fn address(parts: &Arc<dyn PartSource>) -> usize {
    Arc::as_ptr(parts).cast::<()>().addr()
}

impl Arrivals for PutOff {
    fn settled(&self, _: usize, hold: Hold) {
        {
            let mut state = lock(&self.state);
            state.missing = state.missing.saturating_sub(1);
            state.holds.push(hold);
        }
        self.try_finish();
    }
}

#[cfg(test)]
mod tests;
