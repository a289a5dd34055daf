//! Links in the assets directory to files elsewhere. The system reports the changes of directories that are watched, so changes of these files
//! have to be watched as well.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files elsewhere that links lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct Linked {
    files: BTreeSet<PathBuf>,
    /// The directories that contain them.
    dirs: BTreeSet<PathBuf>,
}

impl Linked {
    /// Finds the links in directories, and in those that they contain or lead to.
    pub(super) fn of(dirs: &[PathBuf]) -> Self {
        let (mut files, mut seen, mut left) = (BTreeSet::new(), HashSet::new(), dirs.to_vec());
        while let Some(dir) = left.pop() {
            // A link may lead to a directory that contains it. What cannot be read is found by the build, which says so.
            if !fs::canonicalize(&dir).is_ok_and(|dir| seen.insert(dir)) {
                continue;
            }
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() || kind.is_symlink() && path.is_dir() {
                    left.push(path);
                } else if kind.is_symlink() {
                    files.extend(target(&path));
                }
            }
        }
        files.retain(|file: &PathBuf| !file.parent().is_some_and(|dir| seen.contains(dir)));
        let dirs = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        Self { files, dirs }
    }

    /// The directories that have to be watched, without those in them.
    pub(super) fn dirs(&self) -> impl Iterator<Item = &Path> {
        self.dirs.iter().map(PathBuf::as_path)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether a path in one of these directories is something that no link leads to.
    pub(super) fn is_other(&self, path: &Path) -> bool {
        path.parent().is_some_and(|dir| self.dirs.contains(dir)) && !self.files.contains(path)
    }
}

/// Where a link leads to, also if nothing is there now: another program may be replacing it.
fn target(link: &Path) -> Option<PathBuf> {
    let target = link.parent()?.join(fs::read_link(link).ok()?);
    fs::canonicalize(&target).ok().or_else(|| {
        let dir = target.parent()?;
        Some(fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned()).join(target.file_name()?))
    })
}

/// Whether there may be a link to a file elsewhere at a path that is new.
pub(super) fn may_be_linked(path: &Path) -> bool {
    // Editors lock files with links that lead nowhere.
    let leads_to_file = path.is_symlink() && path.is_file();
    leads_to_file || path.is_dir() && !Linked::of(&[path.to_owned()]).is_empty()
}
