//! Paths of databases: parts that are compared without case, below a directory that they may not leave.

use std::collections::HashMap;
use std::io;

use super::Files;
use crate::error::Problem;

/// Returns the path of a dependency, with `/` between its parts: `path` as the `.db` file has it, from the directory of `database`.
///
/// # Errors
/// If the path is absolute or has a drive, or if it leads out of the directory and `may_leave` is not set.
pub(super) fn dependency(database: &str, path: &str, may_leave: bool) -> Result<String, Problem> {
    let outside = || Problem::Outside { path: path.chars().take(200).collect() };
    // A colon is a drive, or a stream of a file.
    if path.starts_with(['/', '\\']) || path.contains([':', '\0']) {
        return Err(outside());
    }
    let folder = database.rfind('/').map_or("", |slash| &database[..slash]);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(last) if *last != ".." => drop(parts.pop()),
                _ if may_leave => parts.push(".."),
                _ => return Err(outside()),
            },
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// Finds files without regard to case. Remembers the directories that it has listed.
pub(super) struct Finder<'f> {
    files: &'f mut dyn Files,
    listed: HashMap<String, Vec<String>>,
}

impl<'f> Finder<'f> {
    pub(super) fn new(files: &'f mut dyn Files) -> Self {
        Self { files, listed: HashMap::new() }
    }

    /// Returns the path of an existing file; `None` if there is none. A name of the same case comes before others, and of those
    /// the first in the order of their bytes.
    pub(super) fn find(&mut self, path: &str) -> io::Result<Option<String>> {
        let mut found = String::new();
        for part in path.split('/') {
            let name = match part {
                ".." => Some("..".to_owned()),
                part => {
                    let names = self.list(&found)?;
                    let lower = part.to_lowercase();
                    let exact = names.iter().find(|name| *name == part);
                    exact.or_else(|| names.iter().find(|name| name.to_lowercase() == lower)).cloned()
                }
            };
            let Some(name) = name else { return Ok(None) };
            if !found.is_empty() {
                found.push('/');
            }
            found.push_str(&name);
        }
        Ok(Some(found))
    }

    fn list(&mut self, directory: &str) -> io::Result<&[String]> {
        if !self.listed.contains_key(directory) {
            let mut names = match self.files.list(directory) {
                Ok(names) => names,
                Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    Vec::new()
                }
                Err(error) => return Err(error),
            };
            names.sort();
            self.listed.insert(directory.to_owned(), names);
        }
        Ok(&self.listed[directory])
    }

    pub(super) fn read(&mut self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.files.read(path, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_do_not_leave_the_directory() {
        let of = |database: &str, path: &str| dependency(database, path, false).ok();
        assert_eq!(of("a/x.db", r"b\c"), Some("a/b/c".to_owned()));
        assert_eq!(of("a/x.db", r"..\c"), Some("c".to_owned()));
        assert_eq!(of("a/x.db", r".\\c d"), Some("a/c d".to_owned()));
        for path in [r"..\..\etc\passwd", r"\\server\x", "/etc", r"C:\x", "C:x", "a\0b"] {
            assert_eq!(of("a/x.db", path), None, "{path}");
        }
        assert_eq!(dependency("x.db", r"..\..\c", true), Ok("../../c".to_owned()));
        assert!(dependency("x.db", r"C:\c", true).is_err());
    }
}
