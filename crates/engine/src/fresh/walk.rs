//! What directories contain, as one number: names, sizes, times and inodes of all files below them, hidden ones
//! included, except what version control systems keep.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use crate::model::FileStamp;

/// Folders that change with each command of a version control system, and that have no sources.
const VERSION_CONTROL: [&str; 3] = [".git", ".hg", ".svn"];

/// How many links to folders may follow each other. Such links may lead in a circle.
const MOST_LINKS: usize = 3;

/// What is below some directories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    /// A sum of hashes of folders, so that their order does not matter.
    hash: [u64; 4],
    /// The time of the last change of a file, in nanoseconds since 1970.
    pub(super) changed: u64,
}

impl Tree {
    /// The hash as bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.hash.iter().flat_map(|part| part.to_le_bytes()).collect()
    }

    fn add(&mut self, other: Self) {
        for (part, added) in self.hash.iter_mut().zip(other.hash) {
            *part = part.wrapping_add(added);
        }
        self.changed = self.changed.max(other.changed);
    }
}

/// Folders that are still to be read.
#[derive(Default)]
struct Folders {
    /// Each with the number of links to folders on the way there.
    waiting: Vec<(PathBuf, usize)>,
    /// The number of folders that are being read, each of which may contain more.
    in_work: usize,
    error: Option<io::Error>,
}

/// Looks at everything below `dirs`, with this many threads.
///
/// # Errors
/// If something cannot be read, or links lead into a circle.
pub(super) fn walk(dirs: Vec<PathBuf>, threads: usize) -> io::Result<Tree> {
    let folders = Mutex::new(Folders { waiting: dirs.into_iter().map(|dir| (dir, 0)).collect(), ..Folders::default() });
    let (changed, tree) = (Condvar::new(), Mutex::new(Tree::default()));
    let work = || {
        let mut own = Tree::default();
        while let Some((folder, links)) = next(&folders, &changed) {
            let read = read(&folder, links);
            let mut folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
            folders.in_work -= 1;
            match read {
                Ok((found, below)) => {
                    own.add(found);
                    folders.waiting.extend(below);
                }
                Err(error) => folders.error = Some(error),
            }
            changed.notify_all();
        }
        tree.lock().unwrap_or_else(PoisonError::into_inner).add(own);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let Folders { error, .. } = folders.into_inner().unwrap_or_else(PoisonError::into_inner);
    match error {
        Some(error) => Err(error),
        None => Ok(tree.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// Waits for a folder to read; `None` if there are no more.
fn next(folders: &Mutex<Folders>, changed: &Condvar) -> Option<(PathBuf, usize)> {
    let mut folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if folders.error.is_some() {
            return None;
        }
        if let Some(folder) = folders.waiting.pop() {
            folders.in_work += 1;
            return Some(folder);
        }
        if folders.in_work == 0 {
            return None;
        }
        folders = changed.wait(folders).unwrap_or_else(PoisonError::into_inner);
    }
}

/// What is in a folder, and the folders in it.
fn read(folder: &Path, links: usize) -> io::Result<(Tree, Vec<(PathBuf, usize)>)> {
    let (mut entries, mut below, mut changed) = (Vec::new(), Vec::new(), 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let metadata = match kind.is_symlink() {
            // A link that leads nowhere stands for itself.
            true => fs::metadata(entry.path()).or_else(|_| entry.metadata())?,
            false if kind.is_dir() => {
                if VERSION_CONTROL.iter().any(|name| entry.file_name() == *name) {
                    continue;
                }
                below.push((entry.path(), links));
                entries.push((entry.file_name(), FileStamp::default()));
                continue;
            }
            false => entry.metadata()?,
        };
        if metadata.is_dir() {
            if links == MOST_LINKS {
                return Err(io::Error::other("links to folders lead to more links, perhaps in a circle"));
            }
            below.push((entry.path(), links + 1));
        }
        let stamp = FileStamp::of(&metadata);
        changed = stamp.modified.max(stamp.changed).max(changed);
        entries.push((entry.file_name(), stamp));
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    field(folder.as_os_str().as_encoded_bytes());
    for (name, FileStamp { size, modified, changed, inode }) in &entries {
        field(name.as_encoded_bytes());
        [size, modified, changed, inode].iter().for_each(|number| field(&number.to_le_bytes()));
    }
    let digest = hasher.finalize();
    let mut hash = [0; 4];
    for (part, bytes) in hash.iter_mut().zip(digest.as_bytes().as_chunks().0) {
        *part = u64::from_le_bytes(*bytes);
    }
    Ok((Tree { hash, changed }, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dir: &Path) -> Tree {
        let tree = walk(vec![dir.to_owned()], 2).unwrap();
        assert_eq!(tree, walk(vec![dir.to_owned()], 1).unwrap(), "the number of threads does not matter");
        tree
    }

    #[test]
    fn whatever_changes_below_a_directory_changes_the_number() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        let mut seen = vec![of(dir.path())];
        let mut changed = |what: &str| {
            let tree = of(dir.path());
            assert!(!seen.contains(&tree), "{what}");
            seen.push(tree);
        };
        fs::create_dir_all(at("a/b")).unwrap();
        changed("new folders");
        fs::write(at("a/b/x"), "1").unwrap();
        changed("a new file");
        fs::write(at("a/b/x"), "12").unwrap();
        changed("another length");
        fs::rename(at("a/b/x"), at("a/x")).unwrap();
        changed("another folder");
        fs::rename(at("a/x"), at("a/.x")).unwrap();
        changed("another name");
        fs::remove_dir(at("a/b")).unwrap();
        changed("a folder less");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_circles_end() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("target");
        let below = dir.path().join("below");
        fs::create_dir(&below).unwrap();
        std::os::unix::fs::symlink("../target", below.join("link")).unwrap();
        let nowhere = of(&below);
        fs::write(&file, "1").unwrap();
        let first = of(&below);
        assert_ne!(first, nowhere);
        fs::write(&file, "12").unwrap();
        assert_ne!(of(&below), first);
        fs::create_dir(dir.path().join("other")).unwrap();
        std::os::unix::fs::symlink("../other", below.join("folder")).unwrap();
        let first = of(&below);
        fs::write(dir.path().join("other/file"), "1").unwrap();
        assert_ne!(of(&below), first);
        for (link, to) in
            [("below/a", "../other"), ("below/b", "../other"), ("other/a", "../below"), ("other/b", "../below")]
        {
            std::os::unix::fs::symlink(to, dir.path().join(link)).unwrap();
        }
        assert!(walk(vec![below], 2).is_err());
    }
}
