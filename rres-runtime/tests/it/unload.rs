//! Freeing one asset, and making one again, by hand.

use std::sync::atomic::{AtomicBool, Ordering};

use rres_runtime::{Event, FromAsset, Residency, Store, Text};

use super::assets::{pack, text};
use super::{id, store};

/// A text that can be made unless [`BROKEN`].
struct Fragile(String);

static BROKEN: AtomicBool = AtomicBool::new(false);

impl FromAsset for Fragile {
    type Source = Text;
    type Error = &'static str;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, Self::Error> {
        if BROKEN.load(Ordering::Relaxed) { Err("it is broken") } else { Ok(Self(text.as_str().to_owned())) }
    }
}

#[test]
fn only_what_the_store_alone_keeps_is_unloaded() {
    let store = store(&pack([text("a.txt", "a"), text("b.txt", "b")]));
    let (a, b) = (id::<Text>("a.txt"), id::<Text>("b.txt"));
    assert_eq!(store.unload(a), Ok(false), "it is not loaded");
    store.set_residency(a, Residency::Pinned);
    let handle = store.load(a).unwrap();
    let held = store.unload(a).unwrap_err();
    assert_eq!((held.handles, &held.dependents[..]), (1, &[][..]));
    assert_eq!(held.to_string(), "\"a.txt\" is held by 1 other reference");
    let row = &store.dump().rows[0];
    assert_eq!((row.handles, row.is_kept, row.references), (1, true, 2));
    drop(handle);
    assert_eq!(store.unload(a), Ok(true));
    assert!(store.loaded(a).is_none() && store.stats().bytes == 0);
    // It is still pinned from the next load on.
    drop(store.load(a).unwrap());
    assert!(store.loaded(a).is_some());
    // What the budget keeps.
    store.set_budget(1 << 20);
    drop(store.load(b).unwrap());
    assert_eq!(store.unload(b), Ok(true));
    assert!(store.loaded(b).is_none() && store.loaded(a).is_some());
    // A reservation counts: without it, the value would have nowhere to go.
    let reserved = store.reserve(b);
    assert_eq!(store.unload(b).unwrap_err().handles, 1);
    drop(reserved);
}

/// As the inspector lists the assets, from a thread of its own.
#[test]
fn lists_of_other_threads_are_no_holders() {
    let store = store(&pack([text("a.txt", "a")]));
    let a = id::<Text>("a.txt");
    store.set_residency(a, Residency::Pinned);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    assert!(store.dump().rows.len() + store.stats().assets <= 2);
                }
            });
        }
        let found: Vec<_> = (0..2_000).map(|_| store.load(a).map(drop).map(|()| store.unload(a))).collect();
        is_done.store(true, Ordering::Relaxed);
        // A list may own the asset a little longer than the store, and the next load then finds it.
        assert!(found.iter().all(|unloaded| matches!(unloaded, Ok(Ok(_)))), "{found:?}");
        assert!(found.iter().any(|unloaded| matches!(unloaded, Ok(Ok(true)))));
    });
}

#[test]
fn a_reload_makes_new_values_and_keeps_old_ones_that_cannot_be_made() {
    let store = store(&pack([text("a.txt", "a")]));
    let a = id::<Text>("a.txt");
    assert_eq!(store.reload(a), 0, "it is not loaded");
    let events = store.events();
    let (plain, own) = (store.load(a).unwrap(), store.load(a.into_type::<Fragile>()).unwrap());
    assert_eq!(store.reload(a), 2);
    assert_eq!((plain.version(), own.version()), (2, 2));
    assert_eq!(events.try_iter().filter(|event| matches!(event, Event::Changed(_))).count(), 2);
    BROKEN.store(true, Ordering::Relaxed);
    assert_eq!(store.reload(a), 1);
    assert_eq!((plain.version(), own.version(), &*own.get().0), (3, 2, "a"));
    let failed = events.try_iter().filter(|event| matches!(event, Event::ReloadFailed { .. })).count();
    assert_eq!(failed, 1);
    // Without a value to keep, the load is tried again.
    drop(own);
    let waiting = store.reserve(a.into_type::<Fragile>());
    waiting.wait().unwrap_err();
    BROKEN.store(false, Ordering::Relaxed);
    assert_eq!(store.reload(a), 2);
    assert_eq!(waiting.handle().unwrap().get().0, "a");
}
