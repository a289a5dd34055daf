//! The layer of the cache beyond this machine: imported assets that machines share.
//!
//! A build asks for what the cache of the machine lacks, all at once, and stores in it what it gets; then it goes on as if that had been there.
//! So nothing else knows of this layer. If it is away, slow or wrong, the build imports.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::arriving::{self, Arrived};
use super::{Cache, check_blob};
use crate::key::Key;
use crate::settings::ByteSize;

/// How long builds do not ask a remote cache that has failed, so that not every build waits for it.
const AWAY: Duration = Duration::from_secs(60);

/// A store of imported assets beyond this machine. [`Build::remote_cache`](crate::Build::remote_cache) has a build use one; the
/// crate `rres-remote-cache` has those that speak to object storage.
///
/// Keys are hashes of all that an imported asset depends on, so an entry never changes. A build checks what it gets against its key and
/// checksums, but whoever writes to the store could make right checksums for wrong contents: an implementation must only return what it trusts.
pub trait RemoteCache: fmt::Debug + Send + Sync {
    /// Returns the place, as messages name it: without passwords and tokens.
    fn place(&self) -> String;

    /// Returns the paths of the input files of `sources`, which are keys: for each that has any, its number in the list and the paths.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses.
    fn input_files(&self, sources: &[[u8; 32]]) -> io::Result<Vec<(usize, Vec<String>)>>;

    /// Passes those of `blobs` that are in the store to `take`, with their numbers in the list, in any order. Returns about how long it took to
    /// import them, as far as the store knows.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses. What has been passed to `take` before is whole.
    fn fetch(&self, blobs: &[[u8; 32]], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<Duration>;

    /// Passes those of `blobs` that are in the store to `take`, and with them all that was added in the same call of [`Self::store`], or a part
    /// of it: who needs one probably needs the others.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses.
    fn fetch_with_others(&self, blobs: &[[u8; 32]], take: &mut dyn FnMut(&[u8])) -> io::Result<()>;

    /// Returns what is in the store, as far as this machine trusts it.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses.
    fn contents(&self) -> io::Result<Stored>;

    /// Returns whether this machine adds to the store.
    fn is_written(&self) -> bool;

    /// Adds those of `entries` that the store lacks.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses.
    fn store(&self, entries: &[RemoteEntry]) -> io::Result<Stored>;
}

/// An imported asset of this machine's cache.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteEntry {
    /// The key of the source.
    pub source: [u8; 32],
    /// The paths of the input files of the source; empty if there are none.
    pub input_files: Vec<String>,
    /// The key of the blob.
    pub blob: [u8; 32],
    /// The file of the blob.
    pub file: PathBuf,
    /// How long this build has imported it; zero if an earlier one did.
    pub elapsed: Duration,
}

impl RemoteEntry {
    /// Whether these are the bytes of the blob, which may have been damaged since it was stored.
    pub fn is_whole(&self, blob: &[u8]) -> bool {
        check_blob(blob, &Key(self.blob)).is_ok()
    }
}

/// What is in a remote cache, or has been added.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stored {
    /// The number of imported assets.
    pub assets: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// What a build has had from a remote cache. Displayed as a line.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RemoteUse {
    /// The place of the cache.
    pub place: String,
    /// The number of different sources that the cache of the machine lacked.
    pub wanted: usize,
    /// How many of them the remote cache had.
    pub fetched: usize,
    /// Their bytes.
    pub fetched_bytes: u64,
    /// About how long it took to import them where they were imported, on one processor.
    pub saved: Duration,
    /// How many were damaged, so that they were imported.
    pub damaged: usize,
    /// What this build has added.
    pub stored: Stored,
    /// How long the build has waited for it.
    pub elapsed: Duration,
    /// Why it could not be read or written; `None` if it could.
    pub fault: Option<String>,
}

impl fmt::Display for RemoteUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, wanted, fetched, fetched_bytes, saved, damaged, stored, elapsed, fault } = self;
        write!(f, "remote cache {place}: {fetched} of {wanted} imported assets")?;
        if *fetched > 0 {
            write!(f, " ({}", ByteSize(*fetched_bytes))?;
            match saved.as_secs() {
                0 => write!(f, ")")?,
                seconds => write!(f, ", {seconds} s of imports saved)")?,
            }
        }
        if *damaged > 0 {
            write!(f, ", {damaged} damaged and imported again")?;
        }
        if stored.assets > 0 {
            write!(f, ", {} added ({})", stored.assets, ByteSize(stored.bytes))?;
        }
        write!(f, ", {:.1} s", elapsed.as_secs_f64())?;
        fault.as_ref().map_or(Ok(()), |fault| write!(f, "; {fault}"))
    }
}

/// A remote cache, and what a build has had from it.
#[derive(Clone, Debug)]
pub(crate) struct RemoteLayer {
    pub(crate) cache: Arc<dyn RemoteCache>,
    used: Arc<Mutex<RemoteUse>>,
}

/// What a build does with a remote cache. One that refuses what is added may still be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemoteStep {
    Read,
    Add,
}

