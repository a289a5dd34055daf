//! Tries every order of threads on the gate and the replaceable values of `rres-runtime`: the sources are those of the
//! runtime, with loom's locks in place of the standard library's.
//!
//! `cargo test` in this directory tries every order with up to three preemptions, in seconds;
//! `LOOM_MAX_PREEMPTIONS=100 cargo test` tries all, in five minutes on two busy cores.
#![cfg(test)]

#[allow(dead_code)]
#[path = "../../rres-runtime/src/handle/gate.rs"]
mod gate;
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
use gate::{Entered, Gate, Phase, Waits};
use versioned::Versioned;

fn model(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(3);
    builder.check(test);
}

/// What a store has: gates, values, and who waits for whom.
struct Store {
    gates: [Gate; 2],
    values: [Versioned<u32>; 2],
    waits: Waits,
    made: AtomicUsize,
}

impl Store {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            gates: [Gate::new(Phase::Reserved), Gate::new(Phase::Queued)],
            values: [Versioned::new(), Versioned::new()],
            waits: Waits::new(),
            made: AtomicUsize::new(0),
        })
    }

    /// Loads `at`, which needs `then`, as a cell does; `None` for a circle or a failure.
    fn load(&self, at: usize, then: &[usize], fails: bool) -> Option<u32> {
        if self.values[at].version() == 0 {
            match self.gates[at].enter(&self.waits) {
                Entered::Ready => {}
                Entered::Failed(_) | Entered::Circle => return None,
                Entered::Turn(turn) => {
                    let needs: Option<Vec<u32>> = then.iter().map(|need| self.load(*need, &[at], false)).collect();
                    if needs.is_none() || fails {
                        turn.finish(Err(Error));
                        return None;
                    }
                    self.made.fetch_add(1, Ordering::Relaxed);
                    self.values[at].set(7);
                    turn.finish(Ok(()));
                }
            }
        }
        Some(self.values[at].read(|value| *value).expect("a value stands behind an open gate"))
    }
}

fn spawn<T: 'static>(store: &Arc<Store>, work: impl FnOnce(&Store) -> T + 'static) -> thread::JoinHandle<T> {
    let store = Arc::clone(store);
    thread::spawn(move || work(&store))
}

#[test]
fn an_asset_is_made_once_for_all() {
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
fn whoever_waited_for_a_failure_hears_of_it_and_the_next_tries_again() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.load(0, &[], true));
        // Either it waits for the failing one, or it makes the value itself.
        let mine = store.load(0, &[], false);
        other.join().unwrap();
        assert!(mine.is_none() || mine == Some(7));
        assert_eq!(store.load(0, &[], false), Some(7));
    });
}

#[test]
fn two_that_need_each_other_never_wait_for_ever() {
    // Loom reports a model in which no thread can go on.
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.load(1, &[0], false));
        store.load(0, &[1], false);
        other.join().unwrap();
    });
}

#[test]
fn no_circle_is_seen_where_there_is_none() {
    model(|| {
        let store = Store::new();
        // Both need 1, which needs nothing.
        let other = spawn(&store, |store| store.load(1, &[], false));
        let waits = spawn(&store, |store| store.load(1, &[], false));
        let mine = match store.gates[0].enter(&store.waits) {
            Entered::Turn(turn) => {
                let need = store.load(1, &[], false);
                turn.finish(Ok(()));
                need
            }
            _ => unreachable!("nobody else loads it"),
        };
        assert_eq!((mine, other.join().unwrap(), waits.join().unwrap()), (Some(7), Some(7), Some(7)));
    });
}

#[test]
fn a_panic_gives_the_turn_to_the_next() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| {
            // Dropped without an outcome, as unwinding does.
            if let Entered::Turn(turn) = store.gates[0].enter(&store.waits) {
                drop(turn);
            }
        });
        assert_eq!(store.load(0, &[], false), Some(7));
        other.join().unwrap();
    });
}

#[test]
fn cancelling_what_is_queued_loses_no_load() {
    model(|| {
        let store = Store::new();
        let other = spawn(&store, |store| store.gates[1].unqueue());
        let queued = spawn(&store, |store| store.gates[1].queue());
        assert_eq!(store.load(1, &[], false), Some(7));
        other.join().unwrap();
        queued.join().unwrap();
        assert!(matches!(store.gates[1].phase(), Phase::Ready));
    });
}

#[test]
fn whoever_sees_a_version_finds_its_value_or_a_later_one() {
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
