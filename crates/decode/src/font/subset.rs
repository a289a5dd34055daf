//! A font → the tables that its outlines are in, with a list of the characters that are drawn and of no other.
//!
//! The rasteriser keeps the outline of every character that a font lists: of a Chinese font hundreds of megabytes, and
//! most are never drawn.

use ttf_parser::RawFace;

/// The tables that the rasteriser reads, in the order of a font's directory. `cmap` is written anew.
const TABLES: &[&[u8; 4]] = &[b"CFF ", b"OS/2", b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"];

/// A font of the given characters, which come with their glyphs, in order. Of a collection: of its first font.
/// `own` tables replace the file's tables; with any, its other outlines are left out.
pub(super) fn subset(raw: &RawFace<'_>, own: &[([u8; 4], Vec<u8>)], characters: &[(char, u16)]) -> Vec<u8> {
    let cmap = character_table(characters);
    let find = |tag: &[u8; 4]| match own.iter().find(|table| table.0 == *tag) {
        Some((_, table)) => Some(&table[..]),
        None if tag == b"cmap" => Some(&cmap[..]),
        None if tag == b"CFF " && !own.is_empty() => None,
        None => table(raw, tag),
    };
    let tables: Vec<(&[u8; 4], &[u8])> = TABLES.iter().filter_map(|tag| Some((*tag, find(tag)?))).collect();
    let head = 12 + 16 * tables.len();
    let size = tables.iter().map(|(_, table)| table.len().next_multiple_of(4)).sum::<usize>();
    let mut out = Vec::with_capacity(head + size);
    let is_cff = tables.iter().any(|(tag, _)| *tag == b"CFF ");
    out.extend_from_slice(if is_cff { b"OTTO" } else { b"\0\x01\0\0" });
    out.extend_from_slice(&(tables.len() as u16).to_be_bytes());
    out.extend_from_slice(&[0; 6]);
    let mut offset = head;
    for (tag, table) in &tables {
        out.extend_from_slice(*tag);
        for number in [0, offset, table.len()] {
            out.extend_from_slice(&(number as u32).to_be_bytes());
        }
        offset += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        out.extend_from_slice(table);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}

/// A table of a font, whose directory may list them in any order.
pub(super) fn table<'a>(raw: &RawFace<'a>, tag: &[u8; 4]) -> Option<&'a [u8]> {
    let record = raw.table_records.into_iter().find(|record| record.tag.to_bytes() == *tag)?;
    let start = record.offset as usize;
    raw.data.get(start..start.checked_add(record.length as usize)?)
}

/// A `cmap` table of format 12: one range per character.
fn character_table(characters: &[(char, u16)]) -> Vec<u8> {
    let mut out = vec![0, 0, 0, 1];
    // Windows, all of Unicode, 12 bytes from the start.
    out.extend_from_slice(&[0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0]);
    for number in [16 + 12 * characters.len(), 0, characters.len()] {
        out.extend_from_slice(&(number as u32).to_be_bytes());
    }
    for (character, glyph) in characters {
        let code = u32::from(*character);
        for number in [code, code, u32::from(*glyph)] {
            out.extend_from_slice(&number.to_be_bytes());
        }
    }
    out
}
