//! Stored bytes of an encrypted chunk → what was encrypted.

use aes::Aes256;
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Tag, XChaCha20Poly1305, XNonce};
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use md5::{Digest, Md5};
use subtle::ConstantTimeEq;

use super::derive::{Key, Keys};
use super::{NONCE, SALT, TAG, trailer_len};
use crate::encoding::Cipher;
use crate::error::{Error, Result};

/// The result of trying the keys.
pub(crate) enum Opened {
    Plain(Vec<u8>),
    /// No key fits.
    NoKeyFits,
}

impl Keys {
    /// Decrypts the stored bytes of a chunk with the first key that fits.
    pub(crate) fn open(&self, cipher: Cipher, stored: &[u8], max_derivations: u32) -> Result<Opened> {
        let trailer_len = trailer_len(cipher).ok_or(Error::UnsupportedCipher(cipher))?;
        let (ciphertext, trailer) =
            stored.len().checked_sub(trailer_len).map(|len| stored.split_at(len)).ok_or(Error::Truncated {
                what: "trailer of an encrypted chunk",
                offset: 0,
                needed: trailer_len as u64,
                available: stored.len() as u64,
            })?;
        let (salt, trailer) = trailer.split_first_chunk::<SALT>().expect("the trailer starts with a salt");
        let plain = self.try_each(salt, max_derivations, |key| match cipher {
            Cipher::AES => open_aes(key, ciphertext, trailer),
            _ => open_xchacha(key, ciphertext, trailer),
        })?;
        Ok(plain.map_or(Opened::NoKeyFits, Opened::Plain))
    }
}

fn open_xchacha(key: &Key, ciphertext: &[u8], trailer: &[u8]) -> Option<Vec<u8>> {
    let (nonce, tag) = trailer.split_first_chunk::<NONCE>()?;
    let tag = Tag::from(<[u8; TAG]>::try_from(tag).ok()?);
    let mut plain = ciphertext.to_vec();
    let cipher = XChaCha20Poly1305::new(&(**key).into());
    // It compares the tags in constant time.
    cipher.decrypt_inout_detached(&XNonce::from(*nonce), b"", plain.as_mut_slice().into(), &tag).ok()?;
    Some(plain)
}

fn open_aes(key: &Key, ciphertext: &[u8], digest: &[u8]) -> Option<Vec<u8>> {
    let mut plain = ciphertext.to_vec();
    aes_ctr(key, &mut plain);
    let found = Md5::digest(&plain);
    bool::from(found.as_slice().ct_eq(digest)).then_some(plain)
}

/// Encrypts or decrypts with AES-256 in counter mode, from a counter of zero.
pub(super) fn aes_ctr(key: &Key, bytes: &mut [u8]) {
    Ctr128BE::<Aes256>::new(&(**key).into(), &[0; 16].into()).apply_keystream(bytes);
}
