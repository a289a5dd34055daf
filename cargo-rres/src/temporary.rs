//! Files in the making: written under another name and renamed, so that what stands under a name is always whole.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// A file to be written and then persisted as `file`, in its directory, which is made where it is missing.
pub(crate) fn beside(file: &Path) -> io::Result<NamedTempFile> {
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; these are to be ordinary files, within the user's umask.
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(dir)
}
