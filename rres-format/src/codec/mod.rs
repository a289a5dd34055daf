//! Compression of blocks.

mod compress;
#[cfg(feature = "qoi")]
mod qoi;

pub(crate) use compress::frames;
pub use compress::{Compressor, Decompressor};
