//! Compression: block to packed bytes and back, with reused contexts and capped output.
//!
//! Zstd is ours (id 50): a sequence of frames of at most 1 MiB of content each, every one declaring its content
//! size, so that a reader can decode the frames of one large chunk on several threads. Skippable frames may follow.

use core::fmt;

use crate::error::{Error, Result};
use crate::open_enum::open_enum;

open_enum! {
    /// `rresCompressionType`, and ours.
    pub struct Compression(u8);
    /// Stored as it is.
    NONE = 0, "none";
    /// Named by rres.h, implemented nowhere.
    RLE = 1, "RLE";
    /// Raw DEFLATE (RFC 1951), no wrapper.
    DEFLATE = 10, "DEFLATE";
    /// One bare LZ4 block, no frame.
    LZ4 = 20, "LZ4";
    /// Named by rres.h, implemented nowhere.
    LZMA2 = 30, "LZMA2";
    /// A QOI file of the block; images of 3 or 4 bytes per pixel only.
    QOI = 40, "QOI";
    /// Zstandard frames. Ours: unmodified C readers list such chunks and refuse to unpack them.
    ZSTD = 50, "zstd";
}

impl Compression {
    /// Whether some feature of this crate implements it.
    pub const fn is_implemented(self) -> bool {
        matches!(self, Self::NONE | Self::DEFLATE | Self::LZ4 | Self::QOI | Self::ZSTD)
    }

    /// Whether this build of the crate implements it.
    pub const fn is_enabled(self) -> bool {
        self.0 == Self::NONE.0
            || cfg!(feature = "deflate") && self.0 == Self::DEFLATE.0
            || cfg!(feature = "lz4") && self.0 == Self::LZ4.0
            || cfg!(feature = "qoi") && self.0 == Self::QOI.0
            || cfg!(feature = "zstd") && self.0 == Self::ZSTD.0
    }

    /// How many bytes one packed byte can become at the most, or `None` where nothing is packed.
    ///
    /// DEFLATE: 258 bytes from 2 bits. LZ4: 255 bytes from one length byte. QOI: a run of 62 pixels of 4 bytes from
    /// one byte. Zstd: a block of 128 KiB from its head of 3 bytes and one that repeats.
    const fn most_expansion(self) -> Option<u64> {
        match self {
            Self::DEFLATE => Some(1032),
            Self::LZ4 => Some(256),
            Self::QOI => Some(248),
            Self::ZSTD => Some(32 << 10),
            _ => None,
        }
    }
}

/// Content of one zstd frame.
#[cfg(feature = "zstd")]
const ZSTD_FRAME: usize = 1 << 20;

/// Compresses blocks; keep one per thread, its contexts are reused.
#[derive(Default)]
pub struct Compressor {
    /// Zstd level 1 to 22; 0 is the default of the crate.
    level: i32,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl Compressor {
    /// The zstd level of [`Self::default`]: the last before compression time multiplies for little gain.
    pub const DEFAULT_ZSTD_LEVEL: i32 = 9;

    /// A compressor with a zstd level from 1 to 22, clamped.
    pub fn with_level(level: i32) -> Self {
        Self {
            level: level.clamp(1, 22),
            #[cfg(feature = "zstd")]
            zstd: None,
        }
    }

    /// The packed form of `block`.
    ///
    /// # Errors
    /// [`Error::UnsupportedCompression`]; for QOI [`Error::Inconsistent`] where the block is not an image of 3 or 4
    /// bytes per pixel with one mip level.
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
        // An empty block is one empty frame, so that decoding has something to check.
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
    // One call with `Finish` and room for the worst case. Flushing in mid-stream would write empty stored blocks,
    // which raylib's inflate takes for the end.
    let mut out = Vec::with_capacity(block.len() + block.len() / 1000 + 128);
    let mut deflate = Compress::new(Level::best(), false);
    let status = deflate
        .compress_vec(block, &mut out, FlushCompress::Finish)
        .map_err(|e| Error::inconsistent("DEFLATE compression", e.to_string()))?;
    match status {
        Status::StreamEnd => Ok(out),
        _ => Err(Error::inconsistent("DEFLATE compression", "the output did not fit its bound")),
    }
}

/// Decompresses blocks; keep one per thread, its contexts are reused.
#[derive(Default)]
pub struct Decompressor {
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Decompressor {
    /// Decodes `packed` into all of `out`, whose length is the chunk's base size.
    ///
    /// # Errors
    /// [`Error::UnsupportedCompression`], or [`Error::Decompress`] where the bytes are damaged or give another
    /// length. `out` then holds nothing of use.
    pub fn decompress(&mut self, compression: Compression, packed: &[u8], out: &mut [u8]) -> Result<()> {
        let damaged = |detail: String| Error::Decompress { compression, detail };
        let wrong_length = |len: u64, out: &[u8]| damaged(format!("gives {len} bytes, expected {}", out.len()));
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
                // With a full buffer the end of the stream may still be unread; one more byte of room tells.
                let ended = status == flate2::Status::StreamEnd
                    || inflate
                        .decompress(&packed[inflate.total_in() as usize..], &mut [0], flate2::FlushDecompress::Finish)
                        .is_ok_and(|status| status == flate2::Status::StreamEnd);
                if inflate.total_out() != out.len() as u64 {
                    return Err(wrong_length(inflate.total_out(), out));
                }
                if !ended {
                    return Err(damaged("the stream does not end".to_owned()));
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

    /// Decodes `packed` into a new vector of `len` bytes; zstd writes it without filling it with zeros first.
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
                false => Err(damaged(format!("gives {decoded} bytes, expected {len}"))),
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

    /// Refuses a base size that `packed_size` bytes cannot become, before anything is allocated for it.
    pub(crate) fn check_expansion(compression: Compression, packed_size: u32, base_size: u32) -> Result<()> {
        let Some(most) = compression.most_expansion() else { return Ok(()) };
        let limit = u64::from(packed_size) * most;
        if u64::from(base_size) > limit {
            let detail = format!("{packed_size} bytes cannot become {base_size}");
            return Err(Error::Decompress { compression, detail });
        }
        Ok(())
    }
}

/// What of `packed` can be decoded by itself, and how many bytes each part becomes, `len` together; `None` where it is
/// of one piece.
pub(crate) fn pieces(compression: Compression, packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    match compression {
        #[cfg(feature = "zstd")]
        Compression::ZSTD => zstd_frames(packed, len).filter(|frames| frames.len() > 1),
        _ => {
            let _ = (packed, len);
            None
        }
    }
}

/// The frames of `packed` that hold content, and how many bytes each becomes; `None` unless every frame says so and the
/// sum is `len`.
#[cfg(feature = "zstd")]
fn zstd_frames(packed: &[u8], len: usize) -> Option<Vec<(&[u8], usize)>> {
    use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};
    let mut frames = Vec::new();
    let (mut rest, mut left) = (packed, len);
    while !rest.is_empty() {
        let (frame, next) = rest.split_at_checked(find_frame_compressed_size(rest).ok()?)?;
        let content = usize::try_from(get_frame_content_size(frame).ok()??).ok()?;
        left = left.checked_sub(content)?;
        // Skippable frames count as frames without content.
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
