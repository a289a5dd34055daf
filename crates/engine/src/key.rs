//! Keys: hashes that address blobs and compare sets.

use std::fmt;

use rres_protocol::files;

/// A BLAKE3 hash of everything that the addressed data depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) [u8; 32]);

impl Key {
    /// The key in 64 hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        files::hex(&self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex()[..16])
    }
}

/// Hashes fields one by one, each preceded by its length, so that different lists of fields are different input.
#[derive(Clone)]
pub(crate) struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// `purpose` distinguishes keys of different things.
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
