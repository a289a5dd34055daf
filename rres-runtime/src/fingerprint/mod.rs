//! The mounted assets → one number that two programs compare, and a list that names what differs.
//!
//! | file | turns |
//! |---|---|
//! | `coverage.rs` | options into the assets that are covered |
//! | `contents.rs` | each covered asset into a hash of its contents |
//! | `details.rs` | the list of these hashes into bytes for the network, and back |
//! | `difference.rs` | two lists into the assets that differ |
//!
//! The rest of the runtime does not know this module; it reads assets as loading does.

mod contents;
mod coverage;
mod details;
mod difference;
mod error;

pub use coverage::Coverage;
pub use details::{AssetFingerprint, FingerprintDetails};
pub use difference::{ChangedAsset, FingerprintDifference};
pub use error::FingerprintError;

use std::fmt;
use std::str::FromStr;

/// A number that two programs share if they have the same assets: the BLAKE3 hash of [`FingerprintDetails`]. See
/// [`crate::Store::fingerprint`].
///
/// It prints as 64 hexadecimal digits, and such a text parses to it.
///
/// ```
/// use rres_runtime::fingerprint::Fingerprint;
///
/// let text = "0a".repeat(32);
/// let fingerprint: Fingerprint = text.parse()?;
/// assert_eq!(fingerprint.to_string(), text);
/// assert_eq!(fingerprint.to_bytes(), [10; 32]);
/// # Ok::<(), rres_runtime::fingerprint::FingerprintError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Returns the fingerprint with these bytes, such as those that another player has sent.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns its bytes, which are the same on every machine.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    /// # Errors
    /// [`FingerprintError::NotHex`] if the text is not 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
        let bytes: Option<Vec<u8>> =
            (text.len() == 64).then(|| text.as_bytes().chunks(2).map(byte).collect()).flatten();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or(FingerprintError::NotHex { characters: text.chars().count() })
    }
}
