//! SIGN (ours): who has released a pack, and the hashes of all its bytes.
//!
//! The chunk is the last of the file, plain, with id 0. Neither the file header nor the directory knows of it, so signing
//! appends bytes and changes none. Its four properties are the layout version (1), the number of pieces, the number of the
//! pack in its set (0 for the first) and the number of packs in the set. The data:
//!
//! | section | bytes | fields |
//! |---|---|---|
//! | public key | 32 | Ed25519 |
//! | set digest | 32 | BLAKE3 of the content digests of all packs of the set, in order |
//! | file header | 16 | the first 16 bytes of the file |
//! | content size | 4 | the bytes before this chunk (`u32`) |
//! | pieces | 36 each | offset (`u32`), BLAKE3 of the bytes from there to the next piece or to this chunk |
//! | signature | 64 | Ed25519, of [`CONTEXT`] and the BLAKE3 of the block up to here |
//! | trailer | 12 | bytes of this chunk with its header (`u32`), [`MAGIC`] |
//!
//! Each chunk of the pack is one piece, padding and directory included, so the pieces and the file header are all of its
//! bytes. The content digest is the BLAKE3 of the sections from the file header to the last piece. A reader finds the chunk by
//! the last 12 bytes of the file, checks the signature over the list, and then can check any chunk by itself.
//!
//! [`Signature`] reads the chunk. With the feature `signed`, it also checks signatures and pieces, and `sign_set` signs.

mod error;
mod key;
mod record;
#[cfg(feature = "signed")]
mod sign;

pub use error::SignatureError;
pub use key::{KeyError, PublicKey};
pub use record::{CONTEXT, MAGIC, SIGNATURE_TRAILER, Signature, content_len, signature_len};
#[cfg(feature = "signed")]
pub use sign::{NewSignature, SecretKey, sign_set};
