//! Compression and decompression of blocks, with reused contexts and limited output.
//!
//! Zstd (number 50) is our addition: a sequence of frames of at most 1 MiB of content. Each frame declares its content
//! size, so a reader can decode the frames of a large chunk on several threads. Skippable frames may follow.

use core::fmt;

use crate::encoding::Compression;
use crate::error::{Error, Result};

/// Largest content of a zstd frame, in bytes.
#[cfg(feature = "zstd")]
const ZSTD_FRAME: usize = 1 << 20;

/// Compresses blocks. It reuses its contexts, so keep one per thread.
#[derive(Default)]
pub struct Compressor {
    /// Zstd level from 1 to 22; 0 means [`Self::DEFAULT_ZSTD_LEVEL`].
    level: i32,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl Compressor {
    /// The zstd level of [`Self::default`]: higher levels take several times longer for little gain.
    pub const DEFAULT_ZSTD_LEVEL: i32 = 9;

    /// Returns a compressor with this zstd level, clamped to 1 to 22.
    pub fn with_level(level: i32) -> Self {
        Self {
            level: level.clamp(1, 22),
            #[cfg(feature = "zstd")]
            zstd: None,
        }
    }

    /// Compresses `block`.
    ///
    /// # Errors
    /// [`Error::UnsupportedCompression`], and [`Error::Inconsistent`] for [`Compression::QOI`] if the block is not an
    /// image of 3 or 4 channels of 8 bits with one mip level.
    pub fn compress(&mut self, compression: Compression, block: &[u8]) -> Result<Vec<u8>> {
        match compression {
            Compression::NONE => Ok(block.to_vec()),
            #[cfg(feature = "deflate")]
            Compression::DEFLATE => deflate(block),
            #[cfg(feature = "lz4")]
            Compression::LZ4 => Ok(lz4_flex::block::compress(block)),
            #[cfg(feature = "qoi")]
            Compression::QOI => super::qoi::compress(block),
            #[cfg(feature = "zstd")]
            Compression::ZSTD => self.zstd(block),
            other => Err(Error::UnsupportedCompression(other)),
        }
    }

    #[cfg(feature = "zstd")]
    fn zstd(&mut self, block: &[u8]) -> Result<Vec<u8>> {
        let failed = |e: std::io::Error| Error::inconsistent("zstd compression", e.to_string());
        let level = if self.level == 0 { Self::DEFAULT_ZSTD_LEVEL } else { self.level };
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            slot => slot.insert(zstd::bulk::Compressor::new(level).map_err(failed)?),
        };
        let mut out = Vec::new();
        // An empty block becomes one empty frame, so that the decoder can check it.
        let mut rest = block;
        loop {
            let (frame, next) = rest.split_at(rest.len().min(ZSTD_FRAME));
            out.extend_from_slice(&zstd.compress(frame).map_err(failed)?);
            if next.is_empty() {
                return Ok(out);
            }
            rest = next;
        }
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "deflate")]
fn deflate(block: &[u8]) -> Result<Vec<u8>> {
    use flate2::{Compress, Compression as Level, FlushCompress, Status};
    // One call with `Finish` and space for the worst case. A flush in mid-stream would write an empty stored block, at
    // which raylib's inflate stops.
    let mut out = Vec::with_capacity(block.len() + block.len() / 1000 + 128);
    let mut deflate = Compress::new(Level::best(), false);
    let status = deflate
        .compress_vec(block, &mut out, FlushCompress::Finish)
        .map_err(|e| Error::inconsistent("DEFLATE compression", e.to_string()))?;
    match status {
        Status::StreamEnd => Ok(out),
        _ => Err(Error::inconsistent("DEFLATE compression", "the output is larger than its upper bound")),
    }
}

