//! Encoding of a chunk: compression if it saves enough, padding, checksum.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use super::stored::{Stored, StoredSource};
use crate::chunk_view::ChunkView;
use crate::codec::Compressor;
use crate::encoding::{Cipher, Compression};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::id::ResourceId;
use crate::info::ChunkInfo;
use crate::limits::DATA_ALIGNMENT;

/// One encoded chunk: a chunk header and stored bytes, without a position in a pack.
#[derive(Clone, Debug)]
pub struct StoredChunk<'a> {
    /// The header. The pack builder sets the id and the next offset.
    pub(super) info: ChunkInfo,
    pub(super) stored: Stored<'a>,
    /// Whether the next chunk of the resource is linked to this one.
    pub(super) linked: bool,
}

impl<'a> StoredChunk<'a> {
    /// Compresses `block` if that saves enough, and pads the result. [`Compression::FILTERED`] becomes [`Compression::ZSTD`] where
    /// no filter is known, or none makes the block smaller.
    ///
    /// The compressed form is used if it saves at least a 16th of the block and at least 32 bytes. A smaller
    /// gain is not worth it, because plain chunks can be used in place. Links stay plain, because C readers decompress
    /// only chunks with exactly four properties.
    ///
    /// # Errors
    /// As [`Compressor::compress`]; [`Error::LimitExceeded`] if the block has about 4 GiB or more;
    /// [`Error::Inconsistent`] if `kind` cannot belong to a resource: padding, index, directory, and the kinds that
    /// rres reserves.
    pub fn encode(
        kind: FourCc,
        block: &[u8],
        compression: Compression,
        compressor: &mut Compressor,
    ) -> Result<StoredChunk<'static>> {
        match Self::encode_within(kind, block, compression, compressor, u32::MAX)? {
            Some(chunk) => Ok(chunk),
            None => Err(too_large(block.len() as u64)),
        }
    }

    /// [`Self::encode`], unless the stored bytes would be more than `limit`. Then it returns `None`, which often takes a small part of the time: for
    /// pixels that are kept as another file if that is smaller, for example.
    ///
    /// # Errors
    /// As [`Self::encode`].
    pub fn encode_within(
        kind: FourCc,
        block: &[u8],
        compression: Compression,
        compressor: &mut Compressor,
        limit: u32,
    ) -> Result<Option<StoredChunk<'static>>> {
        let why = match kind {
            FourCc::PFNT | FourCc::PMSH => Some("is reserved by rres and has no layout"),
            FourCc::NULL | FourCc::INDX | FourCc::CDIR => Some("is written by the pack builder only"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(Error::inconsistent("chunk kind", format!("{kind} {why}")));
        }
        let base_size = stored_size(block.len())?;
        let max_packed = max_packed(block.len()).min(limit as usize);
        let packed = match compression {
            Compression::NONE => None,
            _ if kind == FourCc::LINK => None,
            #[cfg(feature = "zstd-compress")]
            Compression::FILTERED => compressor.filtered(kind, block, max_packed)?,
            other => Some((other, compressor.compress(other, block)?)),
        };
        let (compression, mut stored) = match packed.filter(|(_, packed)| packed.len() <= max_packed) {
            Some(packed) => packed,
            None if block.len() > limit as usize => return Ok(None),
            // What is not used is freed before the block is copied: blocks may be large.
            None => (Compression::NONE, block.to_vec()),
        };
        pad(compression, stored.len(), &mut stored);
        let packed_size = stored_size(stored.len())?;
        let info = ChunkInfo {
            kind,
            id: ResourceId::NONE,
            compression,
            cipher: Cipher::NONE,
            flags: 0,
            packed_size,
            base_size,
            next_offset: 0,
            reserved: 0,
            crc32: crc32fast::hash(&stored),
        };
        let chunk = StoredChunk { info, stored: Stored::Memory(Cow::Owned(stored)), linked: true };
        Ok((packed_size <= limit).then_some(chunk))
    }

    /// Returns a copy of a chunk from another pack. It preserves all fields of the header except the id and the next
    /// offset, also for unknown kinds, compressions and ciphers.
    pub fn copied(chunk: ChunkView<'a>) -> Self {
        Self {
            info: chunk.info,
            stored: Stored::Memory(Cow::Borrowed(chunk.stored)),
            linked: chunk.info.next_offset != 0,
        }
    }

    /// Returns a chunk whose stored bytes are not in memory: they are copied from `source` when they are needed, and compared with the header
    /// `info` each time. Its id and its next offset have no meaning yet.
    ///
    /// ```
    /// use std::io::{self, Write};
    /// use std::sync::Arc;
    /// use rres_format::{FourCc, LargeBlock, PackBuilder, Resource, StoredChunk, StoredSource, chunk};
    ///
    /// /// A block of zeros.
    /// #[derive(Debug)]
    /// struct Zeros(usize);
    ///
    /// impl StoredSource for Zeros {
    ///     fn copy_to(&self, out: &mut dyn Write) -> io::Result<()> {
    ///         out.write_all(&chunk::raw::raw_block(".bin", &vec![0; self.0]))
    ///     }
    /// }
    ///
    /// let mut block = Vec::new();
    /// Zeros(12).copy_to(&mut block)?;
    /// let info = LargeBlock::scan(FourCc::RAWD, &mut block.as_slice())?.plain();
    /// let mut pack = PackBuilder::new();
    /// pack.push(Resource::new("a.bin", vec![StoredChunk::elsewhere(info, Arc::new(Zeros(12)))]));
    /// pack.write_to(io::sink())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn elsewhere(info: ChunkInfo, source: Arc<dyn StoredSource>) -> Self {
        Self { info, stored: Stored::Elsewhere(source), linked: true }
    }

    /// Returns `chunk` stored as the difference `delta`, which [`crate::delta::DeltaSpec::encode`] has made for it.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if the difference has about 4 GiB or more.
    pub fn delta(chunk: ChunkView<'_>, delta: Vec<u8>) -> Result<StoredChunk<'static>> {
        Self::stored_as(chunk, Compression::DELTA, delta)
    }

    /// Returns `chunk`, whose block is `block`, stored as what distinguishes it from the block `sibling` of the chunk at
    /// `place` in the same pack.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if zstd fails or the sibling has the depth [`MAX_DEPTH`](crate::sibling::MAX_DEPTH), and
    /// [`Error::LimitExceeded`] if the result has about 4 GiB or more.
    #[cfg(feature = "zstd-compress")]
    pub fn with_sibling(
        chunk: ChunkView<'_>,
        block: &[u8],
        place: crate::sibling::SiblingPlace,
        sibling: &[u8],
        level: i32,
    ) -> Result<StoredChunk<'static>> {
        Self::stored_as(chunk, Compression::SIBLING, place.encode(sibling, block, level)?)
    }

    fn stored_as(chunk: ChunkView<'_>, compression: Compression, mut stored: Vec<u8>) -> Result<StoredChunk<'static>> {
        pad(compression, stored.len(), &mut stored);
        let packed_size = stored_size(stored.len())?;
        let crc32 = crc32fast::hash(&stored);
        let info = ChunkInfo { compression, packed_size, crc32, ..chunk.info };
        Ok(StoredChunk { info, stored: Stored::Memory(Cow::Owned(stored)), linked: chunk.info.next_offset != 0 })
    }

    /// Encrypts the chunk for its place: chunk `number`, counted from 0, of the resource `id`. Links stay plain, because C readers
    /// decrypt only chunks with exactly four properties.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if it is encrypted already; [`Error::LimitExceeded`] if it has about 4 GiB.
    #[cfg(feature = "seal")]
    pub fn seal(self, sealer: &crate::seal::Sealer, id: ResourceId, number: u16) -> Result<Self> {
        let info = self.info;
        if info.cipher != Cipher::NONE {
            return Err(Error::inconsistent(
                "chunk",
                format!("expected a chunk to encrypt, found one encrypted with {}", info.cipher),
            ));
        }
        if info.kind == FourCc::LINK {
            return Ok(self);
        }
        let linked = self.linked;
        // A nonce depends on every byte.
        let stored = self.into_stored().map_err(|e| Error::inconsistent("chunk", e.to_string()))?;
        let mut plain = stored.into_owned();
        if info.compression == Compression::NONE {
            // Without padding: C readers expect as many bytes as the block has.
            plain.truncate(info.base_size as usize);
        }
        let ChunkInfo { kind, compression, base_size, .. } = info;
        let mut place = id.0.to_le_bytes().to_vec();
        place.extend_from_slice(&number.to_le_bytes());
        place.extend_from_slice(&kind.0);
        place.push(compression.0);
        place.extend_from_slice(&base_size.to_le_bytes());
        let stored = sealer.seal(&place, plain)?;
        let (packed_size, crc32) = (stored_size(stored.len())?, crc32fast::hash(&stored));
        let info = ChunkInfo { cipher: sealer.cipher(), packed_size, crc32, ..info };
        Ok(Self { info, stored: Stored::Memory(Cow::Owned(stored)), linked })
    }

    /// Returns this chunk linked to the next chunk of the resource, or not.
    #[must_use]
    pub fn with_link(mut self, linked: bool) -> Self {
        self.linked = linked;
        self
    }

    /// Returns this chunk without a link to the next chunk of the resource. C readers follow links, so they do not find
    /// the next chunk.
    #[must_use]
    pub fn unlinked(mut self) -> Self {
        self.linked = false;
        self
    }

    /// Whether the next chunk of the resource is linked to this one.
    pub fn is_linked(&self) -> bool {
        self.linked
    }

    /// Returns the chunk header. Its id and next offset are not yet meaningful.
    pub fn info(&self) -> &ChunkInfo {
        &self.info
    }

    /// Returns the stored bytes, including padding; `None` if they are [elsewhere](Self::elsewhere).
    pub fn stored(&self) -> Option<&[u8]> {
        match &self.stored {
            Stored::Memory(bytes) => Some(bytes),
            Stored::Elsewhere(_) => None,
        }
    }

    /// Writes the stored bytes, including padding, to `out`, wherever they are.
    ///
    /// # Errors
    /// Errors of `out`. Of bytes that are elsewhere: errors of their source, and [`Error::Inconsistent`] in [`io::ErrorKind::InvalidData`] if they
    /// are not those of the header.
    pub fn write_stored(&self, mut out: impl Write) -> io::Result<()> {
        self.stored.write_to(&self.info, &mut out)
    }

    /// Returns the chunk with its stored bytes in memory.
    ///
    /// # Errors
    /// As [`Self::write_stored`].
    pub fn in_memory(self) -> io::Result<Self> {
        let Self { info, linked, .. } = self;
        Ok(Self { info, stored: Stored::Memory(self.into_stored()?), linked })
    }

    fn into_stored(self) -> io::Result<Cow<'a, [u8]>> {
        if let Stored::Memory(bytes) = self.stored {
            return Ok(bytes);
        }
        let mut bytes = Vec::with_capacity(self.info.packed_size as usize);
        self.write_stored(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }
}