impl RemoteLayer {
    pub(crate) fn new(cache: Arc<dyn RemoteCache>) -> Self {
        let used = RemoteUse { place: cache.place(), ..RemoteUse::default() };
        Self { cache, used: Arc::new(Mutex::new(used)) }
    }

    /// What the build has had from it; `None` if the build did not need it.
    pub(crate) fn used(&self) -> Option<RemoteUse> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (used.wanted > 0 || used.stored.assets > 0 || used.fault.is_some()).then_some(used)
    }

    /// Whether builds leave it alone: they do not read it, or do not add to it.
    pub(crate) fn is_away(&self, step: RemoteStep, of: &Cache) -> bool {
        // Whoever cannot read it does not add to it either.
        of.is_away(&*self.cache, RemoteStep::Read) || (step == RemoteStep::Add && of.is_away(&*self.cache, step))
    }

    /// Stores the blobs of these keys in the cache of the machine, as far as the remote cache has them. `arrived` is called with the number of
    /// blobs so far.
    ///
    /// # Errors
    /// If the remote cache does not answer in time, or refuses.
    pub(crate) fn fetch(
        &self,
        keys: &[[u8; 32]],
        into: &Cache,
        threads: usize,
        arrived: &dyn Fn(usize),
    ) -> io::Result<()> {
        let mut saved = Duration::ZERO;
        let arrived = arriving::store(into, threads, arrived, |take| {
            let fetched = self.cache.fetch(keys, &mut |number, bytes| match keys.get(number) {
                Some(key) => take(Some(Key(*key)), bytes),
                None => take(None, &[]),
            });
            fetched.map(|took| saved = took)
        });
        self.note(|used| {
            used.saved += saved;
            used.fetched += arrived.new;
            used.fetched_bytes += arrived.bytes;
        });
        self.end_of(arrived)
    }

    /// Stores blobs of these keys, and what was added with them, in the cache of the machine. Returns how many it lacked.
    pub(crate) fn fetch_with_others(&self, keys: &[Key], into: &Cache, threads: usize) -> usize {
        let started = Instant::now();
        let keys: Vec<[u8; 32]> = keys.iter().map(|key| key.0).collect();
        let arrived = arriving::store(into, threads, &|_| {}, |take| {
            self.cache.fetch_with_others(&keys, &mut |bytes| take(None, bytes))
        });
        let count = arrived.new;
        self.end(RemoteStep::Read, into, started, self.end_of(arrived));
        count
    }

    /// Notes what was damaged.
    fn end_of(&self, arrived: Arrived) -> io::Result<()> {
        self.note(|used| used.damaged += arrived.damaged);
        arrived.fetched
    }

    /// Adds blobs of the cache of the machine that do not belong to a source, if this machine adds.
    pub(crate) fn store_blobs(&self, keys: &[Key], of: &Cache) {
        if !self.cache.is_written() || keys.is_empty() || self.is_away(RemoteStep::Add, of) {
            return;
        }
        let started = Instant::now();
        let entry = |key: &Key| RemoteEntry {
            source: key.0,
            input_files: Vec::new(),
            blob: key.0,
            file: of.blob_file(key),
            elapsed: Duration::ZERO,
        };
        let entries: Vec<RemoteEntry> = keys.iter().map(entry).collect();
        self.end(RemoteStep::Add, of, started, self.cache.store(&entries).map(drop));
    }

    /// Notes the time that a step has taken. A fault of a remote cache is no fault of the build.
    pub(crate) fn end(&self, step: RemoteStep, cache: &Cache, started: Instant, result: io::Result<()>) {
        self.note(|used| used.elapsed += started.elapsed());
        if let Err(error) = result {
            cache.note_away(&*self.cache, step);
            let consequence = match step {
                RemoteStep::Read => "it was not read further",
                RemoteStep::Add => "what this build has imported was not added",
            };
            self.note(|used| used.fault = Some(format!("{consequence}: {error}")));
        }
    }

    pub(crate) fn note(&self, change: impl FnOnce(&mut RemoteUse)) {
        change(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Cache {
    /// The file whose modification time says when a remote cache has failed.
    fn away_file(&self, remote: &dyn RemoteCache, step: RemoteStep) -> PathBuf {
        let extension = match step {
            RemoteStep::Read => "away",
            RemoteStep::Add => "away-for-adding",
        };
        let place = blake3::hash(remote.place().as_bytes()).to_hex();
        self.dir.join("remote").join(format!("{}.{extension}", &place[..16]))
    }

    /// Whether the remote cache has failed in the last minute.
    fn is_away(&self, remote: &dyn RemoteCache, step: RemoteStep) -> bool {
        let failed = fs::metadata(self.away_file(remote, step)).and_then(|metadata| metadata.modified());
        failed.is_ok_and(|at| at.elapsed().is_ok_and(|since| since < AWAY))
    }

    /// Records that the remote cache has failed.
    fn note_away(&self, remote: &dyn RemoteCache, step: RemoteStep) {
        let file = self.away_file(remote, step);
        // Without the record, the next build asks again.
        let _ = fs::create_dir_all(self.dir.join("remote"));
        let _ = File::create(file).and_then(|file| file.set_modified(SystemTime::now()));
    }
}
