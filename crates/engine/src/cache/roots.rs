//! Roots: the dev indexes that refer to blobs of a cache.
//!
//! Cargo considers a game fresh as long as the files that its build script watches do not change, and blobs are not
//! among these. So each debug build registers its dev index as a root and makes Cargo watch the root's file. Before
//! blobs are removed, the roots that refer to them are removed, so Cargo runs those build scripts again. Deleting the
//! whole cache deletes the roots, too.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rres_format::PackView;

use super::{Cache, ignore_missing};
use crate::cargo::LONG_AGO;
use crate::key::Key;
use crate::read_file::read_record;
use crate::temp_file;

impl Cache {
    /// Registers a dev index, and returns the file to watch.
    pub(crate) fn register_root(&self, dev_index: &Path) -> io::Result<PathBuf> {
        let (path, root) = (dev_index.to_string_lossy(), self.root_file(dev_index));
        if !read_record(&root).is_ok_and(|old| old == path.as_bytes()) {
            temp_file::write_new(&root, &self.tmp(), path.as_bytes())?;
        }
        File::options().write(true).open(&root)?.set_modified(SystemTime::UNIX_EPOCH + LONG_AGO)?;
        Ok(root)
    }

    /// The file that registers a dev index.
    pub(crate) fn root_file(&self, dev_index: &Path) -> PathBuf {
        self.roots().join(format!("{}.txt", &blake3::hash(dev_index.to_string_lossy().as_bytes()).to_hex()[..32]))
    }

    /// Every root with the blobs that its dev index refers to; `None` if the dev index no longer exists.
    pub(super) fn known_roots(&self) -> Vec<(PathBuf, Option<HashSet<Key>>)> {
        let entries = fs::read_dir(self.roots()).into_iter().flatten().flatten();
        entries.map(|entry| (entry.path(), blobs_of_root(&entry.path()))).collect()
    }

    /// Whether a dev index that exists refers to blobs.
    pub(crate) fn has_roots(&self) -> bool {
        self.known_roots().iter().any(|(_, blobs)| blobs.is_some())
    }

    /// Removes the roots that refer to any of these blobs, so that their builds run again. Must be called before the blobs
    /// are removed.
    pub(crate) fn invalidate_roots(&self, blobs: &HashSet<Key>) -> io::Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        for (root, of_root) in self.known_roots() {
            if of_root.is_none_or(|of_root| !of_root.is_disjoint(blobs)) {
                ignore_missing(fs::remove_file(root))?;
            }
        }
        Ok(())
    }

    fn roots(&self) -> PathBuf {
        self.dir.join("roots")
    }
}

fn blobs_of_root(root: &Path) -> Option<HashSet<Key>> {
    let root = String::from_utf8(read_record(root).ok()?).ok()?;
    let dev_index = read_record(&PathBuf::from(root)).ok()?;
    let index = PackView::parse(&dev_index).ok()?.index()?;
    Some((0..).map_while(|number| index.blob(number)).map(Key).collect())
}
