//! The table `gvar`: how outlines of TrueType follow the axes of a variable font. Glyphs outside of the set lose theirs.

use crate::SubsetError;
use crate::bytes::{Bytes, put_u16, put_u32};
use crate::glyph_set::GlyphSet;

/// The size of the header, before the places of the glyphs.
const HEADER: usize = 20;

pub(crate) fn cut(table: Bytes<'_>, kept: &GlyphSet) -> Result<Vec<u8>, SubsetError> {
    let (axes, shared) = (usize::from(table.u16(4)?), usize::from(table.u16(6)?));
    let tuples = table.from(table.u32(8)? as usize)?.slice(0, 2 * axes * shared)?;
    let count = table.u16(12)?;
    let is_long = table.u16(14)? & 1 != 0;
    let data = table.follow32(16)?;
    let place = |number: usize| match is_long {
        true => table.u32(HEADER + 4 * number).map(|place| place as usize),
        false => table.u16(HEADER + 2 * number).map(|place| 2 * usize::from(place)),
    };
    let mut own = Vec::new();
    let mut places = vec![0];
    for glyph in 0..count {
        let (start, end) = (place(usize::from(glyph))?, place(usize::from(glyph) + 1)?);
        if kept.contains(glyph) {
            let len = end.checked_sub(start).ok_or_else(|| table.fault("has glyphs that end before they begin"))?;
            own.extend_from_slice(data.slice(start, len)?.0);
            // Glyphs that share variations could repeat them without end.
            if own.len() > data.len() + 2 * usize::from(count) {
                return Err(table.fault("has the same variations several times"));
            }
            own.resize(own.len().next_multiple_of(2), 0);
        }
        places.push(own.len());
    }
    let is_long = own.len() / 2 > usize::from(u16::MAX);
    let mut out = table.slice(0, 8)?.0.to_vec();
    let start = HEADER + places.len() * if is_long { 4 } else { 2 };
    put_u32(&mut out, start);
    put_u16(&mut out, count);
    put_u16(&mut out, u16::from(is_long));
    put_u32(&mut out, start + tuples.len());
    for place in places {
        match is_long {
            true => put_u32(&mut out, place),
            false => put_u16(&mut out, place / 2),
        }
    }
    out.extend_from_slice(tuples.0);
    out.extend(own);
    Ok(out)
}
