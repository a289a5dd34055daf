//! Files in the making: written under another name, locked while their writer lives, then renamed.
//!
//! Whoever is killed leaves such files behind and its locks are gone: what nobody holds a lock on has no writer any
//! more, and the next build sweeps it away ([`sweep_parts`]).

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What the names of files in the making begin and end with.
const PREFIX: &str = ".rres-";
const ENDING: &str = ".part";

/// Where a file system knows no locks, files as old as this have no writer.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// A file in the making; removed unless it is kept.
#[derive(Debug)]
struct Part {
    file: File,
    path: PathBuf,
}

impl Part {
    fn create(dir: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = dir.join(format!("{PREFIX}{}-{number}{ENDING}", process::id()));
            let file = match File::create_new(&path) {
                // Of a process that had this number before us, here or in another container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => continue,
                // File systems without locks are swept by age.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // A sweep may have been between creation and lock; from here on it leaves the file alone.
            if path.exists() {
                return Ok(Self { file, path });
            }
        }
    }

    fn keep_as(&mut self, file: &Path) -> io::Result<()> {
        fs::rename(&self.path, file)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // What stays is swept by the next build.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether files can be made in `dir`, which is made itself where it is missing.
pub(super) fn is_writable(dir: &Path) -> bool {
    fs::create_dir_all(dir).is_ok() && Part::create(dir).is_ok()
}

/// Writes a file whose contents follow from its name, by way of `parts`, a directory of the same file system. Not
/// synced, since what does not read back is made again.
pub(super) fn write_new(file: &Path, parts: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = Part::create(parts).or_else(|error| in_new_directory(parts, error, || Part::create(parts)))?;
    part.file.write_all(bytes)?;
    let dir = file.parent().expect("what is written stands in a directory");
    match part.keep_as(file) {
        Ok(()) => Ok(()),
        // Nothing but a file belongs there.
        Err(_) if file.is_dir() => fs::remove_dir_all(file).and_then(|()| part.keep_as(file)),
        Err(error) => in_new_directory(dir, error, || part.keep_as(file)),
    }
}

/// Does something again after making the directory that was missing.
fn in_new_directory<T>(dir: &Path, error: io::Error, again: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if error.kind() != io::ErrorKind::NotFound {
        return Err(error);
    }
    fs::create_dir_all(dir)?;
    again()
}

/// Writes a file that the user relies on: under another name, synced, then renamed. Left alone where it has these
/// contents already, so that its time tells when it changed.
pub(crate) fn write_if_changed(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    let is_same_size = fs::metadata(file).is_ok_and(|old| old.len() == bytes.len() as u64);
    if is_same_size && fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    replace(file, |out| {
        out.write_all(bytes)?;
        out.sync_all()
    })?;
    Ok(true)
}

/// Replaces a file by what `write` writes: under another name, then renamed, so that whoever is killed leaves the old
/// one or the new one.
pub(crate) fn replace(file: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut part = Part::create(dir)?;
    write(&mut part.file)?;
    part.keep_as(file)
}

/// Removes what killed builds left in the making in `dir`, and says how many files there were.
pub(crate) fn sweep_parts(dir: &Path) -> usize {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let mut swept = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(ENDING));
        if is_ours && is_abandoned(&entry.path()) {
            swept += usize::from(fs::remove_file(entry.path()).is_ok());
        }
    }
    swept
}

/// Whether no process holds the lock of a file.
fn is_abandoned(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else { return false };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = |time: SystemTime| time.elapsed().unwrap_or_default();
            file.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|time| age(time) > ABANDONED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_sweep_takes_what_was_left_behind_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let living = Part::create(dir.path()).unwrap();
        fs::write(dir.path().join(".rres-1-0.part"), "left behind").unwrap();
        fs::write(dir.path().join("own.part"), "the user's").unwrap();
        assert_eq!(sweep_parts(dir.path()), 1);
        let name = living.path.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(names(dir.path()), [name, "own.part".to_owned()]);
        drop(living);
        assert_eq!(names(dir.path()), ["own.part"]);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x");
        fs::write(&file, "old").unwrap();
        let failed = replace(&file, |out| {
            out.write_all(b"ne")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), names(dir.path()).len()), ("old", 1));
    }

    #[test]
    fn a_directory_gives_way_to_the_file_that_belongs_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("deep/x");
        fs::create_dir_all(file.join("y")).unwrap();
        write_new(&file, &dir.path().join("parts"), b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
