//! What is in a cache: counted, or read and checked.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Cache, Key, SPARED, blob};

/// What a cache holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStat {
    /// Imported sources.
    pub blobs: usize,
    /// Bytes of everything that counts towards the size limit.
    pub bytes: u64,
    /// Bytes of it that have not been used within [`SPARED`], which builds may prune.
    pub prunable: u64,
    /// When the least recently used of it was used, to the day; `None` for an empty cache.
    pub oldest_use: Option<SystemTime>,
    /// When a build last pruned.
    pub pruned: Option<SystemTime>,
    /// The dev indexes that lead to blobs here and still exist.
    pub dev_indexes: Vec<PathBuf>,
}

/// What checking a cache found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Blobs that are as they should be.
    pub sound: usize,
    /// Bytes read.
    pub bytes: u64,
    /// What was damaged and is removed: the file, and what was wrong with it.
    pub removed: Vec<(PathBuf, String)>,
}

/// A file that counts towards the size of a cache.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    /// When it was used, to the day.
    pub(super) used: SystemTime,
    /// Its key, where it is a blob.
    pub(super) blob: Option<Key>,
}

impl Cache {
    /// Counts what is there.
    ///
    /// # Errors
    /// Where the cache is there and cannot be read.
    pub fn stat(&self) -> io::Result<CacheStat> {
        let items = self.items()?;
        let is_old = |item: &&Item| item.used.elapsed().is_ok_and(|age| age >= SPARED);
        let index = |root: PathBuf| fs::read_to_string(root).ok().map(PathBuf::from);
        let mut dev_indexes: Vec<_> =
            self.known_roots().into_iter().filter(|(_, blobs)| blobs.is_some()).filter_map(|(r, _)| index(r)).collect();
        dev_indexes.sort();
        Ok(CacheStat {
            blobs: items.iter().filter(|item| item.blob.is_some()).count(),
            bytes: items.iter().map(|item| item.size).sum(),
            prunable: items.iter().filter(is_old).map(|item| item.size).sum(),
            oldest_use: items.iter().map(|item| item.used).min(),
            pruned: fs::metadata(self.dir.join("pruned")).and_then(|metadata| metadata.modified()).ok(),
            dev_indexes,
        })
    }

    /// Reads every blob and removes the damaged ones, which the next build imports again.
    ///
    /// # Errors
    /// Where the cache cannot be read, or damaged files cannot be removed.
    pub fn verify(&self) -> io::Result<Verified> {
        let mut verified = Verified::default();
        let mut damaged = HashSet::new();
        for (path, key) in files_in_drawers(&self.blobs())? {
            // Files with other names are not ours to judge.
            let Some(key) = key else { continue };
            let checked = match fs::read(&path) {
                Ok(bytes) => {
                    verified.bytes += bytes.len() as u64;
                    blob::check(&bytes)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) if error.kind() == io::ErrorKind::IsADirectory => Err("is a directory".to_owned()),
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
        self.give_up(&damaged)?;
        for (path, _) in &verified.removed {
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        verified.removed.sort();
        Ok(verified)
    }

    /// Every file that counts towards the size.
    pub(super) fn items(&self) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        let others = ["beside", "seen"].map(|name| (self.dir.join(name), false));
        for (dir, has_blobs) in [(self.blobs(), true)].into_iter().chain(others) {
            for (path, key) in files_in_drawers(&dir)? {
                // Whatever another process has removed meanwhile does not count.
                let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
                if metadata.is_file() {
                    let blob = key.filter(|_| has_blobs);
                    items.push(Item { path, size: metadata.len(), used: metadata.modified()?, blob });
                }
            }
        }
        Ok(items)
    }
}

/// Every entry of the directories `dir/00` to `dir/ff`, with the key that its name says.
fn files_in_drawers(dir: &Path) -> io::Result<Vec<(PathBuf, Option<Key>)>> {
    let entries = |dir: &Path| match fs::read_dir(dir) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>(),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let mut files = Vec::new();
    for drawer in entries(dir)? {
        for file in entries(&drawer.path())? {
            let (drawer, name) = (drawer.file_name(), file.file_name());
            let key = drawer.to_str().zip(name.to_str().and_then(|name| name.split('.').next()));
            files.push((file.path(), key.and_then(|(drawer, name)| Key::from_hex(&format!("{drawer}{name}")))));
        }
    }
    Ok(files)
}
