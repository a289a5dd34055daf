//! What a blob is addressed by.

use std::fmt;

/// The key of a blob: a BLAKE3 hash of everything that decides what the blob holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) [u8; 32]);

impl Key {
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
