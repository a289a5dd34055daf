//! The import cache: the imported form of source files, addressed by a hash of everything that it depends on.
//!
//! A **blob** is a small pack that contains the imported form of one source. Its key is a hash of the source's bytes,
//! its settings, the importer and its version, and the input files that the importer read besides the source. So a blob
//! never changes, and any number of projects, profiles and builds can share a cache directory. Files are written under
//! a temporary name and renamed. If a blob does not read back, its source is imported again, so files that a crash
//! leaves behind do no harm.
//!
//! ```text
//! <cache>/blobs/ab/cdef….rres        the imported form of a source
//! <cache>/inputs/ab/cdef….txt        the input files of a source, one path per line (only if it has any)
//! <cache>/manifests/ab/cdef….manifest  the manifest of the last build of a name
//! <cache>/outputs/ab/cdef….key       what the packs of other output directories than Cargo's were made of, and their manifests
//! <cache>/roots/cdef….txt            a dev index that refers to blobs: pruning them makes its build run again
//! <cache>/locks/abc.lock             locked while a build imports a source whose key begins with these digits
//! <cache>/remote/cdef….away       its modification time is the time of the last failure of a remote cache
//! <cache>/tmp/.rres-….tmp            a file that is being written
//! <cache>/pruned                     its modification time is the time of the last pruning
//! ```

mod arriving;
mod blob;
mod import_lock;
mod inventory;
mod large_blob;
mod manifest;
mod prune;
mod record;
mod remote;
mod roots;

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use rres_protocol::files;

pub(crate) use arriving::store as store_arriving;
pub(crate) use blob::{
    EncodedResource, begin_key, build_blob, check as check_blob, fuzz_change, key_of as blob_key_of, write_blob,
};
pub(crate) use import_lock::ImportLock;
pub use inventory::{CacheStats, VerifyReport};
pub(crate) use large_blob::LargeBlob;
pub(crate) use manifest::{BuildManifest, CLOCK_TICK};
pub use prune::{DEFAULT_CACHE_SIZE, MIN_AGE, PruneReport, size_limit};
pub use remote::{RemoteCache, RemoteEntry, RemoteUse, Stored};
pub(crate) use remote::{RemoteLayer, RemoteStep};

use crate::diagnostic::Diagnostic;
use crate::file_range::is_of_source;
use crate::key::Key;
use crate::model::ResourceInfo;
use crate::read_file::{open_file, read_record};
use crate::temp_file::{self, TempFile, sweep_temp_files};

/// The precision of recorded uses: writing at every lookup would be too expensive.
pub(crate) const TOUCH_INTERVAL: Duration = Duration::from_secs(24 * 3600);

/// The value of `RRES_CACHE_DIR` and `RRES_CACHE_SIZE` that turns the cache or its limit off.
pub(crate) const OFF: &str = "off";

/// A directory of imported assets that builds share. Builds find it by themselves; this type is for maintenance.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let cache = rres_build::cache::Cache::default_location().expect("RRES_CACHE_DIR is not `off`");
/// println!("{}: {} bytes", cache.dir().display(), cache.stats()?.bytes);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
    /// Whether a blob could not be written, for example because the disk is full.
    has_failed: Arc<AtomicBool>,
}

impl Cache {
    /// Returns the cache that builds use by default: the directory named by the variable `RRES_CACHE_DIR`, or else
    /// `rres` in the user's cache directory. Returns `None` if the variable is `off` or the system has no such
    /// directory. Creates nothing.
    pub fn default_location() -> Option<Self> {
        Some(Self::at(default_cache_dir()?))
    }

