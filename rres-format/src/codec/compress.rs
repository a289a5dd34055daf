//! Compression of blocks, with reused contexts.

use core::fmt;

#[cfg(feature = "zstd-compress")]
use super::filtered::Sections;
use crate::encoding::Compression;
use crate::error::{Error, Result};
#[cfg(feature = "zstd-compress")]
use crate::fourcc::FourCc;

/// Largest content of a zstd frame, in bytes.
#[cfg(feature = "zstd-compress")]
pub(crate) const ZSTD_FRAME: usize = 1 << 20;

/// Compresses blocks. It reuses its contexts, so keep one per thread.
#[derive(Default)]
pub struct Compressor {
    /// Zstd level from 1 to 22; 0 means [`Self::DEFAULT_ZSTD_LEVEL`].
    level: i32,
    /// Whether [`Compression::FILTERED`] means sections that are decoded fast.
    #[cfg(all(feature = "lz4", feature = "zstd-compress"))]
    is_fast: bool,
    #[cfg(feature = "zstd-compress")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
    /// For what predictions leave.
    #[cfg(feature = "zstd-compress")]
    residuals: Option<zstd::bulk::Compressor<'static>>,
    /// To compare filters.
    #[cfg(feature = "zstd-compress")]
    estimate: Option<zstd::bulk::Compressor<'static>>,
}

impl Compressor {
    /// The zstd level of [`Self::default`]: higher levels take several times longer for little gain.
    pub const DEFAULT_ZSTD_LEVEL: i32 = 9;

