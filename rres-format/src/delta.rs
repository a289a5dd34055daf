//! Compression 51: a block as its difference from a block of another pack, its *base*.
//!
//! The stored bytes are a header of 32 bytes, one zstd frame that was compressed with the base as its prefix (a dictionary
//! of raw content), and padding. The header says which chunk is the base and what the chunk is in the pack that the patch
//! leads to, so that both a reader and a program that rebuilds that pack can check what they get.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | id of the resource that has the base |
//! | 4 | 2 | number of the base among the chunks of that resource |
//! | 6 | 1 | compression of the chunk that the delta makes |
//! | 7 | 1 | zstd level that gives its stored bytes; 0 for other compressions |
//! | 8 | 4 | size of the base in bytes |
//! | 12 | 4 | CRC-32 of the base |
//! | 16 | 4 | CRC-32 of the block |
//! | 20 | 4 | packed size of the chunk that the delta makes |
//! | 24 | 4 | CRC-32 of its stored bytes |
//! | 28 | 4 | size of the zstd frame |

use crate::bytes::slice;
use crate::codec::Decompressor;
use crate::encoding::Compression;
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{Wire, wire_record};

wire_record! {
    struct DeltaRecord[32] {
        base: ResourceId,
        base_chunk: u16,
        compression: Compression,
        level: u8,
        base_size: u32,
        base_crc: u32,
        block_crc: u32,
        packed_size: u32,
        packed_crc: u32,
        frame_size: u32,
    }
}

/// A borrowed delta.
#[derive(Clone, Copy, Debug)]
pub struct DeltaView<'a> {
    record: DeltaRecord,
    frame: &'a [u8],
    /// Size of the block.
    size: usize,
}

/// What a chunk is in the pack that a patch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaTarget {
    /// Its compression.
    pub compression: Compression,
    /// The zstd level that gives its stored bytes; 0 for other compressions.
    pub level: u8,
    /// The number of its stored bytes.
    pub packed_size: u32,
    /// The CRC-32 of its stored bytes.
    pub packed_crc: u32,
}

impl<'a> DeltaView<'a> {
    /// Parses the stored bytes of a chunk whose block has `size` bytes.
    pub(crate) fn parse(stored: &'a [u8], size: usize) -> Result<Self> {
        let header = slice(stored, "header of a delta", 0, DeltaRecord::SIZE as u64)?;
        let record = DeltaRecord::get(header);
        let frame = slice(stored, "frame of a delta", DeltaRecord::SIZE as u64, record.frame_size.into())?;
        Ok(Self { record, frame, size })
    }

    /// Returns the resource that has the base.
    pub fn base(&self) -> ResourceId {
        self.record.base
    }

    /// Returns the number of the base among the chunks of its resource.
    pub fn base_chunk(&self) -> u16 {
        self.record.base_chunk
    }

    /// Returns the size of the base in bytes.
    pub fn base_size(&self) -> u32 {
        self.record.base_size
    }

    /// Returns what the chunk is in the pack that the patch leads to.
    pub fn target(&self) -> DeltaTarget {
        let DeltaRecord { compression, level, packed_size, packed_crc, .. } = self.record;
        DeltaTarget { compression, level, packed_size, packed_crc }
    }

    /// Returns the zstd frame, for which the base is the prefix.
    pub fn frame(&self) -> &'a [u8] {
        self.frame
    }

    /// Returns the block, made from the block of the base.
    ///
    /// # Errors
    /// [`Error::WrongBase`] if `base` is not the block that the delta was made from, and [`Error::Decompress`] if the delta
    /// is damaged.
    pub fn apply(&self, base: &[u8], decompressor: &mut Decompressor) -> Result<Vec<u8>> {
        let expected = (u64::from(self.record.base_size), self.record.base_crc);
        // The size first, which costs nothing.
        let found = (base.len() as u64, if base.len() as u64 == expected.0 { crc32fast::hash(base) } else { 0 });
        if found != expected {
            let found = (found.0, crc32fast::hash(base));
            return Err(Error::WrongBase { base: self.record.base, expected, found });
        }
        block_after(Compression::DELTA, base, self.frame, self.size, self.record.block_crc, decompressor)
    }
}

/// Returns the block of `size` bytes and with this CRC-32 that a zstd frame with this prefix contains.
pub(crate) fn block_after(
    compression: Compression,
    prefix: &[u8],
    frame: &[u8],
    size: usize,
    crc: u32,
    decompressor: &mut Decompressor,
) -> Result<Vec<u8>> {
    let block = decompressor.decompress_after(compression, prefix, frame, size)?;
    match crc32fast::hash(&block) {
        found if found == crc => Ok(block),
        found => {
            let detail = format!("the block has crc32 {found:08x}, expected {crc:08x}");
            Err(Error::Decompress { compression, detail })
        }
    }
}

/// What [`DeltaSpec::encode`] makes a delta from.
#[cfg(feature = "zstd-compress")]
#[derive(Clone, Copy, Debug)]
pub struct DeltaSpec<'a> {
    /// The resource that has the base.
    pub base: ResourceId,
    /// The number of the base among the chunks of that resource.
    pub base_chunk: u16,
    /// The block of the base.
    pub base_block: &'a [u8],
    /// What the chunk is in the pack that the patch leads to.
    pub target: DeltaTarget,
}

#[cfg(feature = "zstd-compress")]
impl DeltaSpec<'_> {
    /// Returns the stored bytes of a delta of `block`, without padding, compressed with this zstd level.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if zstd fails.
    pub fn encode(&self, block: &[u8], level: i32) -> Result<Vec<u8>> {
        let frame = crate::codec::compress_after(self.base_block, block, level)?;
        let size = |what: &'static str, len: usize| {
            let help = "store the chunk as a whole";
            let exceeded = Error::LimitExceeded { what, value: len as u64, limit: u32::MAX.into(), help };
            u32::try_from(len).map_err(|_| exceeded)
        };
        let record = DeltaRecord {
            base: self.base,
            base_chunk: self.base_chunk,
            compression: self.target.compression,
            level: self.target.level,
            base_size: size("the size of a base in bytes", self.base_block.len())?,
            base_crc: crc32fast::hash(self.base_block),
            block_crc: crc32fast::hash(block),
            packed_size: self.target.packed_size,
            packed_crc: self.target.packed_crc,
            frame_size: size("the size of a delta in bytes", frame.len())?,
        };
        let mut out = Vec::with_capacity(DeltaRecord::SIZE + frame.len());
        record.put(&mut out);
        out.extend_from_slice(&frame);
        Ok(out)
    }
}
