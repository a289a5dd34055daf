//! Limits of the format, and limits that a reader enforces before it allocates memory.

use crate::error::{Error, Result};

/// Largest number of chunks in a pack, because `chunkCount` is a `u16`.
pub const MAX_CHUNKS: usize = u16::MAX as usize;

/// Largest size of a pack in bytes, because every offset is a `u32`.
pub const MAX_PACK_SIZE: u64 = u32::MAX as u64;

/// Largest length of a resource's path in bytes. `rres.h` copies it into a buffer of 1,024 bytes
/// (`RRES_MAX_FILENAME_SIZE`) with a terminator and padding; a longer path would overflow the buffer.
pub const MAX_NAME_LEN: usize = 1022;

/// Largest number of properties that a reader accepts in a chunk. `rres.h` defines at most 4.
pub const MAX_PROPS: u32 = 1024;

/// Largest length of a file extension in bytes, including its dot: two properties of a raw chunk store 8 bytes, of
/// which `rres-raylib.h` needs one as a terminator.
pub const MAX_EXTENSION_LEN: usize = 7;

/// Largest edge of an image in pixels. It keeps width × height × 16 bytes far below the maximum of `u64`.
pub const MAX_IMAGE_EDGE: u32 = 1 << 20;

/// Alignment of the data of plain chunks in the file, in bytes. It allows a memory-mapped slice to be uploaded to a
/// GPU, or viewed as `f32` or `u32`, without a copy.
pub const DATA_ALIGNMENT: u64 = 16;

/// The limits that a reader enforces before it allocates memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Largest size of a decoded chunk in bytes, and of what is made of one: pixels, samples, keys of animations. Default: 1 GiB.
    pub max_decoded: u64,
    /// Largest number of keys that are derived from one password for one pack. Each derivation takes 16 MiB of memory and some tens of
    /// milliseconds, and a pack can demand one per chunk: packs of the C tools do. Ours need one. Default: 256.
    pub max_key_derivations: u32,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self { max_decoded: 1 << 30, max_key_derivations: 256 };

    /// Returns these limits with another limit on the decoded size of a chunk, in bytes.
    #[must_use]
    pub const fn with_max_decoded(mut self, bytes: u64) -> Self {
        self.max_decoded = bytes;
        self
    }

    /// Returns these limits with another limit on the number of keys that are derived from one password.
    #[must_use]
    pub const fn with_max_key_derivations(mut self, keys: u32) -> Self {
        self.max_key_derivations = keys;
        self
    }
}

impl Limits {
    /// Checks a number of bytes before they are allocated, or an error that says what they are.
    ///
    /// ```
    /// use rres_format::Limits;
    ///
    /// let limits = Limits::DEFAULT.with_max_decoded(1000);
    /// assert!(limits.check_decoded("the size of the pixels in bytes", 1000).is_ok());
    /// assert!(limits.check_decoded("the size of the pixels in bytes", 1001).is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if they are more than [`Self::max_decoded`].
    pub fn check_decoded(&self, what: &'static str, bytes: u64) -> Result<()> {
        let Self { max_decoded: limit, .. } = *self;
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::LimitExceeded {
            what,
            value: bytes,
            limit,
            help: "raise `Limits::max_decoded` if you trust the pack",
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
