//! Latin-1 and Windows-1252, the encodings of Western European texts before UTF-8.

use rres_settings::SourceEncoding;

/// The characters of the bytes 0x80 to 0x9f in Windows-1252; `\0` for the five that it does not have.
const WINDOWS: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”', '•',
    '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// The text of bytes in Latin-1: each byte is the character with its number.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// The text of bytes in Windows-1252.
///
/// # Errors
/// The position of a byte that the encoding does not have.
pub(super) fn windows_1252(bytes: &[u8]) -> Result<String, usize> {
    let char = |(at, &byte): (usize, &u8)| match byte {
        0x80..=0x9f => Some(WINDOWS[usize::from(byte - 0x80)]).filter(|&c| c != '\0').ok_or(at),
        _ => Ok(char::from(byte)),
    };
    bytes.iter().enumerate().map(char).collect()
}

/// The encoding that bytes which are not UTF-8 probably have, and the keys of a rule that name it. `None` if they look like
/// neither of the two: binary data, another alphabet, or UTF-8 that was cut or damaged.
pub(super) fn guess(bytes: &[u8]) -> Option<(SourceEncoding, &'static str)> {
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
    if bytes.iter().any(is_binary) || high == 0 || mostly_utf8(bytes) || is_other_alphabet(bytes, high) {
        return None;
    }
    match bytes.iter().any(|byte| (0x80..=0x9f).contains(byte)) {
        false => Some((SourceEncoding::Latin1, "text.encoding = \"latin1\"")),
        true if windows_1252(bytes).is_ok() => Some((SourceEncoding::Windows1252, "text.encoding = \"windows-1252\"")),
        true => None,
    }
}

/// Whether the bytes of a text are probably in another alphabet than the Western one. `high` of the bytes are not ASCII.
fn is_other_alphabet(bytes: &[u8], high: usize) -> bool {
    // The letters of a Western text that are not ASCII stand alone or in pairs; Cyrillic or Chinese words have more of them.
    let runs = bytes.split(u8::is_ascii).map(<[u8]>::len).filter(|run| *run > 2);
    // These are signs in Western texts, which do not stand within words; elsewhere they are letters, as in Polish.
    let is_sign = |byte: u8| matches!(byte, 0xa1..=0xbf) && !matches!(byte, 0xaa | 0xad | 0xb4 | 0xb7 | 0xba);
    let is_within_word =
        |three: &&[u8]| is_sign(three[1]) && three[0].is_ascii_lowercase() && three[2].is_ascii_lowercase();
    runs.sum::<usize>() * 10 > high || bytes.windows(3).filter(is_within_word).count() * 10 > high
}

/// Whether more characters beyond ASCII are valid UTF-8 than are not.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > invalid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_western_texts_are_guessed() {
        let encoding = |bytes: &[u8]| guess(bytes).map(|(encoding, _)| encoding);
        let latin1 = "Ñandú, façade, Größe: une leçon à été répétée".chars().map(|c| c as u8).collect::<Vec<u8>>();
        for (bytes, expected) in [
            (&latin1[..], Some(SourceEncoding::Latin1)),
            (b"a \x80 5 note", Some(SourceEncoding::Windows1252)),
            (b"a \x81 5 note", None),
            (b"\x89PNG\r\n\x1a\n and so on", None),
            // "Привет, мир" in KOI8-R.
            (b"\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2", None),
            // "Zażółć gęślą jaźń" in Latin-2.
            (b"Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1", None),
            // "中文" among ASCII in Big5.
            (b"<html><title>\xa4\xa4\xa4\xe5</title><body>and much of what is not Chinese", None),
            // Cut within a character.
            ("Größe und Länge einer Straß".as_bytes().split_last().unwrap().1, None),
        ] {
            assert_eq!(encoding(bytes), expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn the_table_is_that_of_windows() {
        assert_eq!(windows_1252(&[0x80, 0x8c, 0x95, 0x9f, 0xa0, 0xff, b'a']).unwrap(), "€Œ•Ÿ\u{a0}ÿa");
        let missing: Vec<u8> = (0..=255).filter(|byte| windows_1252(&[*byte]).is_err()).collect();
        assert_eq!(missing, [0x81, 0x8d, 0x8f, 0x90, 0x9d]);
    }
}
