//! How long assets live: handles, weak handles, reservations, values made by the program, residency, budgets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rres_format::{Resource, ResourceId};
use rres_runtime::{
    AnyHandle, ErrorKind, Event, FromAsset, Handle, Image, LoadState, PendingAsset, Raw, Residency, Store, Text,
    WeakHandle,
};
use rres_test_data::random::Random;
use rres_test_support::wait;

use super::assets::{image, pack, raw, text};
use super::{assert_message, id, store, until_empty};

/// The resource with these dependencies.
fn depending(resource: Resource<'static>, paths: &[&str]) -> Resource<'static> {
    let dependencies = paths.iter().map(|path| ResourceId::from_path(path)).collect();
    Resource { dependencies, ..resource }
}

fn numbered(count: usize) -> Store {
    store(&pack((0..count).map(|i| raw(&format!("{i}.bin"), &[i as u8; 1000]))))
}

#[test]
fn check_3_5_1_a_weak_handle_becomes_stale_when_the_asset_is_freed_and_stays_stale() {
    let store = store(&pack([text("a.txt", "text")]));
    let handle: Handle<Text> = store.load(id("a.txt")).unwrap();
    let weak = handle.downgrade();
    assert_eq!(weak.get().unwrap().as_str(), "text");
    drop(handle);
    let again: Handle<Text> = store.load(id("a.txt")).unwrap();
    assert_message(weak.get(), &["asset \"a.txt\": was freed"]);
    assert!(matches!(weak.upgrade().unwrap_err().kind(), ErrorKind::Stale));
    assert_eq!((again.get().as_str(), weak.path()), ("text", "a.txt"));
}

/// A million random operations, compared with a model that knows which assets are alive.
#[test]
fn check_3_5_1_no_handle_ever_leads_to_another_asset() {
    const ASSETS: usize = 20;
    let store = numbered(ASSETS);
    let mut held: Vec<(usize, Handle<Raw>)> = Vec::new();
    let mut weak: Vec<(usize, u32, WeakHandle<Raw>)> = Vec::new();
    // How often each asset was loaded, and how many handles it has.
    let (mut lives, mut count) = ([0u32; ASSETS], [0usize; ASSETS]);
    let mut random = Random::new(1);
    let mut next = |below: usize| random.below(below.max(1));
    for _ in 0..1_000_000 {
        match next(4) {
            0 if held.len() < 60 => {
                let number = next(ASSETS);
                let handle: Handle<Raw> = store.load(id(&format!("{number}.bin"))).unwrap();
                lives[number] += u32::from(count[number] == 0);
                count[number] += 1;
                weak.push((number, lives[number], handle.downgrade()));
                held.push((number, handle));
            }
            1 if !held.is_empty() => {
                let (number, _) = held.swap_remove(next(held.len()));
                count[number] -= 1;
            }
            2 if !weak.is_empty() => {
                let (number, life, handle) = &weak[next(weak.len())];
                let is_alive = count[*number] > 0 && lives[*number] == *life;
                match handle.get() {
                    Ok(value) => assert!(is_alive && value.bytes()[0] as usize == *number),
                    Err(error) => assert!(!is_alive && matches!(error.kind(), ErrorKind::Stale), "{error}"),
                }
            }
            _ if weak.len() > 200 => drop(weak.swap_remove(next(weak.len()))),
            _ => {
                let number = next(ASSETS);
                assert_eq!(store.loaded(id::<Raw>(&format!("{number}.bin"))).is_some(), count[number] > 0);
            }
        }
    }
    drop(held);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
}

#[test]
fn loaded_returns_loaded_assets_and_loads_none() {
    let store = store(&pack([text("a.txt", "text")]));
    assert!(store.loaded(id::<Text>("a.txt")).is_none());
    let handle: Handle<Text> = store.load(id("a.txt")).unwrap();
    assert_eq!(store.loaded(id("a.txt")), Some(handle));
    assert!(store.loaded(id::<Text>("a.txt")).is_none(), "nothing holds it any more");
}

#[test]
fn a_handle_of_any_type_downcasts_to_its_own() {
    let store = store(&pack([text("a.txt", "text")]));
    let any: AnyHandle = store.load(id::<Text>("a.txt")).unwrap().into();
    assert!(any.downcast::<Image>().is_none());
    assert_eq!(any.downcast::<Text>().unwrap().get().as_str(), "text");
    assert_eq!((any.path(), any.type_name(), any.version()), ("a.txt", "Text", 1));
}

#[test]
fn values_made_by_the_program_are_shared_like_assets() {
    let store = store(&pack([text("a.txt", "text")]));
    let events = store.events();
    let noise = store.insert("procedural/noise", vec![1u8, 2, 3]).unwrap();
    let found: Handle<Vec<u8>> = store.value("procedural/noise").unwrap();
    assert!(Arc::ptr_eq(&noise.get(), &found.get()));
    let mut watch = found.watch();
    assert!(watch.changed().is_none());
    store.insert("procedural/noise", vec![4u8]).unwrap();
    assert_eq!((noise.version(), noise.get().as_slice()), (2, &[4][..]));
    assert_eq!(watch.changed().unwrap().as_slice(), [4]);
    assert!(watch.changed().is_none());
    assert!(matches!(events.try_recv(), Some(Event::Changed(handle)) if handle.path() == "procedural/noise"));
    assert_message(store.insert("a.txt", 7), &["asset \"a.txt\": already exists"]);
    drop((noise, found, watch));
    drop(events);
    assert!(store.value::<Vec<u8>>("procedural/noise").is_none());
}

#[test]
fn a_reserved_asset_becomes_ready() {
    let store = store(&pack([text("a.txt", "text")]));
    let pending = store.reserve(id::<Text>("a.txt"));
    assert!(matches!(pending.state(), LoadState::Reserved));
    assert_message(pending.handle(), &["asset \"a.txt\": is not loaded yet"]);
    assert_eq!((store.stats().assets, store.stats().loads), (0, 0));
    let loaded = store.load(id::<Text>("a.txt")).unwrap();
    assert!(matches!(pending.state(), LoadState::Ready), "any load of the asset fills the reservation");
    assert_eq!(pending.handle().unwrap(), loaded);
    assert!(pending.insert((*loaded.get()).clone()).is_err(), "it has a value");

    let placeholder = Arc::new(7);
    let number: PendingAsset<u32> = store.reserve_value("made/number").unwrap();
    assert_eq!(*number.get_or(&placeholder), 7);
    assert_message(number.wait(), &["asset \"made/number\": was reserved, and has no value yet"]);
    assert_eq!(*number.insert(8).unwrap().get(), 8);
    assert_eq!((*number.get_or(&placeholder), number.handle().unwrap().version()), (8, 1));
    assert_message(number.insert(9), &["already exists"]);
}

#[test]
fn pending_assets_load_on_another_thread() {
    let store = store(&pack([text("a.txt", "text"), text("bad.txt", "seven")]));
    let pending = store.load_async(id::<Text>("a.txt"));
    let handle = pending.wait_for(wait::LIMIT).expect("it loads").unwrap();
    assert_eq!(handle.get().as_str(), "text");
    let failing = store.reserve(id("bad.txt").into_type::<Number>());
    failing.start();
    let error = failing.wait_for(wait::LIMIT).expect("it loads").unwrap_err();
    assert_eq!(error.to_string(), "asset \"bad.txt\": invalid digit found in string");
    assert!(matches!(failing.state(), LoadState::Failed(_)));
    // Waiting for a value that nobody inserts ends at the deadline.
    let never: PendingAsset<u32> = store.reserve_value("never").unwrap();
    assert!(never.wait_for(Duration::from_millis(1)).is_none_or(|outcome| outcome.is_err()));
}

#[test]
fn pending_assets_can_be_awaited_without_a_runtime() {
    let store = store(&pack([text("a.txt", "12"), text("b.txt", "30")]));
    let sum = block_on(async {
        let (a, b) =
            (store.reserve(id("a.txt").into_type::<Number>()), store.reserve(id("b.txt").into_type::<Number>()));
        Ok::<_, rres_runtime::Error>(a.await?.get().0 + b.await?.get().0)
    });
    assert_eq!(sum.unwrap(), 42);
}

/// A minimal executor, which polls when it is woken.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    let deadline = Instant::now() + wait::LIMIT;
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            return value;
        }
        std::thread::park_timeout(deadline.saturating_duration_since(Instant::now()));
        assert!(Instant::now() < deadline, "nobody woke it");
    }
}

