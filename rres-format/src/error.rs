//! Errors of reading and writing packs.

use core::fmt;

use crate::encoding::{Cipher, Compression};
use crate::fourcc::FourCc;
use crate::id::ResourceId;

/// The result of reading or writing the bytes of a pack.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The reason why bytes could not be read or written as a pack.
///
/// The variants form three groups: bad bytes, features that this build of the crate does not support, and limits. No
/// variant contains a path, because this crate only sees bytes; callers add the file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    // Bad bytes.
    /// The file does not start with `rres`.
    NotRres {
        /// Its first four bytes, padded with zeros if it is shorter.
        found: [u8; 4],
        /// Its length in bytes.
        len: u64,
    },
    /// A structure does not fit into the bytes that contain it.
    Truncated {
        /// The structure that was being read.
        what: &'static str,
        /// Its start: an offset in the file, or in the block or section that contains it.
        offset: u64,
        /// Number of bytes that it takes.
        needed: u64,
        /// Number of bytes available from `offset` on.
        available: u64,
    },
    /// The stored bytes of a chunk are damaged: their CRC-32 is not the one in the chunk header.
    CrcMismatch {
        /// The resource.
        id: ResourceId,
        /// File offset of the chunk header.
        offset: u64,
        /// The CRC-32 in the chunk header.
        stored: u32,
        /// The CRC-32 of the stored bytes.
        computed: u32,
    },
    /// A part of the front index does not match its CRC-32.
    DamagedIndex {
        /// What was checked.
        part: String,
        /// The CRC in the index.
        stored: u32,
        /// The CRC of the bytes.
        computed: u32,
    },
    /// The pack has a front index, but no chunk header at its start that leads to it.
    MisplacedIndex {
        /// File offset of its block or of its chunk header.
        offset: u64,
    },
    /// A structure contradicts itself, or is not what the caller needs.
    Inconsistent {
        /// The structure.
        what: &'static str,
        /// What was found and what was expected.
        detail: String,
    },
    /// A chunk has a link that leads outside the file or closes a loop.
    BadChain {
        /// File offset of the header of the chunk with the bad link.
        offset: u64,
        /// The file offset that it links to.
        next: u32,
        /// What is wrong with that offset, as the end of a sentence: "closes a loop".
        why: &'static str,
    },
    /// Compressed bytes could not be decompressed, or not to the expected size.
    Decompress {
        /// The compression.
        compression: Compression,
        /// The message of the decompressor, or the sizes that differ.
        detail: String,
    },
    /// The chunk is a difference from a chunk of this resource in another pack, which is not at hand.
    NeedsBase(ResourceId),
    /// The chunk cannot be decoded without the similar chunk of this resource, which is not in the pack.
    NeedsSibling(ResourceId),
    /// The chunk is a difference from other bytes than those that were found: the pack is a patch for another version.
    WrongBase {
        /// The resource that has the bytes.
        base: ResourceId,
        /// The size of the expected block in bytes, and its CRC-32.
        expected: (u64, u32),
        /// The size of the block that was found, and its CRC-32.
        found: (u64, u32),
    },
    /// A chunk is of another kind than the caller asked for.
    WrongKind {
        /// The requested kind.
        expected: FourCc,
        /// The kind of the chunk.
        found: FourCc,
    },

    // Not supported.
    /// The file version is not 100.
    UnsupportedVersion(u16),
    /// The compression is unknown or not implemented, or its feature of this crate is disabled.
    UnsupportedCompression(Compression),
    /// The cipher is unknown or not implemented, or the feature `seal` of this crate is disabled.
    UnsupportedCipher(Cipher),

    // Keys.
    /// The chunk is encrypted, and was read without a key.
    NeedsKey(Cipher),
    /// The key is not the one that the chunk was encrypted with. The CRC-32 of the stored bytes is right, so they are not
    /// damaged by accident; bytes that were replaced on purpose look the same.
    WrongKey {
        /// The resource.
        id: ResourceId,
        /// File offset of the chunk header.
        offset: u64,
        /// The cipher of the chunk.
        cipher: Cipher,
    },
    /// A secret cannot be used: the reason and what to do.
    BadSecret(&'static str),

    // Limits.
    /// A number exceeds what the format or the reader's [`crate::Limits`] allow.
    LimitExceeded {
        /// What was counted or measured, with its unit.
        what: &'static str,
        /// The number.
        value: u64,
        /// The largest allowed number.
        limit: u64,
        /// What to do about it.
        help: &'static str,
    },
    /// There is not enough memory for what a pack declares within the limits. `RRES_ERROR_MEMORY_ALLOC` of `rres.h`.
    OutOfMemory {
        /// The size that could not be allocated, in bytes.
        bytes: u64,
    },
    /// Two resources of a pack have the same id.
    DuplicateId {
        /// The id.
        id: ResourceId,
        /// Path of the first resource.
        first: String,
        /// Path of the second resource.
        second: String,
    },
    /// The resource with this path has the id 0, which is reserved.
    ReservedId(String),
}

