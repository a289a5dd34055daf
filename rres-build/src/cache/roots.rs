//! Roots: the dev indexes that lead to blobs of a cache.
//!
//! Cargo takes a game to be fresh as long as no file changes that its build script watches, and blobs are no such
//! files. So the script watches its root as well; whatever removes blobs removes the roots of the dev indexes that
//! lead to them first, and Cargo runs those build scripts again. A cache that is deleted takes its roots with it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rres_format::PackView;

use super::{Cache, Key, write};

/// The time that roots bear: before the start of any build script, so that Cargo does not take a new one for a change.
const LONG_AGO: Duration = Duration::from_secs(1_000_000_000);

impl Cache {
    /// Registers a dev index, and says which file to watch for its blobs being gone.
    pub(crate) fn register(&self, dev_index: &Path) -> io::Result<PathBuf> {
        let path = dev_index.to_string_lossy();
        let root = self.roots().join(format!("{}.txt", &blake3::hash(path.as_bytes()).to_hex()[..32]));
        if !fs::read(&root).is_ok_and(|old| old == path.as_bytes()) {
            write::write_new(&root, &self.parts(), path.as_bytes())?;
        }
        File::options().write(true).open(&root)?.set_modified(SystemTime::UNIX_EPOCH + LONG_AGO)?;
        Ok(root)
    }

    /// Every root with the blobs that its dev index leads to; `None` where the index is gone.
    pub(super) fn known_roots(&self) -> Vec<(PathBuf, Option<HashSet<Key>>)> {
        let entries = fs::read_dir(self.roots()).into_iter().flatten().flatten();
        entries.map(|entry| (entry.path(), blobs_of_root(&entry.path()))).collect()
    }

    /// Makes the builds run again whose dev indexes lead to any of these blobs. To be done before these are removed.
    pub(super) fn give_up(&self, blobs: &HashSet<Key>) -> io::Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        for (root, of_root) in self.known_roots() {
            if of_root.is_none_or(|of_root| !of_root.is_disjoint(blobs)) {
                fs::remove_file(root)?;
            }
        }
        Ok(())
    }

    fn roots(&self) -> PathBuf {
        self.dir.join("roots")
    }
}

fn blobs_of_root(root: &Path) -> Option<HashSet<Key>> {
    let dev_index = fs::read(PathBuf::from(fs::read_to_string(root).ok()?)).ok()?;
    let index = PackView::parse(&dev_index).ok()?.index()?;
    Some((0..).map_while(|number| index.blob(number)).map(Key).collect())
}
