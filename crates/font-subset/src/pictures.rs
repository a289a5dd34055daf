//! Pictures of glyphs: `sbix`, and `CBDT` and `EBDT` with their lists of places. Glyphs outside of the set lose theirs.

use crate::SubsetError;
use crate::bytes::{Bytes, put_u16, put_u32};
use crate::effort::Effort;
use crate::file::{FontTables, Writer};
use crate::glyph_set::GlyphSet;

/// Cuts what the font has of these tables.
pub(crate) fn cut(
    font: &FontTables<'_>,
    kept: &GlyphSet,
    out: &mut Writer,
    effort: &mut Effort,
) -> Result<(), SubsetError> {
    if let Some(table) = font.table(b"sbix") {
        out.add(*b"sbix", sbix(table, kept, effort)?);
    }
    for (data, places) in [(b"CBDT", b"CBLC"), (b"EBDT", b"EBLC")] {
        if let (Some(pictures), Some(list)) = (font.table(data), font.table(places)) {
            let (pictures, list) = bitmaps(pictures, list, kept, effort)?;
            out.add(*data, pictures);
            out.add(*places, list);
        }
    }
    Ok(())
}

/// A table `sbix`: strikes with the place of each glyph.
fn sbix(table: Bytes<'_>, kept: &GlyphSet, effort: &mut Effort) -> Result<Vec<u8>, SubsetError> {
    let count = table.u32(4)? as usize;
    table.slice(8, count.saturating_mul(4))?;
    let mut out = table.slice(0, 8)?.0.to_vec();
    let mut strikes = Vec::new();
    for strike in 0..count {
        effort.spend(kept.of())?;
        put_u32(&mut out, 8 + 4 * count + strikes.len());
        let strike = table.follow32(8 + 4 * strike)?;
        let mut pictures = Vec::new();
        let mut places = Vec::new();
        let start = 4 + 4 * (kept.of() + 1);
        for glyph in 0..kept.of() {
            put_u32(&mut places, start + pictures.len());
            let (from, to) = (strike.u32(4 + 4 * glyph)? as usize, strike.u32(8 + 4 * glyph)? as usize);
            let len = to.checked_sub(from).ok_or_else(|| table.fault("has pictures that end before they begin"))?;
            if kept.contains(glyph as u16) && len > 0 {
                let picture = strike.slice(from, len)?;
                if picture.array(4) == Ok(*b"dupe") {
                    return Err(SubsetError::Unsupported("has pictures that repeat another (`dupe` of table sbix)"));
                }
                pictures.extend_from_slice(picture.0);
                // Glyphs or strikes that share pictures could repeat them without end.
                if strikes.len() + pictures.len() > table.len() {
                    return Err(table.fault("has glyphs of the same pictures"));
                }
            }
        }
        put_u32(&mut places, start + pictures.len());
        strikes.extend_from_slice(strike.slice(0, 4)?.0);
        strikes.extend(places);
        strikes.extend(pictures);
    }
    out.extend(strikes);
    Ok(out)
}