impl Error {
    /// Whether the bytes are not those that were written: cut off, or changed. Otherwise they never were a pack that this
    /// build of the crate reads.
    ///
    /// ```
    /// use rres_format::PackView;
    ///
    /// assert!(PackView::parse(b"rres").unwrap_err().is_damage());
    /// assert!(!PackView::parse(b"\x89PNG").unwrap_err().is_damage());
    /// ```
    pub fn is_damage(&self) -> bool {
        use Error::{BadChain, CrcMismatch, DamagedIndex, Decompress, MisplacedIndex, Truncated};
        matches!(
            self,
            Truncated { .. }
                | CrcMismatch { .. }
                | DamagedIndex { .. }
                | MisplacedIndex { .. }
                | BadChain { .. }
                | Decompress { .. }
        )
    }

    pub(crate) fn inconsistent(what: &'static str, detail: impl Into<String>) -> Self {
        Self::Inconsistent { what, detail: detail.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRres { len: 0, .. } => f.write_str("not an rres pack: the file is empty"),
            Self::NotRres { found, .. } => {
                write!(f, "not an rres pack: starts with \"{}\", expected \"rres\"", found.escape_ascii())
            }
            Self::Truncated { what, offset, needed, available } => {
                write!(f, "truncated {what} at offset {offset}: expected {needed} bytes, found {available}")
            }
            Self::CrcMismatch { id, offset, stored, computed } => write!(
                f,
                "chunk of resource {id} at offset {offset} is damaged: crc32 is {computed:08x}, expected {stored:08x}"
            ),
            Self::DamagedIndex { part, stored, computed } => {
                write!(f, "front index: {part} is damaged: crc32 is {computed:08x}, expected {stored:08x}")
            }
            Self::MisplacedIndex { offset } => write!(
                f,
                "front index: expected its chunk header at offset 16, found other bytes there, and the index at offset {offset}"
            ),
            Self::Inconsistent { what, detail } => write!(f, "{what}: {detail}"),
            Self::BadChain { offset, next, why } => {
                write!(f, "chunk at offset {offset} links to offset {next}, which {why}")
            }
            Self::Decompress { compression, detail } => write!(f, "{compression} data is damaged: {detail}"),
            Self::NeedsBase(base) => write!(
                f,
                "it is stored as a difference from resource {base} of the pack that this patch was made for; mount the \
                 patch over that pack"
            ),
            Self::NeedsSibling(sibling) => write!(
                f,
                "it is stored as what distinguishes it from resource {sibling}, which is not in the pack; mount a patch over \
                 the pack that it was made for, and write any other pack again"
            ),
            Self::WrongBase { base, expected, found } => write!(
                f,
                "it is stored as a difference from resource {base} of {} bytes with crc32 {:08x}, found {} bytes with \
                 crc32 {:08x}; the patch was made for another version of the pack",
                expected.0, expected.1, found.0, found.1
            ),
            Self::WrongKind { expected, found } => write!(f, "expected a chunk of kind {expected}, found {found}"),
            Self::UnsupportedVersion(version) => {
                write!(f, "rres file version {version} is not supported, expected 100")
            }
            Self::UnsupportedCompression(c) => match (c.name(), c.is_implemented()) {
                (Some(name), true) => {
                    let feature = if c.needs_zstd() { "zstd".to_owned() } else { name.to_lowercase() };
                    write!(f, "compression {name} ({}) is disabled; enable the feature `{feature}` of rres-format", c.0)
                }
                (Some(name), false) => write!(f, "compression {name} ({}) is not supported", c.0),
                (None, _) => write!(f, "compression {} is unknown", c.0),
            },
            Self::UnsupportedCipher(c) => match c.name() {
                Some(name) if c.is_implemented() => {
                    write!(f, "cipher {name} ({}) is disabled; enable the feature `seal` of rres-format", c.0)
                }
                Some(name) => write!(f, "cipher {name} ({}) is not supported", c.0),
                None => write!(f, "cipher {} is unknown", c.0),
            },
            Self::NeedsKey(cipher) => {
                write!(f, "it is encrypted with {cipher}; give the password or the key that the pack was built with")
            }
            Self::WrongKey { id, offset, cipher } => write!(
                f,
                "the key does not fit the chunk of resource {id} at offset {offset}, encrypted with {cipher}; check that it \
                 is the password or the key that the pack was built with"
            ),
            Self::BadSecret(why) => write!(f, "the secret cannot be used: {why}"),
            Self::LimitExceeded { what, value, limit, help } => {
                write!(f, "{what} is {value}, expected at most {limit}; {help}")
            }
            Self::OutOfMemory { bytes } => write!(f, "not enough memory for its {bytes} bytes"),
            Self::DuplicateId { id, first, second } => {
                write!(f, "{first} and {second} share the id {id}; give one of them an explicit id")
            }
            Self::ReservedId(name) => write!(f, "{name} has the id 0, which means \"not found\"; give it another id"),
        }
    }
}

impl core::error::Error for Error {}
