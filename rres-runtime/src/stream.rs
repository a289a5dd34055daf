//! Streams: raw files and encoded sounds, read piece by piece.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use rres_decode::SoundFile;
use rres_format::FourCc;
use rres_format::chunk::raw::RawView;
use rres_format::index::MetaKey;

use crate::asset::{SampleReader, SeekTable, check_frames};
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

    /// Returns whether the stream has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the extension of the source file with its dot, as written.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Returns a reader of the samples of an encoded sound, which decodes the file packet by packet while it is read.
    ///
    /// Only the parts of the file that are played are read. The samples are the same as from [`crate::Sound::reader`], whatever was read
    /// from this stream.
    ///
    /// # Errors
    /// If the bytes are not OGG Vorbis, Opus in Ogg, MP3 or FLAC, the feature of the format is disabled, or the pack has no seek
    /// points for it, which `sound = { seek = true }` makes.
    pub fn samples(&self) -> Result<SampleReader> {
        let (bytes, meta) = (self.bytes.get_ref(), self.source.index().meta(self.slot)?);
        SoundFile::format_of(bytes)?;
        let table = SeekTable::new(self.source.open_slot(self.slot, FourCc::SEEK)?.block)?;
        let number = |key| meta.get(key).unwrap_or(0);
        let frames = u64::from(number(MetaKey::FRAMES_HIGH)) << 32 | u64::from(number(MetaKey::FRAMES_LOW));
        check_frames(frames, bytes)?;
        let props = (number(MetaKey::SAMPLE_RATE), number(MetaKey::CHANNELS));
        SampleReader::of_file(bytes.clone(), table, frames, props).ok_or_else(|| {
            let detail = format!("{frames} frames of {} channels", props.1);
            rres_format::Error::Inconsistent { what: "sound", detail }.into()
        })
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
