//! Compression of blocks.

mod compress;
mod decompress;
#[cfg(feature = "zstd-compress")]
mod filtered;
#[cfg(feature = "qoi")]
mod qoi;
#[cfg(feature = "zstd")]
mod zstd;

pub use compress::Compressor;
#[cfg(feature = "zstd-compress")]
pub(crate) use compress::{ZSTD_FRAME, compress_after};
pub use decompress::Decompressor;
pub(crate) use decompress::frames;