/// The largest number of stored bytes.
pub(super) const MAX_STORED: u64 = u32::MAX as u64 - 64;

/// Returns the largest size of the compressed form of a block of `len` bytes that saves enough.
pub(super) fn max_packed(len: usize) -> usize {
    len.saturating_sub((len / 16).max(32))
}

/// Returns a size as chunk headers store it.
fn stored_size(len: usize) -> Result<u32> {
    u32::try_from(len).ok().filter(|len| u64::from(*len) <= MAX_STORED).ok_or_else(|| too_large(len as u64))
}

pub(super) fn too_large(len: u64) -> Error {
    Error::LimitExceeded {
        what: "the size of a chunk in bytes",
        value: len,
        limit: MAX_STORED,
        help: "split the asset, or keep it outside the pack with kind = \"link\"",
    }
}

/// Appends the padding that keeps the next chunk header aligned after `len` stored bytes.
pub(super) fn pad(compression: Compression, len: usize, stored: &mut Vec<u8>) {
    let missing = len.next_multiple_of(DATA_ALIGNMENT as usize) - len;
    match compression {
        // A delta and a sibling contain the size of their frame, and a section of zeros is padding.
        Compression::NONE | Compression::DELTA | Compression::SIBLING | Compression::FILTERED => {
            stored.resize(stored.len() + missing, 0);
        }
        Compression::ZSTD if missing > 0 => {
            // A skippable frame (RFC 8878, 3.1.2): a magic number, a size, and that many bytes.
            const FRAME_HEADER: usize = 8;
            let frame = if missing < FRAME_HEADER { missing + DATA_ALIGNMENT as usize } else { missing };
            stored.extend_from_slice(&0x184d_2a50u32.to_le_bytes());
            stored.extend_from_slice(&((frame - FRAME_HEADER) as u32).to_le_bytes());
            stored.resize(stored.len() + frame - FRAME_HEADER, 0);
        }
        _ => {}
    }
}
