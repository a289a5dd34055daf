//! Texts: Windows-1252, and the sequence of bytes that hides some of them.

use std::borrow::Cow;
use std::fmt;

/// The characters of the bytes 0x80 to 0x9f. Five of these bytes are not assigned, and are kept as control characters.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A text as the file has it: bytes of Windows-1252, without the padding.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Text<'a>(Cow<'a, [u8]>);

impl<'a> Text<'a> {
    /// Returns a text of these bytes.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the text for `text`, or `None` if it has a character that Windows-1252 has not.
    pub fn encode(text: &str) -> Option<Text<'static>> {
        let byte = |c: char| match u32::from(c) {
            code @ (0..=0x7f | 0xa0..=0xff) => Some(code as u8),
            _ => HIGH.iter().position(|high| *high == c).map(|at| 0x80 + at as u8),
        };
        text.chars().map(byte).collect::<Option<Vec<u8>>>().map(|bytes| Text(bytes.into()))
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the text as UTF-8. Texts of ASCII are not copied.
    pub fn decode(&self) -> Cow<'_, str> {
        match std::str::from_utf8(&self.0) {
            Ok(text) if text.is_ascii() => text.into(),
            _ => self.0.iter().map(|byte| character(*byte)).collect::<String>().into(),
        }
    }

    /// Whether the text has no characters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn character(byte: u8) -> char {
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decode())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.decode(), f)
    }
}

/// The state that the sequence starts with.
const KEY: u32 = 0x5fdd_390d;

/// Hides a text, or shows a hidden one: both are the same operation. Each byte is combined by XOR with the low byte of a 32-bit
/// state, which is then rotated left by 3 bits; so the sequence repeats after 32 bytes. It is not encryption: the key is in every
/// copy of the engine.
///
/// ```
/// use rres_import_srsc::hide;
///
/// assert_eq!(hide(b"Dragon"), [0x49, 0x18, 0x36, 0xd8, 0x92, 0x80]);
/// assert_eq!(hide(&hide(b"Dragon")), b"Dragon");
/// ```
pub fn hide(bytes: &[u8]) -> Vec<u8> {
    let mut state = KEY;
    let combine = |byte: &u8| {
        let hidden = byte ^ state as u8;
        state = state.rotate_left(3);
        hidden
    };
    bytes.iter().map(combine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_character_and_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = Text::new(&all[..]);
        let decoded = text.decode().into_owned();
        assert_eq!(decoded.chars().count(), 256);
        assert_eq!(Text::encode(&decoded), Some(text));
        assert_eq!(Text::new(&[0x80, 0xe4][..]).decode(), "€ä");
        assert_eq!(Text::encode("猫"), None);
    }

    #[test]
    fn the_sequence_repeats_after_32_bytes() {
        let sequence = hide(&[0; 64]);
        assert_eq!(sequence[..8], [0x0d, 0x6a, 0x57, 0xbf, 0xfd, 0xee, 0x74, 0xa7]);
        assert_eq!(sequence[..32], sequence[32..]);
        assert_ne!(sequence[..16], sequence[16..32]);
    }
}
