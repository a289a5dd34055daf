//! The 32-byte chunk header.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | kind, four ASCII bytes |
//! | 4 | 4 | resource id |
//! | 8 | 1 | compression |
//! | 9 | 1 | cipher |
//! | 10 | 2 | flags, 0 |
//! | 12 | 4 | packed size: bytes stored after this header, including the cipher's trailer and padding |
//! | 16 | 4 | base size: bytes of the block (property count, properties, data) before compression |
//! | 20 | 4 | next offset: file offset of the next linked chunk's header, 0 = last |
//! | 24 | 4 | reserved, 0 |
//! | 28 | 4 | CRC-32 of the `packed size` stored bytes |

use crate::encoding::{Cipher, Compression};
use crate::fourcc::FourCc;
use crate::id::ResourceId;
use crate::wire::{Wire, wire_record};

wire_record! {
    /// The header of a chunk (`rresResourceChunkInfo`), field by field as stored.
    #[derive(Eq)]
    pub struct ChunkInfo[32] {
        /// Kind of the payload.
        pub kind: FourCc,
        /// Resource that the chunk belongs to; linked chunks usually have the same id.
        pub id: ResourceId,
        /// Compression of the block, applied before the cipher.
        pub compression: Compression,
        /// Cipher of the compressed block.
        pub cipher: Cipher,
        /// No meaning in rres v1.0; preserved.
        pub flags: u16,
        /// Number of stored bytes after the header.
        pub packed_size: u32,
        /// Size of the block before compression, in bytes.
        pub base_size: u32,
        /// File offset of the next linked chunk's header; 0 for the last.
        pub next_offset: u32,
        /// No meaning in rres v1.0; preserved.
        pub reserved: u32,
        /// CRC-32 (zlib's) of the stored bytes.
        pub crc32: u32,
    }
}

impl ChunkInfo {
    /// Size in bytes: 32.
    pub const SIZE: usize = <Self as Wire>::SIZE;

    /// Reads the 32 bytes of a chunk header. Accepts every value.
    pub fn from_bytes(raw: &[u8; Self::SIZE]) -> Self {
        Wire::get(raw)
    }

    /// Returns the 32 bytes of the chunk header.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut out = Vec::with_capacity(Self::SIZE);
        self.put(&mut out);
        Wire::get(&out)
    }

    /// Returns the header of a plain chunk that belongs to no resource.
    pub(crate) fn without_id(kind: FourCc, stored: &[u8], base_size: u32) -> Self {
        Self {
            kind,
            id: ResourceId::NONE,
            compression: Compression::NONE,
            cipher: Cipher::NONE,
            flags: 0,
            packed_size: stored.len() as u32,
            base_size,
            next_offset: 0,
            reserved: 0,
            crc32: crc32fast::hash(stored),
        }
    }

    /// Whether the chunk is neither compressed nor encrypted: its stored bytes start with the block.
    pub fn is_plain(&self) -> bool {
        self.compression == Compression::NONE && self.cipher == Cipher::NONE
    }
}

/// Returns the CRC-32 of the headers of the chunks of one resource, which its entry in the front index contains; see
/// [`crate::PackView::check_entry`].
pub(crate) fn headers_crc(headers: &[ChunkInfo]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    headers.iter().for_each(|header| crc.update(&header.to_bytes()));
    crc.finalize()
}
