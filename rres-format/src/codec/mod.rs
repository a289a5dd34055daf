//! The steps between a block and its stored bytes: compress first, then seal.

pub(crate) mod cipher;
pub(crate) mod compress;
#[cfg(feature = "qoi")]
mod qoi;
