//! Digests: the names of blobs.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use ring::digest::{Context, SHA256, digest};

use crate::messages;

/// The name of a blob in a content-addressable storage: the SHA-256 of its bytes, and their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest {
    hash: [u8; 32],
    size: u64,
}

impl Digest {
    /// Returns the digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { hash: hash_of(digest(&SHA256, bytes)), size: bytes.len() as u64 }
    }

    /// Returns the digest of the contents of a file, which is read in pieces.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let (mut hasher, mut size, mut piece) = (Context::new(&SHA256), 0, vec![0; 256 << 10]);
        loop {
            match file.read(&mut piece) {
                Ok(0) => return Ok(Self { hash: hash_of(hasher.finish()), size }),
                Ok(count) => {
                    hasher.update(&piece[..count]);
                    size += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the number of bytes of the blob.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the hash in hexadecimal digits.
    pub fn hash(&self) -> String {
        self.hash.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex).collect()
    }

    pub(crate) fn message(&self) -> messages::Digest {
        messages::Digest { hash: self.hash(), size_bytes: i64::try_from(self.size).unwrap_or(i64::MAX) }
    }

    /// The digest of a message; `None` if it is none with SHA-256.
    pub(crate) fn from_message(message: Option<&messages::Digest>) -> Option<Self> {
        let messages::Digest { hash: text, size_bytes } = message?;
        let (mut hash, size) = ([0; 32], u64::try_from(*size_bytes).ok()?);
        if text.len() != 64 || !text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self { hash, size })
    }
}

/// Reads what [`Digest`] displays: the hash, a slash, the size.
impl std::str::FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let message = text
            .split_once('/')
            .and_then(|(hash, size)| Some(messages::Digest { hash: hash.to_owned(), size_bytes: size.parse().ok()? }));
        let expected = "expected 64 digits 0 to 9 and a to f, a slash, and a size";
        Self::from_message(message.as_ref()).ok_or_else(|| format!("{text:?} is no digest: {expected}"))
    }
}

fn hash_of(digest: ring::digest::Digest) -> [u8; 32] {
    digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
}

fn hex(digit: u8) -> char {
    char::from_digit(u32::from(digit), 16).unwrap_or('?')
}

/// Displayed as in the names of resources: the hash, a slash, the size.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.hash(), self.size)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_protocol() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b"").to_string(), format!("{empty}/0"));
        let dir = tempfile::tempdir().unwrap();
        let bytes: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
        std::fs::write(dir.path().join("a"), &bytes).unwrap();
        let digest = Digest::of(&bytes);
        assert_eq!(Digest::of_file(&dir.path().join("a")).unwrap(), digest);
        assert_eq!(Digest::from_message(Some(&digest.message())), Some(digest));
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        let message = |hash: &str, size_bytes| messages::Digest { hash: hash.to_owned(), size_bytes };
        let right = "0".repeat(64);
        assert!(Digest::from_message(Some(&message(&right, 0))).is_some());
        for (hash, size) in [("", 0), (&*right, -1), (&"g".repeat(64), 0), (&"A".repeat(64), 0), (&"é".repeat(32), 0)]
        {
            assert_eq!(Digest::from_message(Some(&message(hash, size))), None, "{hash} {size}");
        }
        assert_eq!(Digest::from_message(None), None);
        for text in ["", "1/2", &right, &format!("{right}/-1"), &format!("{right}/x")] {
            assert!(text.parse::<Digest>().unwrap_err().contains("is no digest"), "{text}");
        }
    }
}
