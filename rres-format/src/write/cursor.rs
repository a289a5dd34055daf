//! Where chunks go: their order, their padding, and the limits of a pack.

use super::StoredChunk;
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::info::ChunkInfo;
use crate::limits::{DATA_ALIGNMENT, MAX_CHUNKS, MAX_PACK_SIZE};

pub(super) const CHUNK_HEADER: u64 = ChunkInfo::SIZE as u64;

/// The offset of aligned chunk headers modulo [`DATA_ALIGNMENT`]. The data of the chunk follows the header, the
/// property count and four properties, and so starts at a multiple of the alignment.
const HEADER_REMAINDER: u64 = (DATA_ALIGNMENT * 4 - CHUNK_HEADER - 20) % DATA_ALIGNMENT;

/// The position of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Size of the NULL chunk before it, including its header; 0 for none.
    pub(super) padding: u64,
    /// File offset of the chunk header.
    pub(super) offset: u32,
}

/// The position after the last placed chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// File offset.
    pub(super) at: u64,
    /// Number of chunks placed, including the leading chunks and padding.
    pub(super) chunk_count: u64,
}

impl Cursor {
    /// Returns the position after the file header and leading chunks whose blocks have these lengths.
    pub(super) fn new(leading_lens: &[u64]) -> Self {
        let mut at = Header::SIZE as u64;
        for len in leading_lens {
            at += CHUNK_HEADER + aligned_len(at + CHUNK_HEADER, *len);
        }
        Self { at, chunk_count: leading_lens.len() as u64 }
    }

    /// Places a chunk at the cursor, after padding if it needs any.
    pub(super) fn place(&mut self, chunk: &StoredChunk<'_>) -> Result<Placement> {
        let padding = padding_before(self.at, chunk);
        self.chunk_count += 1 + u64::from(padding > 0);
        self.at += padding;
        let offset = u32::try_from(self.at).map_err(|_| too_large(self.at))?;
        self.at += CHUNK_HEADER + u64::from(chunk.info.packed_size);
        Ok(Placement { padding, offset })
    }

    pub(super) fn size_since(&self, offset: u32) -> Result<u32> {
        u32::try_from(self.at - u64::from(offset)).map_err(|_| too_large(self.at))
    }

    /// Checks that the chunks placed so far do not exceed the limits of a pack.
    pub(super) fn check(&self) -> Result<()> {
        match self {
            Self { chunk_count, .. } if *chunk_count > MAX_CHUNKS as u64 => Err(too_many(*chunk_count)),
            Self { at, .. } if *at > MAX_PACK_SIZE => Err(too_large(*at)),
            _ => Ok(()),
        }
    }
}

/// Returns the size of the NULL chunk that `chunk` needs before it at file offset `at`; 0 for none.
pub(super) fn padding_before(at: u64, chunk: &StoredChunk<'_>) -> u64 {
    let is_aligned = at % DATA_ALIGNMENT == HEADER_REMAINDER;
    if is_aligned || !chunk.info.is_plain() || chunk.info.kind == FourCc::LINK {
        return 0;
    }
    CHUNK_HEADER + aligned_len(at + CHUNK_HEADER, 0)
}

fn too_many(chunks: u64) -> Error {
    Error::LimitExceeded {
        what: "the number of chunks in the pack",
        value: chunks,
        limit: MAX_CHUNKS as u64,
        help: "split the pack",
    }
}

pub(super) fn too_large(size: u64) -> Error {
    Error::LimitExceeded {
        what: "the size of the pack in bytes",
        value: size,
        limit: MAX_PACK_SIZE,
        help: "split the pack",
    }
}

/// Returns `len`, increased until a chunk header at `at` + length is aligned.
pub(super) fn aligned_len(at: u64, len: u64) -> u64 {
    let end = (at + len) % DATA_ALIGNMENT;
    len + (DATA_ALIGNMENT + HEADER_REMAINDER - end) % DATA_ALIGNMENT
}
