//! A value that is replaced as a whole, and a number that tells how often.

use std::sync::PoisonError;

use crate::sync::RwLock;
use crate::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
pub(crate) struct Versioned<V> {
    place: RwLock<Option<V>>,
    version: AtomicU32,
}

impl<V> Versioned<V> {
    /// Empty, at version 0.
    pub(crate) fn new() -> Self {
        Self { place: RwLock::new(None), version: AtomicU32::new(0) }
    }

    /// How often a value was set; 0 before the first. Whoever sees a version finds its value, or a later one.
    pub(crate) fn version(&self) -> u32 {
        self.version.load(Ordering::Acquire)
    }

    /// A part of the value; `None` before the first.
    pub(crate) fn read<T>(&self, part: impl FnOnce(&V) -> T) -> Option<T> {
        let place = self.place.read().unwrap_or_else(PoisonError::into_inner);
        place.as_ref().map(part)
    }

    /// Sets the value and gives the one before back, to be dropped by a caller who holds no lock.
    pub(crate) fn set(&self, value: V) -> Option<V> {
        let mut place = self.place.write().unwrap_or_else(PoisonError::into_inner);
        let old = place.replace(value);
        // Under the lock, so that versions grow in the order of values.
        self.version.fetch_add(1, Ordering::Release);
        old
    }

    /// Counts the value as new.
    pub(crate) fn touch(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }
}
