//! Assets that need not be loaded yet.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::residency::Residency;
use super::{FromAsset, Store};
use crate::asset::Asset;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{AnyEntry, AssetEntry, Handle, Phase};
use crate::id::Id;
use crate::pool::{Priority, Work};

impl Store {
    /// Reserves an asset without loading it. The asset is loaded by [`PendingAsset::start`], by awaiting
    /// the result, or by any other load of it.
    ///
    /// If this reservation reaches the [`Residency::Threshold`] of the asset, loading starts.
    pub fn reserve<T: Asset>(&self, id: Id<T>) -> PendingAsset<T> {
        PendingAsset::new(self.asset_entry(id), self.clone())
    }

    /// Reserves an asset as one of the program's own types, like [`Self::reserve`].
    pub fn reserve_as<U: FromAsset>(&self, id: Id<U::Source>) -> PendingAsset<U> {
        PendingAsset::new(self.own_entry(id), self.clone())
    }

    /// Loads an asset on another thread: [`Self::reserve`] and [`PendingAsset::start`].
    pub fn load_async<T: Asset>(&self, id: Id<T>) -> PendingAsset<T> {
        let pending = self.reserve(id);
        pending.start();
        pending
    }

    /// Loads an asset as one of the program's own types on another thread, like [`Self::load_async`].
    pub fn load_async_as<U: FromAsset>(&self, id: Id<U::Source>) -> PendingAsset<U> {
        let pending = self.reserve_as(id);
        pending.start();
        pending
    }
}

/// An asset that is loaded on another thread, or inserted by the program: poll it, wait for it, or await it.
///
/// It is a future for any async runtime; awaiting it starts the load. All reservations and loads of the same asset
/// share its value.
pub struct PendingAsset<T> {
    entry: Arc<AssetEntry<T>>,
    store: Store,
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
    pub(super) fn new(entry: Arc<AssetEntry<T>>, store: Store) -> Self {
        let count = entry.reservations.fetch_add(1, Ordering::Relaxed) + 1;
        let pending = Self { entry, store };
        if let Residency::Threshold(threshold) = pending.store.shared.residency.residency(pending.entry.meta.id)
            && count >= threshold
        {
            pending.start();
        }
        pending
    }

    /// Returns the state of the load.
    pub fn state(&self) -> LoadState {
        self.entry.load_once().phase().into()
    }

    /// Returns a handle if the asset is loaded.
    ///
    /// # Errors
    /// [`ErrorKind::NotReady`] if it is not; the error of the last attempt if that failed.
    pub fn handle(&self) -> Result<Handle<T>> {
        Handle::new(Arc::clone(&self.entry)).ok_or_else(|| match self.entry.load_once().phase() {
            Phase::Failed(error) => error,
            _ => self.entry.meta.error(ErrorKind::NotReady),
        })
    }

    /// Returns the asset's value, or `placeholder` as long as it is not loaded.
    pub fn get_or(&self, placeholder: &Arc<T>) -> Arc<T> {
        self.entry.value().unwrap_or_else(|| Arc::clone(placeholder))
    }

    /// Starts loading on another thread, unless the asset is being loaded or is loaded. After a failure this tries
    /// again.
    pub fn start(&self) {
        if !self.entry.load_once().queue() {
            return;
        }
        let batch: Arc<dyn Work> = Arc::new(Batch::of_one(&self.store, Arc::clone(&self.entry) as _, Priority::Normal));
        let pool = &self.store.shared.pool;
        pool.push(Arc::clone(&batch));
        // Without threads, nobody else would load it.
        if pool.has_no_threads() {
            batch.run_one();
            pool.forget(&batch);
        }
    }

    /// Gives the asset a value made by the program.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if it has a value.
    pub fn insert(&self, value: T) -> Result<Handle<T>> {
        self.store.fill(&self.entry, value)
    }

    /// Loads the asset on this thread, or waits for the thread that loads it.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub fn wait(&self) -> Result<Handle<T>> {
        self.store.load_typed(Arc::clone(&self.entry))
    }

    /// Starts loading on another thread and waits for at most `time`; `None` if it takes longer.
    pub fn wait_for(&self, time: Duration) -> Option<Result<Handle<T>>> {
        self.start();
        match self.entry.load_once().wait_until(Instant::now().checked_add(time)) {
            Phase::Ready | Phase::Failed(_) => Some(self.handle()),
            _ => None,
        }
    }

    /// Returns the asset's path; empty if the pack does not record paths.
    pub fn path(&self) -> &str {
        &self.entry.meta.path
    }
}

impl<T: Send + Sync + 'static> Future for PendingAsset<T> {
    type Output = Result<Handle<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.entry.load_once().phase() {
            Phase::Reserved => self.start(),
            Phase::Ready | Phase::Failed(_) => return Poll::Ready(self.handle()),
            Phase::Queued | Phase::Loading(_) => {}
        }
        match self.entry.load_once().register_waker(context.waker()) {
            true => Poll::Pending,
            false => Poll::Ready(self.handle()),
        }
    }
}

impl<T: Send + Sync + 'static> Clone for PendingAsset<T> {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.entry), self.store.clone())
    }
}

impl<T> Drop for PendingAsset<T> {
    fn drop(&mut self) {
        self.entry.reservations.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for PendingAsset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PendingAsset<{}>({})", self.entry.meta.type_name, self.entry.meta.path)
    }
}
