//! Whether a font is bold or italic, according to the selection flags of its OS/2 table, or else the style of its head
//! table.

use rres_format::chunk::glyphs::FontStyle;

/// The style of a font, or of the first font of a collection. rres has no number for bold italic, so it becomes bold.
pub(super) fn style(bytes: &[u8]) -> FontStyle {
    let flags = |tag, at, bold: u16, italic: u16| {
        let flags = u16_at(table(bytes, tag)?, at)?;
        Some((flags & bold != 0, flags & italic != 0))
    };
    match flags(b"OS/2", 62, 1 << 5, 1 << 0).or_else(|| flags(b"head", 44, 1 << 0, 1 << 1)) {
        Some((true, _)) => FontStyle::BOLD,
        Some((false, true)) => FontStyle::ITALIC,
        Some((false, false)) => FontStyle::REGULAR,
        None => FontStyle::UNDEFINED,
    }
}

/// The bytes of a table.
fn table<'a>(bytes: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    let start = if bytes.starts_with(b"ttcf") { u32_at(bytes, 12)? } else { 0 };
    let count = usize::from(u16_at(bytes, start.checked_add(4)?)?);
    let records = bytes.get(start.checked_add(12)?..)?;
    let record = records.chunks_exact(16).take(count).find(|record| record.starts_with(tag))?;
    let (offset, len) = (u32_at(record, 8)?, u32_at(record, 12)?);
    bytes.get(offset..offset.checked_add(len)?)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?)).ok()
}
