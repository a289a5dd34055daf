//! Index files: which blobs are in which bundle.
//!
//! ```text
//! "rres rci"                 signature of the format
//! 2                          its version
//! count of bundles, and per bundle
//!   hash [32]                BLAKE3 of the bundle, its name
//!   milliseconds             that importing its blobs took, as far as it is known
//!   count of blobs, and per blob, in the order in which they are in the bundle
//!     key [16]               the beginning of the key of the blob
//!     hash [16]              the beginning of the BLAKE3 of its bytes
//!     length
//! count of sources with input files, and per source
//!   key [16]                 the beginning of the key of the source
//!   count of paths, and per path its length and bytes
//! public key [32]            of who has signed what precedes; zeros for nobody
//! signature [64]             Ed25519
//! ```
//!
//! Numbers are `u32` little-endian. The name of an index file is its BLAKE3, so its reader knows that it is whole.

use std::collections::HashMap;

use rres_format::signature::{PublicKey, SecretKey};

const MAGIC: [u8; 8] = *b"rres rci";
const VERSION: u32 = 2;

/// What precedes the bytes that are signed, so that a signature of something else means nothing here.
const CONTEXT: &[u8] = b"rres remote cache index\0";

/// The beginning of a key. A blob contains its whole key, which is compared when it arrives.
pub(crate) type ShortKey = [u8; 16];

pub(crate) fn short(key: &[u8; 32]) -> ShortKey {
    *key.first_chunk().expect("a key is longer")
}

/// The beginning of the hash of bytes.
pub(crate) fn short_hash(bytes: &[u8]) -> [u8; 16] {
    short(blake3::hash(bytes).as_bytes())
}

/// A blob in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) key: ShortKey,
    pub(crate) hash: [u8; 16],
    pub(crate) len: u32,
}

/// A bundle: blobs one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(crate) hash: [u8; 32],
    /// How long importing its blobs took, in milliseconds, as far as it is known.
    pub(crate) milliseconds: u32,
    pub(crate) blobs: Vec<Blob>,
}

/// The contents of index files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) bundles: Vec<Bundle>,
    pub(crate) inputs: HashMap<ShortKey, Vec<String>>,
}

impl Index {
    /// The index as a file, signed if there is a key.
    pub(crate) fn encode(&self, key: Option<&SecretKey>) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let number = |out: &mut Vec<u8>, value: usize| {
            out.extend(u32::try_from(value).expect("an index has fewer entries").to_le_bytes());
        };
        number(&mut out, VERSION as usize);
        number(&mut out, self.bundles.len());
        for bundle in &self.bundles {
            out.extend(bundle.hash);
            out.extend(bundle.milliseconds.to_le_bytes());
            number(&mut out, bundle.blobs.len());
            for blob in &bundle.blobs {
                out.extend(blob.key);
                out.extend(blob.hash);
                out.extend(blob.len.to_le_bytes());
            }
        }
        let mut inputs: Vec<_> = self.inputs.iter().collect();
        inputs.sort();
        number(&mut out, inputs.len());
        for (source, paths) in inputs {
            out.extend(source);
            number(&mut out, paths.len());
            for path in paths {
                number(&mut out, path.len());
                out.extend(path.as_bytes());
            }
        }
        let (by, signature) = match key {
            Some(key) => (key.public_key().0, key.sign(&[CONTEXT, &out].concat())),
            None => ([0; 32], [0; 64]),
        };
        out.extend(by);
        out.extend(signature);
        out
    }

    /// Reads an index file, and who has signed it. `None` if it is damaged or its signature is wrong.
    pub(crate) fn decode(file: &[u8]) -> Option<(Self, Option<PublicKey>)> {
        let (rest, signature) = file.split_last_chunk::<64>()?;
        let (body, by) = rest.split_last_chunk::<32>()?;
        let signer = (*by != [0; 32]).then_some(PublicKey(*by));
        if let Some(signer) = signer
            && !signer.verifies([CONTEXT, body].concat(), signature)
        {
            return None;
        }
        let mut input = Input(body);
        if input.bytes()? != MAGIC || input.number()? != VERSION {
            return None;
        }
        let mut index = Self::default();
        for _ in 0..input.number()? {
            let (hash, milliseconds, count) = (input.bytes()?, input.number()?, input.number()?);
            let blob = |_| Some(Blob { key: input.bytes()?, hash: input.bytes()?, len: input.number()? });
            let blobs = (0..count).map(blob).collect::<Option<_>>()?;
            index.bundles.push(Bundle { hash, milliseconds, blobs });
        }
        for _ in 0..input.number()? {
            let (source, count) = (input.bytes()?, input.number()?);
            let paths = (0..count).map(|_| input.text()).collect::<Option<_>>()?;
            index.inputs.insert(source, paths);
        }
        input.0.is_empty().then_some((index, signer))
    }

    /// Adds the contents of another index.
    pub(crate) fn extend(&mut self, other: Self) {
        self.bundles.extend(other.bundles);
        self.inputs.extend(other.inputs);
    }
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn number(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let len = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let blob = |n| Blob { key: [n; 16], hash: [n + 1; 16], len: u32::from(n) };
        let bundles = vec![
            Bundle { hash: [1; 32], milliseconds: 1500, blobs: vec![blob(1), blob(2)] },
            Bundle { hash: [2; 32], milliseconds: 0, blobs: vec![blob(3)] },
        ];
        let inputs = [([7; 16], vec!["a.png".to_owned(), "../b".to_owned()])].into();
        Index { bundles, inputs }
    }

    #[test]
    fn an_index_reads_back_with_its_signer_and_any_flipped_bit_is_seen() {
        let key = SecretKey::from_seed([3; 32]).unwrap();
        let file = index().encode(Some(&key));
        assert_eq!(Index::decode(&file), Some((index(), Some(key.public_key()))));
        assert_eq!(Index::decode(&index().encode(None)), Some((index(), None)));
        for at in 0..file.len() {
            let mut bad = file.clone();
            bad[at] ^= 1;
            assert_eq!(Index::decode(&bad), None, "flipped {at}");
            assert_eq!(Index::decode(&file[..at]), None, "truncated to {at}");
        }
    }
}
