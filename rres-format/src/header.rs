//! The 16-byte file header.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | signature, `rres` |
//! | 4 | 2 | version, 100 |
//! | 6 | 2 | number of chunks; rrespacker excludes the central directory, other programs include it |
//! | 8 | 4 | offset of the central directory **from the end of this header**, 0 = none |
//! | 12 | 4 | reserved, 0 |

use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::wire::{Wire, wire_record};

/// The file header, without its signature and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of chunks in the file, usually without the directory.
    pub chunk_count: u16,
    /// `cdOffset` as stored, 0 for none. See [`crate::PackView::directory`] for its two interpretations.
    pub directory_offset: u32,
    /// 0 in files of rres v1.0; preserved on repacking.
    pub reserved: u32,
}

impl Header {
    /// Size in bytes.
    pub const SIZE: usize = 16;
    /// The first four bytes of every pack.
    pub const SIGNATURE: [u8; 4] = *b"rres";
    /// The only file version: 1.0, stored as 100.
    pub const VERSION: u16 = 100;

    /// Reads the header at the start of `bytes`.
    ///
    /// # Errors
    /// [`Error::NotRres`] if the signature is different, [`Error::UnsupportedVersion`] if the version is, and
    /// [`Error::Truncated`] if there are fewer than 16 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        if bytes.len() < 4 || bytes[..4] != Self::SIGNATURE {
            let mut found = [0; 4];
            let len = bytes.len().min(4);
            found[..len].copy_from_slice(&bytes[..len]);
            return Err(Error::NotRres { found, len: bytes.len() as u64 });
        }
        let record = HeaderRecord::get(slice(bytes, "file header", 0, Self::SIZE as u64)?);
        let HeaderRecord { signature: _, version, chunk_count, directory_offset, reserved } = record;
        match version {
            Self::VERSION => Ok(Self { chunk_count, directory_offset, reserved }),
            version => Err(Error::UnsupportedVersion(version)),
        }
    }

    /// Appends the 16 bytes of the header.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Self { chunk_count, directory_offset, reserved } = *self;
        let record = HeaderRecord {
            signature: Self::SIGNATURE,
            version: Self::VERSION,
            chunk_count,
            directory_offset,
            reserved,
        };
        record.put(out);
    }

    /// Returns the 16 bytes of the header.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut out = Vec::with_capacity(Self::SIZE);
        self.write(&mut out);
        Wire::get(&out)
    }
}

wire_record! {
    struct HeaderRecord[16] {
        signature: [u8; 4],
        version: u16,
        chunk_count: u16,
        directory_offset: u32,
        reserved: u32,
    }
}