#[derive(Debug)]
struct Number(u32);

impl FromAsset for Number {
    type Source = Text;
    type Error = std::num::ParseIntError;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, Self::Error> {
        text.as_str().parse().map(Self)
    }
}

#[test]
fn check_3_5_4_a_threshold_loads_with_the_right_reservation_and_frees_with_the_last() {
    let store = store(&pack([text("a.txt", "text")]));
    let a = id::<Text>("a.txt");
    store.set_residency(a, Residency::Threshold(5));
    let mut places: Vec<PendingAsset<Text>> = (0..3).map(|_| store.reserve(a)).collect();
    places.push(places[0].clone());
    assert!(matches!(places[0].state(), LoadState::Reserved));
    assert_eq!(store.stats().loads, 0);
    places.push(store.reserve(a));
    assert_eq!(places[0].wait_for(wait::LIMIT).unwrap().unwrap().get().as_str(), "text");
    assert_eq!(store.stats().loads, 1);
    // Going below the threshold frees nothing; dropping the last reservation does.
    let last = places.pop();
    drop(places);
    assert_eq!(store.stats().assets, 1);
    drop(last);
    until_empty(&store);
}

#[test]
fn pinned_assets_stay() {
    let store = numbered(3);
    let pinned = id::<Raw>("1.bin");
    store.set_residency(pinned, Residency::Pinned);
    for i in 0..3 {
        drop(store.load(id::<Raw>(&format!("{i}.bin"))).unwrap());
    }
    assert_eq!((store.stats().assets, store.stats().kept), (1, 1));
    assert!(store.loaded(pinned).is_some());
    store.set_residency(pinned, Residency::WhileReferenced);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
    // An asset can be pinned while it is loaded, too.
    let handle = store.load(pinned).unwrap();
    store.set_residency(pinned, Residency::Pinned);
    drop(handle);
    assert!(store.loaded(pinned).is_some());
}

