//! Compression 53: a block as what distinguishes it from the block of a similar chunk in the same pack, its *sibling*.
//!
//! The frames of an animation, the colours of a costume and the translations of a text are files of their own with much
//! in common, which compression of each file by itself does not find. The stored bytes are a header of 16 bytes, one
//! zstd frame that was compressed with the sibling's block as its prefix (a dictionary of raw content), and padding.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | id of the resource that has the sibling |
//! | 4 | 2 | number of the sibling among the chunks of that resource |
//! | 6 | 1 | depth: how many chunks must be decoded before this one, from 1 to [`MAX_DEPTH`] |
//! | 7 | 1 | zero |
//! | 8 | 4 | CRC-32 of the block |
//! | 12 | 4 | size of the zstd frame |
//!
//! The depth of a chunk is greater than that of its sibling, so siblings never form a circle, and one asset is never
//! more than [`MAX_DEPTH`] chunks away from bytes that can be decoded by themselves.

use crate::bytes::slice;
use crate::codec::Decompressor;
use crate::delta::block_after;
use crate::encoding::Compression;
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{Wire, wire_record};

/// The largest depth. More saves nothing, and each step takes time when an asset is loaded alone.
pub const MAX_DEPTH: u8 = 3;

wire_record! {
    struct SiblingRecord[16] {
        resource: ResourceId,
        chunk: u16,
        depth: u8,
        zero: u8,
        block_crc: u32,
        frame_size: u32,
    }
}

/// A borrowed chunk that needs its sibling.
#[derive(Clone, Copy, Debug)]
pub struct SiblingView<'a> {
    record: SiblingRecord,
    frame: &'a [u8],
    /// Size of the block.
    size: usize,
}

impl<'a> SiblingView<'a> {
    /// Parses the stored bytes of a chunk whose block has `size` bytes.
    pub(crate) fn parse(stored: &'a [u8], size: usize) -> Result<Self> {
        let header = slice(stored, "header of a chunk with a sibling", 0, SiblingRecord::SIZE as u64)?;
        let record = SiblingRecord::get(header);
        if record.depth == 0 || record.depth > MAX_DEPTH || record.zero != 0 {
            let (depth, zero) = (record.depth, record.zero);
            let detail = format!("expected a depth of 1 to {MAX_DEPTH} and a zero, found {depth} and {zero}");
            return Err(Error::inconsistent("header of a chunk with a sibling", detail));
        }
        let at = SiblingRecord::SIZE as u64;
        let frame = slice(stored, "frame of a chunk with a sibling", at, record.frame_size.into())?;
        Ok(Self { record, frame, size })
    }

    /// Returns the resource that has the sibling.
    pub fn resource(&self) -> ResourceId {
        self.record.resource
    }

    /// Returns the number of the sibling among the chunks of its resource.
    pub fn chunk(&self) -> u16 {
        self.record.chunk
    }

    /// Returns how many chunks must be decoded before this one.
    pub fn depth(&self) -> u8 {
        self.record.depth
    }

    /// Checks the depth of the chunk that this one names; 0 if that can be decoded by itself.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if it is not smaller than that of this chunk: decoding might never end.
    pub fn check_depth(&self, sibling: u8) -> Result<()> {
        if sibling < self.depth() {
            return Ok(());
        }
        let detail = format!("expected a sibling of a smaller depth than {}, found {sibling}", self.depth());
        Err(Error::inconsistent("header of a chunk with a sibling", detail))
    }

    /// Returns the block, made from the block of the sibling.
    ///
    /// # Errors
    /// [`Error::Decompress`] if the chunk is damaged or `sibling` is another block.
    pub fn decode(&self, sibling: &[u8], decompressor: &mut Decompressor) -> Result<Vec<u8>> {
        block_after(Compression::SIBLING, sibling, self.frame, self.size, self.record.block_crc, decompressor)
    }
}

/// The place of a sibling in its pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiblingPlace {
    /// The resource that has it.
    pub resource: ResourceId,
    /// Its number among the chunks of that resource.
    pub chunk: u16,
    /// The depth of the sibling itself; 0 if it can be decoded by itself.
    pub depth: u8,
}

#[cfg(feature = "zstd-compress")]
impl SiblingPlace {
    /// Returns the stored bytes, without padding, of a chunk with this block whose sibling has the block `sibling`.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if zstd fails or the sibling has the largest depth already, and [`Error::LimitExceeded`]
    /// if the result has 4 GiB or more.
    pub(crate) fn encode(self, sibling: &[u8], block: &[u8], level: i32) -> Result<Vec<u8>> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::inconsistent("depth of a sibling", format!("it is {} already", self.depth)));
        }
        let frame = crate::codec::compress_after(sibling, block, level)?;
        let exceeded = || Error::LimitExceeded {
            what: "the size of a chunk in bytes",
            value: frame.len() as u64,
            limit: u32::MAX.into(),
            help: "store the chunk by itself",
        };
        let record = SiblingRecord {
            resource: self.resource,
            chunk: self.chunk,
            depth: self.depth + 1,
            zero: 0,
            block_crc: crc32fast::hash(block),
            frame_size: u32::try_from(frame.len()).map_err(|_| exceeded())?,
        };
        let mut out = Vec::with_capacity(SiblingRecord::SIZE + frame.len());
        record.put(&mut out);
        out.extend_from_slice(&frame);
        Ok(out)
    }
}
