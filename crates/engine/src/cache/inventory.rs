//! Counts or verifies the contents of a cache.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rres_protocol::files;

use super::{Cache, LargeBlob, MIN_AGE, blob, ignore_missing};
use crate::key::Key;
use crate::read_file::{read_file, read_record};

/// The size and use of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// The number of blobs.
    pub blobs: usize,
    /// The size in bytes of all files that count towards the size limit.
    pub bytes: u64,
    /// The size in bytes of the files that have not been used within [`MIN_AGE`], which builds may prune.
    pub prunable: u64,
    /// When the least recently used file was used, to the day; `None` for an empty cache.
    pub oldest_use: Option<SystemTime>,
    /// When a build last pruned the cache.
    pub pruned: Option<SystemTime>,
    /// The existing dev indexes that refer to blobs of this cache.
    pub dev_indexes: Vec<PathBuf>,
}

/// The result of checking a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The number of sound blobs.
    pub sound: usize,
    /// The number of bytes read.
    pub bytes: u64,
    /// The damaged files that have been removed, and what was wrong with each.
    pub removed: Vec<(PathBuf, String)>,
}

/// A file that counts towards the size of a cache.
#[derive(Clone, Debug)]
pub(super) struct CacheFile {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    /// When it was last used, to the day.
    pub(super) used: SystemTime,
    /// Its key, if it is a blob.
    pub(super) blob: Option<Key>,
}

impl Cache {
    /// Counts the contents of the cache.
    ///
    /// # Errors
    /// If the cache exists and cannot be read.
    pub fn stats(&self) -> io::Result<CacheStats> {
        let files = self.files()?;
        let is_old = |item: &&CacheFile| item.used.elapsed().is_ok_and(|age| age >= MIN_AGE);
        let index = |root: PathBuf| Some(PathBuf::from(String::from_utf8(read_record(&root).ok()?).ok()?));
        let mut dev_indexes: Vec<_> =
            self.known_roots().into_iter().filter(|(_, blobs)| blobs.is_some()).filter_map(|(r, _)| index(r)).collect();
        dev_indexes.sort();
        Ok(CacheStats {
            blobs: files.iter().filter(|item| item.blob.is_some()).count(),
            bytes: files.iter().map(|item| item.size).sum(),
            prunable: files.iter().filter(is_old).map(|item| item.size).sum(),
            oldest_use: files.iter().map(|item| item.used).min(),
            pruned: fs::metadata(self.dir.join("pruned")).and_then(|metadata| metadata.modified()).ok(),
            dev_indexes,
        })
    }

    /// Reads every blob and removes the damaged ones, which the next build imports again.
    ///
    /// # Errors
    /// If the cache cannot be read, or damaged files cannot be removed.
    pub fn verify(&self) -> io::Result<VerifyReport> {
        self.check_directory()?;
        let mut verified = VerifyReport::default();
        let mut damaged = HashSet::new();
        for (path, key) in sharded_files(&self.blobs())? {
            // Files with other names do not belong to the cache.
            let Some(key) = key else { continue };
            let checked = match check_blob(&path, &key) {
                Ok((bytes, checked)) => {
                    verified.bytes += bytes;
                    checked
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // Not a regular file.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(error.to_string()),
                Err(error) => return Err(error),
            };
            match checked {
                Ok(()) => verified.sound += 1,
                Err(what) => {
                    damaged.insert(key);
                    verified.removed.push((path, what));
                }
            }
        }
        self.invalidate_roots(&damaged)?;
        for (path, _) in &verified.removed {
            // Of a link, the link is removed and not what it leads to.
            let is_directory = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
            ignore_missing(if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) })?;
        }
        verified.removed.sort();
        Ok(verified)
    }

    /// Checks that the cache is a directory or does not exist: a file in its place is not an empty cache.
    fn check_directory(&self) -> io::Result<()> {
        match fs::metadata(&self.dir) {
            Ok(metadata) if !metadata.is_dir() => {
                Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a directory"))
            }
            _ => Ok(()),
        }
    }

    /// Every file that counts towards the size limit.
    pub(super) fn files(&self) -> io::Result<Vec<CacheFile>> {
        self.check_directory()?;
        let mut files = Vec::new();
        let others = [self.inputs(), self.manifests(), self.outputs()].map(|dir| (dir, false));
        for (dir, has_blobs) in [(self.blobs(), true)].into_iter().chain(others) {
            for (path, key) in sharded_files(&dir)? {
                // A file that another process has removed meanwhile does not count.
                let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
                if metadata.is_file() {
                    let blob = key.filter(|_| has_blobs);
                    files.push(CacheFile { path, size: metadata.len(), used: metadata.modified()?, blob });
                }
            }
        }
        Ok(files)
    }
}

/// The size of a blob in bytes, and what is wrong with it.
fn check_blob(path: &Path, key: &Key) -> io::Result<(u64, Result<(), String>)> {
    if let Some(large) = LargeBlob::open(path)? {
        return Ok((large.len(), blob::check_large(&large, key)));
    }
    let bytes = read_file(path)?;
    Ok((bytes.len() as u64, blob::check(&bytes, key)))
}

/// Every entry of the directories `dir/00` to `dir/ff`, with the key that its name represents.
fn sharded_files(dir: &Path) -> io::Result<Vec<(PathBuf, Option<Key>)>> {
    let entries = |dir: &Path| match fs::read_dir(dir) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>(),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let mut found = Vec::new();
    for shard in entries(dir)? {
        for file in entries(&shard.path())? {
            let (shard, name) = (shard.file_name(), file.file_name());
            let names = shard.to_str().zip(name.to_str());
            let key = names.and_then(|(shard, name)| files::parse_sharded_path(shard, name)).map(Key);
            found.push((file.path(), key));
        }
    }
    Ok(found)
}
