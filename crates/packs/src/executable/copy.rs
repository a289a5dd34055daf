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

/// A file whose holes are not read from the disk, and do not fill the memory of the system: they are zeros.
#[cfg(target_os = "linux")]
pub(super) struct SparseReader {
    file: File,
    len: u64,
    position: u64,
    /// The end of the hole that the position is in; before the position if it is in none, or that is not known yet.
    hole_end: u64,
}

#[cfg(target_os = "linux")]
impl SparseReader {
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self { len: file.metadata()?.len(), file, position: 0, hole_end: 0 })
    }
}

#[cfg(target_os = "linux")]
impl Read for SparseReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use std::os::unix::fs::FileExt;

        use rustix::fs::{SeekFrom, seek};
        if self.position >= self.hole_end && self.position < self.len {
            // A file system that does not know says that there is data everywhere.
            self.hole_end = match seek(&self.file, SeekFrom::Data(self.position)) {
                Ok(data) => data,
                Err(rustix::io::Errno::NXIO) => self.len,
                Err(_) => self.position,
            };
        }
        let in_hole = self.hole_end.saturating_sub(self.position).min(buffer.len() as u64) as usize;
        let read = match in_hole {
            0 => self.file.read_at(buffer, self.position)?,
            len => {
                buffer[..len].fill(0);
                len
            }
        };
        self.position += read as u64;
        Ok(read)
    }
}

/// On other systems, the file itself.
#[cfg(not(target_os = "linux"))]
pub(super) struct SparseReader(File);

#[cfg(not(target_os = "linux"))]
impl SparseReader {
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self(file))
    }
}

#[cfg(not(target_os = "linux"))]
impl Read for SparseReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}
