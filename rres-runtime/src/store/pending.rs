//! Assets that need not be loaded yet.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use super::Store;
use super::batch::{Batch, Job};
use super::fetching::fetches;
use super::request::IntoRequest;
use super::residency::Residency;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{AnyEntry, AssetEntry, Handle, Key, Phase};
use crate::pool::{Priority, Work};
use crate::sync::deadline;
use crate::timeline::Asker;

impl Store {
    /// Reserves an asset without loading it. The asset is loaded by [`PendingAsset::start`], by awaiting
    /// the result, or by any other load of it.
    ///
    /// If this reservation reaches the [`Residency::Threshold`] of the asset, loading starts.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn reserve<T: Send + Sync + 'static>(&self, request: impl IntoRequest<Value = T>) -> PendingAsset<T> {
        PendingAsset::new(self.requested(&request.into_request()), self.clone(), Asker::here())
    }

    /// Loads an asset on another thread: [`Self::reserve`] and [`PendingAsset::start`].
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn load_async<T: Send + Sync + 'static>(&self, request: impl IntoRequest<Value = T>) -> PendingAsset<T> {
        let pending = self.reserve(request);
        pending.start();
        pending
    }
}

/// An asset that is loaded on another thread, or inserted by the program: poll it, wait for it, or await it.
///
/// It is a future for any async runtime; awaiting it starts the load. All reservations and loads of the same asset
/// share its value.
pub struct PendingAsset<T> {
    /// An error if the request itself is wrong.
    entry: Result<Arc<AssetEntry<T>>>,
    store: Store,
    asker: Asker,
}

/// The state of an asset's load. `Display` writes it as one word in lower case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LoadState {
    /// Not asked for.
    Reserved,
    /// Waiting for a thread.
    Queued,
    /// Being loaded.
    Loading,
    /// Loaded.
    Ready,
    /// The last attempt failed; [`PendingAsset::start`] tries again.
    Failed(Error),
}

impl From<Phase> for LoadState {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Reserved => Self::Reserved,
            Phase::Queued => Self::Queued,
            Phase::Loading(_) => Self::Loading,
            Phase::Ready => Self::Ready,
            Phase::Failed(error) => Self::Failed(error),
        }
    }
}

impl fmt::Display for LoadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Reserved => "reserved",
            Self::Queued => "queued",
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Failed(_) => "failed",
        })
    }
}

impl<T: Send + Sync + 'static> PendingAsset<T> {
    pub(super) fn new(entry: Result<Arc<AssetEntry<T>>>, store: Store, asker: Asker) -> Self {
        let pending = Self { entry, store, asker };
        if let Ok(entry) = &pending.entry {
            let count = entry.reservations.fetch_add(1, Ordering::Relaxed) + 1;
            if let Residency::Threshold(threshold) = pending.store.shared.residency.residency(entry.meta.id())
                && count >= threshold
            {
                pending.start();
            }
        }
        pending
    }

    fn phase(&self) -> Phase {
        match &self.entry {
            Ok(entry) => entry.load_once().phase(),
            Err(error) => Phase::Failed(error.clone()),
        }
    }

    /// Returns the state of the load.
    pub fn state(&self) -> LoadState {
        self.phase().into()
    }

    /// Returns a handle if the asset is loaded.
    ///
    /// # Errors
    /// [`ErrorKind::NotReady`] if it is not; the error of the last attempt if that failed.
    pub fn handle(&self) -> Result<Handle<T>> {
        let entry = self.entry.as_ref().map_err(Error::clone)?;
        Handle::new(Arc::clone(entry)).ok_or_else(|| match entry.load_once().phase() {
            Phase::Failed(error) => error,
            _ => entry.meta.error(ErrorKind::NotReady),
        })
    }

    /// Returns the asset's value, or `placeholder` as long as it is not loaded.
    pub fn get_or(&self, placeholder: &Arc<T>) -> Arc<T> {
        self.entry.as_ref().ok().and_then(|entry| entry.value()).unwrap_or_else(|| Arc::clone(placeholder))
    }

    /// Starts loading on another thread, unless the asset is being loaded or is loaded. After a failure this tries
    /// again. A value that the program makes is not loaded: it comes with [`Self::insert`].
    pub fn start(&self) {
        let Ok(entry) = &self.entry else { return };
        // A value that the program makes comes with `insert`.
        let is_loaded = self.store.loader(&(Arc::clone(entry) as Arc<dyn AnyEntry>)).is_some();
        if !is_loaded || !entry.load_once().queue_alone() {
            return;
        }
        let Key { choice, .. } = entry.meta.key;
        let fetches = fetches(&self.store.mounts(), &self.store.selection(), &[(entry.meta.id(), choice)], |_| true);
        let jobs = vec![Job { entry: Ok(Arc::clone(entry) as _), stored: 0 }];
        let batch = Batch::new(&self.store, jobs, fetches, Priority::Normal, true, self.asker.clone());
        // If it must be fetched, it is pushed when it has arrived.
        if batch.has_next() {
            let (pool, batch) = (&self.store.shared.pool, batch as Arc<dyn Work>);
            pool.push(Arc::clone(&batch));
            // Without threads, nobody else would load it.
            if pool.has_no_threads() {
                batch.run_one();
                pool.forget(&batch);
            }
        }
    }

    /// Gives the asset a value made by the program.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if it has a value.
    pub fn insert(&self, value: T) -> Result<Handle<T>> {
        self.store.fill(self.entry.as_ref().map_err(Error::clone)?, value)
    }

    /// Loads the asset on this thread, or waits for the thread that loads it.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub fn wait(&self) -> Result<Handle<T>> {
        let _asking = self.asker.clone().asks();
        self.store.load_typed(self.entry.clone()?)
    }

    /// Starts loading on another thread and waits for at most `time`; `None` if it takes longer.
    pub fn wait_for(&self, time: Duration) -> Option<Result<Handle<T>>> {
        self.start();
        let entry = match &self.entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error.clone())),
        };
        match entry.load_once().wait_until(deadline(time)) {
            Phase::Ready | Phase::Failed(_) => Some(self.handle()),
            _ => None,
        }
    }

    /// Returns the asset's path; empty if the pack does not record paths, or the request is wrong.
    pub fn path(&self) -> &str {
        self.entry.as_ref().map_or("", |entry| &entry.meta.path)
    }
}

impl<T: Send + Sync + 'static> Future for PendingAsset<T> {
    type Output = Result<Handle<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.phase() {
            Phase::Reserved => self.start(),
            Phase::Ready | Phase::Failed(_) => return Poll::Ready(self.handle()),
            Phase::Queued | Phase::Loading(_) => {}
        }
        match &self.entry {
            Ok(entry) if entry.load_once().register_waker(context.waker()) => Poll::Pending,
            _ => Poll::Ready(self.handle()),
        }
    }
}

impl<T: Send + Sync + 'static> Clone for PendingAsset<T> {
    fn clone(&self) -> Self {
        Self::new(self.entry.clone(), self.store.clone(), self.asker.clone())
    }
}

impl<T> Drop for PendingAsset<T> {
    fn drop(&mut self) {
        if let Ok(entry) = &self.entry {
            entry.reservations.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl<T> fmt::Debug for PendingAsset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Ok(entry) => write!(f, "PendingAsset<{}>({})", entry.meta.type_name, entry.meta.path),
            Err(error) => write!(f, "PendingAsset({error})"),
        }
    }
}
