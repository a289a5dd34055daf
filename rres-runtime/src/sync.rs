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

/// A value that one thread sets and another waits for.
#[derive(Debug)]
pub(crate) struct Signal<T> {
    value: Mutex<Option<T>>,
    changed: Condvar,
}

impl<T> Default for Signal<T> {
    fn default() -> Self {
        Self { value: Mutex::new(None), changed: Condvar::new() }
    }
}

impl<T> Signal<T> {
    pub(crate) fn set(&self, value: T) {
        *lock(&self.value) = Some(value);
        self.changed.notify_all();
    }

    /// Waits for the value and takes it. Where no thread may wait, this returns `None` if it is not set.
    pub(crate) fn wait(&self) -> Option<T> {
        let mut value = lock(&self.value);
        while value.is_none() && may_wait() {
            value = wait(&self.changed, value);
        }
        value.take()
    }
}

/// Whether a thread may wait for another one. In a browser there are no threads, and none that could wait: the event loop would never
/// run again. Nor is there a clock that the standard library could ask.
pub(crate) fn may_wait() -> bool {
    #[cfg(test)]
    if tests::IS_BROWSER.get() {
        return false;
    }
    !cfg!(all(target_family = "wasm", target_os = "unknown"))
}

/// Returns the moment after `time`; `None` for the end of time, and where there is no clock.
pub(crate) fn deadline(time: std::time::Duration) -> Option<std::time::Instant> {
    if may_wait() { std::time::Instant::now().checked_add(time) } else { None }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        pub(super) static IS_BROWSER: Cell<bool> = const { Cell::new(false) };
    }

    /// Runs a test on a thread that may not wait, as in a browser.
    pub(crate) fn without_waiting<T>(test: impl FnOnce() -> T + Send) -> T
    where
        T: Send,
    {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                IS_BROWSER.set(true);
                test()
            });
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
