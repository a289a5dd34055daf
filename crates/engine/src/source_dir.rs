//! The directories that the assets of a build come from: its own, and one for each library that it uses.

use std::path::{Path, PathBuf};

use rres_codegen::in_folder;
use rres_protocol::files::local_path;

use crate::cache::Cache;
use crate::import::ImporterSet;

/// A directory with sources, which is one folder of the asset paths.
#[derive(Debug)]
pub(crate) struct SourceDir {
    /// The directory; absolute.
    pub(crate) dir: PathBuf,
    /// The folder that the paths of its assets begin with: the name of the library, empty in a game.
    pub(crate) folder: String,
    /// The importers of its sources.
    pub(crate) importers: ImporterSet,
    /// Whether a build does without the assets if the directory does not exist.
    pub(crate) may_be_missing: bool,
    /// The cache in which that script has stored what its importers make, if it is the script of a library.
    pub(crate) cache: Option<Cache>,
}

impl SourceDir {
    /// The asset path of the file at `local`, a path below the directory.
    pub(crate) fn path(&self, local: &str) -> String {
        path_in(&self.folder, local)
    }

    /// The opposite: the path below the directory; `None` if the asset path is not in the folder.
    pub(crate) fn local<'p>(&self, path: &'p str) -> Option<&'p str> {
        in_folder(path, &self.folder)
    }

    /// The file at an asset path; `None` if the path is not in the folder.
    pub(crate) fn file(&self, path: &str) -> Option<PathBuf> {
        Some(self.dir.join(local_path(self.local(path)?)))
    }
}

/// A directory that assets come from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssetDirectory {
    /// The directory; absolute.
    pub dir: PathBuf,
    /// The folder that the paths of its assets begin with: the name of a library; empty for the assets of a game.
    pub folder: String,
}

impl AssetDirectory {
    /// Returns the asset path of the file at `local`, a path below the directory with `/` between folders.
    pub fn asset_path(&self, local: &str) -> String {
        path_in(&self.folder, local)
    }
}

/// The file next to an assets directory that is named after it: `assets.lock` of `assets`, also of `assets/`.
pub(crate) fn file_beside(assets: &Path, extension: &str) -> PathBuf {
    // `.` has no name.
    let absolute = std::path::absolute(assets).ok().filter(|_| assets.file_name().is_none());
    let plain: PathBuf = absolute.as_deref().unwrap_or(assets).components().collect();
    let mut name = plain.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    plain.with_file_name(name)
}

/// The path of `local` in a folder, which is the path itself if the folder is empty.
pub(crate) fn path_in(folder: &str, local: &str) -> String {
    if folder.is_empty() { local.to_owned() } else { format!("{folder}/{local}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_a_directory_are_named_after_it() {
        for (dir, expected) in
            [("a/assets", "a/assets.lock"), ("a/assets/", "a/assets.lock"), ("assets", "assets.lock")]
        {
            assert_eq!(file_beside(Path::new(dir), "lock"), Path::new(expected));
        }
        let here = std::env::current_dir().unwrap();
        let name = format!("{}.lock", here.file_name().unwrap().display());
        assert_eq!(file_beside(Path::new("."), "lock"), here.with_file_name(name));
    }
}
