//! Locks and atomics. The loom test replaces this module to try every order of threads on `load_once` and `versioned`.

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, RwLock, atomic};
pub(crate) use std::thread;

use std::sync::PoisonError;

/// Locks a mutex, also after a thread panicked while it held it: no state of this crate is invalid in between.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a notification. The caller checks again whether what it waits for has happened.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
