//! One source → its blob: hash it, look its key up in the cache, import and encode only where no blob answers.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rres_format::AssetKind;

use crate::cache::{Cache, Claim, Key, KeyBuilder, PartInfo, Sight, write_blob};
use crate::discover::SourceFile;
use crate::encode::encode;
use crate::engine::Asset;
use crate::error::Problem;
use crate::guard::{Jobs, Opening};
use crate::import::{ImportError, Importer, Neighbours, Source, beside, extension_of, importer_for};
use crate::progress::{Done, Tally};
use crate::settings::{Compat, Settings};

/// Raised whenever the same blocks are stored in another way, so that old blobs are not taken for new ones.
const ENGINE_VERSION: u32 = 1;

/// How long to wait for another build that is importing the same source. One that takes longer is stuck, or at
/// something so large that two may as well do it.
const PATIENCE: Duration = Duration::from_secs(10);

/// One source and all that decides how it is imported.
pub(crate) struct Job {
    pub(crate) source: SourceFile,
    pub(crate) kind: AssetKind,
    pub(crate) settings: Settings,
}

/// What there is to import, for a pool of workers.
pub(crate) struct Work {
    pub(crate) jobs: Vec<Job>,
    pub(crate) cache: Cache,
    /// What blobs hold that an earlier build saw.
    pub(crate) known: HashMap<Key, Vec<PartInfo>>,
    pub(crate) dir: PathBuf,
    pub(crate) compat: Option<Compat>,
    pub(crate) tally: Tally,
}

/// A source that no blob answers for.
pub(crate) struct Opened {
    bytes: Vec<u8>,
    hash: [u8; 32],
    own_key: Key,
    importer: &'static dyn Importer,
    claim: Claim,
    /// Time that it took to get here.
    took: Duration,
}

impl Jobs for Work {
    type Opened = Opened;
    type Done = Result<Asset, Problem>;

    fn count(&self) -> usize {
        self.jobs.len()
    }

    fn size(&self, job: usize) -> u64 {
        self.jobs[job].source.size
    }

    fn open(&self, job: usize, at_last: bool) -> Opening<Opened, Self::Done> {
        self.open_source(&self.jobs[job], at_last).unwrap_or_else(|problem| Opening::Done(Err(problem)))
    }

    fn work(&self, job: usize, opened: Opened) -> Self::Done {
        self.import(&self.jobs[job], opened)
    }

    fn ended(&self, job: usize, done: Option<&Self::Done>) {
        let SourceFile { path, size, .. } = &self.jobs[job].source;
        let done = match done {
            Some(Ok(asset)) if asset.cached => Done::Cached,
            Some(Ok(_)) => Done::Imported,
            Some(Err(_)) | None => Done::Failed,
        };
        self.tally.count(path, *size, done);
    }
}

impl Work {
    fn open_source(&self, job: &Job, at_last: bool) -> Result<Opening<Opened, Result<Asset, Problem>>, Problem> {
        let started = Instant::now();
        let Job { source, kind, settings } = job;
        let importer = importer_for(*kind).map_err(|e| Problem::import(job.place(), &e))?;
        let bytes = fs::read(&source.file).map_err(|e| Problem::io("read it", &source.file, &e))?;
        let hash = *blake3::hash(&bytes).as_bytes();
        let own_key = own_key(importer, source, *kind, settings, self.compat, &hash);
        let found = |(blob, parts)| {
            let sight = Sight { stamp: source.stamp, hash, own_key, blob, parts };
            Ok(Opening::Done(Ok(job.asset(sight, true, started.elapsed()))))
        };
        if let Some(known) = self.look_up(source, &own_key) {
            return found(known);
        }
        let claim = match at_last {
            true => self.cache.claim_or_wait(&own_key, PATIENCE),
            false => match self.cache.claim(&own_key) {
                Some(claim) => claim,
                None => return Ok(Opening::PutOff),
            },
        };
        // Whoever had the claim before us may have stored it.
        if let Some(known) = self.look_up(source, &own_key) {
            return found(known);
        }
        let memory = importer.memory(&bytes, settings);
        Ok(Opening::Work(Opened { bytes, hash, own_key, importer, claim, took: started.elapsed() }, memory))
    }

    /// The blob of a source, and what it holds.
    fn look_up(&self, source: &SourceFile, own_key: &Key) -> Option<(Key, Vec<PartInfo>)> {
        if let Some(parts) = self.known.get(own_key)
            && self.cache.has(own_key, parts)
        {
            return Some((*own_key, parts.clone()));
        }
        // Most sources read no other file: their blob's key is their own. For the rest there is a record of what they
        // read.
        if let Some(parts) = self.cache.look_up(own_key) {
            return Some((*own_key, parts));
        }
        let paths = self.cache.beside(own_key)?;
        let mut files = Beside::new(&self.dir, &source.path);
        // A neighbour that is gone, or was never asked for, gives another key or fails in the import.
        if !paths.iter().all(|path| files.read_relative(path).is_ok()) {
            return None;
        }
        let blob = full_key(own_key, &files);
        Some((blob, self.cache.look_up(&blob)?))
    }

