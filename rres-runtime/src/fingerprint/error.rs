//! Why bytes or a text from elsewhere are not a fingerprint, or not the details of one.

use std::fmt;

/// Why [`super::Fingerprint`] or [`super::FingerprintDetails`] cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FingerprintError {
    /// A text is not 64 hexadecimal digits.
    NotHex {
        /// How many characters it has.
        characters: usize,
    },
    /// There are more bytes than [`super::FingerprintDetails::MAX_BYTES`].
    TooLong {
        /// How many there are.
        bytes: usize,
        /// How many there may be.
        max: usize,
    },
    /// The bytes do not begin as details do: they are something else, or a newer version wrote them.
    NotDetails,
    /// The bytes end within an asset, or before all assets that they count.
    Truncated {
        /// How many assets are complete.
        assets: usize,
        /// How many there should be.
        expected: u32,
    },
    /// Bytes follow the last asset.
    TrailingBytes {
        /// How many.
        bytes: usize,
    },
    /// A path is not UTF-8.
    NotUtf8 {
        /// The number of the asset, from 0.
        asset: usize,
    },
    /// The assets are not in the order of their paths and ids, or one occurs twice.
    NotInOrder {
        /// The number of the asset, from 0.
        asset: usize,
    },
}

impl fmt::Display for FingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHex { characters } => {
                write!(f, "expected a fingerprint of 64 hexadecimal digits, found a text of {characters} characters")?;
                if *characters == 64 { f.write_str(" with others among them") } else { Ok(()) }
            }
            Self::TooLong { bytes, max } => {
                write!(f, "expected details of a fingerprint in at most {max} bytes, found {bytes}")
            }
            Self::NotDetails => f.write_str(
                "expected the details of a fingerprint, found bytes that begin in another way; if the sender has a newer \
                 version of the game, use the same one",
            ),
            Self::Truncated { assets, expected } => {
                write!(f, "expected the details of {expected} assets, but the bytes end after {assets}")
            }
            Self::TrailingBytes { bytes } => write!(f, "expected the end of the details, found {bytes} more bytes"),
            Self::NotUtf8 { asset } => write!(f, "the path of asset {asset} in the details is not UTF-8"),
            Self::NotInOrder { asset } => {
                write!(f, "asset {asset} in the details is not in the order of paths and ids")
            }
        }
    }
}

impl std::error::Error for FingerprintError {}
