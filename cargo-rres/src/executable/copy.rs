//! Copies parts of files of any size.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Copies `len` bytes of a file from `offset` on, in pieces, and returns their CRC-32.
pub(super) fn copy_range(mut file: &File, offset: u64, len: u64, out: &mut impl Write) -> io::Result<u32> {
    file.seek(SeekFrom::Start(offset))?;
    let mut rest = len;
    let mut buffer = vec![0; 256 << 10];
    let mut crc32 = crc32fast::Hasher::new();
    while rest > 0 {
        let piece = &mut buffer[..rest.min(256 << 10) as usize];
        file.read_exact(piece)?;
        crc32.update(piece);
        out.write_all(piece)?;
        rest -= piece.len() as u64;
    }
    Ok(crc32.finalize())
}
