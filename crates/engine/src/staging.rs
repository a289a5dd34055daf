//! The outputs of a build: written to temporary files, then put in place together, so that a failed build changes nothing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::temp_file::{Backup, TempFile, has_contents};

/// Files that are written but not in place yet. Dropping the value removes them.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    files: Vec<(TempFile, PathBuf)>,
    removals: Vec<PathBuf>,
}

impl Staging {
    /// Writes what will replace `file`, and returns its size.
    pub(crate) fn write(&mut self, file: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<u64> {
        let mut temp = TempFile::beside(file)?;
        write(&mut temp.file)?;
        let size = temp.file.metadata()?.len();
        self.files.push((temp, file.to_owned()));
        Ok(size)
    }

    /// Writes and syncs what will replace `file`, unless it has these contents already.
    pub(crate) fn write_if_changed(&mut self, file: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
        if has_contents(file, bytes) {
            return Ok(());
        }
        let written = self.write(file, |out| {
            out.write_all(bytes)?;
            out.sync_all()
        });
        written.map(drop).map_err(|e| Diagnostic::io("write it", file, &e))
    }

    /// Removes `file` at the commit, if it exists.
    pub(crate) fn remove(&mut self, file: PathBuf) {
        self.removals.push(file);
    }

    /// Puts every file in place, in the order of writing, then removes files. If one cannot be replaced, the files
    /// before it are restored.
    pub(crate) fn commit(self) -> Result<(), Diagnostic> {
        let mut backups = Vec::with_capacity(self.files.len());
        for (mut temp, file) in self.files {
            backups.push(Backup::of(&file));
            if let Err(error) = temp.persist(&file) {
                backups.into_iter().for_each(Backup::restore);
                return Err(Diagnostic::io("replace it", &file, &error).with_help(in_use(&error)));
            }
        }
        // If a file cannot be removed, a later build overwrites or removes it. Nothing refers to it.
        self.removals.iter().for_each(|file| drop(fs::remove_file(file)));
        Ok(())
    }
}

/// What to do if a file cannot be replaced because a program has it open: only Windows refuses that.
fn in_use(error: &io::Error) -> Option<String> {
    /// Access is denied; another process uses the file; the file is mapped.
    const CODES: [i32; 3] = [5, 32, 1224];
    let is_in_use = cfg!(windows) && error.raw_os_error().is_some_and(|code| CODES.contains(&code));
    is_in_use
        .then(|| "a program may have it open, such as the game of an earlier build: end it, and build again".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changes_before_the_commit_and_nothing_is_left_without_one() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b, gone) = (dir.path().join("a"), dir.path().join("b"), dir.path().join("gone"));
        fs::write(&a, "old").unwrap();
        fs::write(&gone, "old").unwrap();
        let stage = || {
            let mut staging = Staging::default();
            assert_eq!(staging.write(&a, |out| out.write_all(b"new a")).unwrap(), 5);
            staging.write_if_changed(&b, b"new b").unwrap();
            staging.remove(gone.clone());
            staging
        };
        drop(stage());
        assert_eq!((fs::read(&a).unwrap().as_slice(), b.exists(), gone.exists()), (&b"old"[..], false, true));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        stage().commit().unwrap();
        assert_eq!((fs::read(&a).unwrap(), fs::read(&b).unwrap()), (b"new a".to_vec(), b"new b".to_vec()));
        assert!(!gone.exists());
    }

    #[test]
    fn a_file_that_cannot_be_replaced_undoes_the_commit() {
        let dir = tempfile::tempdir().unwrap();
        let [old, new, blocked] = ["old", "new", "blocked"].map(|name| dir.path().join(name));
        fs::write(&old, "before").unwrap();
        fs::create_dir(&blocked).unwrap();
        let mut staging = Staging::default();
        for file in [&old, &new, &blocked] {
            staging.write(file, |out| out.write_all(b"after")).unwrap();
        }
        staging.remove(old.clone());
        let error = staging.commit().unwrap_err();
        assert_eq!(error.file_path(), Some(blocked.as_path()));
        assert_eq!((fs::read(&old).unwrap().as_slice(), new.exists()), (&b"before"[..], false));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no temporary files are left");
    }

    #[cfg(windows)]
    #[test]
    fn a_file_that_a_program_has_open_is_said_to_be_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let pack = dir.path().join("game.rres");
        fs::write(&pack, "old").unwrap();
        // A mapped pack is refused alike.
        let game = std::os::windows::fs::OpenOptionsExt::share_mode(File::options().read(true), 1).open(&pack).unwrap();
        let stage = || {
            let mut staging = Staging::default();
            staging.write(&pack, |out| out.write_all(b"new")).unwrap();
            staging.commit()
        };
        let error = stage().unwrap_err().to_string();
        assert!(error.contains("cannot replace it: ") && error.contains("end it, and build again"), "{error}");
        assert_eq!(fs::read(&pack).unwrap(), b"old");
        drop(game);
        stage().unwrap();
    }
}
