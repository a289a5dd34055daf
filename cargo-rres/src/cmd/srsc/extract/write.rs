//! Writes all files, or none.

use std::fs;
use std::io;
use std::path::Path;

use super::OutFile;
use crate::exit::Failure;
use crate::output::count;

/// Writes files into a directory: first all of them beside it, and then each to its place, so that a full disk leaves nothing behind.
///
/// # Errors
/// If a file exists and `force` is not set, or cannot be written.
pub(in crate::cmd::srsc) fn write(out: &Path, files: &[OutFile], force: bool) -> Result<(), Failure> {
    if !force {
        let existing: Vec<_> = files.iter().filter(|file| out.join(&file.path).symlink_metadata().is_ok()).collect();
        if let Some(first) = existing.first() {
            let more = match existing.len() - 1 {
                0 => String::new(),
                more => format!(" and {}", count(more, "other file")),
            };
            let path = out.join(&first.path);
            return Err(Failure::Usage(format!(
                "{}{more} would be replaced; choose another directory, or pass --force",
                path.display()
            )));
        }
    }
    place(out, files)
        .map_err(|(path, error)| Failure::Usage(format!("cannot write {}: {error}", out.join(path).display())))
}

fn place(out: &Path, files: &[OutFile]) -> Result<(), (String, io::Error)> {
    let of_out = |error| (String::new(), error);
    fs::create_dir_all(out).map_err(of_out)?;
    let staging = tempfile::Builder::new().prefix(".rres-").tempdir_in(out).map_err(of_out)?;
    for file in files {
        let path = staging.path().join(&file.path);
        let write = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(staging.path()))?;
            fs::write(&path, &file.bytes)
        };
        write().map_err(|error| (file.path.clone(), error))?;
    }
    for file in files {
        let path = out.join(&file.path);
        let rename = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(out))?;
            fs::rename(staging.path().join(&file.path), &path)
        };
        rename().map_err(|error| (file.path.clone(), error))?;
    }
    Ok(())
}
