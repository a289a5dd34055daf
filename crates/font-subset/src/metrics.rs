//! The tables `hmtx` and `vmtx`: advances and bearings. Glyphs outside of the set lose theirs.

use crate::SubsetError;
use crate::bytes::put_u16;
use crate::file::{FontTables, Writer};
use crate::glyph_set::GlyphSet;

/// Where `hhea` and `vhea` have the number of glyphs with an advance of their own.
const COUNT: usize = 34;

/// Cuts one of the tables, if the font has it, and corrects its header.
pub(crate) fn cut(
    font: &FontTables<'_>,
    tag: &'static [u8; 4],
    header: &'static [u8; 4],
    kept: &GlyphSet,
    out: &mut Writer,
) -> Result<(), SubsetError> {
    let Some(table) = font.table(tag) else { return Ok(()) };
    let long = usize::from(font.required(header)?.u16(COUNT)?).min(kept.of());
    if long == 0 {
        return Err(table.fault("has no advances"));
    }
    let advance = |glyph: usize| table.u16(4 * glyph.min(long - 1));
    // A font may leave out the last bearings.
    let bearing = |glyph: usize| match glyph.checked_sub(long) {
        None => table.u16(4 * glyph + 2).unwrap_or_default(),
        Some(after) => table.u16(4 * long + 2 * after).unwrap_or_default(),
    };
    // The last advance is that of all glyphs after it.
    let last = kept.iter().next_back().unwrap_or_default();
    let common = advance(usize::from(last))?;
    let mut own = 1;
    for glyph in kept.iter() {
        if advance(usize::from(glyph))? != common {
            own = (usize::from(glyph) + 2).min(kept.of());
        }
    }
    let mut cut = Vec::with_capacity(2 * (own + kept.of()));
    for glyph in 0..kept.of() {
        let is_kept = kept.contains(glyph as u16);
        if glyph + 1 == own && !is_kept {
            put_u16(&mut cut, common);
        } else if glyph < own {
            put_u16(&mut cut, if is_kept { advance(glyph)? } else { 0 });
        }
        put_u16(&mut cut, if is_kept { bearing(glyph) } else { 0 });
    }
    out.add(*tag, cut);
    out.set_u16(header, COUNT, own as u16);
    Ok(())
}
