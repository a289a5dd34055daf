//! Tries every order of threads on the lock of a load and on replaceable values of `rres-runtime`. The source files are
//! the runtime's own, compiled with loom's locks in place of the standard library's.
//!
//! `cargo test` in this directory tries every order with up to three preemptions, in seconds.
//! `LOOM_MAX_PREEMPTIONS=100 cargo test` tries all orders, in five minutes on two busy cores.
#![cfg(test)]

#[allow(dead_code)]
#[path = "../../rres-runtime/src/handle/load_once.rs"]
mod load_once;
#[allow(dead_code)]
#[path = "../../rres-runtime/src/handle/versioned.rs"]
mod versioned;

/// The part of the runtime's `sync` that those files use.
mod sync {
    pub(crate) use loom::{
        sync::{Condvar, Mutex, MutexGuard, RwLock, atomic},
        thread,
    };

    use std::sync::PoisonError;

    pub(crate) const fn may_wait() -> bool {
        true
    }

    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }
}

mod error {
    #[derive(Clone, Debug)]
    pub(crate) struct Error;
}

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use error::Error;
use load_once::{Acquired, LoadOnce, Phase, WaitGraph};
use versioned::Versioned;

fn model(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(3);
    builder.check(test);
}

/// A store of two assets. The second one is queued.
struct Store {
    loads: [LoadOnce; 2],
    values: [Versioned<u32>; 2],
    waits: WaitGraph,
    /// How many values were made.
    made: AtomicUsize,
}

impl Store {
    fn new() -> Arc<Self> {
        let store = Self {
            loads: [LoadOnce::new(), LoadOnce::new()],
            values: [Versioned::new(), Versioned::new()],
            waits: WaitGraph::new(),
            made: AtomicUsize::new(0),
        };
        assert!(store.loads[1].queue());
        Arc::new(store)
    }

    /// Loads `asset` and what it depends on, as the store of the runtime does; `None` for a cycle or a failure.
    fn load(&self, asset: usize, dependencies: &[usize], fails: bool) -> Option<u32> {
        if self.values[asset].version() == 0 {
            match self.loads[asset].acquire(&self.waits) {
                Acquired::Ready => {}
                Acquired::Failed(_) | Acquired::Cycle => return None,
                Acquired::MustLoad(guard) => {
                    let load = |dependency: &usize| self.load(*dependency, &[asset], false);
                    let loaded: Option<Vec<u32>> = dependencies.iter().map(load).collect();
                    if loaded.is_none() || fails {
                        guard.finish(Err(Error));
                        return None;
                    }
                    self.made.fetch_add(1, Ordering::Relaxed);
                    self.values[asset].set(7);
                    guard.finish(Ok(()));
                }
            }
        }
        Some(self.values[asset].read(|value| *value).expect("an asset that is loaded has a value"))
    }
}

fn spawn<T: 'static>(store: &Arc<Store>, work: impl FnOnce(&Store) -> T + 'static) -> thread::JoinHandle<T> {
    let store = Arc::clone(store);
    thread::spawn(move || work(&store))
}

#[test]
fn check_3_5_2_an_asset_is_made_once_for_all_threads() {
    model(|| {
        let store = Store::new();
        let others =
            [spawn(&store, |store| store.load(0, &[], false)), spawn(&store, |store| store.load(0, &[], false))];
        assert_eq!(store.load(0, &[], false), Some(7));
        others.into_iter().for_each(|other| assert_eq!(other.join().unwrap(), Some(7)));
        assert_eq!(store.made.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn threads_that_wait_for_a_failing_load_get_its_failure_and_the_next_one_tries_again() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.load(0, &[], true));
        // This thread waits for the failing one, or makes the value itself.
        let mine = store.load(0, &[], false);
        other.join().unwrap();
        assert!(mine.is_none() || mine == Some(7));
        assert_eq!(store.load(0, &[], false), Some(7));
    });
}

#[test]
fn two_assets_that_depend_on_each_other_never_wait_forever() {
    // Loom reports an order of threads that ends in a deadlock.
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.load(1, &[0], false));
        store.load(0, &[1], false);
        other.join().unwrap();
    });
}

#[test]
fn a_cycle_is_found_only_if_there_is_one() {
    model(|| {
        let store = Store::new();
        // All need 1, which needs nothing.
        let other = spawn(&store, |store| store.load(1, &[], false));
        let waits = spawn(&store, |store| store.load(1, &[], false));
        let mine = match store.loads[0].acquire(&store.waits) {
            Acquired::MustLoad(guard) => {
                let dependency = store.load(1, &[], false);
                guard.finish(Ok(()));
                dependency
            }
            _ => unreachable!("nobody else loads it"),
        };
        assert_eq!((mine, other.join().unwrap(), waits.join().unwrap()), (Some(7), Some(7), Some(7)));
    });
}

#[test]
fn after_a_panic_the_next_thread_loads() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| {
            // Dropped without an outcome, as unwinding does.
            if let Acquired::MustLoad(guard) = store.loads[0].acquire(&store.waits) {
                drop(guard);
            }
        });
        assert_eq!(store.load(0, &[], false), Some(7));
        other.join().unwrap();
    });
}

#[test]
fn cancelling_a_queued_load_loses_no_load() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.loads[1].unqueue(false));
        let queued = spawn(&store, |store| store.loads[1].queue());
        assert_eq!(store.load(1, &[], false), Some(7));
        other.join().unwrap();
        queued.join().unwrap();
        assert!(matches!(store.loads[1].phase(), Phase::Ready));
    });
}

#[test]
fn a_thread_that_sees_a_version_finds_its_value_or_a_later_one() {
    model(|| {
        let value = Arc::new(Versioned::new());
        let writer = {
            let value = Arc::clone(&value);
            thread::spawn(move || {
                assert_eq!(value.set(1), None);
                assert_eq!(value.set(2), Some(1));
            })
        };
        let seen = value.version();
        let found = value.read(|value| *value).unwrap_or(0);
        assert!(found >= seen, "version {seen} with value {found}");
        writer.join().unwrap();
        assert_eq!((value.version(), value.read(|value| *value)), (2, Some(2)));
    });
}
