//! Paths as a project of any system writes them → files of this one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::plain_path::without_dots;

/// Finds the files of a project.
pub(super) struct Locator {
    /// The directory that relative paths start from; absolute.
    base: PathBuf,
    /// The folders of other machines, as written, and where their files were found.
    pub(super) moved: BTreeMap<String, PathBuf>,
}

impl Locator {
    pub(super) fn new(base: PathBuf) -> Self {
        Self { base: without_dots(&base), moved: BTreeMap::new() }
    }

    /// Returns the file or folder at a path.
    ///
    /// A project that was moved to another machine keeps absolute paths. If such a file does not exist, the longest end of the path that
    /// exists below the base is taken.
    pub(super) fn find(&mut self, written: &str) -> Option<PathBuf> {
        let names: Vec<&str> = written.split(['/', '\\']).filter(|name| !name.is_empty()).collect();
        if !is_absolute(written) {
            let path = self.below_base(&names);
            return self.exists(&path).then_some(path);
        }
        let native = without_dots(Path::new(written));
        if native.is_absolute() && self.exists(&native) {
            return Some(native);
        }
        let ends = (1..names.len()).map(|start| (start, self.below_base(&names[start..])));
        let (start, path) = ends.into_iter().find(|(_, path)| self.exists(path))?;
        let end: usize = names[start..].iter().map(|name| name.len() + 1).sum();
        let folder = written.trim_end_matches(['/', '\\']);
        let folder = folder.get(..folder.len().saturating_sub(end)).unwrap_or_default();
        self.moved.insert(folder.to_owned(), self.base.clone());
        Some(path)
    }

    /// Whether a folder is the base, the folder around it, or below one of them.
    pub(super) fn is_near(&self, folder: &Path) -> bool {
        folder.starts_with(self.base.parent().filter(|parent| parent.parent().is_some()).unwrap_or(&self.base))
    }

    /// Returns the existing path that differs from a missing one by case only.
    pub(super) fn near(&self, written: &str) -> Option<PathBuf> {
        let names: Vec<&str> = written.split(['/', '\\']).filter(|name| !name.is_empty()).collect();
        let starts = if is_absolute(written) { 1..names.len() } else { 0..1 };
        starts.into_iter().find_map(|start| {
            let mut path = self.base.clone();
            for name in &names[start..] {
                path = match *name {
                    "." => path,
                    ".." => path.parent()?.to_owned(),
                    name => {
                        fs::read_dir(&path).ok()?.filter_map(Result::ok).map(|entry| entry.path()).find(|path| {
                            path.file_name().is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(name))
                        })?
                    }
                };
            }
            Some(path)
        })
    }

    /// Whether there is a file or folder, and the path is written as it is named: Windows and macOS also find it if the case differs, but
    /// assets have the names of their files.
    fn exists(&self, path: &Path) -> bool {
        let is_named = |path: &Path| {
            let names = path.parent().and_then(|folder| fs::read_dir(folder).ok());
            names.is_none_or(|mut names| names.any(|entry| entry.is_ok_and(|entry| path.ends_with(entry.file_name()))))
        };
        let case_matters = !cfg!(any(windows, target_os = "macos"));
        let mut written = path.ancestors().take_while(|part| !self.base.starts_with(part));
        exists(path) && (case_matters || written.all(is_named))
    }

    fn below_base(&self, names: &[&str]) -> PathBuf {
        without_dots(&names.iter().fold(self.base.clone(), |path, name| path.join(name)))
    }
}

/// Whether a path begins at a root of Unix or of Windows.
fn is_absolute(written: &str) -> bool {
    written.starts_with(['/', '\\']) || matches!(written.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

fn exists(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() || metadata.is_dir())
}

/// Returns the folder that contains all of these files and folders; `None` if there are none, or if they have only a root in
/// common.
pub(super) fn common_folder<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Option<PathBuf> {
    let folders = paths.into_iter().map(|path| if path.is_dir() { Some(path) } else { path.parent() });
    let common = folders.reduce(|a, b| {
        let (a, b) = (a?, b?);
        a.ancestors().find(|folder| b.starts_with(folder))
    })??;
    common.parent().is_some().then(|| common.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        dir
    }

    #[test]
    fn paths_of_any_system_are_found() {
        let dir = tree(&["res/a/x.png", "y.png"]);
        let own = dir.path().join("res/a/x.png");
        for (written, found) in [
            ("res/a/x.png", Some("res/a/x.png")),
            (r"res\a/x.png", Some("res/a/x.png")),
            ("./res/../y.png", Some("y.png")),
            ("res/a", Some("res/a")),
            (r"C:\projects\game\res\a\x.png", Some("res/a/x.png")),
            ("/home/other/game/res/a/x.png", Some("res/a/x.png")),
            (own.to_str().unwrap(), Some("res/a/x.png")),
            (r"D:\y.png", Some("y.png")),
            (r"C:\res\a\z.png", None),
            ("x.png", None),
            ("RES/a/x.png.", None),
        ] {
            let mut locator = Locator::new(dir.path().to_owned());
            assert_eq!(locator.find(written), found.map(|path| dir.path().join(path)), "{written}");
        }
    }

    #[test]
    fn the_folder_of_another_machine_is_remembered_as_it_was_written() {
        let dir = tree(&["res/a.png", "res/b.png"]);
        let mut locator = Locator::new(dir.path().to_owned());
        locator.find(r"C:\games\mine\res/a.png").unwrap();
        locator.find(r"C:\games\mine\res/b.png").unwrap();
        assert_eq!(locator.moved.keys().collect::<Vec<_>>(), [r"C:\games\mine"]);
        assert_eq!(locator.near(r"C:\games\mine\RES\A.png"), Some(dir.path().join("res/a.png")));
    }

    #[test]
    fn what_is_near_is_at_most_one_folder_up() {
        let locator = Locator::new(PathBuf::from("/home/me/game"));
        let is_near = |folder: &str| locator.is_near(Path::new(folder));
        assert!(is_near("/home/me/game/res") && is_near("/home/me/game") && is_near("/home/me/assets"));
        assert!(!is_near("/home") && !is_near("/usr/share"));
        assert!(!Locator::new(PathBuf::from("/game")).is_near(Path::new("/usr")));
    }

    #[test]
    fn the_common_folder_is_never_a_root() {
        let common = |paths: &[&str]| common_folder(paths.iter().map(Path::new));
        assert_eq!(common(&["/g/a/x.png", "/g/a/b/y.png"]), Some(PathBuf::from("/g/a")));
        assert_eq!(common(&["/g/x.png", "/h/y.png"]), None);
        assert_eq!(common(&[]), None);
    }
}
