//! The files that an importer reads beside its source, and the key that follows from them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rres_import::{ImportError, InputFiles, relative_to, resolve_relative};

use super::discover::ListedFiles;
use super::plan::PlannedSource;
use crate::import::{is_lfs_pointer, refuse_pointer_input};
use crate::key::{Key, KeyBuilder};
use crate::read_file::read_file;
use crate::settings::glob_matches;
use crate::source_dir::SourceDir;

/// Reads input files, and records which were read, relative to the directory of the source.
pub(super) struct InputReader<'a> {
    dir: &'a SourceDir,
    listed: &'a ListedFiles,
    /// The path of the source.
    source: &'a str,
    /// Path and hash of each file, sorted by path; and `/` and the path of each file that was looked for, with the hash of the result.
    read: Vec<(String, [u8; 32])>,
}

/// What precedes the paths of files that were looked for. No relative path begins with it.
const LOOKED_FOR: char = '/';

/// What precedes globs of files that were listed. No path of a file that was looked for begins with its second half.
const LISTED: &str = "//";

impl<'a> InputReader<'a> {
    pub(super) fn new(planned: &'a PlannedSource) -> Self {
        let PlannedSource { source, dir, listed, .. } = planned;
        Self { dir, listed, source: &source.path, read: Vec::new() }
    }

    /// Reads a file that the last import read, or looks again for what it looked for. Returns whether a file to read exists.
    pub(super) fn repeat(&mut self, recorded: &str) -> bool {
        if let Some(glob) = recorded.strip_prefix(LISTED) {
            return self.list(glob).is_ok();
        }
        let relative = recorded.strip_prefix(LOOKED_FOR);
        let Ok(path) = resolve_relative(self.source, relative.unwrap_or(recorded)) else { return false };
        if relative.is_some() {
            self.find(&path);
            return true;
        }
        self.read(&path).is_ok()
    }

    fn record(&mut self, entry: String, hash: impl FnOnce() -> blake3::Hash) {
        if let Err(at) = self.read.binary_search_by(|(known, _)| known.as_str().cmp(&entry)) {
            self.read.insert(at, (entry, hash().into()));
        }
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.read.iter().map(|(path, _)| path.clone()).collect()
    }

    /// The key of the blob: the source key, and everything that was read.
    pub(super) fn blob_key(&self, source_key: &Key) -> Key {
        if self.read.is_empty() {
            return *source_key;
        }
        let mut key = KeyBuilder::new("rres source and input files");
        key.field(&source_key.0);
        for (path, hash) in &self.read {
            key.field(path.as_bytes()).field(hash);
        }
        key.finish()
    }
}

impl InputFiles for InputReader<'_> {
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let file = self.dir.file(path).ok_or_else(|| outside(self.dir, path))?;
        let bytes: Arc<[u8]> = read_file(&file)
            .map_err(|e| {
                // An importer may go on without the file, until there is one.
                self.find(path);
                ImportError::new(format!("needs {}, which cannot be read: {e}", file.display()))
                    .with_help("put the file there, or export the source again with everything embedded")
            })?
            .into();
        // Also of a pointer: an importer may go on without the file, until it is fetched.
        self.record(relative_to(self.source, path), || blake3::hash(&bytes));
        if is_lfs_pointer(&bytes) {
            return Err(refuse_pointer_input(&file));
        }
        Ok(bytes)
    }

    fn find(&mut self, path: &str) -> Option<String> {
        let local = self.dir.local(path).and_then(|local| find_in(&self.dir.dir, local));
        let found = local.map(|local| self.dir.path(&local));
        let entry = format!("{LOOKED_FOR}{}", relative_to(self.source, path));
        self.record(entry, || blake3::hash(found.as_deref().unwrap_or_default().as_bytes()));
        found
    }

    fn list(&mut self, glob: &str) -> Result<Vec<String>, ImportError> {
        let paths = self.listed.paths(&self.dir.dir).iter().map(String::as_str);
        let paths = glob_matches(glob, paths).map_err(ImportError::new)?;
        self.record(format!("{LISTED}{glob}"), || blake3::hash(paths.join("\n").as_bytes()));
        Ok(paths.into_iter().map(|local| self.dir.path(local)).collect())
    }
}

fn outside(dir: &SourceDir, path: &str) -> ImportError {
    ImportError::new(format!("needs \"{path}\", which is outside of the assets of the library `{}`", dir.folder))
        .with_help("put the file into the assets of the library")
}

/// The path below `dir` of the file at `path`, compared without case. A name of the same case comes before others, and of those the first in
/// the order of their bytes.
pub(crate) fn find_in(dir: &Path, path: &str) -> Option<String> {
    let mut found = String::new();
    for part in path.split('/') {
        let lower = part.to_lowercase();
        let names = fs::read_dir(dir.join(&found)).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let name = names.filter(|name| name.to_lowercase() == lower).min_by_key(|name| (name != part, name.clone()))?;
        if !found.is_empty() {
            found.push('/');
        }
        found += &name;
    }
    dir.join(&found).is_file().then_some(found)
}
