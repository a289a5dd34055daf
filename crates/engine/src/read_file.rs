//! Reading of files that people put somewhere: anything but a file is an error, since reading a FIFO might never end.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Largest size of a record in a cache or an output directory. A record of 65,000 assets has 15 MB.
const MAX_RECORD: u64 = 1 << 30;

/// The bytes of a file.
///
/// # Errors
/// If it does not exist, is not a regular file or a link to one, or cannot be read.
pub(crate) fn read_file(file: &Path) -> io::Result<Vec<u8>> {
    check(file)?;
    fs::read(file)
}

/// Opens a file to read it.
///
/// # Errors
/// As [`read_file`].
pub(crate) fn open_file(file: &Path) -> io::Result<File> {
    check(file)?;
    File::open(file)
}

/// The bytes of a file that earlier builds have written.
///
/// # Errors
/// As [`read_file`], and if it is larger than any build writes.
pub(crate) fn read_record(file: &Path) -> io::Result<Vec<u8>> {
    if check(file)? > MAX_RECORD {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "is larger than any record"));
    }
    fs::read(file)
}

/// The size of a regular file.
fn check(file: &Path) -> io::Result<u64> {
    let metadata = fs::metadata(file)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
    }
    Ok(metadata.len())
}
