//! Maps a file without any code of ours: the limit that opening and uncompressed loading are compared with.

use std::fs::File;
use std::path::Path;

/// Maps a whole file.
///
/// # Errors
/// If it cannot be opened or mapped.
pub fn map(path: &Path) -> std::io::Result<memmap2::Mmap> {
    let file = File::open(path)?;
    // SAFETY: the file must not change while the map lives. Every caller maps a file that this process has written to a
    // temporary directory of its own, and does not write to it again.
    unsafe { memmap2::Mmap::map(&file) }
}

/// Reads a byte of every page, as a device driver that reads all bytes would touch them.
pub fn touch(bytes: &[u8]) -> u8 {
    bytes.iter().step_by(4096).fold(0, |sum, byte| sum ^ byte)
}
