//! The import cache: what source files became, addressed by everything that decides it.
//!
//! A **blob** is a tiny pack that holds what one source became. Its key hashes the source's bytes, its settings, the
//! importer and its version, and the files that the importer read beside the source; so a blob never changes, and any
//! number of projects, profiles and builds may share a cache directory. Files are written under another name and
//! renamed. A blob that does not read back is imported again, so nothing that a crash leaves behind does harm.
//!
//! ```text
//! <cache>/blobs/ab/cdef….rres     what a source became
//! <cache>/beside/ab/cdef….txt     which files its importer read, one path per line (only where it read any)
//! <cache>/seen/ab/cdef….seen     what the last build of a name saw
//! <cache>/roots/cdef….txt         a dev index that leads to blobs: pruning them makes its build run again
//! <cache>/claims/abc.claim        the lock of whoever imports a source whose key begins so
//! <cache>/parts/.rres-….part      a file in the making
//! <cache>/pruned                  its time is that of the last pruning
//! ```

mod blob;
mod claim;
mod inventory;
mod key;
mod prune;
mod record;
mod roots;
mod seen;
mod write;

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(crate) use blob::{PartInfo, StoredPart, write_blob};
pub(crate) use claim::Claim;
pub use inventory::{CacheStat, Verified};
pub(crate) use key::{Key, KeyBuilder};
pub use prune::{DEFAULT_CACHE_SIZE, Pruned, SPARED, cache_size_limit, parse_size};
pub(crate) use seen::{Seen, Sight, Stamp};
pub(crate) use write::{replace, sweep_parts, write_if_changed};

/// How exactly the time of a use is recorded: a write per lookup would cost more than it tells.
const USE_TICK: Duration = Duration::from_secs(24 * 3600);

/// A directory of imported forms, which builds share. Builds find theirs; this is for looking after it.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let cache = rres_build::cache::Cache::of_user().expect("RRES_CACHE_DIR is not `off`");
/// println!("{}: {} bytes", cache.dir().display(), cache.stat()?.bytes);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
}

impl Cache {
    /// The cache that builds use by default: the directory `RRES_CACHE_DIR`, else `rres` in the system's place for
    /// caches. `None` where the variable is `off` or there is no such place. Makes nothing.
    pub fn of_user() -> Option<Self> {
        Some(Self { dir: user_cache_dir()? })
    }

    /// The cache in `dir`. Makes nothing.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// Its directory, which need not exist.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The cache in `dir`, or in `fallback` where `dir` cannot be written. What killed builds left there is swept.
    pub(crate) fn open(dir: Option<PathBuf>, fallback: &Path) -> io::Result<Self> {
        let writable = dir.map(|dir| Self { dir }).filter(|cache| write::is_writable(&cache.parts()));
        let cache = writable.unwrap_or_else(|| Self { dir: fallback.to_owned() });
        for dir in [cache.parts(), cache.blobs(), cache.claims()] {
            fs::create_dir_all(dir)?;
        }
        sweep_parts(&cache.parts());
        Ok(cache)
    }

    /// Where blobs are.
    pub(crate) fn blobs(&self) -> PathBuf {
        self.dir.join("blobs")
    }

    fn parts(&self) -> PathBuf {
        self.dir.join("parts")
    }

    /// The file of a blob.
    pub(crate) fn blob_file(&self, key: &Key) -> PathBuf {
        let hex = key.hex();
        self.blobs().join(&hex[..2]).join(format!("{}.rres", &hex[2..]))
    }

    /// What the blob of `key` holds, or `None` where it is not there or does not read back.
    pub(crate) fn look_up(&self, key: &Key) -> Option<Vec<PartInfo>> {
        let path = self.blob_file(key);
        let mut file = File::open(&path).ok()?;
        let metadata = file.metadata().ok()?;
        let parts = blob::read_description(&mut file, metadata.len()).ok().flatten()?;
        record_use(&path, &metadata);
        Some(parts)
    }

    /// Whether the blob of `key` is there, as long as one with these parts is; reads nothing of it.
    pub(crate) fn has(&self, key: &Key, parts: &[PartInfo]) -> bool {
        let path = self.blob_file(key);
        let Ok(metadata) = fs::metadata(&path) else { return false };
        let is_whole = metadata.is_file() && blob::length(parts) == Some(metadata.len());
        if is_whole {
            record_use(&path, &metadata);
        }
        is_whole
    }

    /// Keeps a blob.
    pub(crate) fn store(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        write::write_new(&self.blob_file(key), &self.parts(), bytes)
    }

    /// Removes blobs that turned out to be damaged, for whoever is about to make them again.
    pub(crate) fn discard(&self, keys: &[Key]) -> io::Result<()> {
        for key in keys {
            match fs::remove_file(self.blob_file(key)) {
                // A directory in its place gives way when the blob is stored.
                Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) => {
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the last build of this name saw, in whichever output directory.
    pub(crate) fn seen_file(&self, name: &str) -> PathBuf {
        let hex = Key(blake3::hash(name.as_bytes()).into()).hex();
        self.dir.join("seen").join(&hex[..2]).join(format!("{}.seen", &hex[2..]))
    }

    /// Keeps the record of what a build of the pack `name` saw, for builds into other output directories.
    pub(crate) fn write_seen(&self, name: &str, record: &[u8]) {
        let _ = write::write_new(&self.seen_file(name), &self.parts(), record);
    }

    fn beside_file(&self, key: &Key) -> PathBuf {
        let hex = key.hex();
        self.dir.join("beside").join(&hex[..2]).join(format!("{}.txt", &hex[2..]))
    }

    /// The paths, relative to the source's directory, that the importer of a source read; `None` where it read none or
    /// the source has not been imported yet.
    pub(crate) fn beside(&self, source: &Key) -> Option<Vec<String>> {
        let path = self.beside_file(source);
        let text = fs::read_to_string(&path).ok()?;
        let lines = text.strip_suffix("end\n")?;
        record_use(&path, &fs::metadata(&path).ok()?);
        Some(lines.lines().map(str::to_owned).collect())
    }

    /// Keeps the paths that the importer of a source read; nothing where it read none.
    pub(crate) fn store_beside(&self, source: &Key, paths: &[String]) -> io::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
        write::write_new(&self.beside_file(source), &self.parts(), format!("{text}end\n").as_bytes())
    }
}

/// Records that a file of the cache was used, in its time of modification, which says nothing else: contents follow
/// from names. Where it cannot be recorded the file is only pruned earlier.
fn record_use(path: &Path, metadata: &Metadata) {
    let is_recent = |time: SystemTime| time.elapsed().is_ok_and(|age| age < USE_TICK);
    if !metadata.modified().is_ok_and(is_recent) {
        let _ = File::options().write(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    }
}

/// The user's cache directory for imports: `RRES_CACHE_DIR`, else the system's place for caches. `None` where there
/// is no such place, or the cache is switched off with `RRES_CACHE_DIR=off`.
pub(crate) fn user_cache_dir() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match variable("RRES_CACHE_DIR") {
        Some(off) if off.as_os_str() == "off" => return None,
        Some(dir) => return std::path::absolute(dir).ok(),
        None => {}
    }
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Caches"))
    } else {
        variable("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| variable("HOME").map(|h| h.join(".cache")))
    };
    base.map(|base| base.join("rres"))
}
