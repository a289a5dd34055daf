//! Character tables of a font → the characters that it has, each with the number of its glyph.

use std::collections::BTreeMap;

use ttf_parser::Face;

use super::bounded::{bounded, stop};
use super::{DecodeError, damaged};

/// Most characters that the tables may list; there are 1,114,112, and several tables may list each.
const MAX_LISTED: u32 = 1 << 22;

/// The characters of a font. Tables of other encodings count only if there is none for Unicode: in Mac Roman ™ is 0xaa,
/// which in Unicode is ª.
pub(super) fn characters(face: &Face<'_>) -> Result<BTreeMap<char, u16>, DecodeError> {
    let mut characters = BTreeMap::new();
    let Some(cmap) = face.tables().cmap else { return Ok(characters) };
    let has_unicode = cmap.subtables.into_iter().any(|table| table.is_unicode());
    let glyph_count = face.number_of_glyphs();
    let mut listed = 0;
    let complete = bounded(|| {
        for table in cmap.subtables.into_iter().filter(|table| table.is_unicode() || !has_unicode) {
            table.codepoints(|code| {
                listed += 1;
                if listed > MAX_LISTED {
                    stop();
                }
                let glyph = table.glyph_index(code).map(|glyph| glyph.0);
                if let (Some(character), Some(1..)) = (char::from_u32(code), glyph)
                    && glyph < Some(glyph_count)
                {
                    characters.entry(character).or_insert(glyph.unwrap_or_default());
                }
            });
        }
    });
    match complete {
        Some(()) => Ok(characters),
        None => Err(damaged(format!("is a font that lists more than {MAX_LISTED} characters"))),
    }
}
