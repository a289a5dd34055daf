//! A file's bytes, mapped: the limit that opening and plain loading are held against, without any of our code.

use std::fs::File;
use std::path::Path;

/// Maps a whole file.
///
/// # Errors
/// Where it cannot be opened or mapped.
pub fn map(path: &Path) -> std::io::Result<memmap2::Mmap> {
    let file = File::open(path)?;
    // SAFETY: the file must not change while the map lives. Every caller maps a file that this process has written to
    // a temporary directory of its own, and writes no more to it.
    unsafe { memmap2::Mmap::map(&file) }
}

/// Touches every page, as a device driver that reads the bytes would.
pub fn touch(bytes: &[u8]) -> u8 {
    bytes.iter().step_by(4096).fold(0, |sum, byte| sum ^ byte)
}