    fn import(&self, job: &Job, opened: Opened) -> Result<Asset, Problem> {
        let started = Instant::now();
        let Opened { bytes, hash, own_key, importer, claim, took } = opened;
        let Job { source, settings, .. } = job;
        let mut files = Beside::new(&self.dir, &source.path);
        let mut work = Source { path: &source.path, bytes: &bytes, settings, neighbours: &mut files };
        let parts = importer.import(&mut work).map_err(|e| Problem::import(job.place(), &e))?;
        let stored = encode(parts, settings, self.compat).map_err(|e| Problem::import(job.place(), &e))?;
        let (blob_bytes, parts) =
            write_blob(stored).map_err(|e| Problem::new(job.place(), format!("cannot be stored: {e}")))?;
        let blob = full_key(&own_key, &files);
        let paths: Vec<String> = files.read.iter().map(|(path, _)| path.clone()).collect();
        let kept = self.cache.store(&blob, &blob_bytes).and_then(|()| self.cache.store_beside(&own_key, &paths));
        kept.map_err(|e| {
            Problem::io("write the import cache", &self.cache.blob_file(&blob), &e)
                .help("free space there, or choose another directory with the variable RRES_CACHE_DIR")
        })?;
        drop(claim);
        let sight = Sight { stamp: source.stamp, hash, own_key, blob, parts };
        Ok(job.asset(sight, false, took + started.elapsed()))
    }
}

impl Job {
    fn place(&self) -> String {
        self.source.file.display().to_string()
    }

    fn asset(&self, sight: Sight, cached: bool, took: Duration) -> Asset {
        let (path, settings, source_size) = (self.source.path.clone(), self.settings.clone(), self.source.size);
        Asset { path, settings, sight, cached, source_size, took }
    }
}

/// Everything that decides what a source becomes, except the files beside it.
pub(crate) fn own_key(
    importer: &dyn Importer,
    source: &SourceFile,
    kind: AssetKind,
    settings: &Settings,
    compat: Option<Compat>,
    hash: &[u8; 32],
) -> Key {
    let mut fingerprint = Vec::new();
    settings.fingerprint(kind, &mut fingerprint);
    let mut key = KeyBuilder::new("rres source");
    key.field(&ENGINE_VERSION.to_le_bytes());
    key.field(&[kind as u8]);
    key.field(&importer.version().to_le_bytes());
    key.field(&fingerprint);
    key.field(&[compat.map_or(0, |Compat::Raylib| 1)]);
    // A link stores its path; everything else at most its extension.
    let name = if kind == AssetKind::Link { source.path.as_str() } else { extension_of(&source.path) };
    key.field(name.as_bytes());
    key.field(if kind == AssetKind::Link { &[] } else { hash });
    key.finish()
}

/// The key of a source's blob: its own, and what was read beside it.
fn full_key(own: &Key, files: &Beside<'_>) -> Key {
    if files.read.is_empty() {
        return *own;
    }
    let mut key = KeyBuilder::new("rres source and neighbours");
    key.field(&own.0);
    for (path, hash) in &files.read {
        key.field(path.as_bytes());
        key.field(hash);
    }
    key.finish()
}

/// The files beside a source; keeps a record of what was read, relative to the source's directory.
struct Beside<'a> {
    dir: &'a Path,
    source: &'a str,
    read: Vec<(String, [u8; 32])>,
}

impl<'a> Beside<'a> {
    fn new(dir: &'a Path, source: &'a str) -> Self {
        Self { dir, source, read: Vec::new() }
    }

    fn read_relative(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = beside(self.source, relative).map_err(|e| ImportError::new(e.to_string()))?;
        self.read(&path)
    }
}

impl Neighbours for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let file = self.dir.join(path);
        let bytes: Arc<[u8]> = fs::read(&file)
            .map_err(|e| {
                ImportError::new(format!("needs {}, which cannot be read: {e}", file.display()))
                    .help("put the file there, or export the source again with everything embedded")
            })?
            .into();
        let relative = relative_to(self.source, path);
        if !self.read.iter().any(|(known, _)| *known == relative) {
            self.read.push((relative, blake3::hash(&bytes).into()));
            self.read.sort();
        }
        Ok(bytes)
    }
}

/// `path` as seen from the directory of `source`: both are asset paths.
fn relative_to(source: &str, path: &str) -> String {
    let mut from: Vec<&str> = source.split('/').collect();
    from.pop();
    let to: Vec<&str> = path.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - common;
    std::iter::repeat_n("..", up).chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_sources_directory() {
        for (source, path, expected) in [
            ("a/b/x.gltf", "a/b/x.bin", "x.bin"),
            ("a/b/x.gltf", "a/c/x.bin", "../c/x.bin"),
            ("x.gltf", "a/x.bin", "a/x.bin"),
            ("a/b/x.gltf", "x.bin", "../../x.bin"),
        ] {
            assert_eq!(relative_to(source, path), expected, "{source} → {path}");
        }
    }
}