    /// Returns the cache in `dir`. Creates nothing.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), has_failed: Arc::default() }
    }

    /// Returns the directory, which need not exist.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The cache in `dir`, or in `fallback` if `dir` cannot be written. Removes the temporary files of killed builds.
    pub(crate) fn open(dir: Option<PathBuf>, fallback: &Path) -> io::Result<Self> {
        let writable = dir.map(Self::at).filter(|cache| temp_file::is_writable(&cache.tmp()));
        let cache = writable.unwrap_or_else(|| Self::at(fallback));
        for dir in [cache.tmp(), cache.blobs(), cache.locks()] {
            fs::create_dir_all(dir)?;
        }
        sweep_temp_files(&cache.tmp());
        Ok(cache)
    }

    /// The directory of blobs.
    pub(crate) fn blobs(&self) -> PathBuf {
        self.dir.join("blobs")
    }

    fn inputs(&self) -> PathBuf {
        self.dir.join("inputs")
    }

    fn manifests(&self) -> PathBuf {
        self.dir.join("manifests")
    }

    /// Removes the temporary files that killed builds have left beside the records of outputs.
    pub(crate) fn sweep_outputs(&self) {
        for entry in fs::read_dir(self.outputs()).into_iter().flatten().flatten() {
            sweep_temp_files(&entry.path());
        }
    }

    fn outputs(&self) -> PathBuf {
        self.dir.join("outputs")
    }

    fn tmp(&self) -> PathBuf {
        self.dir.join("tmp")
    }

    /// The file of a blob.
    pub(crate) fn blob_file(&self, key: &Key) -> PathBuf {
        self.blobs().join(files::blob_path(&key.0))
    }

    /// The resources in the blob of `key`, or `None` if it does not exist or does not read back.
    pub(crate) fn look_up(&self, key: &Key) -> Option<Vec<ResourceInfo>> {
        let path = self.blob_file(key);
        let mut file = open_file(&path).ok()?;
        let metadata = file.metadata().ok()?;
        let resources = blob::read_description(&mut file, metadata.len(), key).ok().flatten()?;
        touch(&path, &metadata);
        Some(resources)
    }

    /// Whether the blob of `key` exists and has the length of a blob with these resources. Does not read it.
    pub(crate) fn has(&self, key: &Key, resources: &[ResourceInfo]) -> bool {
        let path = self.blob_file(key);
        let Ok(metadata) = fs::metadata(&path) else { return false };
        let is_whole = metadata.is_file() && blob::length(resources) == Some(metadata.len());
        if is_whole {
            touch(&path, &metadata);
        }
        is_whole
    }

    /// Stores a blob.
    pub(crate) fn store(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        self.store_with(key, |out| out.write_all(bytes))
    }

    /// Stores a blob that `write` writes.
    ///
    /// # Errors
    /// Errors of `write` and of the file. Nothing is left of a blob that is not whole.
    pub(crate) fn store_with(&self, key: &Key, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let written = temp_file::write_new_with(&self.blob_file(key), &self.tmp(), write);
        self.note_failure(&written);
        written
    }

    /// A temporary file for what a blob is made of, on the file system of the blobs.
    pub(crate) fn temp_file(&self) -> io::Result<TempFile> {
        let made = TempFile::create(&self.tmp());
        self.note_failure(&made);
        made
    }

    /// Remembers an error, unless it is one of what was to be stored.
    pub(crate) fn note_failure<T>(&self, written: &io::Result<T>) {
        if written.as_ref().is_err_and(|error| !is_of_source(error)) {
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a blob could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The fault that a blob cannot be written: the same one for each blob, so that a full disk is one fault.
    pub(crate) fn cannot_write(&self, error: &io::Error) -> Diagnostic {
        let help = "free space there, or choose another directory with the variable RRES_CACHE_DIR".to_owned();
        Diagnostic::io("write to the import cache", &self.dir, error).of_machine().with_help(help)
    }

    /// Removes damaged blobs, so that they can be stored again. Builds that refer to them run again.
    pub(crate) fn discard(&self, keys: &[Key]) -> io::Result<()> {
        self.invalidate_roots(&keys.iter().copied().collect())?;
        for key in keys {
            match fs::remove_file(self.blob_file(key)) {
                // If it is a directory, it is removed when the blob is stored.
                Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) => {
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The manifest of the last build of the pack `name`, in whichever output directory.
    pub(crate) fn manifest_file(&self, name: &str) -> PathBuf {
        self.manifests().join(files::sharded_path(blake3::hash(name.as_bytes()).as_bytes(), "manifest"))
    }

    /// Stores the manifest of a build of the pack `name`, for builds into other output directories. If it cannot be
    /// written, those builds take longer. `own` is the file that has it in the output directory.
    pub(crate) fn store_manifest(&self, name: &str, own: &Path, manifest: &[u8]) {
        let file = self.manifest_file(name);
        // A manifest is replaced and never changed, so the two can be one file, which is written once.
        if temp_file::link_new(&file, &self.tmp(), own).is_err() {
            let _ = temp_file::write_new(&file, &self.tmp(), manifest);
        }
    }

    /// The place to keep the record `file` of an output directory in, so that the directory holds only what its user wants.
    pub(crate) fn record_file(&self, file: &Path) -> PathBuf {
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("record");
        let key = blake3::hash(file.as_os_str().as_encoded_bytes());
        self.outputs().join(files::sharded_path(key.as_bytes(), extension))
    }

    fn inputs_file(&self, source: &Key) -> PathBuf {
        self.inputs().join(files::sharded_path(&source.0, "txt"))
    }

    /// The paths, relative to the source's directory, of the input files that the importer of a source read; `None` if it
    /// read none, or the source has not been imported yet.
    pub(crate) fn input_files(&self, source: &Key) -> Option<Vec<String>> {
        let path = self.inputs_file(source);
        let text = String::from_utf8(read_record(&path).ok()?).ok()?;
        let lines = text.strip_suffix("end\n")?;
        touch(&path, &fs::metadata(&path).ok()?);
        Some(lines.lines().map(str::to_owned).collect())
    }

    /// Stores the paths of the input files of a source; nothing if there are none.
    pub(crate) fn store_input_files(&self, source: &Key, paths: &[String]) -> io::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
        let written = temp_file::write_new(&self.inputs_file(source), &self.tmp(), format!("{text}end\n").as_bytes());
        self.note_failure(&written);
        written
    }
}

/// Reads any bytes as a description of a blob and as a manifest, for the fuzz targets. The hash of a manifest is made right.
pub(crate) fn fuzz_records(bytes: &[u8]) {
    blob::fuzz_description(bytes);
    BuildManifest::fuzz_decode(bytes);
}

/// Whether something is removed: another process may have removed it.
fn ignore_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Records the use of a cache file in its modification time, which serves no other purpose, because the contents follow
/// from the name. If the use cannot be recorded, the file is merely pruned earlier.
fn touch(path: &Path, metadata: &Metadata) {
    let is_recent = |time: SystemTime| time.elapsed().is_ok_and(|age| age < TOUCH_INTERVAL);
    if !metadata.modified().is_ok_and(is_recent) {
        let _ = File::options().write(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    }
}

/// The directory of [`Cache::default_location`].
pub(crate) fn default_cache_dir() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match variable("RRES_CACHE_DIR") {
        Some(dir) if dir.as_os_str() == OFF => return None,
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
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))
    };
    base.map(|base| base.join("rres"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_discarded_is_no_blob_of_a_root_any_more() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path());
        let key = Key([7; 32]);
        cache.store(&key, b"damaged").unwrap();
        // An index that is gone may have referred to anything.
        let root = cache.register_root(&dir.path().join("gone.rres")).unwrap();
        cache.discard(&[key]).unwrap();
        assert_eq!((cache.blob_file(&key).exists(), root.exists()), (false, false));
    }
}
