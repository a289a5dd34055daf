//! Handles of assets that need not be there yet.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::Handle;
use super::cell::{AnyCell, Cell};
use super::gate::Phase;
use crate::error::{Error, ErrorKind, Result};
use crate::loading::Priority;
use crate::store::{Residency, Store};

/// A place for an asset that is loaded later, or made by the program: ask it, wait for it, or await it.
///
/// Awaiting needs no particular runtime; it starts the load. The place is shared: whoever reserves or loads the same
/// asset meets here.
pub struct Pending<T> {
    cell: Arc<Cell<T>>,
    store: Store,
}

/// How far an asset is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum State {
    /// Nobody has asked for its value.
    Reserved,
    /// It waits for a thread.
    Queued,
    /// A thread loads it.
    Loading,
    /// It is there.
    Ready,
    /// The last attempt failed; [`Pending::start`] tries again.
    Failed(Error),
}

impl<T: Send + Sync + 'static> Pending<T> {
    pub(crate) fn new(cell: Arc<Cell<T>>, store: Store) -> Self {
        let count = cell.pending.fetch_add(1, Ordering::Relaxed) + 1;
        let pending = Self { cell, store };
        if let Residency::Threshold(least) = pending.store.shared.residence.residency(pending.cell.head.id)
            && count >= least
        {
            pending.start();
        }
        pending
    }

    /// How far it is.
    pub fn state(&self) -> State {
        match self.cell.gate().phase() {
            Phase::Reserved => State::Reserved,
            Phase::Queued => State::Queued,
            Phase::Loading(_) => State::Loading,
            Phase::Ready => State::Ready,
            Phase::Failed(error) => State::Failed(error),
        }
    }

    /// The asset.
    ///
    /// # Errors
    /// [`ErrorKind::Pending`] while it is not there; why the last attempt failed.
    pub fn get(&self) -> Result<Handle<T>> {
        self.cell.handle().ok_or_else(|| match self.cell.gate().phase() {
            Phase::Failed(error) => error,
            _ => Error::new(ErrorKind::Pending).of_asset(|| format!("\"{}\"", self.path())),
        })
    }

    /// The asset's value, or `placeholder` while it is not there.
    pub fn get_or(&self, placeholder: &Arc<T>) -> Arc<T> {
        self.cell.value().unwrap_or_else(|| Arc::clone(placeholder))
    }

    /// Has it loaded on another thread, unless that is under way or done. After a failure this tries again.
    pub fn start(&self) {
        if self.cell.gate().queue() {
            self.store.start(Arc::clone(&self.cell) as _, Priority::Normal);
        }
    }

    /// Gives it a value made by the program.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyThere`].
    pub fn insert(&self, value: T) -> Result<Handle<T>> {
        self.cell.fill(&self.store, value)
    }

    /// Loads it on this thread, or waits for the thread that does.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub fn wait(&self) -> Result<Handle<T>> {
        self.cell.load(&self.store)
    }

    /// Starts the load on another thread and waits for at most `time`; `None` where that did not suffice.
    pub fn wait_for(&self, time: Duration) -> Option<Result<Handle<T>>> {
        self.start();
        match self.cell.gate().wait_until(Instant::now().checked_add(time)) {
            Phase::Ready | Phase::Failed(_) => Some(self.get()),
            _ => None,
        }
    }

    /// The asset's path.
    pub fn path(&self) -> &str {
        &self.cell.head.path
    }
}

impl<T: Send + Sync + 'static> Future for Pending<T> {
    type Output = Result<Handle<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.cell.gate().phase() {
            Phase::Reserved => self.start(),
            Phase::Ready | Phase::Failed(_) => return Poll::Ready(self.get()),
            Phase::Queued | Phase::Loading(_) => {}
        }
        match self.cell.gate().wake_later(context.waker()) {
            true => Poll::Pending,
            false => Poll::Ready(self.get()),
        }
    }
}

impl<T: Send + Sync + 'static> Clone for Pending<T> {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.cell), self.store.clone())
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        self.cell.pending.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending<{}>({})", self.cell.head.type_name, self.cell.head.path)
    }
}
