//! The paths of this machine: kept out of programs by flags for the compiler, and searched for in what is shipped.
//!
//! rustc writes the path of each source file into a program, for the messages of panics. Paths of dependencies are absolute, so
//! they tell the name of the user and the layout of the disk, and the same game built elsewhere has other bytes. Cargo's
//! `trim-paths` would solve it and is not stable, so the directories are renamed with `--remap-path-prefix`.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use memchr::memmem::Finder;

use crate::cargo::{Crate, Graph};

/// A directory of this machine, and what the compiler calls it instead.
#[derive(Clone, Debug)]
struct Directory {
    path: PathBuf,
    name: String,
}

/// The directories whose paths must not be shipped.
#[derive(Debug)]
pub(super) struct MachinePaths {
    /// A directory inside another one comes after it.
    directories: Vec<Directory>,
}

/// A path of this machine in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leak {
    /// The path, with as much of what follows as looks like a part of it.
    pub(super) path: String,
    /// How often a path in the same directory of this machine is in the file.
    pub(super) count: usize,
}

/// The longest path that a message shows.
const SHOWN: usize = 160;

impl MachinePaths {
    /// `target_directory` is where Cargo builds, and `crates` are the crates of the program.
    pub(super) fn new(graph: &Graph, target_directory: &Path, crates: &[&Crate]) -> Self {
        let mut all = Self { directories: Vec::new() };
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = variable("HOME").or_else(|| variable("USERPROFILE"));
        let in_home = |name: &str| home.as_ref().map(|home| home.join(name));
        let cargo_home = variable("CARGO_HOME").or_else(|| in_home(".cargo"));
        all.add(home.clone(), "/home");
        all.add(variable("RUSTUP_HOME").or_else(|| in_home(".rustup")), "/rustup");
        all.add(cargo_home.clone(), "/cargo");
        // One directory per registry, which holds the sources of each crate: `registry/src/index.crates.io-6f17d22bba15001f`.
        let sources = cargo_home.map(|home| home.join("registry/src"));
        let registries = sources.and_then(|sources| fs::read_dir(sources).ok()).into_iter().flatten().flatten();
        registries.for_each(|registry| all.add(Some(registry.path()), "/crates"));
        for package in crates.iter().filter(|package| package.source.is_none() && !package.is_member) {
            all.add(Some(package.root.clone()), &format!("/crates/{}-{}", package.name, package.version));
        }
        all.add(Some(graph.workspace_root.clone()), "/game");
        all.add(Some(target_directory.to_owned()), "/game/target");
        all.add(Some(graph.build_directory.clone()), "/game/target");
        all.directories.sort_by_key(|directory| directory.path.components().count());
        all
    }

    fn add(&mut self, path: Option<PathBuf>, name: &str) {
        let Some(path) = path else { return };
        // The compiler sees either, if one is a link to the other.
        for path in [Some(path.clone()), fs::canonicalize(path).ok()].into_iter().flatten() {
            let is_root = !path.components().any(|part| matches!(part, Component::Normal(_)));
            if path.is_absolute() && !is_root && self.directories.iter().all(|known| known.path != path) {
                self.directories.push(Directory { path, name: name.to_owned() });
            }
        }
    }

    /// Returns the flags that make the compiler write other paths.
    pub(super) fn flags(&self) -> impl Iterator<Item = OsString> {
        // Of several prefixes that match, the compiler takes the last one.
        self.directories.iter().map(|directory| {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(&directory.path);
            flag.push("=");
            flag.push(&directory.name);
            flag
        })
    }

    /// Finds the directories in the bytes of a file, the first path in each. A pack may be large, so it is read in pieces.
    ///
    /// # Errors
    /// Errors of the file.
    pub(super) fn find(&self, file: impl Read) -> io::Result<Vec<Leak>> {
        let is_inside = |inner: &Directory| {
            let around = |outer: &&Directory| outer.path != inner.path && inner.path.starts_with(&outer.path);
            self.directories.iter().any(|outer| around(&outer))
        };
        // What is inside another directory is found with that one.
        let searched = self.directories.iter().filter(|dir| !is_inside(dir));
        find(searched.map(|dir| Search::new(&dir.path)).collect(), file, PIECE)
    }
}

/// The number of bytes in which a path may begin before the next ones are read.
const PIECE: usize = 4 << 20;

/// The number of bytes after those that a path may extend to: no system has longer ones.
const AHEAD: usize = 16 << 10;

/// Searches a file in pieces of `piece` bytes.
fn find(mut searches: Vec<Search>, mut file: impl Read, piece: usize) -> io::Result<Vec<Leak>> {
    let mut bytes = Vec::with_capacity(piece + AHEAD);
    loop {
        let missing = piece + AHEAD - bytes.len();
        (&mut file).take(missing as u64).read_to_end(&mut bytes)?;
        let is_last = bytes.len() < piece + AHEAD;
        let starts = if is_last { bytes.len() } else { piece };
        searches.iter_mut().for_each(|search| search.look(&bytes, starts));
        if is_last {
            return Ok(searches.into_iter().filter_map(|search| search.leak).collect());
        }
        bytes.drain(..piece);
    }
}

