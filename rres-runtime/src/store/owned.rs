//! Assets that the program keeps itself, such as an engine with assets of its own.

use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::Store;
use super::fetching::{Fetch, fetches};
use super::load::read_asset;
use crate::asset::Asset;
use crate::error::{Error, Result};
use crate::handle::Choice;
use crate::id::Id;
use crate::mounts::Mounts;
use crate::pool::Priority;
use crate::source::{Arrivals, FetchGuard, Hold};
use crate::sync::lock;
use crate::variants::Selection;

impl Store {
    /// Loads an asset for a program that keeps the value itself, such as an engine with assets of its own. The store shares the value with
    /// nobody, even if it has the asset, too. [`Self::watch`] says when the asset has changed, also if it did so meanwhile.
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
    /// As [`Self::load`], but a dependency that is missing or damaged is no error.
    pub async fn load_owned<T: Asset>(&self, id: Id<T>) -> Result<T> {
        self.fetch(id).await.load()
    }

    /// Waits until the bytes of an asset are here, but not for its dependencies: the first half of [`Self::load_owned`], for a program that
    /// chooses when it decodes.
    pub async fn fetch<T: Asset>(&self, id: Id<T>) -> Fetched<T> {
        let (mounts, selection) = (self.mounts(), self.selection());
        let here = here(&mounts, &selection, id.resource()).await;
        Fetched { store: self.clone(), id, mounts, selection, here }
    }
}

/// An asset whose bytes are here, or whose load says why they are not. Dropping it lets them go.
#[must_use = "nothing is loaded before `load` is called"]
pub struct Fetched<T> {
    store: Store,
    id: Id<T>,
    /// Those of the moment when it was asked for. If the store has others now, the asset has changed, and is loaded again.
    mounts: Arc<Mounts>,
    selection: Arc<Selection>,
    /// `None` if nothing was missing.
    here: Option<Arc<Here>>,
}

impl<T: Asset> Fetched<T> {
    /// Returns how many bytes the asset takes in its pack: about how much there is to decode.
    pub fn stored_bytes(&self) -> u64 {
        let chosen = self.selection.of(self.id.resource());
        let located =
            self.mounts.locate(chosen, Slot(0)).or_else(|| self.mounts.locate(self.id.resource(), self.id.slot()));
        let range = located.and_then(|(source, slot)| source.index().stored_range(slot).ok());
        range.map_or(0, |range| range.size.into())
    }

    /// Decodes the asset.
    ///
    /// # Errors
    /// As [`Store::load_owned`].
    pub fn load(self) -> Result<T> {
        match self.here.as_ref().and_then(|here| here.error()) {
            Some(error) => Err(error),
            None => read_asset(&self.store, &self.mounts, &self.selection, self.id),
        }
    }
}

impl<T> fmt::Debug for Fetched<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetched").field("id", &self.id.resource()).finish_non_exhaustive()
    }
}

/// Waits until a resource is here, or cannot be. It stays here until the result is dropped; `None` if it was here before.
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

impl Here {
    /// Why something is not here.
    fn error(&self) -> Option<Error> {
        lock(&self.0).holds.iter().find_map(|hold| hold.error.clone())
    }
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
