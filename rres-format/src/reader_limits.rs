//! Limits that a reader enforces before it allocates memory.

use crate::error::{Error, Result};

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
