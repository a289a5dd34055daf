//! Many threads on one store: every value right, nothing made twice.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rres_format::Compression;
use rres_format::{FourCc, Resource};
use rres_runtime::{FromAsset, Handle, Raw, Store, Text};

use super::assets::{chunk, pack, text};
use super::{id, store};

const THREADS: usize = 64;
const ASSETS: usize = 500;
/// How often each thread loads each asset: 10,000 loads per thread.
const ROUNDS: usize = 20;

fn path(number: usize) -> String {
    format!("numbers/{number}.bin")
}

/// Bytes that tell which asset they are of, and repeat enough to be compressed.
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
fn each_asset_is_made_once_for_all_threads() {
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
                // Half of the threads go the same way and meet at every asset, the others cross them.
                let order = (0..ASSETS).map(|i| if thread % 2 == 0 { i } else { (i * 7 + thread * 31) % ASSETS });
                let handles: Vec<(usize, Handle<Counted>)> = order
                    .cycle()
                    .take(ASSETS * ROUNDS)
                    .map(|number| (number, store.load_as(id(&path(number))).unwrap()))
                    .collect();
                for (number, handle) in &handles {
                    let value = handle.get();
                    assert_eq!((value.number, &value.bytes), (*number, &bytes(*number)));
                    assert_eq!(handle.path(), path(*number));
                }
                // Nothing is freed before everybody has everything.
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
        // Waits for a load of another asset on another thread, which must not wait for this one.
        let other = std::thread::scope(|scope| scope.spawn(|| store.load(id::<Text>("b.txt")).is_ok()).join());
        other.map_err(|_| "the other thread panicked")?.then_some(Self).ok_or("b.txt did not load".to_owned())
    }
}

#[test]
fn a_slow_load_holds_up_nobody_else() {
    let store = std::sync::Arc::new(store(&pack([text("a.txt", ""), text("b.txt", "")])));
    let (done, wait) = std::sync::mpsc::channel();
    // On a thread of its own, so that a deadlock fails the test and does not hang it.
    std::thread::spawn(move || done.send(store.load_as::<Slow>(id("a.txt")).is_ok()));
    assert_eq!(wait.recv_timeout(Duration::from_secs(60)), Ok(true));
}

static FAILED: AtomicUsize = AtomicUsize::new(0);

struct Failing;

impl FromAsset for Failing {
    type Source = Text;
    type Error = String;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, String> {
        FAILED.fetch_add(1, Ordering::Relaxed);
        Err("never works".to_owned())
    }
}

#[test]
fn all_who_wait_for_a_failed_load_hear_of_it() {
    let store = store(&pack([text("a.txt", "")]));
    let barrier = Barrier::new(16);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                barrier.wait();
                let error = store.load_as::<Failing>(id("a.txt")).expect_err("the load fails");
                assert_eq!(error.to_string(), "asset \"a.txt\": never works");
            });
        }
    });
    let attempts = FAILED.load(Ordering::Relaxed);
    assert!((1..=16).contains(&attempts), "{attempts}");
    assert!(store.load_as::<Failing>(id("a.txt")).is_err());
    assert_eq!(FAILED.load(Ordering::Relaxed), attempts + 1, "a failed load is forgotten");
}
