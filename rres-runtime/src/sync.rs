//! Locks and atomics of what threads share. The loom test replaces this module, to try every order of threads on
//! [`crate::handle`]'s gate and its replaceable values.

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, RwLock, atomic};
pub(crate) use std::thread;

use std::sync::PoisonError;

/// Locks, also after a panic of another thread: nothing here is left half-changed by one.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a notice; the caller looks again whether what it waits for has come.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