/// Decompresses blocks. It reuses its contexts, so keep one per thread.
#[derive(Default)]
pub struct Decompressor {
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Decompressor {
    /// Decompresses `packed` into `out`, whose length must be the chunk's base size.
    ///
    /// # Errors
    /// [`Error::UnsupportedCompression`], and [`Error::Decompress`] if the bytes are damaged or decompress to another
    /// length. The contents of `out` are then unspecified.
    pub fn decompress(&mut self, compression: Compression, packed: &[u8], out: &mut [u8]) -> Result<()> {
        let damaged = |detail: String| Error::Decompress { compression, detail };
        let wrong_length = |len: u64, out: &[u8]| damaged(wrong_length(len, out.len()));
        match compression {
            Compression::NONE => match packed.get(..out.len()) {
                Some(packed) => out.copy_from_slice(packed),
                None => return Err(wrong_length(packed.len() as u64, out)),
            },
            #[cfg(feature = "deflate")]
            Compression::DEFLATE => {
                let mut inflate = flate2::Decompress::new(false);
                let status = inflate
                    .decompress(packed, out, flate2::FlushDecompress::Finish)
                    .map_err(|e| damaged(e.to_string()))?;
                // A full buffer may leave the end of the stream unread, so read on with space for one more byte.
                let ended = status == flate2::Status::StreamEnd
                    || inflate
                        .decompress(&packed[inflate.total_in() as usize..], &mut [0], flate2::FlushDecompress::Finish)
                        .is_ok_and(|status| status == flate2::Status::StreamEnd);
                if inflate.total_out() != out.len() as u64 {
                    return Err(wrong_length(inflate.total_out(), out));
                }
                if !ended {
                    return Err(damaged(format!("the stream does not end after {} bytes", out.len())));
                }
            }
            #[cfg(feature = "lz4")]
            Compression::LZ4 => {
                let len = lz4_flex::block::decompress_into(packed, out).map_err(|e| damaged(e.to_string()))?;
                if len != out.len() {
                    return Err(wrong_length(len as u64, out));
                }
            }
            #[cfg(feature = "qoi")]
            Compression::QOI => super::qoi::decompress(packed, out)?,
            #[cfg(feature = "zstd")]
            Compression::ZSTD => {
                let len = self.zstd()?.decompress_to_buffer(packed, out).map_err(|e| damaged(e.to_string()))?;
                if len != out.len() {
                    return Err(wrong_length(len as u64, out));
                }
            }
            other => return Err(Error::UnsupportedCompression(other)),
        }
        Ok(())
    }

    /// Decompresses `packed` into a new vector of `len` bytes. With zstd, the vector is not filled with zeros first.
    ///
    /// # Errors
    /// As [`Self::decompress`].
    pub fn decompress_to_vec(&mut self, compression: Compression, packed: &[u8], len: usize) -> Result<Vec<u8>> {
        #[cfg(feature = "zstd")]
        if compression == Compression::ZSTD {
            let damaged = |detail: String| Error::Decompress { compression, detail };
            let mut out = Vec::with_capacity(len);
            let decoded = self.zstd()?.decompress_to_buffer(packed, &mut out).map_err(|e| damaged(e.to_string()))?;
            return match decoded == len {
                true => Ok(out),
                false => Err(damaged(wrong_length(decoded as u64, len))),
            };
        }
        let mut out = vec![0; len];
        self.decompress(compression, packed, &mut out)?;
        Ok(out)
    }

    #[cfg(feature = "zstd")]
    fn zstd(&mut self) -> Result<&mut zstd::bulk::Decompressor<'static>> {
        let failed = |e: std::io::Error| Error::Decompress { compression: Compression::ZSTD, detail: e.to_string() };
        match &mut self.zstd {
            Some(zstd) => Ok(zstd),
            slot => Ok(slot.insert(zstd::bulk::Decompressor::new().map_err(failed)?)),
        }
    }

    /// Checks, before memory is allocated, that `packed_size` bytes can decompress to `base_size` bytes.
    pub(crate) fn check_expansion(compression: Compression, packed_size: u32, base_size: u32) -> Result<()> {
        let Some(max_expansion) = compression.max_expansion() else { return Ok(()) };
        let limit = u64::from(packed_size) * max_expansion;
        if u64::from(base_size) > limit {
            let detail = format!("{packed_size} bytes cannot decompress to {base_size}");
            return Err(Error::Decompress { compression, detail });
        }
        Ok(())
    }
}

fn wrong_length(found: u64, expected: usize) -> String {
    format!("it decompresses to {found} bytes, expected {expected}")
}

/// Returns the frames of `packed`, which can be decoded independently, each with its decoded size. The sizes add up to
/// `len`. Returns `None` unless there are several frames.
pub(crate) fn frames(compression: Compression, packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    match compression {
        #[cfg(feature = "zstd")]
        Compression::ZSTD => zstd_frames(packed, len).filter(|frames| frames.len() > 1),
        _ => {
            let _ = (packed, len);
            None
        }
    }
}

/// Returns the frames of `packed` that have content, and the size of their content. Returns `None` unless every frame
/// declares its content size and the sizes add up to `len`.
#[cfg(feature = "zstd")]
fn zstd_frames(packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};
    let mut frames = Vec::new();
    let (mut rest, mut left) = (packed, len);
    while !rest.is_empty() {
        let (frame, next) = rest.split_at_checked(find_frame_compressed_size(rest).ok()?)?;
        let content = usize::try_from(get_frame_content_size(frame).ok()??).ok()?;
        left = left.checked_sub(content)?;
        // A skippable frame has a content size of 0.
        if content > 0 {
            frames.push((frame, content));
        }
        rest = next;
    }
    (left == 0).then_some(frames)
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decompressor").finish_non_exhaustive()
    }
}
