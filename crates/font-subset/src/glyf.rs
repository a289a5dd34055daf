//! The tables `glyf` and `loca`: outlines of TrueType. Glyphs outside of the set become empty.

use crate::SubsetError;
use crate::bytes::{Bytes, put_u16, put_u32};
use crate::effort::Effort;
use crate::file::{FontTables, Writer};
use crate::glyph_set::GlyphSet;

/// Flags of a component of a composite glyph.
const WORDS: u16 = 1;
const SCALE: u16 = 8;
const MORE: u16 = 0x20;
const TWO_SCALES: u16 = 0x40;
const MATRIX: u16 = 0x80;

/// Cuts the tables, after it has added the components of composite glyphs to the set.
pub(crate) fn cut(
    font: &FontTables<'_>,
    kept: &mut GlyphSet,
    out: &mut Writer,
    effort: &mut Effort,
) -> Result<(), SubsetError> {
    let outlines = Outlines {
        glyf: font.required(b"glyf")?,
        loca: font.required(b"loca")?,
        is_long: font.required(b"head")?.u16(50)? != 0,
    };
    let mut queue: Vec<u16> = kept.iter().collect();
    while let Some(glyph) = queue.pop() {
        for component in components(outlines.glyph(glyph)?, effort)? {
            if kept.insert(component) {
                queue.push(component);
            }
        }
    }
    let mut glyf = Vec::new();
    let mut places = vec![0];
    for glyph in 0..kept.of() as u16 {
        if kept.contains(glyph) {
            let outline = outlines.glyph(glyph)?;
            glyf.extend_from_slice(outline.0);
            // Glyphs that share outlines could repeat them without end.
            if glyf.len() > outlines.glyf.len() + 4 * kept.of() {
                return Err(outline.fault("has the same outlines several times"));
            }
            // Short places count in pairs of bytes; readers like multiples of four.
            glyf.resize(glyf.len().next_multiple_of(4), 0);
        }
        places.push(glyf.len());
    }
    let is_long = glyf.len() / 2 > usize::from(u16::MAX);
    let mut loca = Vec::new();
    for place in places {
        match is_long {
            true => put_u32(&mut loca, place),
            false => put_u16(&mut loca, place / 2),
        }
    }
    // Some readers refuse a table without bytes.
    if glyf.is_empty() {
        glyf.extend([0; 4]);
    }
    out.add(*b"glyf", glyf);
    out.add(*b"loca", loca);
    out.set_u16(b"head", 50, u16::from(is_long));
    Ok(())
}

struct Outlines<'a> {
    glyf: Bytes<'a>,
    loca: Bytes<'a>,
    is_long: bool,
}

impl<'a> Outlines<'a> {
    /// The bytes of a glyph; none of an empty one.
    fn glyph(&self, glyph: u16) -> Result<Bytes<'a>, SubsetError> {
        let place = |number: usize| match self.is_long {
            true => self.loca.u32(4 * number).map(|place| place as usize),
            false => self.loca.u16(2 * number).map(|place| 2 * usize::from(place)),
        };
        let (start, end) = (place(usize::from(glyph))?, place(usize::from(glyph) + 1)?);
        let len = end.checked_sub(start).ok_or_else(|| self.loca.fault("has glyphs that end before they begin"))?;
        if len == 0 {
            return Ok(Bytes(&[], self.glyf.1));
        }
        self.glyf.slice(start, len)
    }
}

/// The glyphs that a composite glyph is made of.
fn components(glyph: Bytes<'_>, effort: &mut Effort) -> Result<Vec<u16>, SubsetError> {
    let mut found = Vec::new();
    if glyph.len() == 0 || i16::from_be_bytes(glyph.array(0)?) >= 0 {
        return Ok(found);
    }
    let mut at = 10;
    loop {
        effort.spend(1)?;
        let flags = glyph.u16(at)?;
        found.push(glyph.u16(at + 2)?);
        at += if flags & WORDS != 0 { 8 } else { 6 };
        at += match flags {
            _ if flags & SCALE != 0 => 2,
            _ if flags & TWO_SCALES != 0 => 4,
            _ if flags & MATRIX != 0 => 8,
            _ => 0,
        };
        if flags & MORE == 0 {
            return Ok(found);
        }
    }
}
