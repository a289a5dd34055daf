//! Glyphs → those that the table GSUB can put in their place.
//!
//! Every substitution of every lookup counts, whatever script, language, feature and neighbours it is meant for: so features that a game
//! turns on by itself work, too, and nothing has to be known of contexts. Those only say where other lookups apply.

use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;
use crate::glyph_set::GlyphSet;

const SINGLE: u16 = 1;
const MULTIPLE: u16 = 2;
const ALTERNATE: u16 = 3;
const LIGATURE: u16 = 4;
const CONTEXT: u16 = 5;
const CHAINED: u16 = 6;
const EXTENSION: u16 = 7;
const REVERSE: u16 = 8;

/// Adds every glyph that substitutions can make of those in the set, until there are no more.
pub(crate) fn close(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    let Some(lookups) = table.optional16(8)? else { return Ok(()) };
    let mut subtables = Vec::new();
    for lookup in 0..usize::from(lookups.u16(0)?) {
        let Some(lookup) = lookups.optional16(2 + 2 * lookup)? else { continue };
        let sort = lookup.u16(0)?;
        for subtable in 0..usize::from(lookup.u16(4)?) {
            effort.spend(16)?;
            let Some(subtable) = lookup.optional16(6 + 2 * subtable)? else { continue };
            let (sort, subtable) = match sort {
                EXTENSION => (subtable.u16(2)?, subtable.follow32(4)?),
                sort => (sort, subtable),
            };
            match sort {
                SINGLE | MULTIPLE | ALTERNATE | LIGATURE | REVERSE => subtables.push((sort, subtable)),
                CONTEXT | CHAINED => {}
                _ => return Err(table.fault("has substitutions of an unknown kind")),
            }
        }
    }
    loop {
        let before = glyphs.len();
        for (sort, subtable) in &subtables {
            match *sort {
                SINGLE => single(*subtable, glyphs, effort)?,
                LIGATURE => ligatures(*subtable, glyphs, effort)?,
                REVERSE => reverse(*subtable, glyphs, effort)?,
                _ => sequences(*subtable, glyphs, effort)?,
            }
        }
        if glyphs.len() == before {
            return Ok(());
        }
    }
}

/// The glyphs of the set that a subtable covers, each with its number in the coverage.
fn covered(subtable: Bytes<'_>, glyphs: &GlyphSet, effort: &mut Effort) -> Result<Vec<(u16, usize)>, SubsetError> {
    let Some(table) = subtable.optional16(2)? else { return Ok(Vec::new()) };
    let count = usize::from(table.u16(2)?);
    effort.spend(count + 1)?;
    let mut found = Vec::new();
    match table.u16(0)? {
        1 => found.extend(table.u16s(4, count)?.enumerate().map(|(number, glyph)| (glyph, number))),
        2 => {
            for range in 0..count {
                let range = table.slice(4 + 6 * range, 6)?;
                let (first, last, number) = (range.u16(0)?, range.u16(2)?, usize::from(range.u16(4)?));
                effort.spend(usize::from(last.saturating_sub(first)))?;
                let inside = (first..=last).filter(|glyph| glyphs.contains(*glyph));
                found.extend(inside.map(|glyph| (glyph, number + usize::from(glyph - first))));
            }
        }
        _ => return Err(table.fault("has a coverage of an unknown format")),
    }
    found.retain(|(glyph, _)| glyphs.contains(*glyph));
    Ok(found)
}

/// One glyph becomes another.
fn single(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    let found = covered(table, glyphs, effort)?;
    let format = table.u16(0)?;
    for (glyph, number) in found {
        match format {
            1 => glyphs.insert(glyph.wrapping_add(table.u16(4)?)),
            2 if number < usize::from(table.u16(4)?) => glyphs.insert(table.u16(6 + 2 * number)?),
            2 => false,
            _ => return Err(table.fault("has substitutions of an unknown format")),
        };
    }
    Ok(())
}

/// One glyph becomes several, or one of several.
fn sequences(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    for (_, number) in covered(table, glyphs, effort)? {
        if number >= usize::from(table.u16(4)?) {
            continue;
        }
        let Some(sequence) = table.optional16(6 + 2 * number)? else { continue };
        let count = usize::from(sequence.u16(0)?);
        effort.spend(count)?;
        for glyph in sequence.u16s(2, count)? {
            glyphs.insert(glyph);
        }
    }
    Ok(())
}

/// Several glyphs become one.
fn ligatures(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    for (_, number) in covered(table, glyphs, effort)? {
        if number >= usize::from(table.u16(4)?) {
            continue;
        }
        let Some(set) = table.optional16(6 + 2 * number)? else { continue };
        effort.spend(usize::from(set.u16(0)?))?;
        for ligature in 0..usize::from(set.u16(0)?) {
            let Some(ligature) = set.optional16(2 + 2 * ligature)? else { continue };
            let others = usize::from(ligature.u16(2)?).saturating_sub(1);
            effort.spend(others + 1)?;
            if ligature.u16s(4, others)?.all(|glyph| glyphs.contains(glyph)) {
                glyphs.insert(ligature.u16(0)?);
            }
        }
    }
    Ok(())
}

/// One glyph becomes another, from the end of a text.
fn reverse(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    let found = covered(table, glyphs, effort)?;
    // Coverages of what is before and after lie between the own one and the substitutes.
    let before = 4;
    let after = before + 2 + 2 * usize::from(table.u16(before)?);
    let substitutes = after + 2 + 2 * usize::from(table.u16(after)?);
    for (_, number) in found {
        if number < usize::from(table.u16(substitutes)?) {
            glyphs.insert(table.u16(substitutes + 2 + 2 * number)?);
        }
    }
    Ok(())
}
