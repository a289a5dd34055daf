//! The 16-byte file header.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | signature, `rres` |
//! | 4 | 2 | version, 100 |
//! | 6 | 2 | number of chunks; rrespacker does not count the central directory, others do |
//! | 8 | 4 | central directory offset **from the end of this header**, 0 = none |
//! | 12 | 4 | reserved, 0 |

use crate::error::{Error, Result};
use crate::wire::{slice, u16_at, u32_at};

/// The header of a pack, field by field as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Chunks in the file, directory not counted.
    pub chunk_count: u16,
    /// `cdOffset` as stored; see [`crate::PackView::directory`] for what it may mean.
    pub directory_offset: u32,
    /// Zero in files of rres v1.0; kept on repacking.
    pub reserved: u32,
}

impl Header {
    /// Size in the file.
    pub const SIZE: usize = 16;
    /// First four bytes of every pack.
    pub const SIGNATURE: [u8; 4] = *b"rres";
    /// The only version there is: 1.0, written 100.
    pub const VERSION: u16 = 100;

    /// Reads the header at the start of `bytes`.
    ///
    /// # Errors
    /// [`Error::NotRres`] for another signature, [`Error::UnsupportedVersion`], [`Error::Truncated`].
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        if bytes.len() < 4 || bytes[..4] != Self::SIGNATURE {
            let mut found = [0; 4];
            let len = bytes.len().min(4);
            found[..len].copy_from_slice(&bytes[..len]);
            return Err(Error::NotRres { found, len: bytes.len() as u64 });
        }
        let raw = slice(bytes, "file header", 0, Self::SIZE as u64)?;
        match u16_at(raw, 4) {
            Self::VERSION => {}
            version => return Err(Error::UnsupportedVersion(version)),
        }
        Ok(Self { chunk_count: u16_at(raw, 6), directory_offset: u32_at(raw, 8), reserved: u32_at(raw, 12) })
    }

    /// The 16 bytes of the header.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        out[..4].copy_from_slice(&Self::SIGNATURE);
        out[4..6].copy_from_slice(&Self::VERSION.to_le_bytes());
        out[6..8].copy_from_slice(&self.chunk_count.to_le_bytes());
        out[8..12].copy_from_slice(&self.directory_offset.to_le_bytes());
        out[12..].copy_from_slice(&self.reserved.to_le_bytes());
        out
    }
}
