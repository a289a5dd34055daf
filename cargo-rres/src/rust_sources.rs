//! The Rust files of packages that people write: they tell which assets are named.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rres_engine::Usage;

use crate::exit::Failure;

/// What the file `CACHEDIR.TAG` of a directory begins with whose contents can be made again, such as Cargo's target directory.
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Calls `visit` with every Rust file below the directories of `packages`, and its text. Generated modules are left out, and so are hidden
/// directories, those that Cargo builds in, and those that a `CACHEDIR.TAG` marks. Links are followed, and no directory is visited twice.
///
/// # Errors
/// If a directory or a file cannot be read. Everything else has been visited then.
pub(crate) fn visit(
    packages: &[PathBuf],
    build_directories: &[PathBuf],
    visit: &mut impl FnMut(&Path, &str),
) -> Result<(), Failure> {
    let skipped: HashSet<PathBuf> = build_directories.iter().filter_map(|dir| dir.canonicalize().ok()).collect();
    let mut walk = Walk { root: None, visited: skipped.clone(), unreadable: None, visit };
    for package in packages {
        walk.root = package.canonicalize().ok();
        // A package may be built in its own directory.
        if let Some(root) = walk.root.as_ref().filter(|root| skipped.contains(*root)) {
            walk.visited.remove(root);
        }
        walk.directory(package);
    }
    walk.unreadable.map_or(Ok(()), |(path, error)| {
        Err(Failure::Usage(format!(
            "cannot read {}: {error}; what its Rust code names is not known: make it readable, or move it out of the package",
            path.display()
        )))
    })
}

/// A walk through the directories of packages.
struct Walk<'v, V> {
    /// The directory of the package, with links resolved.
    root: Option<PathBuf>,
    /// The directories not to enter again, with links resolved.
    visited: HashSet<PathBuf>,
    /// The first path that cannot be read.
    unreadable: Option<(PathBuf, io::Error)>,
    visit: &'v mut V,
}

impl<V: FnMut(&Path, &str)> Walk<'_, V> {
    fn directory(&mut self, dir: &Path) {
        let entries = dir.canonicalize().and_then(|real| {
            // A link to a directory around the package would lead through everything beside it.
            let is_package = self.root.as_ref().is_some_and(|root| *root == real);
            let is_around = self.root.as_ref().is_some_and(|root| *root != real && root.starts_with(&real));
            // A package may be marked so that it is not backed up.
            if !self.visited.insert(real) || is_around || is_cache(dir) && !is_package {
                return Ok(Vec::new());
            }
            // The compiler cannot read it either.
            if dir.join(".").metadata().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
                return Ok(Vec::new());
            }
            fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()
        });
        let mut paths = self.readable(dir, entries).unwrap_or_default();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // A link that leads nowhere is not a source file.
            let Ok(metadata) = path.metadata() else { continue };
            if metadata.is_dir() && !name.starts_with('.') {
                self.directory(&path);
            } else if metadata.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
                self.file(&path);
            }
        }
    }

    fn file(&mut self, file: &Path) {
        let Some(bytes) = self.readable(file, fs::read(file)) else { return };
        let text = String::from_utf8_lossy(&bytes);
        if Usage::of_module(&text, |_, _| false).is_none() {
            (self.visit)(file, &text);
        }
    }

    /// What was read, or else remembers the error.
    fn readable<T>(&mut self, path: &Path, read: io::Result<T>) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(error) => {
                self.unreadable.get_or_insert_with(|| (path.to_owned(), error));
                None
            }
        }
    }
}

/// Whether a directory says that its contents can be made again.
fn is_cache(dir: &Path) -> bool {
    let mut signature = [0; CACHE_SIGNATURE.len()];
    let tag = dir.join("CACHEDIR.TAG");
    // Opening a FIFO would wait for its writer.
    tag.metadata().is_ok_and(|metadata| metadata.is_file())
        && fs::File::open(tag).and_then(|mut tag| tag.read_exact(&mut signature)).is_ok()
        && signature == CACHE_SIGNATURE
}

/// The identifiers, keywords and numbers in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with these files, each with its path as its text.
    fn package(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    /// The texts of the files that are visited.
    fn visited(dir: &tempfile::TempDir, build_directories: &[PathBuf]) -> Vec<String> {
        let mut texts = Vec::new();
        visit(&[dir.path().join("game")], build_directories, &mut |_, text| texts.push(text.to_owned())).unwrap();
        texts
    }

    #[test]
    fn only_build_directories_and_hidden_ones_are_skipped() {
        let dir = package(&[
            "game/src/target/aim.rs",
            "game/src/main.rs",
            "game/.git/hook.rs",
            "game/target/debug/out.rs",
            "game/other/cached.rs",
            "game/out/mine.rs",
        ]);
        fs::write(dir.path().join("game/other/CACHEDIR.TAG"), CACHE_SIGNATURE).unwrap();
        fs::write(dir.path().join("game/out/CACHEDIR.TAG"), "mine").unwrap();
        fs::write(dir.path().join("game/CACHEDIR.TAG"), CACHE_SIGNATURE).unwrap();
        let target = dir.path().join("game/target");
        let all = visited(&dir, &[dir.path().join("game")]);
        assert!(all.contains(&"game/src/main.rs".to_owned()), "a package that is built in its own directory: {all:?}");
        assert_eq!(visited(&dir, &[target]), ["game/out/mine.rs", "game/src/main.rs", "game/src/target/aim.rs"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_but_not_in_circles() {
        use std::os::unix::fs::symlink;
        let dir = package(&["game/src/main.rs", "shared/level.rs", "one.rs"]);
        let path = |name: &str| dir.path().join(name);
        symlink(path("shared"), path("game/src/shared")).unwrap();
        symlink(path("shared"), path("game/src/twice")).unwrap();
        symlink(path("one.rs"), path("game/src/one.rs")).unwrap();
        symlink(path("game"), path("game/src/circle")).unwrap();
        symlink(dir.path(), path("game/src/around")).unwrap();
        symlink(path("nowhere"), path("game/src/nowhere.rs")).unwrap();
        assert_eq!(visited(&dir, &[]), ["game/src/main.rs", "one.rs", "shared/level.rs"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let dir = package(&["game/src/main.rs"]);
        fs::write(dir.path().join("game/src/latin.rs"), b"// \xff\nA_PNG").unwrap();
        assert_eq!(visited(&dir, &[]).len(), 2, "a file need not be UTF-8");
        let missing = dir.path().join("missing");
        let error = visit(std::slice::from_ref(&missing), &[], &mut |_, _| ()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read {}: ", missing.display())), "{error}");
    }
}
