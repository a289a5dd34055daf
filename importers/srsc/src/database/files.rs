//! The sources of the bytes of databases.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files that databases are read from. Paths have `/` between their parts and start from a directory that the implementation chooses;
/// `""` is that directory. A build implements it to record which files it has read.
pub trait Files {
    /// Returns the names of the files and folders in a folder, in any order.
    ///
    /// # Errors
    /// If the folder cannot be read. [`io::ErrorKind::NotFound`] if it does not exist.
    fn list(&mut self, directory: &str) -> io::Result<Vec<String>>;

    /// Returns the bytes of a file, which [`Self::list`] has named.
    ///
    /// # Errors
    /// If the file cannot be read, or has more than `limit` bytes.
    fn read(&mut self, path: &str, limit: u64) -> io::Result<Vec<u8>>;
}

/// The files below a directory.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    may_leave: bool,
}

impl Folder {
    /// Returns the files below `root`. Symbolic links that lead out of it are refused.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { root: if root.as_os_str().is_empty() { ".".into() } else { root }, may_leave: false }
    }

    /// Lets symbolic links, and paths with `..`, lead to other directories.
    #[must_use]
    pub fn may_leave(mut self, yes: bool) -> Self {
        self.may_leave = yes;
        self
    }

    /// Returns the path of a file, as the system knows it.
    fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let full = if path.is_empty() { self.root.clone() } else { self.root.join(Path::new(path)) };
        if self.may_leave {
            return Ok(full);
        }
        let (real, root) = (full.canonicalize()?, self.root.canonicalize()?);
        if real.starts_with(&root) {
            return Ok(full);
        }
        Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("leads out of {}", self.root.display())))
    }
}

impl Files for Folder {
    fn list(&mut self, directory: &str) -> io::Result<Vec<String>> {
        let names = fs::read_dir(self.resolve(directory)?)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        // A name that is not UTF-8 is not one that a `.db` file can have.
        names.filter_map(io::Result::transpose).collect()
    }

    fn read(&mut self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let path = self.resolve(path)?;
        // Opening a FIFO would wait for its writer.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        within(bytes, limit)
    }
}

/// Files in memory, by their paths.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(pub BTreeMap<String, Vec<u8>>);

impl Files for MemoryFiles {
    fn list(&mut self, directory: &str) -> io::Result<Vec<String>> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let below = self.0.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> = below.filter_map(|path| path.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    fn read(&mut self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        within(bytes.clone(), limit)
    }
}

fn within(bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    if bytes.len() as u64 <= limit {
        return Ok(bytes);
    }
    Err(io::Error::other(format!("it has more than {limit} bytes")))
}
