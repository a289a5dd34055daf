//! Paths as people type them → absolute paths that can be compared with each other.

use std::path::{Component, Path, PathBuf};

use crate::exit::Failure;

/// Returns the absolute path of a file or directory, without `.` and `..`.
///
/// # Errors
/// If the current directory is not known.
pub(crate) fn plain_absolute(path: &Path) -> Result<PathBuf, Failure> {
    match std::path::absolute(path) {
        Ok(absolute) => Ok(without_dots(&absolute)),
        Err(error) => Err(Failure::Usage(format!("cannot find {}: {error}", path.display()))),
    }
}

/// Returns a path without `.` and `..`.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_has_the_same_path() {
        let here = std::env::current_dir().unwrap();
        for path in ["a/b", "./a/./b", "a/c/../b", "../x/../a/b"] {
            let path = if path.starts_with("..") { here.join("d").join(path) } else { path.into() };
            assert_eq!(plain_absolute(&path).unwrap(), here.join("a/b"), "{}", path.display());
        }
    }
}
