//! Compressed blocks → stored bytes of encrypted chunks.
//!
//! The same key, salt and contents give the same bytes. Nonces, and the salts of AES, are a keyed hash of the data before encryption, so one
//! repeats only if the same contents are encrypted for the same place with the same key.

use core::fmt;

use blake2::Blake2bMac512;
use blake2::digest::{KeyInit, Mac};
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use md5::{Digest, Md5};
use zeroize::Zeroizing;

use super::derive::{Key, Keys};
use super::open::aes_ctr;
use super::secret::KEY;
use super::{NONCE, SALT};
use crate::encoding::Cipher;
use crate::error::{Error, Result};

/// The salt of a pack, which keys are derived with. It is not secret: each chunk contains it. Packs of different games should
/// have different salts, so that guesses at one password do not serve for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; SALT]);

impl Salt {
    /// Returns a salt that depends on a name, such as the name of the game.
    pub fn from_name(name: &str) -> Self {
        let mut hash = start(b"rres salt");
        hash.update(name.as_bytes());
        Self(first(hash))
    }
}

/// Encrypts the chunks of one pack; see [`crate::StoredChunk::seal`].
pub struct Sealer {
    keys: Keys,
    cipher: Cipher,
    salt: Salt,
    key: Key,
    /// The key of the hashes that nonces and salts are.
    nonce_key: Key,
    entropy: Zeroizing<[u8; 32]>,
}

impl Sealer {
    /// Returns a sealer. It derives one key, which takes some tens of milliseconds with a password.
    ///
    /// With [`Cipher::AES`], each chunk needs a key of its own, because the C library starts every counter at zero. So each chunk takes
    /// as long again, for the writer and for readers, and a raw key is refused. It is for programs that read nothing else.
    ///
    /// # Errors
    /// [`Error::UnsupportedCipher`] for all but the two ciphers that the C library implements; [`Error::BadSecret`] for AES with a
    /// raw key.
    pub fn new(keys: Keys, cipher: Cipher, salt: Salt) -> Result<Self> {
        if super::trailer_len(cipher).is_none() {
            return Err(Error::UnsupportedCipher(cipher));
        }
        if cipher == Cipher::AES && !keys.secret().is_password() {
            return Err(Error::BadSecret(
                "AES has no nonce in rres, so each chunk needs a key of its own, which a raw key cannot give; use a password \
                 or XChaCha20-Poly1305",
            ));
        }
        let key = keys.for_writing(&salt.0)?;
        let nonce_key = Zeroizing::new(first(keyed(&key, b"rres nonce key")));
        Ok(Self { keys, cipher, salt, key, nonce_key, entropy: Zeroizing::default() })
    }

    /// Makes nonces, and the salts of AES, depend on `bytes`, too. With random bytes they are random: an observer of two builds
    /// then cannot tell which assets are the same in both, and builds are not reproducible. Default: zeros.
    #[must_use]
    pub fn with_entropy(mut self, bytes: [u8; 32]) -> Self {
        self.entropy = Zeroizing::new(bytes);
        self
    }

    /// Returns the cipher.
    pub fn cipher(&self) -> Cipher {
        self.cipher
    }

    /// Returns a value that is different for each secret, cipher and salt and does not reveal the secret to those who see
    /// it: checking a guess takes a derivation. For deciding whether a pack is up to date.
    pub fn fingerprint(&self) -> [u8; 16] {
        let mut hash = keyed(&self.key, b"rres fingerprint");
        hash.update(&[self.cipher.0]);
        hash.update(&self.salt.0);
        hash.update(self.entropy.as_slice());
        first(hash)
    }

    /// Encrypts `plain`, the compressed block of a chunk, in place: a chunk may be large. `place` is what makes the chunk different from others with
    /// the same contents.
    pub(crate) fn seal(&self, place: &[u8], plain: Vec<u8>) -> Result<Vec<u8>> {
        let mut out = plain;
        out.reserve_exact(56);
        if self.cipher == Cipher::AES {
            let salt = self.hash::<SALT>(b"salt", place, &out);
            let digest = Md5::digest(&out);
            aes_ctr(&self.keys.for_writing(&salt)?, &mut out);
            out.extend_from_slice(&salt);
            out.extend_from_slice(&digest);
            return Ok(out);
        }
        let nonce = XNonce::from(self.hash::<NONCE>(b"nonce", place, &out));
        let tag = XChaCha20Poly1305::new(&(*self.key).into())
            .encrypt_inout_detached(&nonce, b"", out.as_mut_slice().into())
            .map_err(|_| Error::inconsistent("chunk", "it is too large for the cipher"))?;
        out.extend_from_slice(&self.salt.0);
        out.extend_from_slice(&nonce);
        out.extend_from_slice(&tag);
        Ok(out)
    }

    /// Returns the keyed hash of the data before encryption.
    fn hash<const LEN: usize>(&self, label: &[u8], place: &[u8], plain: &[u8]) -> [u8; LEN] {
        let mut hash = keyed(&self.nonce_key, label);
        hash.update(self.entropy.as_slice());
        // Each part is preceded by its length, so that no two different inputs are the same bytes.
        hash.update(&(place.len() as u64).to_le_bytes());
        hash.update(place);
        hash.update(&(plain.len() as u64).to_le_bytes());
        hash.update(plain);
        first(hash)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { keys, cipher, salt, .. } = self;
        f.debug_struct("Sealer").field("keys", keys).field("cipher", cipher).field("salt", salt).finish_non_exhaustive()
    }
}

/// Starts a keyed hash for a purpose.
fn keyed(key: &[u8; KEY], label: &[u8]) -> Blake2bMac512 {
    let mut hash = start(key);
    hash.update(&(label.len() as u64).to_le_bytes());
    hash.update(label);
    hash
}

fn start(key: &[u8]) -> Blake2bMac512 {
    Blake2bMac512::new_from_slice(key).expect("the key has at most 64 bytes")
}

/// Returns the first bytes of a hash of 64 bytes.
fn first<const LEN: usize>(hash: Blake2bMac512) -> [u8; LEN] {
    *hash.finalize().into_bytes().first_chunk().expect("a hash has 64 bytes")
}
