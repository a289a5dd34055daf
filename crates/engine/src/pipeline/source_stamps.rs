//! The files of an assets directory at one moment, to find out what has changed since.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use super::discover::{Found, discover};
use crate::diagnostic::Diagnostic;
use crate::lock_file;
use crate::model::FileStamp;
use crate::settings::SETTINGS_FILE;
use crate::source_dir::AssetDirectory;

/// Everything in an assets directory that a build depends on, with sizes and times, but not the contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceStamps(BTreeMap<String, FileStamp>);

/// A file that was added, removed or changed. Displayed as `changed  ui/button.png`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceChange {
    /// There is a new file with this asset path.
    Added(String),
    /// The file is gone.
    Removed(String),
    /// The file was written, or its name leads to another file.
    Changed(String),
}

impl SourceStamps {
    /// Reads the sizes and times of all files that a build of the assets directory `dir` would read; empty if the directory does not
    /// exist.
    pub fn read(dir: impl AsRef<Path>) -> Self {
        let dir = dir.as_ref();
        let Found { sources, diagnostics } = discover(dir);
        let mut stamps: BTreeMap<String, FileStamp> =
            sources.into_iter().map(|source| (source.path, source.stamp)).collect();
        // Whatever is wrong with a file, a change of it makes another build.
        stamps.extend(
            diagnostics.iter().filter_map(Diagnostic::asset).map(|path| (path.to_owned(), FileStamp::default())),
        );
        let beside = lock_file::path_for(dir);
        let name = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (name, file) in [(SETTINGS_FILE.to_owned(), dir.join(SETTINGS_FILE)), (name, beside)] {
            if let Ok(metadata) = fs::metadata(file) {
                stamps.insert(name, FileStamp::of(&metadata));
            }
        }
        Self(stamps)
    }

    /// Reads the stamps of several directories, whose paths are asset paths.
    pub fn read_all(dirs: &[AssetDirectory]) -> Self {
        let stamps = dirs
            .iter()
            .flat_map(|dir| Self::read(&dir.dir).0.into_iter().map(|(path, stamp)| (dir.asset_path(&path), stamp)));
        Self(stamps.collect())
    }

    /// Returns what differs in `after`, sorted by path.
    pub fn changes(&self, after: &Self) -> Vec<SourceChange> {
        let gone = self.0.keys().filter(|path| !after.0.contains_key(*path)).cloned().map(SourceChange::Removed);
        let new_or_changed = after.0.iter().filter_map(|(path, stamp)| match self.0.get(path) {
            None => Some(SourceChange::Added(path.clone())),
            Some(before) if before != stamp => Some(SourceChange::Changed(path.clone())),
            Some(_) => None,
        });
        let mut changes: Vec<SourceChange> = gone.chain(new_or_changed).collect();
        changes.sort_by(|a, b| a.path().cmp(b.path()));
        changes
    }
}

impl SourceChange {
    /// Returns the asset path.
    pub fn path(&self) -> &str {
        match self {
            Self::Added(path) | Self::Removed(path) | Self::Changed(path) => path,
        }
    }
}

impl fmt::Display for SourceChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Added(_) => "added",
            Self::Removed(_) => "removed",
            Self::Changed(_) => "changed",
        };
        write!(f, "{word:<8} {}", self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_that_a_build_depends_on_is_found_and_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let assets = dir.path().join("assets");
        let write = |path: &str, text: &str| {
            let file = assets.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        ["a.txt", "b/c.txt", "gone.txt"].into_iter().for_each(|path| write(path, "x"));
        let before = SourceStamps::read(&assets);
        write(".hidden", "x");
        write("a.txt~", "x");
        assert_eq!(before.changes(&SourceStamps::read(&assets)), []);
        write("b/c.txt", "longer");
        write("b/new.txt", "x");
        write("assets.toml", "");
        fs::write(dir.path().join("assets.lock"), "").unwrap();
        fs::remove_file(assets.join("gone.txt")).unwrap();
        let changes: Vec<String> =
            before.changes(&SourceStamps::read(&assets)).iter().map(ToString::to_string).collect();
        let expected = [
            "added    assets.lock",
            "added    assets.toml",
            "changed  b/c.txt",
            "added    b/new.txt",
            "removed  gone.txt",
        ];
        assert_eq!(changes, expected);
        assert_eq!(SourceStamps::read(dir.path().join("none")), SourceStamps::default());
    }
}
