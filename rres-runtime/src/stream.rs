//! Streams: raw files and encoded sounds, read piece by piece.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use rres_format::FourCc;
use rres_format::chunk::raw::RawView;

use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::source::Source;

/// The bytes of a raw file or an encoded sound, as a readable file for audio libraries to stream from.
///
/// Uncompressed bytes take no memory of their own: the system caches pages of the mapped pack, and takes them back when
/// it needs memory. A stream outlives its store. See [`crate::Store::stream`].
#[derive(Clone)]
pub struct Stream {
    bytes: Cursor<AssetBytes>,
    extension: Box<str>,
    source: Source,
    slot: u32,
}

impl Stream {
    pub(crate) fn open(source: &Source, slot: u32) -> Result<Self> {
        let chunk = source.open_slot(slot, FourCc::RAWD)?;
        let view = RawView::parse(chunk.payload()?)?;
        let extension = String::from_utf8_lossy(view.extension()).into();
        Ok(Self { bytes: Cursor::new(chunk.share(view.bytes())), extension, source: source.clone(), slot })
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        self.bytes.get_ref().len() as u64
    }

    /// Returns whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the extension of the source file with its dot, as written.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Compares the bytes with their CRC. This reads all of them.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Format`] if they differ.
    pub fn verify(&self) -> Result<()> {
        self.source.verify_slot(self.slot)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
    }
}

impl Seek for Stream {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(position)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} bytes, at {})", self.len(), self.bytes.position())
    }
}
