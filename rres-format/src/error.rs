//! What can be wrong with bytes.

use core::fmt;

use crate::codec::{cipher::Cipher, compress::Compression};
use crate::fourcc::FourCc;
use crate::id::ResourceId;

/// The result of reading or writing a pack's bytes.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Why bytes could not be read or written as a pack.
///
/// The variants fall into three groups: bad bytes, things this build of the crate cannot do, and limits reached.
/// None of them carries a path: this crate sees bytes only, callers add where they came from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    // Bad bytes.
    /// The file does not start with `rres`.
    NotRres {
        /// Its first four bytes, zero where it is shorter.
        found: [u8; 4],
        /// Its length.
        len: u64,
    },
    /// Something promised more bytes than there are.
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where it starts.
        offset: u64,
        /// Bytes it needs.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// The stored bytes are not those that were written.
    CrcMismatch {
        /// The resource.
        id: ResourceId,
        /// File offset of the chunk's head.
        offset: u64,
        /// What the chunk's head says.
        stored: u32,
        /// What the bytes give.
        computed: u32,
    },
    /// Fields of one structure contradict each other.
    Inconsistent {
        /// The structure.
        what: &'static str,
        /// What was found, what was expected.
        detail: String,
    },
    /// Linked chunks that never end, or lead outside the file.
    BadChain {
        /// File offset of the chunk with the bad link.
        offset: u64,
        /// Where the link leads.
        next: u32,
        /// What is wrong with that.
        why: &'static str,
    },
    /// Compressed bytes that the decompressor refuses.
    Decompress {
        /// The compression.
        compression: Compression,
        /// What the decompressor said.
        detail: String,
    },
    /// A chunk of one kind where another was asked for.
    WrongKind {
        /// What was asked for.
        expected: FourCc,
        /// What the chunk is.
        found: FourCc,
    },

    // Beyond this build.
    /// A file version other than 100.
    UnsupportedVersion(u16),
    /// A compression that is unknown, or whose feature is off.
    UnsupportedCompression(Compression),
    /// A cipher that is unknown or not implemented.
    UnsupportedCipher(Cipher),

    // Limits.
    /// More than the format, or the reader's [`crate::Limits`], allows.
    LimitExceeded {
        /// Of what.
        what: &'static str,
        /// How much there is.
        value: u64,
        /// How much there may be.
        limit: u64,
        /// What to do about it.
        help: &'static str,
    },
    /// Two resources of one pack share an id.
    DuplicateId {
        /// The id.
        id: ResourceId,
        /// The first resource.
        first: String,
        /// The second.
        second: String,
    },
    /// A resource with id 0.
    ReservedId(String),
}

impl Error {
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
                write!(f, "{what} at offset {offset} needs {needed} bytes, {available} are there")
            }
            Self::CrcMismatch { id, offset, stored, computed } => write!(
                f,
                "chunk of resource {id} at offset {offset} is damaged: crc32 is {computed:08x}, expected {stored:08x}"
            ),
            Self::Inconsistent { what, detail } => write!(f, "{what}: {detail}"),
            Self::BadChain { offset, next, why } => {
                write!(f, "chunk at offset {offset} links to offset {next}, which {why}")
            }
            Self::Decompress { compression, detail } => write!(f, "{compression} data is damaged: {detail}"),
            Self::WrongKind { expected, found } => write!(f, "expected a chunk of kind {expected}, found {found}"),
            Self::UnsupportedVersion(version) => {
                write!(f, "rres file version {version} is not supported, expected 100")
            }
            Self::UnsupportedCompression(c) => match (c.name(), c.is_implemented()) {
                (Some(name), true) => write!(f, "compression {name} ({}) needs a crate feature that is off", c.0),
                (Some(name), false) => write!(f, "compression {name} ({}) is not supported", c.0),
                (None, _) => write!(f, "compression {} is unknown", c.0),
            },
            Self::UnsupportedCipher(c) => match c.name() {
                Some(name) => write!(f, "cipher {name} ({}) is not supported", c.0),
                None => write!(f, "cipher {} is unknown", c.0),
            },
            Self::LimitExceeded { what, value, limit, help } => {
                write!(f, "{what} is {value}, at most {limit} is possible; {help}")
            }
            Self::DuplicateId { id, first, second } => {
                write!(f, "{first} and {second} share the id {id}; give one of them an explicit id")
            }
            Self::ReservedId(name) => write!(f, "{name} has the id 0, which means \"not found\"; give it another"),
        }
    }
}

impl core::error::Error for Error {}
