#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod config;
#[cfg(feature = "grpc")]
mod farm;
mod index;
mod known;
mod objects;
mod sources;
mod store;

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rres_engine::cache::{Cache, RemoteCache, RemoteEntry, Stored};

pub use config::Config;
#[cfg(feature = "grpc")]
pub use farm::ImportFarm;
use index::{ShortKey, short, short_hash};
use known::{Known, Place};
use objects::{Objects, Part, without_secrets};
pub use sources::SourceStore;

/// Parts of a bundle that are not farther from each other are read as one, since a request costs more than a few bytes.
const GAP: u64 = 4 << 10;

/// The most bytes that one request reads.
const MOST_BYTES: u64 = 8 << 20;

/// A cache in a store of objects.
#[derive(Debug)]
pub struct ObjectCache {
    config: Config,
    objects: Box<dyn Objects>,
    /// Where index files are kept, which never change.
    dir: Option<PathBuf>,
    /// What is in the store; `None` until somebody asks.
    known: Mutex<Option<Arc<Known>>>,
    /// The blobs that an index names and that are gone or damaged, so that they are added again.
    lost: Mutex<HashSet<ShortKey>>,
}

impl ObjectCache {
    /// Opens a cache. Sends nothing; the first build that lacks something asks the store.
    ///
    /// # Errors
    /// If no store has such an address; the text says why.
    pub fn open(config: Config) -> Result<Self, String> {
        let objects = objects::open(&config)?;
        let dir = Cache::default_location().map(|cache| cache.dir().join("remote"));
        Ok(Self { config, objects, dir, known: Mutex::default(), lost: Mutex::default() })
    }

    /// Sets the directory where index files are kept; `None` for none. Default: `remote` in the import cache of the machine.
    #[must_use]
    pub fn keep_in(self, dir: Option<PathBuf>) -> Self {
        Self { dir, ..self }
    }

    /// The directory for the index files of this store. When this store is read, the files of another one stay.
    fn kept(&self) -> Option<PathBuf> {
        let place = blake3::hash(self.place().as_bytes()).to_hex();
        self.dir.as_ref().map(|dir| dir.join(&place[..16]))
    }

    fn known(&self) -> io::Result<Arc<Known>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let read = Arc::new(Known::read(&*self.objects, &self.config, self.kept().as_deref())?);
        *known = Some(Arc::clone(&read));
        Ok(read)
    }

    /// Reads blobs, each with a number that is passed on.
    fn read(
        &self,
        known: &Known,
        mut places: Vec<(Place, usize)>,
        take: &mut dyn FnMut(usize, &[u8]),
    ) -> io::Result<()> {
        places.sort_unstable_by_key(|(place, _)| (place.bundle, place.offset));
        // Each part, and where its blobs are in the list of places.
        let mut parts: Vec<(Part, std::ops::Range<usize>)> = Vec::new();
        for (at, (place, _)) in places.iter().enumerate() {
            let (start, end) = (place.offset, place.offset + u64::from(place.len));
            if let Some((part, of)) = parts.last_mut()
                && places[of.start].0.bundle == place.bundle
                && start <= part.range.end + GAP
                && end - part.range.start <= MOST_BYTES
            {
                part.range.end = part.range.end.max(end);
                of.end = at + 1;
            } else {
                parts.push((Part { name: known.bundle_name(place.bundle), range: start..end }, at..at + 1));
            }
        }
        let (parts, of): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut lost: HashSet<ShortKey> = places.iter().map(|(place, _)| place.key).collect();
        let read = self.objects.get_parts(&parts, &mut |number, bytes| {
            let start = parts[number].range.start;
            for (place, wanted) in &places[of[number].clone()] {
                let at = usize::try_from(place.offset - start).unwrap_or(usize::MAX);
                // The build checks whether the blob is whole; this checks that it is the one that was added.
                match bytes.get(at..).and_then(|rest| rest.get(..place.len as usize)) {
                    Some(blob) if short_hash(blob) == place.hash => {
                        lost.remove(&place.key);
                        take(*wanted, blob);
                    }
                    _ => take(*wanted, &[]),
                }
            }
        });
        // After a failure, what has not arrived may be there all the same.
        if read.is_ok() {
            self.lost.lock().unwrap_or_else(PoisonError::into_inner).extend(lost);
        }
        read
    }
}

/// Opens the cache that the variables `RRES_REMOTE_CACHE…` or the user's configuration name; `None` if they name none.
///
/// # Errors
/// If a setting is wrong; the text says which.
pub fn from_environment() -> Result<Option<Arc<dyn RemoteCache>>, String> {
    let Some(config) = Config::from_environment()? else { return Ok(None) };
    Ok(Some(Arc::new(ObjectCache::open(config)?)))
}

impl RemoteCache for ObjectCache {
    fn place(&self) -> String {
        without_secrets(&self.config.address)
    }

    fn input_files(&self, sources: &[[u8; 32]]) -> io::Result<Vec<(usize, Vec<String>)>> {
        let known = self.known()?;
        let of = |(number, key): (usize, &[u8; 32])| Some((number, known.input_files(&short(key))?.to_vec()));
        Ok(sources.iter().enumerate().filter_map(of).collect())
    }

    fn fetch(&self, blobs: &[[u8; 32]], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<Duration> {
        let known = self.known()?;
        let place = |(number, key): (usize, &[u8; 32])| Some((known.place(&short(key))?, number));
        let places: Vec<(Place, usize)> = blobs.iter().enumerate().filter_map(place).collect();
        let took = known.took(places.iter().map(|(place, _)| place));
        self.read(&known, places, &mut |number, blob| take(number, blob))?;
        Ok(took)
    }

    fn fetch_with_others(&self, blobs: &[[u8; 32]], take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let known = self.known()?;
        let bundles: HashSet<u32> =
            blobs.iter().filter_map(|key| known.place(&short(key))).map(|place| place.bundle).collect();
        let places = known.places().filter(|place| bundles.contains(&place.bundle)).map(|place| (place, 0)).collect();
        self.read(&known, places, &mut |_, blob| take(blob))
    }

    fn contents(&self) -> io::Result<Stored> {
        Ok(self.known()?.contents())
    }

    fn is_written(&self) -> bool {
        self.config.writes
    }

    fn store(&self, entries: &[RemoteEntry]) -> io::Result<Stored> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone();
        store::store(&*self.objects, &self.config, self.kept().as_deref(), &*self.known()?, &lost, entries)
    }
}
