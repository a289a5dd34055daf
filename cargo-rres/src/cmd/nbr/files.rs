//! Paths on the command line → the `.nbr` files there.

use std::fs;
use std::path::{Path, PathBuf};

use rres_import_nbr::File;

use crate::exit::Failure;
use crate::output::escape_terminal;

/// An `.nbr` file.
pub(super) struct Found {
    /// The path of the file.
    pub(super) file: PathBuf,
    /// Its path in the directory that was given, with `/`, without the extension; only its name if it was given itself.
    pub(super) name: String,
}

/// Returns the files at these paths, and the files in directories and in the directories inside them. Sorted by path, each once.
///
/// # Errors
/// If a path does not exist, or a directory has no `.nbr` files.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|e| failure(path, &e))?;
        if !metadata.is_dir() {
            let name = path.file_name().map(|name| without_extension(&name.to_string_lossy()).to_owned());
            found.push(Found { file: path.clone(), name: name.unwrap_or_default() });
            continue;
        }
        let before = found.len();
        walk(path, "", &mut found)?;
        if found.len() == before {
            return Err(Failure::Usage(format!("{} has no files whose names end in .nbr", path.display())));
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found.dedup_by(|a, b| a.file == b.file);
    Ok(found)
}

/// Links to directories are not followed, as they could lead back.
fn walk(dir: &Path, prefix: &str, found: &mut Vec<Found>) -> Result<(), Failure> {
    for entry in fs::read_dir(dir).map_err(|e| failure(dir, &e))? {
        let entry = entry.map_err(|e| failure(dir, &e))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().map_err(|e| failure(&path, &e))?;
        if kind.is_dir() {
            walk(&path, &format!("{prefix}{name}/"), found)?;
        } else if is_nbr(&name) && (kind.is_file() || path.is_file()) {
            found.push(Found { file: path, name: format!("{prefix}{}", without_extension(&name)) });
        }
    }
    Ok(())
}

fn is_nbr(name: &str) -> bool {
    name.len() > 4 && name.get(name.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".nbr"))
}

fn without_extension(name: &str) -> &str {
    let stem = if is_nbr(name) { &name[..name.len() - 4] } else { name };
    // Files of these names would be outside of the output directory.
    if matches!(stem, "." | "..") { name } else { stem }
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot read {}: {error}", path.display()))
}

impl Found {
    /// The path, as messages have it.
    pub(super) fn shown(&self) -> String {
        escape_terminal(&self.file.display().to_string())
    }

    /// Its name without folder.
    pub(super) fn stem(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Reads the bytes of the file.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        // Opening a FIFO would wait for its writer.
        if !self.file.is_file() {
            return Err(Failure::Usage(format!("cannot read {}: it is not a file", self.file.display())));
        }
        fs::read(&self.file).map_err(|e| failure(&self.file, &e))
    }

    /// Reads the resource in the file; the error has the name of the file.
    pub(super) fn parse<'b>(&self, bytes: &'b [u8]) -> Result<File<'b>, String> {
        rres_import_nbr::read(bytes).map_err(|e| format!("{}: {e}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_output_directory() {
        for (name, expected) in
            [("a.nbr", "a"), ("A.NBR", "A"), ("...nbr", "...nbr"), ("..nbr", "..nbr"), (".nbr", ".nbr")]
        {
            assert_eq!(without_extension(name), expected);
        }
    }
}
