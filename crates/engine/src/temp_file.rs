//! Temporary files: written under another name, locked while their writer lives, then renamed.
//!
//! A process that is killed leaves temporary files behind, but not their locks. So a file without a lock has no writer
//! any more, and the next build removes it ([`sweep_temp_files`]).

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The prefix and the suffix of the names of temporary files.
const PREFIX: &str = ".rres-";
const SUFFIX: &str = ".tmp";

/// On file systems without locks, files as old as this have no writer.
const STALE_AFTER: Duration = Duration::from_secs(24 * 3600);

/// A name that this process has not used before.
fn temp_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}{SUFFIX}", process::id())
}

/// A file that is being written; removed when dropped, unless it was renamed.
#[derive(Debug)]
pub(crate) struct TempFile {
    pub(crate) file: File,
    path: PathBuf,
}

impl TempFile {
    /// Creates a temporary file in `dir`.
    pub(crate) fn create(dir: &Path) -> io::Result<Self> {
        loop {
            let path = dir.join(temp_name());
            let file = match File::create_new(&path) {
                // It belongs to a process with the same id, an earlier one or one in another container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            match file.try_lock() {
                // A sweep has come between creation and lock, and removes the file.
                Err(TryLockError::WouldBlock) => continue,
                // On file systems without locks, the age decides.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The sweep may have ended meanwhile. No other one takes the file while this lock is held.
            if path.exists() {
                return Ok(Self { file, path });
            }
        }
    }

    /// Creates a temporary file in the directory of `file`, which is created if it is missing.
    pub(crate) fn beside(file: &Path) -> io::Result<Self> {
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(dir)?;
        Self::create(dir)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames it to `file`, replacing an existing file.
    pub(crate) fn persist(&mut self, file: &Path) -> io::Result<()> {
        fs::rename(&self.path, file)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // If it stays, the next build removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A backup of a file that is going to be replaced. Dropping it removes the backup.
#[derive(Debug)]
pub(crate) struct Backup {
    file: PathBuf,
    existed: bool,
    /// A hard link to the old file.
    link: Option<PathBuf>,
}

impl Backup {
    /// Backs up the current state of `file`. Does nothing on file systems without hard links.
    pub(crate) fn of(file: &Path) -> Self {
        let existed = fs::symlink_metadata(file).is_ok();
        let link = file.with_file_name(temp_name());
        let link = (existed && fs::hard_link(file, &link).is_ok()).then_some(link);
        Self { file: file.to_owned(), existed, link }
    }

    /// Puts the old file back, or removes the new one if there was none.
    pub(crate) fn restore(self) {
        // Errors are ignored: the build reports the error that made it restore files.
        let _ = match &self.link {
            Some(link) => fs::rename(link, &self.file),
            None if self.existed => Ok(()),
            None => fs::remove_file(&self.file),
        };
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if let Some(link) = &self.link {
            // If the file was restored, the link does not exist any more.
            let _ = fs::remove_file(link);
        }
    }
}

/// Whether files can be created in `dir`, which is created if it is missing.
pub(crate) fn is_writable(dir: &Path) -> bool {
    fs::create_dir_all(dir).is_ok() && TempFile::create(dir).is_ok()
}

/// Writes a file whose contents follow from its name, through a temporary file in `tmp`, a directory on the same file
/// system. The file is not synced: if it does not read back, it is written again.
pub(crate) fn write_new(file: &Path, tmp: &Path, bytes: &[u8]) -> io::Result<()> {
    write_new_with(file, tmp, |out| out.write_all(bytes))
}

/// [`write_new`] of what `write` writes. If that fails, the file does not exist, or is as it was.
pub(crate) fn write_new_with(
    file: &Path,
    tmp: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut temp = TempFile::create(tmp).or_else(|error| in_new_directory(tmp, error, || TempFile::create(tmp)))?;
    write(&mut temp.file)?;
    let dir = file.parent().expect("the file is in a directory");
    match temp.persist(file) {
        Ok(()) => Ok(()),
        // A directory does not belong there.
        Err(_) if file.is_dir() => fs::remove_dir_all(file).and_then(|()| temp.persist(file)),
        Err(error) => in_new_directory(dir, error, || temp.persist(file)),
    }
}

/// Makes `file` another name of `target`, through a temporary name in `tmp`.
///
/// # Errors
/// If the file system has no links, or the two are on different ones, or the directory does not exist.
pub(crate) fn link_new(file: &Path, tmp: &Path, target: &Path) -> io::Result<()> {
    let link = tmp.join(temp_name());
    fs::hard_link(target, &link)?;
    let renamed = fs::rename(&link, file);
    // If they were the same file before, renaming has done nothing. If it has failed, the next build would remove the link.
    let _ = fs::remove_file(&link);
    renamed
}

/// Tries again after creating a missing directory.
fn in_new_directory<T>(dir: &Path, error: io::Error, again: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if error.kind() != io::ErrorKind::NotFound {
        return Err(error);
    }
    fs::create_dir_all(dir)?;
    again()
}

/// Writes a file that users rely on: to a temporary file, synced, then renamed. A file that already has these contents
/// is not touched, so that its modification time is the time of its last change.
pub(crate) fn write_if_changed(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    if has_contents(file, bytes) {
        return Ok(false);
    }
    replace(file, |out| {
        out.write_all(bytes)?;
        out.sync_all()
    })?;
    Ok(true)
}

/// Whether a file has these contents. It is read in pieces: a module of many constants is large.
pub(crate) fn has_contents(file: &Path, bytes: &[u8]) -> bool {
    let is_same = || {
        let mut open = File::open(file)?;
        if open.metadata()?.len() != bytes.len() as u64 {
            return Ok(false);
        }
        let mut piece = vec![0; 1 << 16];
        for part in bytes.chunks(piece.len()) {
            open.read_exact(&mut piece[..part.len()])?;
            if piece[..part.len()] != *part {
                return Ok(false);
            }
        }
        // It may have grown meanwhile.
        io::Result::Ok(open.read(&mut piece)? == 0)
    };
    is_same().unwrap_or(false)
}

/// Replaces a file with a temporary file that `write` writes, so that a process that is killed leaves either the old
/// file or the new one.
pub(crate) fn replace(file: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut temp = TempFile::beside(file)?;
    write(&mut temp.file)?;
    temp.persist(file)
}

/// Removes the temporary files that killed builds left in `dir`, and returns how many there were.
pub(crate) fn sweep_temp_files(dir: &Path) -> usize {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let mut swept = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        // The lock is held until the file is removed: somebody who has just created it waits for its lock in vain, and creates another.
        if is_ours && let Some(_locked) = take_stale(&entry.path()) {
            swept += usize::from(fs::remove_file(entry.path()).is_ok());
        }
    }
    swept
}

/// A temporary file that no process writes, with its lock; `None` if one does.
fn take_stale(path: &Path) -> Option<File> {
    let file = File::options().write(true).open(path).ok()?;
    let is_stale = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = |time: SystemTime| time.elapsed().unwrap_or_default();
            file.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|time| age(time) > STALE_AFTER)
        }
    };
    is_stale.then_some(file)
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
    fn a_sweep_removes_only_files_without_a_writer() {
        let dir = tempfile::tempdir().unwrap();
        let living = TempFile::create(dir.path()).unwrap();
        fs::write(dir.path().join(".rres-1-0.tmp"), "abandoned").unwrap();
        fs::write(dir.path().join("own.tmp"), "the user's").unwrap();
        assert_eq!(sweep_temp_files(dir.path()), 1);
        let name = living.path.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(names(dir.path()), [name, "own.tmp".to_owned()]);
        drop(living);
        assert_eq!(names(dir.path()), ["own.tmp"]);
    }

    #[test]
    fn a_file_that_a_sweep_removes_is_locked_until_it_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".rres-1-0.tmp");
        let writer = File::create_new(&path).unwrap();
        let taken = take_stale(&path);
        assert!(
            matches!(writer.try_lock(), Err(TryLockError::WouldBlock)),
            "the writer would take the file for its own"
        );
        drop(taken);
        writer.try_lock().unwrap();
        assert!(take_stale(&path).is_none(), "its writer lives");
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
    fn a_link_replaces_a_file_and_leaves_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let [target, file] = ["target", "x"].map(|name| dir.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::write(&target, "new").unwrap();
        for _ in 0..2 {
            link_new(&file, dir.path(), &target).unwrap();
            assert_eq!((fs::read_to_string(&file).unwrap().as_str(), names(dir.path()).len()), ("new", 2));
        }
        replace(&target, |out| out.write_all(b"newer")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn a_directory_is_replaced_by_the_file_that_belongs_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("deep/x");
        fs::create_dir_all(file.join("y")).unwrap();
        write_new(&file, &dir.path().join("tmp"), b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