#[test]
fn an_asset_that_is_pinned_while_the_budget_keeps_it_is_kept_once() {
    let store = numbered(2);
    store.set_budget(1 << 20);
    let pinned = id::<Raw>("1.bin");
    drop(store.load(pinned).unwrap());
    store.set_residency(pinned, Residency::Pinned);
    assert_eq!((store.stats().assets, store.stats().kept), (1, 1));
    let group = store.load_group([rres_runtime::AnyId::from(pinned)]).wait().unwrap();
    group.unload().unwrap();
    store.set_residency(pinned, Residency::WhileReferenced);
    assert_eq!((store.stats().assets, store.stats().kept), (1, 1), "the budget keeps it again");
    store.set_budget(0);
    assert_eq!(store.stats().assets, 0);
}

#[test]
fn a_budget_keeps_the_most_recently_used_and_never_frees_what_is_held() {
    let store = numbered(10);
    let load = |number: usize| store.load(id::<Raw>(&format!("{number}.bin"))).unwrap();
    let alive = || -> Vec<usize> {
        (0..10).filter(|number| store.loaded(id::<Raw>(&format!("{number}.bin"))).is_some()).collect()
    };
    let each = {
        load(0).get();
        let handle = load(0);
        let any: AnyHandle = handle.into();
        any.bytes()
    };
    store.set_budget(each * 4);
    for number in 0..4 {
        drop(load(number));
    }
    assert_eq!(alive(), [0, 1, 2, 3]);
    // 0 is used again, so 1 is the least recently used one.
    drop(load(0));
    drop(load(4));
    assert_eq!(alive(), [0, 2, 3, 4]);
    let held: Vec<_> = (5..10).map(load).collect();
    assert_eq!(alive(), [5, 6, 7, 8, 9]);
    assert_eq!(store.stats().bytes, each * 5, "assets with handles may exceed the budget");
    assert_eq!(store.stats().evictions, 5);
    drop(held);
    store.trim();
    assert_eq!(alive().len(), 4);
    store.set_budget(0);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
}

#[test]
fn an_asset_keeps_its_dependencies_alive_and_the_dump_lists_them() {
    let store = store(&pack([
        depending(text("model.txt", "a model"), &["skin.png"]),
        image("skin.png", Default::default()),
        text("other.txt", "alone"),
    ]));
    let model = store.load(id::<Text>("model.txt")).unwrap();
    let dump = store.dump();
    let rows: Vec<_> = dump.rows.iter().map(|row| (row.path.as_str(), row.type_name, row.references)).collect();
    assert_eq!(rows, [("model.txt", "Text", 1), ("skin.png", "Image", 1)]);
    assert_eq!(dump.rows[0].dependencies, ["skin.png"]);
    assert!(dump.to_string().contains("skin.png   Image  ready"), "{dump}");
    let skin: Handle<Image> = store.loaded(id("skin.png")).unwrap();
    drop(model);
    assert_eq!(store.stats().assets, 1, "the image has a handle of its own");
    drop(skin);
    assert_eq!((store.stats().assets, store.stats().bytes), (0, 0));
}

