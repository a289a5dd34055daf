//! Streams: the bytes of a raw file or an encoded sound, read piece by piece.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use rres_format::FourCc;
use rres_format::chunk::raw::RawView;

use crate::data::Data;
use crate::error::Result;
use crate::store::Source;

/// The bytes of a raw file or an encoded sound, as a file to be read: what audio libraries stream from.
///
/// Memory is that of the pages which the system keeps of the mapped pack; it takes them back when it needs them. It outlives
/// its store. See [`crate::Store::stream`].
#[derive(Clone)]
pub struct Stream {
    bytes: Cursor<Data>,
    extension: Box<str>,
    source: Source,
    slot: u32,
}

impl Stream {
    pub(crate) fn open(source: &Source, slot: u32) -> Result<Self> {
        let chunk = source.open_slot(slot, FourCc::RAWD)?;
        let view = RawView::parse(chunk.payload()?)?;
        let extension = String::from_utf8_lossy(view.extension()).into();
        Ok(Self { bytes: Cursor::new(chunk.keep(view.bytes())), extension, source: source.clone(), slot })
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        self.bytes.get_ref().len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The extension of the source with its dot, as written.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Compares the bytes with their CRC, which reads them all.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Format`] where they differ.
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
