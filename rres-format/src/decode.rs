//! One stored chunk → its block.

use std::borrow::Cow;
use std::ops::Range;

use crate::chunk::PayloadView;
use crate::chunk_view::ChunkView;
#[cfg(feature = "seal")]
use crate::chunk_view::Unsealed;
use crate::codec::{Decompressor, frames};
use crate::delta::DeltaView;
use crate::encoding::Compression;
use crate::error::{Error, Result};
use crate::memory;
use crate::read::PackLayout;
use crate::sibling::SiblingView;

impl<'a> ChunkView<'a> {
    /// Returns [`Self::block_size`] of a chunk that is decoded by itself.
    fn decodable_size(&self) -> Result<usize> {
        match (self.delta()?, self.sibling()?) {
            (Some(delta), _) => Err(Error::NeedsBase(delta.base())),
            (_, Some(sibling)) => Err(Error::NeedsSibling(sibling.resource())),
            (None, None) => self.block_size(),
        }
    }

    /// Returns the difference that the chunk is stored as; `None` if it is stored by itself.
    ///
    /// # Errors
    /// As [`Self::block_size`], and [`Error::Truncated`] if the stored bytes are too few.
    pub fn delta(&self) -> Result<Option<DeltaView<'a>>> {
        if self.info.compression != Compression::DELTA {
            return Ok(None);
        }
        let size = self.block_size()?;
        DeltaView::parse(self.stored, size).map(Some)
    }

    /// Returns what the chunk is stored as, if that is what distinguishes it from a similar chunk of its pack; `None` if it
    /// is stored in another way. [`Self::decode`] needs no help with it; a program that decodes many chunks keeps the
    /// blocks of siblings instead of decoding them again and again.
    ///
    /// # Errors
    /// As [`Self::block_size`], [`Error::Truncated`] if the stored bytes are too few, and [`Error::Inconsistent`] if
    /// their header has impossible values.
    pub fn sibling(&self) -> Result<Option<SiblingView<'a>>> {
        if self.info.compression != Compression::SIBLING {
            return Ok(None);
        }
        let size = self.block_size()?;
        SiblingView::parse(self.stored, size).map(Some)
    }

    /// Returns how many chunks must be decoded before this one; 0 for a chunk without a sibling.
    ///
    /// # Errors
    /// As [`Self::sibling`].
    pub fn depth(&self) -> Result<u8> {
        Ok(self.sibling()?.map_or(0, |sibling| sibling.depth()))
    }

    /// Returns the chunk that `sibling`, which is what this chunk is stored as, names.
    fn sibling_chunk(&self, sibling: &SiblingView<'_>) -> Result<ChunkView<'a>> {
        let needed = || Error::NeedsSibling(sibling.resource());
        if self.pack.is_empty() {
            return Err(needed());
        }
        let pack = PackLayout::parse(self.pack, self.limits)?.view(self.pack);
        let found = pack.find_nth(sibling.resource(), sibling.chunk())?.ok_or_else(needed)?;
        sibling.check_depth(found.depth()?)?;
        Ok(found)
    }

    /// Decodes the block into `out`, whose length must be [`Self::block_size`]. A chunk with a sibling is not decoded in
    /// place; use [`Self::decode`] for it.
    ///
    /// # Errors
    /// As [`Self::block_size`] and [`Decompressor::decompress`]; [`Error::Inconsistent`] if `out` has another length.
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        let size = self.decodable_size()?;
        if out.len() != size {
            let detail = format!("expected {size} bytes, the size of the block, found {}", out.len());
            return Err(Error::inconsistent("output buffer", detail));
        }
        decompressor.decompress(self.info.compression, self.stored, out)
    }

    /// Returns the block: borrowed if the chunk is plain, decoded otherwise. Does not check the CRC; see
    /// [`Self::verify`].
    ///
    /// # Errors
    /// As [`Self::block_size`] and [`Decompressor::decompress`]; [`Error::NeedsSibling`] if the pack lacks the sibling of the
    /// chunk.
    pub fn decode(&self, decompressor: &mut Decompressor) -> Result<Decoded<'a>> {
        if self.info.compression == Compression::NONE {
            return Ok(Decoded(Cow::Borrowed(&self.stored[..self.block_size()?])));
        }
        if let Some(sibling) = self.sibling()? {
            // The depth decreases, so this ends.
            let block = self.sibling_chunk(&sibling)?.decode(decompressor)?;
            return Ok(Decoded(Cow::Owned(sibling.decode(&block.0, decompressor)?)));
        }
        let size = self.decodable_size()?;
        decompressor.decompress_to_vec(self.info.compression, self.stored, size).map(|block| Decoded(Cow::Owned(block)))
    }

    /// Returns a part of the block, borrowed if the chunk is plain. Only the [frames](Self::frames) that have some of it are decoded; a chunk
    /// without frames is decoded as a whole. Does not check the CRC; see [`Self::verify`].
    ///
    /// # Errors
    /// As [`Self::decode`], and [`Error::Truncated`] if the block is shorter.
    pub fn decode_range(&self, decompressor: &mut Decompressor, range: Range<usize>) -> Result<Cow<'a, [u8]>> {
        let size = self.check_range(&range)?;
        if self.info.compression == Compression::NONE {
            return Ok(Cow::Borrowed(&self.stored[range]));
        }
        if range == (0..size) {
            return Ok(self.decode(decompressor)?.into_bytes());
        }
        let mut out = memory::zeroed(range.len())?;
        self.decode_range_into(decompressor, range.start, &mut out)?;
        Ok(Cow::Owned(out))
    }

    /// Decodes the part of the block from `start` on into `out`, like [`Self::decode_range`].
    ///
    /// # Errors
    /// As [`Self::decode_range`].
    pub fn decode_range_into(&self, decompressor: &mut Decompressor, start: usize, out: &mut [u8]) -> Result<()> {
        let range = start..start.saturating_add(out.len());
        self.check_range(&range)?;
        let frames = match self.info.compression {
            Compression::NONE | Compression::SIBLING | Compression::DELTA => Vec::new(),
            _ => self.frames()?,
        };
        if frames.is_empty() {
            out.copy_from_slice(&self.decode(decompressor)?.into_bytes()[range]);
            return Ok(());
        }
        let (mut at, mut whole) = (0, Vec::new());
        for frame in frames {
            let frame_range = at..at + frame.size();
            at = frame_range.end;
            let wanted = range.start.clamp(frame_range.start, at)..range.end.clamp(frame_range.start, at);
            if wanted.is_empty() {
                continue;
            }
            let part = &mut out[wanted.start - range.start..wanted.end - range.start];
            if wanted == frame_range {
                frame.decode_into(decompressor, part)?;
            } else {
                whole.resize(frame.size(), 0);
                frame.decode_into(decompressor, &mut whole)?;
                part.copy_from_slice(&whole[wanted.start - frame_range.start..wanted.end - frame_range.start]);
            }
        }
        Ok(())
    }

    /// Returns the size of the block, if it has these bytes.
    fn check_range(&self, range: &Range<usize>) -> Result<usize> {
        let size = self.block_size()?;
        if range.start > range.end || range.end > size {
            let (offset, needed) = (range.start as u64, range.end.saturating_sub(range.start) as u64);
            let available = (size as u64).saturating_sub(offset);
            return Err(Error::Truncated { what: "part of a block", offset, needed, available });
        }
        Ok(size)
    }

    /// Returns the frames of the block, which can be decoded independently on several threads. Their contents in order
    /// are the block. Only large zstd chunks have frames; the result is empty for other chunks.
    ///
    /// # Errors
    /// As [`Self::block_size`].
    pub fn frames(&self) -> Result<Vec<Frame<'a>>> {
        let compression = self.info.compression;
        let frames = frames(compression, self.stored, self.decodable_size()?).unwrap_or_default();
        Ok(frames.into_iter().map(|(packed, size)| Frame { compression, packed, size }).collect())
    }
}

