//! Reading of files that people put somewhere: anything but a file is an error, since reading a FIFO might never end.

use std::fs;
use std::io;
use std::path::Path;

/// The bytes of a file.
///
/// # Errors
/// If it does not exist, is not a regular file or a link to one, or cannot be read.
pub(crate) fn read_file(file: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
    }
    fs::read(file)
}
