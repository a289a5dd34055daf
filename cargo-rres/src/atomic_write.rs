//! Writes whole files: to a temporary file in the same directory, which is then renamed.
//!
//! A reader, or a later run after a crash, finds the old file or the new one, never a part of it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `file`, replacing an existing file. Creates missing directories.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    temporary_file(file, bytes)?.persist(file)?;
    Ok(())
}

/// Like [`replace`], and returns only when the new contents are on the disk, so that a power failure does not lose both.
pub(crate) fn replace_durably(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_file(file, bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(file)?;
    Ok(())
}

/// Writes `file`, which must not exist. Creates missing directories.
pub(crate) fn create(file: &Path, bytes: &[u8]) -> io::Result<()> {
    temporary_file(file, bytes)?.persist_noclobber(file)?;
    Ok(())
}

/// Copies `from` to `file`, which must not exist unless `force`. Creates missing directories, and returns the size.
pub(crate) fn copy(from: &Path, file: &Path, force: bool) -> io::Result<u64> {
    let mut source = fs::File::open(from)?;
    let mut temporary = temporary_file(file, &[])?;
    let size = io::copy(&mut source, &mut temporary)?;
    if force {
        temporary.persist(file)?
    } else {
        temporary.persist_noclobber(file)?
    };
    Ok(size)
}

/// Creates a temporary file with these contents in the directory of `file`.
fn temporary_file(file: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut temporary = temporary_beside(file)?;
    temporary.write_all(bytes)?;
    Ok(temporary)
}

/// Creates an empty temporary file in the directory of `file`, which is created if it does not exist. For contents that are
/// written in pieces.
pub(crate) fn temporary_beside(file: &Path) -> io::Result<NamedTempFile> {
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut builder = tempfile::Builder::new();
    // `tempfile` creates private files by default. These become ordinary files, so the user's umask decides.
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(dir)
}
