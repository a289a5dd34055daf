//! Many threads on one store: every value is right, and nothing is made twice.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rres_format::Compression;
use rres_format::{FourCc, Resource};
use rres_runtime::{FromAsset, Handle, Raw, Store, Text};
use rres_test_support::wait;

use super::assets::{chunk, pack, text};
use super::{id, store};

const THREADS: usize = 64;
const ASSETS: usize = 500;
/// How often each thread loads each asset: 10,000 loads per thread.
const ROUNDS: usize = 20;

fn path(number: usize) -> String {
    format!("numbers/{number}.bin")
}

/// Bytes that identify the asset and repeat enough to be compressed.
fn bytes(number: usize) -> Vec<u8> {
    (number as u32).to_le_bytes().repeat(50 + number % 7)
}

static MADE: [AtomicUsize; ASSETS] = [const { AtomicUsize::new(0) }; ASSETS];

struct Counted {
    number: usize,
    bytes: Vec<u8>,
}

impl FromAsset for Counted {
    type Source = Raw;
    type Error = String;

    fn from_asset(raw: &Raw, _: &Store) -> Result<Self, String> {
        let first = raw.bytes()[..4].try_into().map_err(|_| "too short")?;
        let number = u32::from_le_bytes(first) as usize;
        MADE[number].fetch_add(1, Ordering::Relaxed);
        Ok(Self { number, bytes: raw.bytes().to_vec() })
    }
}

#[test]
fn check_3_5_2_each_asset_is_made_once_for_all_threads() {
    let compression = if Compression::ZSTD.is_enabled() { Compression::ZSTD } else { Compression::NONE };
    let resource = |number| {
        let block = rres_format::chunk::raw::raw_block(".bin", &bytes(number));
        Resource::new(path(number), vec![chunk(FourCc::RAWD, &block, compression)])
    };
    let store = store(&pack((0..ASSETS).map(resource)));
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, barrier) = (&store, &barrier);
            scope.spawn(move || {
                barrier.wait();
                // Half of the threads load the assets in the same order and meet at each; the others cross their way.
                let order = (0..ASSETS).map(|i| if thread % 2 == 0 { i } else { (i * 7 + thread * 31) % ASSETS });
                let handles: Vec<(usize, Handle<Counted>)> = order
                    .cycle()
                    .take(ASSETS * ROUNDS)
                    .map(|number| (number, store.load(id(&path(number)).into_type()).unwrap()))
                    .collect();
                for (number, handle) in &handles {
                    let value = handle.get();
                    assert_eq!((value.number, &value.bytes), (*number, &bytes(*number)));
                    assert_eq!(handle.path(), path(*number));
                }
                // Nothing is freed before every thread has loaded everything.
                barrier.wait();
            });
        }
    });
    let made: Vec<usize> = MADE.iter().map(|made| made.load(Ordering::Relaxed)).collect();
    assert_eq!(made, [1; ASSETS]);
}

struct Slow;

impl FromAsset for Slow {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, String> {
        // Waits for another thread to load another asset, which must not wait for this one.
        let other = std::thread::scope(|scope| scope.spawn(|| store.load(id::<Text>("b.txt")).is_ok()).join());
        other.map_err(|_| "the other thread panicked")?.then_some(Self).ok_or("b.txt did not load".to_owned())
    }
}

#[test]
fn a_slow_load_does_not_block_others() {
    let store = std::sync::Arc::new(store(&pack([text("a.txt", ""), text("b.txt", "")])));
    let (done, wait) = std::sync::mpsc::channel();
    // On another thread, so that a deadlock fails the test instead of blocking it.
    std::thread::spawn(move || done.send(store.load(id("a.txt").into_type::<Slow>()).is_ok()));
    assert_eq!(wait.recv_timeout(wait::LIMIT), Ok(true));
}

/// Uses its store when it is dropped.
struct Parting(Store);

impl FromAsset for Parting {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, String> {
        // Nobody wants the value any more, so the thread that loads it drops it.
        while text.as_str() == "slow" && !ABANDONED.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        Ok(Self(store.clone()))
    }
}

static ABANDONED: AtomicBool = AtomicBool::new(false);
static PARTED: AtomicBool = AtomicBool::new(false);

impl Drop for Parting {
    fn drop(&mut self) {
        drop(self.0.load_async(id::<Text>("b.txt")));
        PARTED.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_value_that_the_pool_drops_may_use_its_store() {
    let store = store(&pack([text("a.txt", "slow"), text("b.txt", "")]));
    let pending = store.reserve(id("a.txt").into_type::<Parting>());
    pending.start();
    drop(pending);
    ABANDONED.store(true, Ordering::Relaxed);
    wait::until("a thread of the pool does not wait for itself", || PARTED.load(Ordering::Relaxed));
}

static ATTEMPTS: AtomicUsize = AtomicUsize::new(0);

/// How many threads ask for the asset that fails.
const ASKING: usize = 16;

/// Fails. The first time it waits until every thread asks for it.
struct Failing;

impl FromAsset for Failing {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, String> {
        if ATTEMPTS.fetch_add(1, Ordering::Relaxed) == 0 {
            let asking = || store.dump().rows.iter().find(|row| row.type_name == "Failing").map(|row| row.references);
            wait::until("every thread asks for it", || asking() >= Some(ASKING));
        }
        Err("never works".to_owned())
    }
}

#[test]
fn all_threads_that_wait_for_a_failed_load_get_its_error() {
    let store = store(&pack([text("a.txt", "")]));
    std::thread::scope(|scope| {
        for _ in 0..ASKING {
            scope.spawn(|| {
                let error = store.load(id("a.txt").into_type::<Failing>()).expect_err("the load fails");
                assert_eq!(error.to_string(), "asset \"a.txt\": never works");
            });
        }
    });
    // A thread that has found the asset but does not wait yet tries again. The unit test in `handle` shows that none that waits does.
    let attempts = ATTEMPTS.load(Ordering::Relaxed);
    assert!(store.load(id("a.txt").into_type::<Failing>()).is_err());
    assert_eq!(ATTEMPTS.load(Ordering::Relaxed), attempts + 1, "a failed load is forgotten");
}
