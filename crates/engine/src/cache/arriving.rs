//! Blobs that arrive from a remote cache: checked and stored on several threads, since small files take longer to create than to fetch.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{Cache, blob, check_blob};
use crate::key::Key;

/// How many blobs wait to be stored.
const WAITING: usize = 64;

/// A larger blob is stored by the thread that fetches, so that few bytes wait.
const LARGE: usize = 1 << 20;

/// How many threads store at most. More do not make a file system faster.
const MOST_THREADS: usize = 4;

/// What has arrived.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// The number of blobs that the cache of the machine lacked, and has now.
    pub(crate) new: usize,
    /// Their bytes.
    pub(crate) bytes: u64,
    /// The number of blobs that were not what they should be.
    pub(crate) damaged: usize,
    /// Whether fetching went well. That the cache of the machine cannot be written is no fault of it, and the next import says so.
    pub(crate) fetched: io::Result<()>,
}

/// Counts while several threads store.
struct Store<'a> {
    cache: &'a Cache,
    new: AtomicUsize,
    bytes: AtomicU64,
    damaged: AtomicUsize,
    has_failed: AtomicBool,
}

/// Stores what `fetch` passes on: a blob, with its key unless it may be that of any blob. `arrived` is called with the number of blobs so far.
pub(crate) fn store(
    cache: &Cache,
    threads: usize,
    arrived: &dyn Fn(usize),
    fetch: impl FnOnce(&mut dyn FnMut(Option<Key>, &[u8])) -> io::Result<()>,
) -> Arrived {
    let store = Store {
        cache,
        new: AtomicUsize::new(0),
        bytes: AtomicU64::new(0),
        damaged: AtomicUsize::new(0),
        has_failed: AtomicBool::new(false),
    };
    let (sender, receiver) = sync_channel(WAITING);
    let receiver = Mutex::new(receiver);
    let fetched = thread::scope(|scope| {
        let work = || store.all(&receiver);
        let workers = (0..threads.clamp(1, MOST_THREADS)).filter_map(|_| {
            // If no thread can be started, this one stores.
            thread::Builder::new().spawn_scoped(scope, work).ok()
        });
        let sender = (workers.count() > 0).then_some(sender);
        let mut count = 0;
        let fetched = fetch(&mut |key, bytes| {
            store.pass(sender.as_ref(), key, bytes);
            count += 1;
            arrived(count);
        });
        // The threads end when they have stored the rest.
        drop(sender);
        fetched
    });
    Arrived {
        new: store.new.into_inner(),
        bytes: store.bytes.into_inner(),
        damaged: store.damaged.into_inner(),
        fetched,
    }
}

type Blob = (Option<Key>, Vec<u8>);

impl Store<'_> {
    /// Stores a blob, or has a thread store it.
    fn pass(&self, sender: Option<&SyncSender<Blob>>, key: Option<Key>, bytes: &[u8]) {
        match sender {
            // After a failure, what arrives is of no use.
            _ if self.has_failed.load(Ordering::Relaxed) => {}
            Some(sender) if bytes.len() < LARGE => {
                if sender.send((key, bytes.to_vec())).is_err() {
                    self.one(key, bytes);
                }
            }
            _ => self.one(key, bytes),
        }
    }

    fn all(&self, receiver: &Mutex<Receiver<Blob>>) {
        loop {
            let received = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((key, bytes)) = received else { return };
            self.one(key, &bytes);
        }
    }

    fn one(&self, key: Option<Key>, bytes: &[u8]) {
        let key = key.or_else(|| blob::key_of(bytes)).filter(|key| check_blob(bytes, key).is_ok());
        let Some(key) = key else {
            self.damaged.fetch_add(1, Ordering::Relaxed);
            return;
        };
        if self.cache.blob_file(&key).exists() {
            return;
        }
        if self.cache.store(&key, bytes).is_ok() {
            self.new.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        } else {
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::blob::tests::resource;
    use crate::cache::{begin_key, write_blob};

    fn blob(number: u32) -> (Key, Vec<u8>) {
        let mut key = begin_key("test");
        key.field(&number.to_le_bytes());
        let key = key.finish();
        let (blob, _) = write_blob(&key, vec![resource("")]).unwrap();
        (key, blob)
    }

    #[test]
    fn what_arrives_is_stored_and_what_is_wrong_is_counted() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(dir.path().to_owned()), dir.path()).unwrap();
        let blobs: Vec<_> = (0..300).map(blob).collect();
        let arrived = store(&cache, 2, &|_| {}, |take| {
            for (number, (key, bytes)) in blobs.iter().enumerate() {
                take(Some(*key).filter(|_| number % 2 == 0), bytes);
            }
            take(Some(blobs[0].0), &blobs[1].1);
            take(None, b"nothing");
            Err(io::Error::other("broken off"))
        });
        assert_eq!((arrived.new, arrived.damaged), (300, 2));
        assert_eq!(arrived.fetched.unwrap_err().to_string(), "broken off");
        assert!(blobs.iter().all(|(key, _)| cache.look_up(key).is_some()));
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_no_fault_of_fetching() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, b"").unwrap();
        let (key, bytes) = blob(1);
        let arrived = store(&Cache::at(&file), 2, &|_| {}, |take| {
            (0..3).for_each(|_| take(Some(key), &bytes));
            Ok(())
        });
        assert!(arrived.fetched.is_ok() && arrived.new == 0);
    }
}
