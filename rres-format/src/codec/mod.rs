//! Compression of blocks.

mod compress;
mod decompress;
#[cfg(feature = "qoi")]
mod qoi;
#[cfg(feature = "zstd")]
mod zstd;

pub use compress::Compressor;
pub use decompress::Decompressor;
pub(crate) use decompress::frames;
