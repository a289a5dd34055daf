//! What is kept in a directory: `<pack>/<version>/<first byte>-<byte after the last>`.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::kept;

/// A file that was not finished after this time was left by a program that has ended.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The part of the directory for one pack.
#[derive(Debug)]
pub(crate) struct Storage(PathBuf);

impl Storage {
    pub(crate) fn new(place: &str, pack: &str) -> Self {
        let file = pack.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let file = file.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' });
        // The hash is first: Windows has names of devices, such as `con`.
        let name = format!("{:016x}-{}", kept::hash(pack.as_bytes()), file.take(60).collect::<String>());
        Self(Path::new(place).join(name))
    }

    fn of_version(&self, version: u64) -> PathBuf {
        self.0.join(format!("{version:016x}"))
    }

    fn file(&self, version: u64, range: &Range<u64>) -> PathBuf {
        self.of_version(version).join(kept::name(range))
    }

    /// Returns all ranges, each with the version of the pack that it is of.
    pub(crate) async fn list(&self) -> Vec<(u64, Range<u64>)> {
        let mut all = Vec::new();
        for dir in entries(&self.0) {
            let version = dir.file_name().and_then(|name| u64::from_str_radix(name.to_str()?, 16).ok());
            let Some(version) = version else { continue };
            for file in entries(&dir) {
                match file.file_name().and_then(|name| kept::range(name.to_str()?)) {
                    Some(range) => all.push((version, range)),
                    None => remove_abandoned(&file),
                }
            }
        }
        all
    }

    pub(crate) async fn read(&self, version: u64, range: &Range<u64>) -> Option<Vec<u8>> {
        fs::read(self.file(version, range)).ok()
    }

    /// Returns whether the range is kept now.
    pub(crate) async fn write(&self, version: u64, range: &Range<u64>, bytes: &[u8]) -> bool {
        write(&self.of_version(version), &kept::name(range), bytes).is_ok()
    }

    pub(crate) async fn delete(&self, version: u64, range: &Range<u64>) {
        let _ = fs::remove_file(self.file(version, range));
        // If that was the last one.
        let _ = fs::remove_dir(self.of_version(version));
    }
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

fn remove_abandoned(file: &Path) {
    let age = fs::metadata(file).and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
    if age.is_some_and(|age| age > ABANDONED) && file.extension().is_some_and(|extension| extension == UNFINISHED) {
        let _ = fs::remove_file(file);
    }
}

/// The extension of a file that is being written.
const UNFINISHED: &str = "tmp";

/// Writes a file so that it exists with all of its bytes or not at all.
fn write(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    // Two processes may keep the same range.
    let unfinished = dir.join(format!("{name}.{}.{UNFINISHED}", std::process::id()));
    fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, dir.join(name))).inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_killed_program_has_left_is_removed_and_what_another_one_writes_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("0-9.1.tmp"), dir.path().join("0-9.2.tmp"));
        fs::write(&new, "").unwrap();
        let begun = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        fs::File::create(&old).unwrap().set_modified(begun).unwrap();
        [&old, &new].into_iter().for_each(|file| remove_abandoned(file));
        assert_eq!((old.exists(), new.exists()), (false, true));
    }
}
