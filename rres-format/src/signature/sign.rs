//! Private keys, and what they sign.

use core::fmt;

use zeroize::Zeroizing;

use super::key::parse;
use super::record::{Draft, content_len};
use super::{KeyError, PublicKey};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::limits::{MAX_CHUNKS, MAX_PACK_SIZE};
use crate::read::PackView;

/// What precedes the digits of a key in its file.
const LABEL: &str = "rres-private-key:";

/// A private key: 32 random bytes. `Debug` shows only the public key.
#[derive(Clone)]
pub struct SecretKey {
    /// Erased when it is dropped, as the pair is.
    seed: Zeroizing<[u8; 32]>,
    pair: ed25519_compact::KeyPair,
}

impl SecretKey {
    /// Makes a key of 32 random bytes, the seed of RFC 8032. Returns `None` if all are zero, which no generator returns.
    pub fn from_seed(seed: [u8; 32]) -> Option<Self> {
        let pair = ed25519_compact::KeyPair::try_from_seed(ed25519_compact::Seed::new(seed)).ok()?;
        Some(Self { seed: Zeroizing::new(seed), pair })
    }

    /// Reads the 64 hexadecimal digits of a seed.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn from_hex(hex: &str) -> Result<Self, KeyError> {
        parse(hex.as_bytes()).and_then(Self::from_seed).ok_or(KeyError { len: hex.len() })
    }

    /// Returns the seed as hexadecimal digits, to be kept in a file.
    pub fn to_hex(&self) -> String {
        PublicKey(*self.seed).to_string()
    }

    /// Returns the text of the file of a key, as `cargo rres keygen` writes it.
    pub fn to_text(&self) -> String {
        format!(
            "# Private key that signs rres packs (Ed25519). Anyone who has it can sign: keep it secret.\n\
             # Its public key: {}\n\
             {LABEL} {}\n",
            self.public_key(),
            self.to_hex()
        )
    }

    /// Reads the text of the file of a key: one line with a label and 64 digits, or only the digits. Other lines begin with `#` or are empty.
    ///
    /// # Errors
    /// If the text is anything else. The error contains no part of it.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let (Some(line), None) = (lines.next(), lines.next()) else {
            return Err(format!("expected one line with a private key, `{LABEL}` and 64 hexadecimal digits"));
        };
        let digits = line.strip_prefix(LABEL).unwrap_or(line).trim();
        Self::from_hex(digits).map_err(|e| format!("not a private key as `cargo rres keygen` writes it: {e}"))
    }

    /// Returns the key that checks what this one signs.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(*self.pair.pk)
    }

    /// Signs bytes. The same bytes get the same signature each time.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        *self.pair.sk.sign(message, None)
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key()).finish_non_exhaustive()
    }
}

/// What makes a signed pack of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSignature {
    /// How many bytes of the pack stay: all but a signature that it has.
    pub content_len: usize,
    /// The chunk to write after them.
    pub chunk: Vec<u8>,
}

/// Signs the packs of a set together: `packs` are the bytes of the first pack and of the additional ones, in order. Returns the
/// signature of each. A signature that a pack has is replaced.
///
/// Every chunk is checked first: the CRC-32 of each, and that the chunks follow one another to the end of the file.
///
/// # Errors
/// If a pack is damaged, has bytes that belong to no chunk, or would exceed the limits of a pack; with its position.
pub fn sign_set(packs: &[&[u8]], key: &SecretKey) -> Result<Vec<NewSignature>, (usize, Error)> {
    let count = packs.len() as u32;
    let mut drafts = Vec::with_capacity(packs.len());
    for (number, pack) in packs.iter().enumerate() {
        let draft = || -> Result<(usize, Draft)> {
            let content = content(pack)?;
            let offsets = offsets(content)?;
            Ok((content.len(), Draft::new(content, &offsets, key.public_key(), (number as u32, count))))
        };
        drafts.push(draft().map_err(|error| (number, error))?);
    }
    let mut set = blake3::Hasher::new();
    for (_, draft) in &drafts {
        set.update(&draft.digest());
    }
    let set = *set.finalize().as_bytes();
    let sign = |(number, (content_len, draft)): (usize, (usize, Draft))| {
        let chunk = draft.sign(set, |message| key.sign(message)).map_err(|error| (number, error))?;
        let size = (content_len + chunk.len()) as u64;
        if size > MAX_PACK_SIZE {
            let (what, help) = ("the size of the signed pack in bytes", "split the pack");
            return Err((number, Error::LimitExceeded { what, value: size, limit: MAX_PACK_SIZE, help }));
        }
        Ok(NewSignature { content_len, chunk })
    };
    drafts.into_iter().enumerate().map(sign).collect()
}

/// Returns the bytes of a pack before its signature. What only looks like a signature stays, and [`offsets`] refuses it.
fn content(pack: &[u8]) -> Result<&[u8]> {
    Ok(&pack[..content_len(pack).unwrap_or(pack.len())])
}

/// Returns the offsets of all chunks, which must be intact and follow one another to the end.
fn offsets(content: &[u8]) -> Result<Vec<u32>> {
    let too_large = |value| Error::LimitExceeded {
        what: "the size of the pack in bytes",
        value,
        limit: MAX_PACK_SIZE,
        help: "split the pack",
    };
    if content.len() as u64 > MAX_PACK_SIZE {
        return Err(too_large(content.len() as u64));
    }
    let view = PackView::parse(content)?;
    let mut offsets = Vec::new();
    let mut at = Header::SIZE as u64;
    while at < content.len() as u64 {
        let chunk = view.chunk_at(u32::try_from(at).map_err(|_| too_large(at))?)?;
        if chunk.info.kind == FourCc::SIGN {
            let detail = format!("expected no signature among the chunks, found one at offset {at}");
            return Err(Error::inconsistent("pack", detail));
        }
        chunk.verify()?;
        offsets.push(chunk.offset);
        at = chunk.end();
        // The file header does not count the directory.
        if offsets.len() > MAX_CHUNKS + 1 {
            return Err(Error::LimitExceeded {
                what: "the number of chunks in the pack",
                value: offsets.len() as u64,
                limit: MAX_CHUNKS as u64,
                help: "split the pack",
            });
        }
    }
    let counted = usize::from(view.header().chunk_count);
    if offsets.len() > counted + 1 {
        let detail = format!("the file header counts {counted} chunks, found {} with the directory", offsets.len());
        return Err(Error::inconsistent("pack", detail));
    }
    Ok(offsets)
}
