//! The charset of a table `CFF`, and the standard encoding, by which old accented glyphs name their parts.

use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;

/// Ranges of codes of the standard encoding, each with the name of the first one.
const STANDARD: [(u8, u8, u16); 14] = [
    (32, 126, 1),
    (161, 175, 96),
    (177, 180, 111),
    (182, 189, 115),
    (191, 191, 123),
    (193, 200, 124),
    (202, 203, 132),
    (205, 208, 134),
    (225, 225, 138),
    (227, 227, 139),
    (232, 235, 140),
    (241, 241, 144),
    (245, 245, 145),
    (248, 251, 146),
];

/// The glyph with this code in the standard encoding. Without a charset, names are numbers of glyphs.
pub(super) fn glyph_of(code: u8, charset: Option<&[u16]>) -> Option<u16> {
    let (first, _, name) = STANDARD.iter().find(|(first, last, _)| (*first..=*last).contains(&code))?;
    let name = name + u16::from(code - first);
    match charset {
        None => Some(name),
        Some(names) => names.iter().position(|other| *other == name).and_then(|glyph| u16::try_from(glyph).ok()),
    }
}

/// The name of each glyph, and the bytes of the list.
pub(super) fn charset<'a>(
    table: Bytes<'a>,
    glyphs: usize,
    effort: &mut Effort,
) -> Result<(Vec<u16>, Bytes<'a>), SubsetError> {
    effort.spend(glyphs)?;
    // The first glyph has no entry.
    let mut names = vec![0];
    let mut at = 1;
    let of_count = match table.u8(0)? {
        0 => 0,
        1 => 1,
        2 => 2,
        _ => return Err(table.fault("has a charset of an unknown format")),
    };
    while names.len() < glyphs {
        let first = table.u16(at)?;
        let more = table.number(at + 2, of_count)?;
        let count = (more + 1).min(glyphs - names.len());
        names.extend((0..count).map(|number| first.wrapping_add(number as u16)));
        at += 2 + of_count;
    }
    Ok((names, table.slice(0, at)?))
}
