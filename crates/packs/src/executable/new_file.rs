//! Writes a new executable: to a temporary file in the same directory, with the permissions and the extended attributes of the
//! old one, which is then renamed. So a program that is running keeps its file.

use std::fs::{self, File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::atomic_write;

/// An executable that is not in place yet. Dropping the value removes it.
pub(super) struct NewFile {
    temporary: NamedTempFile,
    /// The offset of the next byte.
    position: u64,
}

impl NewFile {
    /// Creates a file in the directory of `path`, which is created if it does not exist.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        Ok(Self { temporary: atomic_write::private_beside(path)?, position: 0 })
    }

    /// Overwrites bytes that were written before.
    pub(super) fn patch(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let file = self.temporary.as_file_mut();
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)?;
        file.seek(SeekFrom::Start(self.position)).map(drop)
    }

    pub(super) fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Puts the file in place, with the permissions and attributes of `model`. Returns what could not be copied.
    ///
    /// `model` may be the file that is replaced, so it is closed before that: Windows replaces no file that is open.
    pub(super) fn persist(self, path: &Path, model: File) -> io::Result<Vec<String>> {
        let file = self.temporary.as_file();
        // Zeros at the end were not written.
        file.set_len(self.position)?;
        // Writing to a file takes its capabilities and the setuid bit away, so these come last.
        let warnings = copy_attributes(&model, file);
        file.set_permissions(permissions(&model.metadata()?))?;
        file.sync_all()?;
        drop(model);
        self.temporary.persist(path)?;
        Ok(warnings)
    }
}

/// Zeros take no space on the disk.
impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// File systems store nothing for blocks of this size, or larger ones.
        const BLOCK: usize = 4096;
        static ZEROS: [u8; 256 << 10] = [0; 256 << 10];

        let is_zero = bytes.len() >= BLOCK && ZEROS.get(..bytes.len()).is_some_and(|zeros| zeros == bytes);
        if is_zero {
            self.temporary.as_file_mut().seek(SeekFrom::Current(bytes.len() as i64))?;
        } else {
            self.temporary.as_file_mut().write_all(bytes)?;
        }
        self.position += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
fn permissions(model: &Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(model.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn permissions(model: &Metadata) -> fs::Permissions {
    model.permissions()
}

/// Copies extended attributes, which include the capabilities of a file on Linux.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn copy_attributes(from: &File, to: &File) -> Vec<String> {
    use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr};
    /// The label of SELinux, which the system gives every file anew.
    const LABEL: &str = "security.selinux";

    // A file system without attributes has none to copy.
    let mut names = vec![0; flistxattr_query(from).unwrap_or(0)];
    let len = flistxattr(from, &mut names[..]).unwrap_or(0);
    let names = String::from_utf8_lossy(&names[..len]).into_owned();
    let mut warnings = Vec::new();
    for name in names.split_terminator('\0').filter(|name| *name != LABEL) {
        let copy = || {
            let mut value = vec![0; fgetxattr_query(from, name)?];
            let len = fgetxattr(from, name, &mut value[..])?;
            fsetxattr(to, name, &value[..len], XattrFlags::empty())
        };
        if let Err(error) = copy() {
            let advice = if name == "security.capability" { "; run `setcap` on the new executable" } else { "" };
            warnings.push(format!("the attribute {name} could not be copied: {error}{advice}"));
        }
    }
    warnings
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
fn copy_attributes(_: &File, _: &File) -> Vec<String> {
    Vec::new()
}
