//! What a blob is addressed by.

use std::fmt;

/// The key of a blob: a BLAKE3 hash of everything that decides what the blob holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) [u8; 32]);

impl Key {
    /// The key that `hex` gave; `None` for any other text.
    pub(super) fn from_hex(text: &str) -> Option<Self> {
        let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != 64 || !is_hex {
            return None;
        }
        let mut key = [0; 32];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
        }
        Some(Self(key))
    }

    pub(crate) fn hex(&self) -> String {
        // Every build names every blob: formatting byte by byte would show.
        let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
        self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex()[..16])
    }
}

/// Hashes fields one by one, each with its length, so that no two lists of fields give the same bytes.
pub(crate) struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// `purpose` tells keys of different things apart.
    pub(crate) fn new(purpose: &str) -> Self {
        let mut key = Self(blake3::Hasher::new());
        key.field(purpose.as_bytes());
        key
    }

    pub(crate) fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.field(&number.to_le_bytes());
    }

    pub(crate) fn finish(&self) -> Key {
        Key(self.0.finalize().into())
    }
}
