//! Coloured glyphs of the table COLR → the glyphs that are their layers. The table itself stays as it is.

use std::collections::HashSet;

use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;
use crate::glyph_set::GlyphSet;

/// The deepest nesting of paints that is followed, as in other readers.
const MAX_DEPTH: usize = 64;

/// Adds the layers of the glyphs in the set.
pub(crate) fn close(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    flat(table, glyphs, effort)?;
    if table.u16(0)? == 0 {
        return Ok(());
    }
    let (start, layers) = (table.u32(14)? as usize, table.u32(18)? as usize);
    if start == 0 {
        return Ok(());
    }
    let bases = table.from(start)?;
    let mut graph = Graph { table, layers, seen: HashSet::new(), wanted: Vec::new() };
    let count = bases.u32(0)? as usize;
    let records = bases.slice(4, count.saturating_mul(6))?;
    // Paints refer to coloured glyphs, which have paints of their own.
    let mut is_done = vec![false; count];
    loop {
        let before = glyphs.len();
        for (record, is_done) in is_done.iter_mut().enumerate().filter(|(_, is_done)| !**is_done) {
            effort.spend(1)?;
            let record = records.slice(6 * record, 6)?;
            if glyphs.contains(record.u16(0)?) {
                *is_done = true;
                graph.visit(start.saturating_add(record.u32(2)? as usize), 0, effort)?;
            }
        }
        graph.wanted.drain(..).for_each(|glyph| {
            glyphs.insert(glyph);
        });
        if glyphs.len() == before {
            return Ok(());
        }
    }
}

/// Adds layers of one colour each, of version 0.
fn flat(table: Bytes<'_>, glyphs: &mut GlyphSet, effort: &mut Effort) -> Result<(), SubsetError> {
    let (count, bases) = (usize::from(table.u16(2)?), table.u32(4)? as usize);
    if count == 0 {
        return Ok(());
    }
    let bases = table.from(bases)?.slice(0, 6 * count)?;
    let layers = table.from(table.u32(8)? as usize)?.slice(0, 4 * usize::from(table.u16(12)?))?;
    for base in 0..count {
        let base = bases.slice(6 * base, 6)?;
        if glyphs.contains(base.u16(0)?) {
            let (first, count) = (usize::from(base.u16(2)?), usize::from(base.u16(4)?));
            effort.spend(count + 1)?;
            for layer in first..first + count {
                glyphs.insert(layers.u16(4 * layer)?);
            }
        }
    }
    Ok(())
}

/// The paints of version 1.
struct Graph<'a> {
    table: Bytes<'a>,
    /// Where the list of layers is; 0 if there is none.
    layers: usize,
    /// The places of paints that were visited.
    seen: HashSet<usize>,
    /// The glyphs that they draw.
    wanted: Vec<u16>,
}

impl Graph<'_> {
    /// Follows the paint at a place of the table.
    fn visit(&mut self, at: usize, depth: usize, effort: &mut Effort) -> Result<(), SubsetError> {
        effort.spend(1)?;
        if !self.seen.insert(at) {
            return Ok(());
        }
        if depth > MAX_DEPTH {
            return Err(self.table.fault("nests paints deeper than 64"));
        }
        let paint = self.table.from(at)?;
        let child = |place: usize| Ok::<_, SubsetError>(at.saturating_add(paint.u24(place)? as usize));
        match paint.u8(0)? {
            1 => {
                if self.layers == 0 {
                    return Err(self.table.fault("has no list of layers"));
                }
                let layers = self.table.from(self.layers)?;
                let (count, first) = (usize::from(paint.u8(1)?), paint.u32(2)? as usize);
                for layer in first..first.saturating_add(count) {
                    if layer >= layers.u32(0)? as usize {
                        return Err(self.table.fault("refers to a layer that it does not list"));
                    }
                    let offset = layers.u32(layer.saturating_mul(4).saturating_add(4))?;
                    self.visit(self.layers.saturating_add(offset as usize), depth + 1, effort)?;
                }
            }
            10 => {
                self.wanted.push(paint.u16(4)?);
                self.visit(child(1)?, depth + 1, effort)?;
            }
            11 => self.wanted.push(paint.u16(1)?),
            12..=31 => self.visit(child(1)?, depth + 1, effort)?,
            32 => {
                self.visit(child(1)?, depth + 1, effort)?;
                self.visit(child(5)?, depth + 1, effort)?;
            }
            // Fills have no glyphs.
            2..=9 => {}
            _ => return Err(self.table.fault("has a paint of an unknown format")),
        }
        Ok(())
    }
}
