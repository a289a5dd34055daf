//! Encryption of chunks, as the C library does it.
//!
//! A block is first compressed, then encrypted. The cipher appends a trailer to the ciphertext:
//!
//! | cipher | trailer |
//! |---|---|
//! | [`Cipher::AES`]: AES-256 in counter mode, from a counter of zero | salt (16), MD5 of the plaintext (16) |
//! | [`Cipher::XCHACHA20_POLY1305`] | salt (16), nonce (24), tag (16) |
//!
//! The key is the Argon2i hash of the password with the salt: version 0x13, 16 MiB, 3 passes, 1 lane, 32 bytes. Not all programs
//! hash the same bytes of the password: newer C code hashes all of them, older code and rrespacker hash exactly 16,
//! cut or padded with zeros. [`Keys`] tries both. Instead of a password, a pack of ours can have a raw key of 32 bytes, which is used
//! as it is; C programs cannot open such a pack.
//!
//! ```
//! use rres_format::seal::{Keys, Salt, Sealer, Secret};
//! use rres_format::{Cipher, Compression, Compressor, Error, PackBuilder, PackView, Resource, ResourceId, StoredChunk, chunk};
//!
//! # fn main() -> Result<(), Error> {
//! let keys = Keys::new(Secret::password("sixteen letters!")?);
//! let sealer = Sealer::new(keys.clone(), Cipher::XCHACHA20_POLY1305, Salt::from_name("my game"))?;
//!
//! let id = ResourceId::from_path("plot.txt");
//! let block = chunk::text::TextProps::utf8(5).block(b"hello");
//! let chunk = StoredChunk::encode(rres_format::FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default())?;
//! let mut pack = PackBuilder::new();
//! pack.push(Resource::new("plot.txt", vec![chunk.seal(&sealer, id, 0)?]));
//! let bytes = pack.to_vec()?;
//!
//! let chunk = PackView::parse(&bytes)?.find(id)?.expect("it was just written");
//! assert_eq!(chunk.decode(&mut Default::default()).unwrap_err(), Error::NeedsKey(Cipher::XCHACHA20_POLY1305));
//! let unsealed = chunk.unseal(&keys)?;
//! assert_eq!(*unsealed.view().decode(&mut Default::default())?.into_bytes(), block);
//! # Ok(())
//! # }
//! ```

mod derive;
mod open;
mod secret;
mod write;

pub use derive::Keys;
pub use secret::Secret;
pub use write::{Salt, Sealer};

pub(crate) use open::Opened;

use crate::encoding::Cipher;

/// Number of bytes of a salt.
const SALT: usize = 16;
/// Number of bytes of the nonce of XChaCha20.
const NONCE: usize = 24;
/// Number of bytes of the tag of Poly1305 and of an MD5 hash.
const TAG: usize = 16;

/// Returns the number of bytes that a cipher appends to the ciphertext; `None` for ciphers that are not implemented.
pub(crate) const fn trailer_len(cipher: Cipher) -> Option<usize> {
    match cipher {
        Cipher::AES => Some(SALT + TAG),
        Cipher::XCHACHA20_POLY1305 => Some(SALT + NONCE + TAG),
        _ => None,
    }
}
