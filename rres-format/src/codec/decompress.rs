//! Decompression of blocks, with reused contexts and limited output.

use core::fmt;

#[cfg(feature = "zstd")]
use rres_codec::Coder;

use crate::encoding::Compression;
use crate::error::{Error, Result};
use crate::memory;

/// Decompresses blocks. It reuses its contexts, so keep one per thread.
#[derive(Default)]
pub struct Decompressor {
    #[cfg(feature = "zstd")]
    zstd: super::zstd::Decoder,
    #[cfg(feature = "zstd")]
    scratch: rres_codec::Scratch,
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
                let len = self.zstd.decode_into(packed, out).map_err(damaged)?;
                if len != out.len() {
                    return Err(wrong_length(len as u64, out));
                }
            }
            #[cfg(feature = "zstd")]
            Compression::FILTERED => {
                let mut frame = |coder, coded: &[u8], out: &mut [u8]| match coder {
                    Coder::Zstd => self.zstd.decode_into(coded, out),
                    #[cfg(feature = "lz4")]
                    Coder::Lz4 => lz4_flex::block::decompress_into(coded, out).map_err(|e| e.to_string()),
                    #[cfg(not(feature = "lz4"))]
                    Coder::Lz4 => {
                        Err("a section is compressed with LZ4, which this program was built without".to_owned())
                    }
                };
                let len = rres_codec::decompress(packed, out, &mut self.scratch, &mut frame).map_err(damaged)?;
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
            memory::check(len)?;
            let out = self.zstd.decode(packed, len).map_err(damaged)?;
            return match out.len() == len {
                true => Ok(out),
                false => Err(damaged(wrong_length(out.len() as u64, len))),
            };
        }
        let mut out = memory::zeroed(len)?;
        self.decompress(compression, packed, &mut out)?;
        Ok(out)
    }

    /// Decompresses a zstd frame that was compressed with `prefix` as its prefix and has `len` bytes of content.
    pub(crate) fn decompress_after(
        &mut self,
        compression: Compression,
        prefix: &[u8],
        frame: &[u8],
        len: usize,
    ) -> Result<Vec<u8>> {
        #[cfg(feature = "zstd")]
        {
            let damaged = |detail: String| Error::Decompress { compression, detail };
            memory::check(len)?;
            let decode = |frames: &[u8], len| self.zstd.decode(frames, len);
            super::zstd::decode_after(decode, prefix, frame, len).map_err(damaged)
        }
        #[cfg(not(feature = "zstd"))]
        {
            let _ = (prefix, frame, len);
            Err(Error::UnsupportedCompression(compression))
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
        Compression::ZSTD => super::zstd::frames(packed, len).filter(|frames| frames.len() > 1),
        #[cfg(feature = "zstd")]
        Compression::FILTERED => rres_codec::sections(packed, len).filter(|sections| sections.len() > 1),
        _ => {
            let _ = (packed, len);
            None
        }
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decompressor").finish_non_exhaustive()
    }
}