/// Pictures, and the list of their places: for each strike, for each range of glyphs.
fn bitmaps(
    pictures: Bytes<'_>,
    list: Bytes<'_>,
    kept: &GlyphSet,
    effort: &mut Effort,
) -> Result<(Vec<u8>, Vec<u8>), SubsetError> {
    /// The size of a strike in the list.
    const STRIKE: usize = 48;
    let count = list.u32(4)? as usize;
    let strikes = list.slice(8, count.saturating_mul(STRIKE))?;
    let mut data = pictures.slice(0, 4)?.0.to_vec();
    let mut head = list.slice(0, 8)?.0.to_vec();
    let mut tables = Vec::new();
    for strike in 0..count {
        let strike = strikes.slice(STRIKE * strike, STRIKE)?;
        let (start, ranges) = (strike.u32(0)? as usize, strike.u32(8)? as usize);
        let array = list.from(start)?;
        array.slice(0, ranges.saturating_mul(8))?;
        let place = 8 + STRIKE * count + tables.len();
        let mut index = Vec::new();
        let mut subtables = Vec::new();
        for range in 0..ranges {
            let record = array.slice(8 * range, 8)?;
            let (first, last) = (record.u16(0)?, record.u16(2)?);
            let subtable = array.from(record.u32(4)? as usize)?;
            index.extend_from_slice(&record.0[..4]);
            put_u32(&mut index, 8 * ranges + subtables.len());
            range_of(subtable, (first, last), pictures, kept, &mut data, &mut subtables, effort)?;
            subtables.resize(subtables.len().next_multiple_of(4), 0);
            // Ranges that share their places could repeat them without end. Those that do not take as much as before, and up to 3 bytes each.
            if tables.len() + subtables.len() > 2 * list.len() {
                return Err(list.fault("lists the same glyphs several times"));
            }
        }
        put_u32(&mut head, place);
        put_u32(&mut head, index.len() + subtables.len());
        head.extend_from_slice(&strike.0[8..]);
        tables.extend(index);
        tables.extend(subtables);
    }
    head.extend(tables);
    Ok((data, head))
}

/// One range of glyphs: the places are written to `out`, the pictures to `data`.
fn range_of(
    table: Bytes<'_>,
    (first, last): (u16, u16),
    pictures: Bytes<'_>,
    kept: &GlyphSet,
    data: &mut Vec<u8>,
    out: &mut Vec<u8>,
    effort: &mut Effort,
) -> Result<(), SubsetError> {
    let format = table.u16(0)?;
    let start = table.u32(4)? as usize;
    let count =
        usize::from(last.checked_sub(first).ok_or_else(|| table.fault("has a range that ends before it begins"))?) + 1;
    effort.spend(count)?;
    out.extend_from_slice(table.slice(0, 4)?.0);
    put_u32(out, data.len());
    // Every glyph has a place in formats 1 and 3, so that those outside of the set can be empty.
    if let 1 | 3 = format {
        let place = |number: usize| match format {
            1 => table.u32(8 + 4 * number).map(|place| place as usize),
            _ => table.u16(8 + 2 * number).map(usize::from),
        };
        let begin = data.len();
        for number in 0..=count {
            let at = data.len() - begin;
            match format {
                1 => put_u32(out, at),
                _ => put_u16(out, at),
            }
            let glyph = usize::from(first) + number;
            if number < count && kept.contains(glyph as u16) {
                let (from, to) = (place(number)?, place(number + 1)?);
                let len = to.checked_sub(from).ok_or_else(|| table.fault("has pictures that end before they begin"))?;
                add_pictures(pictures.slice(start.saturating_add(from), len)?, pictures, data)?;
            }
        }
        return Ok(());
    }
    // The other formats list few glyphs, or pictures of one size: they stay whole.
    let (list, len) = match format {
        2 => (12, (table.u32(8)? as usize).saturating_mul(count)),
        4 => {
            let glyphs = table.u32(8)? as usize;
            let end = table.u16(glyphs.saturating_mul(4).saturating_add(14))?;
            (glyphs.saturating_mul(4).saturating_add(8), usize::from(end))
        }
        5 => {
            let glyphs = table.u32(20)? as usize;
            (glyphs.saturating_mul(2).saturating_add(16), (table.u32(8)? as usize).saturating_mul(glyphs))
        }
        _ => return Err(table.fault("has places of pictures of an unknown format")),
    };
    effort.spend(list)?;
    out.extend_from_slice(table.slice(8, list)?.0);
    add_pictures(pictures.slice(start, len)?, pictures, data)
}

/// Adds some of the pictures to those that are kept.
fn add_pictures(some: Bytes<'_>, all: Bytes<'_>, data: &mut Vec<u8>) -> Result<(), SubsetError> {
    data.extend_from_slice(some.0);
    // Ranges that share pictures could repeat them without end.
    if data.len() > all.len() {
        return Err(all.fault("has the same pictures several times in its list"));
    }
    Ok(())
}
