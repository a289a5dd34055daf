//! The key of encrypted chunks.

use std::borrow::Cow;
use std::ops::Range;

use rres_format::seal::Keys;
use rres_format::{ChunkView, Cipher, Decoded, Decompressor, Result};

/// The key of the encrypted chunks of a pack, if there is one. By default there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyring<'a>(Option<&'a Keys>);

impl<'a> Keyring<'a> {
    /// A keyring with this key.
    pub fn new(keys: Option<&'a Keys>) -> Self {
        Self(keys)
    }

    /// Whether chunks with this cipher can be read: they are not encrypted, or there is a key.
    pub fn can_read(self, cipher: Cipher) -> bool {
        cipher == Cipher::NONE || self.0.is_some() && cipher.is_enabled()
    }

    /// Whether there is a key, and it is not a password.
    pub fn is_raw_key(self) -> bool {
        self.0.is_some_and(|keys| !keys.secret().is_password())
    }

    /// Returns the stored bytes of a chunk, decrypted if it is encrypted; `None` if it cannot be.
    pub fn compressed<'c>(self, chunk: &ChunkView<'c>) -> Option<Cow<'c, [u8]>> {
        match chunk.info.cipher {
            Cipher::NONE => Some(chunk.stored.into()),
            _ => Some(chunk.unseal(self.0?).ok()?.view().stored.to_vec().into()),
        }
    }

    /// Decodes a part of the block of a chunk, decrypted first if it is encrypted and there is a key.
    ///
    /// # Errors
    /// As [`ChunkView::unseal`] and [`ChunkView::decode_range`].
    pub fn decode_range<'c>(
        self,
        chunk: &ChunkView<'c>,
        decompressor: &mut Decompressor,
        range: Range<usize>,
    ) -> Result<Cow<'c, [u8]>> {
        match self.0 {
            Some(keys) if chunk.info.cipher != Cipher::NONE => {
                chunk.unseal(keys)?.view().decode_range(decompressor, range).map(|part| part.into_owned().into())
            }
            _ => chunk.decode_range(decompressor, range),
        }
    }

    /// Decodes the block of a chunk, decrypted first if it is encrypted and there is a key.
    ///
    /// # Errors
    /// As [`ChunkView::unseal`] and [`ChunkView::decode`].
    pub fn decode<'c>(self, chunk: &ChunkView<'c>, decompressor: &mut Decompressor) -> Result<Decoded<'c>> {
        match self.0 {
            Some(keys) if chunk.info.cipher != Cipher::NONE => chunk.unseal(keys)?.into_decoded(decompressor),
            _ => chunk.decode(decompressor),
        }
    }
}
