//! Where the stored bytes of a chunk are: in memory, or in a file that is copied when the pack is written.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use crate::error::Error;
use crate::info::ChunkInfo;

/// Stored bytes that are not in memory, such as a range of a file; see [`StoredChunk::elsewhere`](crate::StoredChunk::elsewhere).
pub trait StoredSource: fmt::Debug + Send + Sync {
    /// Writes all stored bytes, including padding, to `out`. Called once each time that they are needed, and each time it writes the
    /// same bytes.
    ///
    /// # Errors
    /// Errors of reading, and of `out`.
    fn copy_to(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// The stored bytes of a chunk.
#[derive(Clone, Debug)]
pub(super) enum Stored<'a> {
    Memory(Cow<'a, [u8]>),
    Elsewhere(Arc<dyn StoredSource>),
}

impl Stored<'_> {
    /// Writes the stored bytes of the chunk with the header `info`. Bytes from elsewhere are checked while they are copied: what they come from
    /// may have changed.
    pub(super) fn write_to(&self, info: &ChunkInfo, out: &mut dyn Write) -> io::Result<()> {
        let source = match self {
            Self::Memory(bytes) => return out.write_all(bytes),
            Self::Elsewhere(source) => source,
        };
        let mut checked = Checked { out, written: 0, crc: crc32fast::Hasher::new() };
        source.copy_to(&mut checked)?;
        let (written, crc) = (checked.written, checked.crc.finalize());
        if (written, crc) == (info.packed_size.into(), info.crc32) {
            return Ok(());
        }
        let detail = format!(
            "expected {} stored bytes with the CRC-32 {:08x}, copied {written} with {crc:08x}",
            info.packed_size, info.crc32
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, Error::inconsistent("chunk", detail)))
    }
}

/// Counts the bytes that pass, and computes their CRC.
struct Checked<'o> {
    out: &'o mut dyn Write,
    written: u64,
    crc: crc32fast::Hasher,
}

impl Write for Checked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
