//! A value that is replaced as a whole, with a count of its versions.

use std::sync::PoisonError;

use crate::sync::RwLock;
use crate::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
pub(crate) struct Versioned<V> {
    value: RwLock<Option<V>>,
    version: AtomicU32,
}

impl<V> Versioned<V> {
    /// Creates a cell without a value, at version 0.
    pub(crate) fn new() -> Self {
        Self { value: RwLock::new(None), version: AtomicU32::new(0) }
    }

    /// Returns how often a value was set; 0 before the first one. A thread that sees a version finds its value or a
    /// later one.
    pub(crate) fn version(&self) -> u32 {
        self.version.load(Ordering::Acquire)
    }

    /// Returns a part of the value; `None` before the first one.
    pub(crate) fn read<T>(&self, part: impl FnOnce(&V) -> T) -> Option<T> {
        let value = self.value.read().unwrap_or_else(PoisonError::into_inner);
        value.as_ref().map(part)
    }

    /// Sets the value. Returns the previous one, for the caller to drop without a lock.
    pub(crate) fn set(&self, new: V) -> Option<V> {
        let mut value = self.value.write().unwrap_or_else(PoisonError::into_inner);
        let old = value.replace(new);
        // Under the lock, so that versions grow in the order of values.
        self.version.fetch_add(1, Ordering::Release);
        old
    }

    /// Counts the value as new.
    pub(crate) fn touch(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }
}
