//! The events that listeners of a store get.

use std::time::{Duration, Instant};

use rres_runtime::{Event, Store};
use rres_test_support::wait;

use super::assets::{pack, text};
use super::store;

fn changes(store: &Store, count: u32) {
    for value in 0..count {
        // The first value of a path does not count as a change.
        store.insert("made/number", value).unwrap();
    }
}

#[test]
fn a_listener_that_takes_no_events_gets_the_newest_ones_and_how_many_it_missed() {
    let store = store(&pack([text("a.txt", "text")]));
    let (slow, quick) = (store.events(), store.events());
    let number = store.insert("made/number", 0u32).unwrap();
    for _ in 0..50 {
        changes(&store, 100);
        let heard = quick.try_iter().count();
        assert_eq!(heard, 100, "a listener that asks in time misses nothing");
    }
    let missed = match slow.try_recv() {
        Some(Event::Lagged { missed }) => missed,
        other => panic!("{other:?}"),
    };
    let kept = slow.try_iter().filter(|event| matches!(event, Event::Changed(_))).count();
    assert_eq!((missed + kept as u64, kept), (5_000, 1_024));
    changes(&store, 1);
    assert!(matches!(slow.try_recv(), Some(Event::Changed(_))), "missed events are reported once");
    // The events in a queue keep their assets alive until the queue is dropped.
    drop(number);
    assert_eq!(store.stats().assets, 1);
    drop((slow, quick));
    assert_eq!(store.stats().assets, 0);
}

#[test]
fn waiting_for_an_event_ends_with_the_event_or_the_time_or_the_store() {
    let store = store(&pack([text("a.txt", "text")]));
    let events = store.events();
    let _number = store.insert("made/number", 0u32).unwrap();
    assert!(events.recv_timeout(Duration::from_millis(1)).is_none());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| events.recv_timeout(wait::LIMIT));
        changes(&store, 1);
        assert!(matches!(waiting.join().unwrap(), Some(Event::Changed(_))));
        let start = Instant::now();
        let waiting = scope.spawn(|| events.recv_timeout(wait::LIMIT));
        drop(store);
        assert!(waiting.join().unwrap().is_none() && start.elapsed() < wait::LIMIT);
    });
}
