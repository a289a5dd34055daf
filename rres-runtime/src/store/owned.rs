//! Assets that the program keeps itself, such as an engine with assets of its own.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

use rres_format::ResourceId;

use super::Store;
use super::fetching::{Fetch, fetches};
use super::load::read_asset;
use crate::asset::Asset;
use crate::error::{ErrorKind, Result};
use crate::handle::{Choice, Key};
use crate::id::Id;
use crate::mounts::Mounts;
use crate::pool::Priority;
use crate::source::{Arrivals, FetchGuard, Hold};
use crate::sync::lock;
use crate::variants::Selection;

impl Store {
    /// Loads an asset for a program that keeps the value itself, such as an engine with assets of its own. The store shares the value with
    /// nobody and does not count it; [`Self::watch`] says when the asset has changed.
    ///
    /// What it depends on is not loaded: the images of a model are loads of their own. It is decoded on the thread that polls the future. If a
    /// part of the pack has to be fetched first, the future waits for that without a thread; otherwise the first poll finishes it.
    ///
    /// ```
    /// # use rres_runtime::{Id, Image, Result, Store};
    /// /// Loads the pixels of an image for a texture of the engine.
    /// async fn pixels(store: &Store, id: Id<Image>) -> Result<Vec<u8>> {
    ///     Ok(store.load_owned(id).await?.data().to_vec())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Self::load`], without those of what it depends on.
    pub async fn load_owned<T: Asset>(&self, id: Id<T>) -> Result<T> {
        let resource = id.resource();
        loop {
            let (mounts, selection) = (self.mounts(), self.selection());
            let here = here(&mounts, &selection, resource).await;
            let loaded = self.read_owned(id);
            drop(here);
            // The mounts or the chosen variants have changed meanwhile, and with them what has to be here.
            let has_changed = || !Arc::ptr_eq(&mounts, &self.mounts()) || !Arc::ptr_eq(&selection, &self.selection());
            match loaded {
                Err(error) if matches!(error.kind(), ErrorKind::NotHere) && has_changed() => {}
                loaded => return loaded,
            }
        }
    }

    fn read_owned<T: Asset>(&self, id: Id<T>) -> Result<T> {
        let path = self.path_at(id.resource(), id.slot());
        let value = read_asset(self, Key::new::<T>(id.resource(), Choice::Preferred), id.slot(), &path)?;
        #[cfg(debug_assertions)]
        super::load_order::note(&path);
        Ok(value)
    }
}

/// Waits until a resource is here, or cannot be fetched, which loading it then says. It stays here until the result is dropped.
async fn here(mounts: &Mounts, selection: &Selection, id: ResourceId) -> Option<Arc<Here>> {
    let fetches = fetches(mounts, selection, &[(id, Choice::Preferred)], |_| false);
    let missing = fetches.iter().map(|fetch| fetch.tickets.len()).sum();
    if missing == 0 {
        return None;
    }
    let here = Arc::new(Here(Mutex::new(State { holds: Vec::new(), missing, waker: None })));
    let fetch = |fetch: Fetch| {
        let arrivals = Arc::clone(&here) as Arc<dyn Arrivals>;
        fetch.parts.fetch(&fetch.tickets, Priority::Normal, arrivals)
    };
    // Dropping the future ends them.
    let _fetching: Vec<FetchGuard> = fetches.into_iter().map(fetch).collect();
    poll_fn(|context| {
        let mut state = lock(&here.0);
        if state.missing == 0 {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    })
    .await;
    Some(here)
}

/// The parts of packs that somebody waits for.
struct Here(Mutex<State>);

struct State {
    holds: Vec<Hold>,
    missing: usize,
    waker: Option<Waker>,
}

impl Arrivals for Here {
    fn settled(&self, _: usize, hold: Hold) {
        let mut state = lock(&self.0);
        state.holds.push(hold);
        state.missing -= 1;
        let waker = if state.missing == 0 { state.waker.take() } else { None };
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}
