//! Why a pack is not what the holder of a key has signed.

use core::fmt;

use super::PublicKey;
use crate::fourcc::FourCc;

/// Why a pack is not accepted as signed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// The pack does not end with a signature: it was never signed, or its end was cut off.
    Missing,
    /// The signature chunk is not as a signer writes it.
    Malformed(String),
    /// The pack is signed with a key that is not trusted.
    UnknownKey {
        /// The key.
        found: PublicKey,
        /// How many keys are trusted.
        trusted: usize,
    },
    /// The pack names a trusted key, but the signature is not one of this key over the list of hashes.
    Forged {
        /// The key.
        key: PublicKey,
    },
    /// Bytes of the pack were changed after it was signed.
    Changed {
        /// The file offset of the changed bytes.
        offset: u32,
        /// The number of bytes that were hashed together.
        len: u64,
        /// The kind of the chunk that the file has there now; `None` for the file header.
        kind: Option<FourCc>,
    },
    /// A chunk is at an offset where no signed chunk starts.
    NotCovered {
        /// The offset of the chunk.
        offset: u32,
    },
    /// The packs of a set were not signed together, or they are in another order now.
    OtherSet {
        /// The number that the pack has in the set, counted from 0, and the number of packs in it.
        expected: (u32, u32),
        /// The number that it was signed with, and the number of packs that were signed with it.
        found: (u32, u32),
    },
}

impl core::error::Error for SignatureError {}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("it is not signed, or the signature at its end was cut off"),
            Self::Malformed(detail) => write!(f, "its signature is damaged: {detail}"),
            Self::UnknownKey { found, trusted } => {
                write!(f, "it is signed with the key {found}, ")?;
                match trusted {
                    0 => f.write_str("and no key is trusted"),
                    1 => f.write_str("which is not the trusted one"),
                    trusted => write!(f, "which is none of the {trusted} trusted ones"),
                }
            }
            Self::Forged { key } => {
                write!(f, "its signature was not made with the key {key}, or its list of hashes was changed since")
            }
            Self::Changed { kind: None, .. } => f.write_str("its file header was changed after it was signed"),
            Self::Changed { offset, len, kind: Some(kind) } => {
                write!(f, "the {kind} chunk of {len} bytes at offset {offset} was changed after the pack was signed")
            }
            Self::NotCovered { offset } => {
                write!(f, "no chunk starts at offset {offset} in the pack that was signed")
            }
            Self::OtherSet { expected, found } if expected == found => {
                f.write_str("it was not signed together with the first pack of its set")
            }
            Self::OtherSet { expected, found } => write!(
                f,
                "it was signed as pack {} of {}, expected pack {} of {}",
                u64::from(found.0) + 1,
                found.1,
                u64::from(expected.0) + 1,
                expected.1
            ),
        }
    }
}
