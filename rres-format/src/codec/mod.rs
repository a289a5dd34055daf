//! Compression of blocks.

mod compress;
mod decompress;
#[cfg(feature = "zstd")]
mod filtered;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "qoi")]
mod qoi;
#[cfg(feature = "zstd")]
mod zstd;

pub use compress::Compressor;
#[cfg(feature = "zstd-compress")]
pub(crate) use compress::compress_after;
pub use decompress::Decompressor;
pub(crate) use decompress::frames;
