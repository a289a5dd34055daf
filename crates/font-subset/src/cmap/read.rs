//! Reads the table `cmap`, by the subtable that shapers choose.

use std::collections::BTreeMap;

use super::CharacterMap;
use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;

/// Platforms and encodings of Unicode, the best first.
const UNICODE: [(u16, u16); 8] = [(3, 10), (0, 6), (0, 4), (3, 1), (0, 3), (0, 2), (0, 1), (0, 0)];
const SYMBOLS: (u16, u16) = (3, 0);
const VARIATIONS: (u16, u16) = (0, 5);

impl CharacterMap {
    /// Reads the characters of a font.
    pub(crate) fn read(table: Bytes<'_>, effort: &mut Effort) -> Result<Self, SubsetError> {
        let count = usize::from(table.u16(2)?);
        let mut subtables = BTreeMap::new();
        for record in 0..count {
            let record = table.slice(4 + 8 * record, 8)?;
            subtables.entry((record.u16(0)?, record.u16(2)?)).or_insert(record.u32(4)? as usize);
        }
        let of_unicode = UNICODE.iter().find_map(|key| subtables.get(key));
        let symbols = subtables.get(&SYMBOLS);
        let Some(at) = of_unicode.or(symbols) else {
            return Err(SubsetError::Unsupported("has no table of characters in Unicode"));
        };
        let glyphs = characters(table.from(*at)?, effort)?;
        let variations = match subtables.get(&VARIATIONS) {
            Some(at) => variations(table.from(*at)?, effort)?,
            None => BTreeMap::new(),
        };
        Ok(Self { glyphs, is_symbols: of_unicode.is_none(), variations })
    }
}

/// The codes of a subtable, with their glyphs.
fn characters(table: Bytes<'_>, effort: &mut Effort) -> Result<BTreeMap<u32, u16>, SubsetError> {
    let mut glyphs = BTreeMap::new();
    let mut add = |code: u32, glyph: u16| {
        if glyph != 0 {
            glyphs.entry(code).or_insert(glyph);
        }
    };
    match table.u16(0)? {
        0 => (0..256).try_for_each(|code| table.u8(6 + code).map(|glyph| add(code as u32, u16::from(glyph))))?,
        4 => segments(table, effort, &mut add)?,
        6 => {
            let (first, count) = (u32::from(table.u16(6)?), usize::from(table.u16(8)?));
            table.u16s(10, count)?.zip(first..).for_each(|(glyph, code)| add(code, glyph));
        }
        10 => {
            let (first, count) = (table.u32(12)?, table.u32(16)? as usize);
            effort.spend(count)?;
            let glyphs = table.u16s(20, count)?.enumerate();
            glyphs.for_each(|(number, glyph)| add(first.saturating_add(number as u32), glyph));
        }
        format @ (12 | 13) => {
            let count = table.u32(12)? as usize;
            table.slice(16, count.saturating_mul(12))?;
            for group in 0..count {
                let group = table.slice(16 + 12 * group, 12)?;
                let (first, last, glyph) = (group.u32(0)?, group.u32(4)?, group.u32(8)?);
                if last < first || last > u32::from(char::MAX) {
                    return Err(table.fault("has a range of characters that there are not"));
                }
                effort.spend((last - first) as usize + 1)?;
                for code in first..=last {
                    let step = if format == 12 { code - first } else { 0 };
                    add(code, u16::try_from(glyph.saturating_add(step)).unwrap_or(0));
                }
            }
        }
        _ => {
            return Err(SubsetError::Unsupported(
                "has characters in a format that is no longer used (2 or 8 of table cmap)",
            ));
        }
    }
    Ok(glyphs)
}

/// Format 4: segments of characters below 65,536.
fn segments(table: Bytes<'_>, effort: &mut Effort, add: &mut impl FnMut(u32, u16)) -> Result<(), SubsetError> {
    let count = usize::from(table.u16(6)?) / 2;
    let ends = 14;
    let starts = ends + 2 * count + 2;
    let (deltas, offsets) = (starts + 2 * count, starts + 4 * count);
    for segment in 0..count {
        let of = |array: usize| table.u16(array + 2 * segment);
        let (first, last, delta, offset) = (of(starts)?, of(ends)?, of(deltas)?, usize::from(of(offsets)?));
        effort.spend(usize::from(last.saturating_sub(first)) + 1)?;
        for code in first..=last {
            let glyph = match offset {
                0 => code.wrapping_add(delta),
                // Fonts end their last segment with a place outside of the table.
                0xffff => 0,
                // The place counts from the offset itself.
                _ => match table.u16(offsets + 2 * segment + offset + 2 * usize::from(code - first)) {
                    Ok(0) | Err(_) => 0,
                    Ok(glyph) => glyph.wrapping_add(delta),
                },
            };
            if code != 0xffff {
                add(u32::from(code), glyph);
            }
        }
    }
    Ok(())
}

type Variations = BTreeMap<u32, BTreeMap<u32, Option<u16>>>;

/// Format 14: glyphs of characters before selectors of variations.
fn variations(table: Bytes<'_>, effort: &mut Effort) -> Result<Variations, SubsetError> {
    let mut all = Variations::new();
    if table.u16(0)? != 14 {
        return Ok(all);
    }
    for record in 0..table.u32(6)? as usize {
        effort.spend(1)?;
        let record = table.slice(record.saturating_mul(11).saturating_add(10), 11)?;
        let (selector, usual, special) = (record.u24(0)?, record.u32(3)? as usize, record.u32(7)? as usize);
        let of: &mut BTreeMap<u32, Option<u16>> = all.entry(selector).or_default();
        if usual != 0 {
            let list = table.from(usual)?;
            for range in 0..list.u32(0)? as usize {
                let range = list.slice(range.saturating_mul(4).saturating_add(4), 4)?;
                let (first, more) = (range.u24(0)?, u32::from(range.u8(3)?));
                effort.spend(more as usize + 1)?;
                of.extend((first..=first + more).map(|code| (code, None)));
            }
        }
        if special != 0 {
            let list = table.from(special)?;
            for mapping in 0..list.u32(0)? as usize {
                effort.spend(1)?;
                let mapping = list.slice(mapping.saturating_mul(5).saturating_add(4), 5)?;
                of.insert(mapping.u24(0)?, Some(mapping.u16(3)?));
            }
        }
    }
    Ok(all)
}