    /// Returns a compressor with this zstd level, clamped to 1 to 22.
    pub fn with_level(level: i32) -> Self {
        #[cfg_attr(
            not(feature = "zstd-compress"),
            expect(clippy::needless_update, reason = "without contexts, there is only a level")
        )]
        Self { level: level.clamp(1, 22), ..Self::default() }
    }

    /// Returns a compressor that makes of [`Compression::FILTERED`] what is decoded fast: LZ4 after filters that cost little time to undo.
    #[cfg(all(feature = "lz4", feature = "zstd-compress"))]
    pub fn fast() -> Self {
        Self { is_fast: true, ..Self::default() }
    }

    /// Compresses `block`.
    ///
    /// # Errors
    /// [`Error::UnsupportedCompression`], also for [`Compression::FILTERED`], which depends on the kind of a chunk (see
    /// [`StoredChunk::encode`](crate::StoredChunk::encode)), and [`Error::Inconsistent`] for [`Compression::QOI`] if the block is not an
    /// image of 3 or 4 channels of 8 bits with one mip level.
    pub fn compress(&mut self, compression: Compression, block: &[u8]) -> Result<Vec<u8>> {
        match compression {
            Compression::NONE => Ok(block.to_vec()),
            #[cfg(feature = "deflate")]
            Compression::DEFLATE => deflate(block),
            #[cfg(feature = "lz4")]
            Compression::LZ4 => Ok(rres_codec::lz4::compress(block, rres_codec::lz4::Effort::BEST)),
            #[cfg(feature = "qoi")]
            Compression::QOI => super::qoi::compress(block),
            #[cfg(feature = "zstd-compress")]
            Compression::ZSTD => Ok(self.zstd(block, usize::MAX)?.unwrap_or_default()),
            other => Err(Error::UnsupportedCompression(other)),
        }
    }

    /// Compresses the block of a chunk of kind `kind` with filters, or with zstd or LZ4 alone where that is smaller. `None` if the result would
    /// have more than `limit` bytes, which often takes less time to find out.
    #[cfg(feature = "zstd-compress")]
    pub(crate) fn filtered(
        &mut self,
        kind: FourCc,
        block: &[u8],
        limit: usize,
    ) -> Result<Option<(Compression, Vec<u8>)>> {
        #[cfg(feature = "lz4")]
        if self.is_fast {
            let sections = super::filtered::compress(kind, block, self, true, limit);
            let sections = sections.map_err(|e| Error::inconsistent("compression", e))?;
            return Ok(match sections {
                Some(Sections { bytes, .. }) => bytes.map(|bytes| (Compression::FILTERED, bytes)),
                None => Some((Compression::LZ4, rres_codec::lz4::compress(block, rres_codec::lz4::Effort::BEST))),
            });
        }
        let sections = super::filtered::compress(kind, block, self, false, limit);
        let sections = sections.map_err(|e| Error::inconsistent("zstd compression", e))?;
        let (filtered, is_doubtful) = match sections {
            Some(Sections { bytes, is_doubtful }) => (bytes, is_doubtful),
            None => (None, true),
        };
        let is_best = match &filtered {
            Some(bytes) => !is_doubtful || self.zstd_surely_exceeds(bytes.len(), block)?,
            None => !is_doubtful,
        };
        if is_best {
            return Ok(filtered.map(|bytes| (Compression::FILTERED, bytes)));
        }
        let limit = filtered.as_ref().map_or(limit, |bytes| limit.min(bytes.len()));
        Ok(match (self.zstd(block, limit)?, filtered) {
            (Some(plain), _) => Some((Compression::ZSTD, plain)),
            (None, filtered) => filtered.map(|bytes| (Compression::FILTERED, bytes)),
        })
    }

    /// Whether zstd alone will not bring a block to `limit` bytes: at the fastest level it is far from it.
    #[cfg(feature = "zstd-compress")]
    pub(super) fn zstd_surely_exceeds(&mut self, limit: usize, block: &[u8]) -> Result<bool> {
        /// Of smaller blocks, levels say little of each other, and trying takes no time.
        const LARGE: usize = 64 << 10;
        if block.len() < LARGE {
            return Ok(false);
        }
        let (mut size, enough) = (0, limit.saturating_add(limit / 2));
        for part in block.chunks(ZSTD_FRAME) {
            let part = super::filtered::Frames::estimate(self, part);
            size += part.map_err(|e| Error::inconsistent("zstd compression", e))?;
            if size > enough {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Compresses at most [`ZSTD_FRAME`] bytes of a block to a frame.
    #[cfg(feature = "zstd-compress")]
    pub(crate) fn zstd_frame(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        super::filtered::Frames::frame(self, bytes, false).map_err(|e| Error::inconsistent("zstd compression", e))
    }

    #[cfg(feature = "zstd-compress")]
    fn zstd(&mut self, block: &[u8], limit: usize) -> Result<Option<Vec<u8>>> {
        let mut out = Vec::new();
        // An empty block becomes one empty frame, so that the decoder can check it.
        let mut rest = block;
        loop {
            let (frame, next) = rest.split_at(rest.len().min(ZSTD_FRAME));
            out.extend_from_slice(&self.zstd_frame(frame)?);
            if out.len() > limit {
                return Ok(None);
            }
            if next.is_empty() {
                return Ok(Some(out));
            }
            rest = next;
        }
    }
}

#[cfg(feature = "zstd-compress")]
impl super::filtered::Frames for Compressor {
    fn estimate(&mut self, bytes: &[u8]) -> std::result::Result<usize, String> {
        /// The level that compares filters: the fastest one. It orders them as higher levels do.
        const LEVEL: i32 = 1;
        let zstd = context(&mut self.estimate, LEVEL, None)?;
        Ok(zstd.compress(bytes).map_err(|e| e.to_string())?.len())
    }

    fn frame(&mut self, bytes: &[u8], residuals: bool) -> std::result::Result<Vec<u8>, String> {
        /// The shortest match in residuals. Shorter ones cost more than the bytes that they replace, and time to decode.
        const MIN_MATCH: u32 = 6;
        let level = if self.level == 0 { Self::DEFAULT_ZSTD_LEVEL } else { self.level };
        let zstd = match residuals {
            false => context(&mut self.zstd, level, None)?,
            true => context(&mut self.residuals, level, Some(MIN_MATCH))?,
        };
        zstd.compress(bytes).map_err(|e| e.to_string())
    }
}

/// Returns the context in `slot`, which is created when it is first used.
#[cfg(feature = "zstd-compress")]
fn context<'a>(
    slot: &'a mut Option<zstd::bulk::Compressor<'static>>,
    level: i32,
    min_match: Option<u32>,
) -> std::result::Result<&'a mut zstd::bulk::Compressor<'static>, String> {
    match slot {
        Some(context) => Ok(context),
        slot => {
            let mut context = zstd::bulk::Compressor::new(level).map_err(|e| e.to_string())?;
            if let Some(min_match) = min_match {
                let parameter = zstd::zstd_safe::CParameter::MinMatch(min_match);
                context.set_parameter(parameter).map_err(|e| e.to_string())?;
            }
            Ok(slot.insert(context))
        }
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Compresses `block` to one zstd frame with `prefix` as its prefix, at a level from 1 to 22.
#[cfg(feature = "zstd-compress")]
pub(crate) fn compress_after(prefix: &[u8], block: &[u8], level: i32) -> Result<Vec<u8>> {
    use zstd::zstd_safe::{CParameter, get_error_name};
    /// From this size of both on, matches that the level would not look for are found, too.
    const FAR: usize = 1 << 20;
    let failed = |detail: &str| Error::inconsistent("zstd compression", detail);
    let mut zstd = zstd::bulk::Compressor::default();
    let context = zstd.context_mut();
    let total = prefix.len() + block.len();
    // The window reaches from the end of the block to the start of the prefix.
    let window = total.max(1 << 10).next_power_of_two().trailing_zeros().min(if usize::BITS == 64 { 31 } else { 30 });
    for parameter in [
        CParameter::CompressionLevel(level),
        CParameter::WindowLog(window),
        CParameter::EnableLongDistanceMatching(total >= FAR),
        CParameter::ContentSizeFlag(true),
        CParameter::ChecksumFlag(false),
    ] {
        context.set_parameter(parameter).map_err(|code| failed(get_error_name(code)))?;
    }
    context.ref_prefix(prefix).map_err(|code| failed(get_error_name(code)))?;
    zstd.compress(block).map_err(|e| failed(&e.to_string()))
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
