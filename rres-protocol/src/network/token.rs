//! What both sides know and nobody else.

use std::fmt;

use super::Error;

/// What both sides know and nobody else, and the keys that are derived from it.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// The least number of characters. The tokens that a server makes have 80 random bits.
    pub const MIN: usize = 16;

    /// Takes a token as the server prints it. Capitals, and `-` between the letters, make no difference.
    ///
    /// # Errors
    /// [`Error::ShortToken`] if it has fewer than [`Self::MIN`] letters and digits.
    pub fn new(text: &str) -> Result<Self, Error> {
        let plain: String = text.trim().chars().filter(|c| *c != '-').flat_map(char::to_lowercase).collect();
        let found = plain.chars().count();
        if found < Self::MIN {
            return Err(Error::ShortToken { found });
        }
        Ok(Self(blake3::derive_key("rres reload over a network, 2026, token", plain.as_bytes())))
    }

    /// Writes random bytes as a token: four groups of four letters and digits, none of which look like another.
    pub fn text(random: [u8; 10]) -> String {
        const DIGITS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";
        let bits = random.iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        let digit = |i: u32| char::from(DIGITS[(bits >> (5 * i)) as usize % 32]);
        let group = |group: u32| (0..4).map(|i| digit(group * 4 + i)).collect::<String>();
        [group(0), group(1), group(2), group(3)].join("-")
    }

    /// Proves that the sender has the token. `from` is the sort of the message, so that no proof can stand for another.
    pub(super) fn proof(&self, from: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut hash = blake3::Hasher::new_keyed(&self.0);
        for part in [from.as_bytes()].iter().chain(parts) {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        *hash.finalize().as_bytes()
    }
}

impl fmt::Debug for Token {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Compares proofs in a time that does not depend on how much of them is right.
pub(super) fn is_equal(found: &[u8], expected: &[u8; 32]) -> bool {
    <&[u8; 32]>::try_from(found).is_ok_and(|found| blake3::Hash::from(*found) == blake3::Hash::from(*expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_people_write_it() {
        let text = Token::text([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x11, 0x22]);
        assert_eq!((text.len(), text.matches('-').count()), (19, 3));
        let one = Token::new(&text).unwrap();
        let other = Token::new(&format!(" {}\n", text.to_uppercase().replace('-', ""))).unwrap();
        assert_eq!(one.proof("a", &[b"x"]), other.proof("a", &[b"x"]));
        assert_ne!(one.proof("a", &[b"x"]), one.proof("b", &[b"x"]));
        assert_ne!(one.proof("a", &[b"xy", b"z"]), one.proof("a", &[b"x", b"yz"]));
        assert_eq!(Token::new("abcd-efgh").unwrap_err(), Error::ShortToken { found: 8 });
        assert!(!format!("{one:?}").contains("18"));
    }
}