#[test]
fn a_missing_dependency_is_named_with_the_asset_that_needs_it() {
    let store = store(&pack([depending(text("model.txt", ""), &["skin.png"])]));
    let missing = ResourceId::from_path("skin.png").to_string();
    assert_message(
        store.load(id::<Text>("model.txt")),
        &["asset \"model.txt\" (", &format!("depends on asset {missing}, which does not exist")],
    );
}

#[test]
fn dependency_cycles_are_errors() {
    let needs = |path: &str, other: &str| depending(text(path, ""), &[other]);
    let resources =
        [needs("a.txt", "b.txt"), needs("b.txt", "c.txt"), needs("c.txt", "a.txt"), needs("self.txt", "self.txt")];
    let store = store(&pack(resources));
    for path in ["a.txt", "b.txt", "c.txt", "self.txt"] {
        assert_message(store.load(id::<Text>(path)), &["depends on itself"]);
    }
}

/// Loads itself.
#[derive(Debug)]
struct Snake;

impl FromAsset for Snake {
    type Source = Text;
    type Error = rres_runtime::Error;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, Self::Error> {
        store.load(id(text.as_str()).into_type::<Self>()).map(|_| Self)
    }
}

#[test]
fn own_types_that_load_themselves_fail_instead_of_waiting_also_across_threads() {
    let store = store(&pack([text("a.txt", "a.txt"), text("b.txt", "c.txt"), text("c.txt", "b.txt")]));
    assert_message(store.load(id("a.txt").into_type::<Snake>()), &["\"a.txt\"", "depends on itself"]);
    for _ in 0..200 {
        std::thread::scope(|scope| {
            for path in ["b.txt", "c.txt"] {
                let store = &store;
                scope.spawn(move || assert_message(store.load(id(path).into_type::<Snake>()), &["depends on itself"]));
            }
        });
    }
}

/// Panics the first time.
#[derive(Debug)]
struct Startled;

impl FromAsset for Startled {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, String> {
        if store.insert("startled/once", ()).unwrap().version() == 1 && text.as_str() == "boo" {
            panic!("startled");
        }
        Ok(Self)
    }
}

#[test]
fn after_a_panic_in_an_own_type_the_next_load_tries_again() {
    let store = store(&pack([text("a.txt", "boo")]));
    let _once = store.reserve_value::<()>("startled/once").unwrap();
    let panicked = std::thread::scope(|scope| scope.spawn(|| store.load(id("a.txt").into_type::<Startled>())).join());
    assert!(panicked.is_err());
    assert!(store.load(id("a.txt").into_type::<Startled>()).is_ok(), "the next load tries again");
}

/// A text that cannot be made into anything.
#[derive(Debug)]
struct Never;

impl FromAsset for Never {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, String> {
        panic!("no such level")
    }
}

#[test]
fn a_panic_of_an_own_type_ends_the_load_that_waits_for_it() {
    let store = store(&pack([text("a.txt", "a")]));
    let loading = store.load_async(id("a.txt").into_type::<Never>());
    let error = loading.wait_for(wait::LIMIT).expect("it has failed").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Panicked(message) if message == "no such level"), "{error}");
    let state = loading.state();
    assert!(matches!(&state, LoadState::Failed(error) if error.to_string().contains("no such level")), "{state:?}");
}

#[test]
fn who_asks_for_a_reserved_value_too_early_does_not_fail_the_others() {
    let store = Store::from_packs([]);
    let made: PendingAsset<u32> = store.reserve_value("made").unwrap();
    let other: PendingAsset<u32> = store.reserve_value("made").unwrap();
    assert!(matches!(other.wait().unwrap_err().kind(), ErrorKind::NotInserted));
    assert!(matches!(made.state(), LoadState::Reserved), "{:?}", made.state());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| made.wait_for(wait::LIMIT).expect("it comes").unwrap());
        other.insert(7).unwrap();
        assert_eq!(*waiting.join().unwrap().get(), 7);
    });
}
