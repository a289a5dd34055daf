//! The 32-byte head of each chunk.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | kind, four ASCII bytes |
//! | 4 | 4 | resource id |
//! | 8 | 1 | compression |
//! | 9 | 1 | cipher |
//! | 10 | 2 | flags, 0 |
//! | 12 | 4 | packed size: bytes stored after this head, cipher trailer and padding included |
//! | 16 | 4 | base size: bytes of the block (property count, properties, data) before compression |
//! | 20 | 4 | next offset: file offset of the head of the next linked chunk, 0 = last |
//! | 24 | 4 | reserved, 0 |
//! | 28 | 4 | CRC-32 of the `packed size` stored bytes |

use crate::codec::{cipher::Cipher, compress::Compression};
use crate::fourcc::FourCc;
use crate::id::ResourceId;
use crate::wire::{u16_at, u32_at};

/// The head of a chunk, field by field as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// What the chunk holds.
    pub kind: FourCc,
    /// The resource that the chunk belongs to; linked chunks usually share it.
    pub id: ResourceId,
    /// How the block was compressed; applied before the cipher.
    pub compression: Compression,
    /// How the compressed block was sealed.
    pub cipher: Cipher,
    /// No meaning in rres v1.0; kept.
    pub flags: u16,
    /// Stored bytes that follow the head.
    pub packed_size: u32,
    /// Bytes of the block before compression.
    pub base_size: u32,
    /// File offset of the next linked chunk's head; 0 for the last.
    pub next_offset: u32,
    /// No meaning in rres v1.0; kept.
    pub reserved: u32,
    /// CRC-32 (zlib's) of the stored bytes.
    pub crc32: u32,
}

impl ChunkInfo {
    /// Size in the file.
    pub const SIZE: usize = 32;

    /// Takes the fields out of the 32 bytes of a head; every value is legal here.
    pub fn from_bytes(raw: &[u8; Self::SIZE]) -> Self {
        Self {
            kind: FourCc([raw[0], raw[1], raw[2], raw[3]]),
            id: ResourceId(u32_at(raw, 4)),
            compression: Compression(raw[8]),
            cipher: Cipher(raw[9]),
            flags: u16_at(raw, 10),
            packed_size: u32_at(raw, 12),
            base_size: u32_at(raw, 16),
            next_offset: u32_at(raw, 20),
            reserved: u32_at(raw, 24),
            crc32: u32_at(raw, 28),
        }
    }

    /// The 32 bytes of the head.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        out[..4].copy_from_slice(&self.kind.0);
        out[4..8].copy_from_slice(&self.id.0.to_le_bytes());
        out[8] = self.compression.0;
        out[9] = self.cipher.0;
        out[10..12].copy_from_slice(&self.flags.to_le_bytes());
        out[12..16].copy_from_slice(&self.packed_size.to_le_bytes());
        out[16..20].copy_from_slice(&self.base_size.to_le_bytes());
        out[20..24].copy_from_slice(&self.next_offset.to_le_bytes());
        out[24..28].copy_from_slice(&self.reserved.to_le_bytes());
        out[28..].copy_from_slice(&self.crc32.to_le_bytes());
        out
    }

    /// Neither compressed nor sealed: the stored bytes are the block itself.
    pub fn is_plain(&self) -> bool {
        self.compression == Compression::NONE && self.cipher == Cipher::NONE
    }
}