#[cfg(feature = "seal")]
impl Unsealed {
    /// Decodes the block; see [`ChunkView::decode`]. An uncompressed block is not copied.
    ///
    /// # Errors
    /// As [`ChunkView::decode`].
    pub fn into_block(mut self, decompressor: &mut Decompressor) -> Result<Vec<u8>> {
        if self.info.compression == Compression::NONE {
            let size = self.view().block_size()?;
            self.plain.truncate(size);
            return Ok(self.plain);
        }
        Ok(self.view().decode(decompressor)?.into_bytes().into_owned())
    }

    /// Decodes the block; see [`Self::into_block`].
    ///
    /// # Errors
    /// As [`ChunkView::decode`].
    pub fn into_decoded(self, decompressor: &mut Decompressor) -> Result<Decoded<'static>> {
        self.into_block(decompressor).map(|block| Decoded(Cow::Owned(block)))
    }
}

/// A piece of a block that can be decoded independently; see [`ChunkView::frames`].
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    compression: Compression,
    packed: &'a [u8],
    size: usize,
}

impl Frame<'_> {
    /// Returns the size of the decoded frame in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Decodes the frame into `out`, whose length must be [`Self::size`].
    ///
    /// # Errors
    /// As [`Decompressor::decompress`].
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        decompressor.decompress(self.compression, self.packed, out)
    }
}

/// A decoded block.
#[derive(Clone, Debug)]
pub struct Decoded<'a>(Cow<'a, [u8]>);

impl<'a> Decoded<'a> {
    /// Returns the block, split into properties and data.
    ///
    /// # Errors
    /// As [`PayloadView::parse`].
    pub fn view(&self) -> Result<PayloadView<'_>> {
        PayloadView::parse(&self.0)
    }

    /// Returns the bytes of the block.
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        self.0
    }
}
