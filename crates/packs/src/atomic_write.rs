//! Writes whole files: to a temporary file in the same directory, which is then renamed.
//!
//! A reader, or a later run after a crash, finds the old file or the new one, never a part of it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// Writes `file`, replacing an existing file. Creates missing directories.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    check_ordinary(file)?;
    temporary_file(file, bytes)?.persist(file)?;
    Ok(())
}

/// Checks that what is to be replaced is a file or does not exist: a device would become a file.
fn check_ordinary(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(metadata) if !metadata.is_file() => {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, "it exists and is no ordinary file"))
        }
        _ => Ok(()),
    }
}

/// Like [`replace`], for a file that users write as well: it keeps its permissions, a symbolic link stays one and its file is written, and a
/// read-only file is an error.
pub fn edit(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = if file.is_symlink() { &fs::canonicalize(file)? } else { file };
    let permissions = match fs::metadata(file) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let temporary = temporary_file(file, bytes)?;
    permissions.map_or(Ok(()), |permissions| temporary.as_file().set_permissions(permissions))?;
    temporary.persist(file)?;
    Ok(())
}

/// Like [`replace`], and returns only when the new contents are on the disk, so that a power failure does not lose both.
pub fn replace_durably(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_file(file, bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(file)?;
    Ok(())
}

/// Writes `file`, which must not exist. Creates missing directories.
pub fn create(file: &Path, bytes: &[u8]) -> io::Result<()> {
    temporary_file(file, bytes)?.persist_noclobber(file)?;
    Ok(())
}

/// Copies `from` to `file`, which must not exist unless `force`. Creates missing directories, and returns the size.
pub fn copy(from: &Path, file: &Path, force: bool) -> io::Result<u64> {
    check_ordinary(file)?;
    let mut source = File::open(from)?;
    let temporary = temporary_beside(file)?;
    let size = io::copy(&mut source, &mut temporary.as_file())?;
    if force {
        temporary.persist(file)?
    } else {
        temporary.persist_noclobber(file)?
    };
    Ok(size)
}

/// Puts temporary files in their places: all of them, or none if one cannot be put there. Returns that file and the error.
pub fn persist_all(files: impl IntoIterator<Item = (NamedTempFile, PathBuf)>) -> Result<(), (PathBuf, io::Error)> {
    let mut replaced: Vec<(PathBuf, bool, Option<TempPath>)> = Vec::new();
    for (temporary, file) in files {
        // A second name of the old file, which costs no bytes. On a file system without hard links, what was replaced stays so.
        let (existed, old) = (file.exists(), second_name(&file));
        if let Err(error) = temporary.persist(&file) {
            for (file, existed, old) in replaced.into_iter().rev() {
                let _ = match old {
                    Some(old) => old.persist(&file).map_err(|error| error.error),
                    None if existed => Ok(()),
                    None => fs::remove_file(&file),
                };
            }
            return Err((file, error.error));
        }
        replaced.push((file, existed, old));
    }
    Ok(())
}

/// Gives a file a second name beside the first, until the value is dropped.
fn second_name(file: &Path) -> Option<TempPath> {
    let named = tempfile::Builder::new().make_in(directory_of(file), |path| fs::hard_link(file, path));
    named.ok().map(NamedTempFile::into_temp_path)
}

/// Checks that `file` can be written, before the work whose result it will contain. Leaves nothing behind: of missing
/// directories, the check is whether the first can be created.
pub fn check_writable(file: &Path) -> io::Result<()> {
    let missing = file
        .ancestors()
        .find(|path| path.parent().is_none_or(|parent| parent.as_os_str().is_empty() || parent.exists()));
    private_beside(missing.unwrap_or(file)).map(drop)
}

/// Creates a temporary file with these contents in the directory of `file`.
fn temporary_file(file: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let temporary = temporary_beside(file)?;
    // Errors of the file, unlike errors of `NamedTempFile`, do not name the temporary path, which users know nothing of.
    temporary.as_file().write_all(bytes)?;
    Ok(temporary)
}

/// Creates an empty temporary file in the directory of `file`, which is created if it does not exist. For contents that are
/// written in pieces.
pub fn temporary_beside(file: &Path) -> io::Result<NamedTempFile> {
    // An ordinary file: the user's umask decides who may read it.
    create_beside(file, 0o666)
}

/// Like [`temporary_beside`], for a file that nobody else may read before it has its permissions.
pub fn private_beside(file: &Path) -> io::Result<NamedTempFile> {
    create_beside(file, 0o600)
}

fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn create_beside(file: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let dir = directory_of(file);
    fs::create_dir_all(dir).map_err(|error| match error.kind() {
        // Of a file that is in the place of the directory.
        io::ErrorKind::AlreadyExists => {
            io::Error::new(io::ErrorKind::NotADirectory, format!("{} is not a directory", dir.display()))
        }
        _ => error,
    })?;
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    tempfile::Builder::new().make_in(dir, |path| options.open(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_put_in_place_together_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        let new = |name: &str| (temporary_file(&file(name), b"new").unwrap(), file(name));
        fs::write(file("a"), "old").unwrap();
        fs::create_dir(file("c")).unwrap();
        let (failed, _) = persist_all([new("a"), new("b"), new("c")]).unwrap_err();
        assert_eq!(failed, file("c"));
        assert_eq!(fs::read(file("a")).unwrap(), b"old");
        assert!(!file("b").exists());
        fs::remove_dir(file("c")).unwrap();
        persist_all([new("a"), new("b"), new("c")]).unwrap();
        for name in ["a", "b", "c"] {
            assert_eq!(fs::read(file(name)).unwrap(), b"new");
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3, "second names are gone");
    }
}