/// The search for a directory in the bytes of a file. A short one such as `/build` counts only if the name of something in it follows,
/// because programs that have never seen the directory contain such texts, too.
struct Search {
    spellings: Vec<Finder<'static>>,
    /// The names of what is in it, if it is short.
    children: Option<Vec<Vec<u8>>>,
    leak: Option<Leak>,
}

impl Search {
    fn new(dir: &Path) -> Self {
        let is_short = dir.components().filter(|part| matches!(part, Component::Normal(_))).count() < 2;
        let entries = || fs::read_dir(dir).into_iter().flatten().flatten();
        let children = is_short.then(|| entries().map(|child| child.file_name().into_encoded_bytes()).collect());
        let spellings = spellings(dir).iter().map(|text| Finder::new(text).into_owned()).collect();
        Self { spellings, children, leak: None }
    }

    /// Looks for paths that begin in the first `starts` bytes.
    fn look(&mut self, bytes: &[u8], starts: usize) {
        for needle in &self.spellings {
            for at in needle.find_iter(bytes).take_while(|at| *at < starts) {
                if leads_to_child(self.children.as_deref(), &bytes[at + needle.needle().len()..]) {
                    let leak = self.leak.get_or_insert_with(|| Leak { path: path_at(&bytes[at..]), count: 0 });
                    leak.count += 1;
                }
            }
        }
    }
}

/// Whether what follows the path of a directory is the name of something in it. Without names, anything may follow.
fn leads_to_child(children: Option<&[Vec<u8>]>, rest: &[u8]) -> bool {
    let Some(children) = children else { return true };
    let after_separator = separators().iter().find_map(|separator| rest.strip_prefix(separator.as_bytes()));
    let is_end = |rest: &[u8]| rest.first().is_none_or(|next| !next.is_ascii_alphanumeric() && !b"-_.".contains(next));
    let is_child = |rest: &[u8]| children.iter().any(|name| rest.strip_prefix(name.as_slice()).is_some_and(is_end));
    after_separator.is_some_and(is_child)
}

/// The ways to write a path. On Windows, programs contain both separators.
fn spellings(dir: &Path) -> Vec<String> {
    let path = dir.to_string_lossy().into_owned();
    if cfg!(windows) { vec![path.replace('\\', "/"), path] } else { vec![path] }
}

const fn separators() -> &'static [&'static str] {
    if cfg!(windows) { &["\\", "/"] } else { &["/"] }
}

/// Returns the text at the start of `bytes`, up to something that paths rarely contain.
fn path_at(bytes: &[u8]) -> String {
    let end = bytes.iter().take(SHOWN).position(|byte| byte.is_ascii_control() || b"\"'<>|;*?".contains(byte));
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(SHOWN.min(bytes.len()))]).into_owned();
    // Strings of a program follow each other without a gap, and most paths belong to source files.
    match text.find(".rs") {
        Some(at) => text[..at + 3].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(dir: &Path, bytes: &[u8], piece: usize) -> Option<Leak> {
        find(vec![Search::new(dir)], bytes, piece).unwrap().pop()
    }

    #[test]
    fn a_directory_is_found_and_counted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().display().to_string();
        let found = |text: String| find_in(dir.path(), text.as_bytes(), PIECE);
        let leak = found(format!("x{path}/src/main.rsborrowed{path}")).unwrap();
        assert_eq!(leak, Leak { path: format!("{path}/src/main.rs"), count: 2 });
        assert_eq!(found(path[1..].to_owned()), None);
    }

    #[test]
    fn a_directory_is_found_and_counted_across_the_ends_of_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let path = format!("{}/src/main.rs", dir.path().display());
        let mut bytes = vec![0; 3 * AHEAD];
        for at in [0, 200, AHEAD + 190, 2 * AHEAD, 3 * AHEAD - path.len()] {
            bytes[at..at + path.len()].copy_from_slice(path.as_bytes());
        }
        // Pieces of these sizes end before, in and after a path.
        for piece in [97, 200, 201, 210, AHEAD, 4 * AHEAD] {
            assert_eq!(find_in(dir.path(), &bytes, piece), Some(Leak { path: path.clone(), count: 5 }), "{piece}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_short_directory_counts_only_before_something_that_it_contains() {
        let found = |text: &str| find_in(Path::new("/usr"), text.as_bytes(), PIECE).map(|leak| leak.path);
        assert_eq!(found("x/usr/lib/x.rs").as_deref(), Some("/usr/lib/x.rs"));
        assert_eq!(found("x/usr/bin\0").as_deref(), Some("/usr/bin"));
        for other in ["/usr", "/usr/", "/usr/no-such-name/x", "/usr/libx", "/usr/lib-1"] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn a_path_ends_where_another_text_begins() {
        assert_eq!(path_at(b"/home/leo/x.rsindex out of bounds"), "/home/leo/x.rs");
        assert_eq!(path_at(b"/home/leo/file\0more"), "/home/leo/file");
        assert_eq!(path_at(b"/home/leo/file"), "/home/leo/file");
    }
}
