//! Public keys and their text form.

use core::fmt;
use core::str::FromStr;

/// The public key that belongs to a private one: 32 bytes, shown as 64 hexadecimal digits.
///
/// ```
/// use rres_format::signature::PublicKey;
///
/// const KEY: PublicKey =
///     PublicKey::from_hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
/// assert_eq!(KEY.to_string().parse(), Ok(KEY));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PublicKey(pub [u8; 32]);

/// Why a text is not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The number of characters that were found.
    pub len: usize,
}

impl PublicKey {
    /// Reads a key for a constant.
    ///
    /// # Panics
    /// If `hex` is not 64 hexadecimal digits. In a constant, that is an error of the compiler.
    #[track_caller]
    pub const fn from_hex(hex: &str) -> Self {
        match parse(hex.as_bytes()) {
            Some(bytes) => Self(bytes),
            None => panic!("a public key has 64 hexadecimal digits, as `cargo rres keygen` prints them"),
        }
    }

    /// Returns whether the private key that belongs to this one has signed `message` with this signature.
    #[cfg(feature = "signed")]
    pub fn verifies(&self, message: impl AsRef<[u8]>, signature: &[u8; 64]) -> bool {
        let signature = ed25519_compact::Signature::new(*signature);
        ed25519_compact::PublicKey::new(self.0).verify(message, &signature).is_ok()
    }
}

/// Returns the 32 bytes that 64 hexadecimal digits represent.
pub(super) const fn parse(hex: &[u8]) -> Option<[u8; 32]> {
    const fn digit(digit: u8) -> Option<u8> {
        match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            b'A'..=b'F' => Some(digit - b'A' + 10),
            _ => None,
        }
    }
    if hex.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        let (Some(high), Some(low)) = (digit(hex[2 * i]), digit(hex[2 * i + 1])) else { return None };
        bytes[i] = high << 4 | low;
        i += 1;
    }
    Some(bytes)
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(hex: &str) -> Result<Self, KeyError> {
        parse(hex.as_bytes()).map(Self).ok_or(KeyError { len: hex.len() })
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 hexadecimal digits, found ")?;
        match self.len {
            64 => f.write_str("other characters among them"),
            len => write!(f, "{len} characters"),
        }
    }
}

impl core::error::Error for KeyError {}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}
