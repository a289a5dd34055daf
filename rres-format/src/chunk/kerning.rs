//! KERN: the exact advances of the glyphs of a font, and how much nearer or farther certain pairs of them stand. It follows the last atlas.
//!
//! Properties: layout version 1, glyphs, rows, pairs, units (`f32`). Data: 12 bytes per glyph, the end of each row as a `u32`, 4 bytes per
//! pair. Lengths are in units; `units` of them make the size of a strike in pixels.
//!
//! Glyphs that kern alike share a row, and those that are kerned alike share a column: fonts state kerning by classes of letters, and
//! their pairs one by one would take a hundred times the space.

use std::collections::HashMap;

use super::{PayloadView, block};
use crate::bytes::{slice, u16_at, u32_at};
use crate::error::{Error, Result};

/// The layout that this module reads and writes.
const VERSION: u32 = 1;
const GLYPH: usize = 12;
const PAIR: usize = 4;

/// The advances and the kerning of a font. The same for all of its strikes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kerning {
    units: f32,
    /// Ascending by codepoint.
    glyphs: Vec<KernedGlyph>,
    /// The end of each row in `pairs`.
    ends: Vec<u32>,
    /// Columns, ascending in each row, and how much is added to the advance.
    pairs: Vec<(u16, i16)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct KernedGlyph {
    codepoint: u32,
    advance: f32,
    /// The row that it chooses on the left of a pair, from 1; 0 is none.
    row: u16,
    /// The column that it chooses on the right of a pair, from 1; 0 is none.
    column: u16,
}

impl Kerning {
    /// Makes the table of `glyphs`, which are a codepoint, the number of a glyph and its advance each, and of `pairs`, which are the
    /// numbers of the left and the right glyph and what is added to the advance of the left one. Several codepoints may share a glyph.
    /// Of equal codepoints the first counts; of equal pairs the last.
    pub fn new(
        units: f32,
        glyphs: impl IntoIterator<Item = (u32, u16, f32)>,
        pairs: impl IntoIterator<Item = (u16, u16, i16)>,
    ) -> Self {
        let mut glyphs: Vec<(u32, u16, f32)> = glyphs.into_iter().collect();
        glyphs.sort_by_key(|glyph| glyph.0);
        glyphs.dedup_by_key(|glyph| glyph.0);
        let mut known: Vec<u16> = glyphs.iter().map(|glyph| glyph.1).collect();
        known.sort_unstable();
        known.dedup();
        let is_known = |glyph: &u16| known.binary_search(glyph).is_ok();
        // By column: which glyphs precede it, and how far.
        let mut columns: HashMap<u16, Vec<(u16, i16)>> = HashMap::new();
        for (left, right, value) in pairs {
            if is_known(&left) && is_known(&right) {
                columns.entry(right).or_default().push((left, value));
            }
        }
        let column_of = classes(&known, columns);
        let mut rows: HashMap<u16, Vec<(u16, i16)>> = HashMap::new();
        for (column, (_, lefts)) in column_of.members.iter().enumerate() {
            for (left, value) in lefts {
                rows.entry(*left).or_default().push((column as u16 + 1, *value));
            }
        }
        let row_of = classes(&known, rows);
        let mut table = Self { units, ..Self::default() };
        for (_, row) in &row_of.members {
            table.pairs.extend(row);
            table.ends.push(table.pairs.len() as u32);
        }
        table.glyphs.extend(glyphs.into_iter().map(|(codepoint, glyph, advance)| KernedGlyph {
            codepoint,
            advance,
            row: row_of.number(glyph),
            column: column_of.number(glyph),
        }));
        table
    }

    /// Reads and checks a payload.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short, [`Error::Inconsistent`] if the layout is not known, or if glyphs, rows or pairs are
    /// not in order or refer to others that do not exist.
    pub fn parse(payload: PayloadView<'_>) -> Result<Self> {
        let [version, glyphs, rows, pairs, units] = payload.first_props()?;
        let wrong = |detail: String| Error::inconsistent("kerning", detail);
        if version != VERSION {
            return Err(wrong(format!(
                "layout version {version}, expected {VERSION}: it was written by a newer version"
            )));
        }
        let units = f32::from_bits(units);
        if !(units.is_finite() && units > 0.0) {
            return Err(wrong(format!("{units} units, expected a number above 0")));
        }
        let data = payload.data();
        let glyph_data = slice(data, "glyphs", 0, u64::from(glyphs) * GLYPH as u64)?;
        let row_data = slice(data, "rows", glyph_data.len() as u64, u64::from(rows) * 4)?;
        let pair_data =
            slice(data, "pairs", (glyph_data.len() + row_data.len()) as u64, u64::from(pairs) * PAIR as u64)?;
        let glyphs: Vec<KernedGlyph> = glyph_data
            .chunks_exact(GLYPH)
            .map(|glyph| KernedGlyph {
                codepoint: u32_at(glyph, 0),
                advance: f32::from_bits(u32_at(glyph, 4)),
                row: u16_at(glyph, 8),
                column: u16_at(glyph, 10),
            })
            .collect();
        let ends: Vec<u32> = row_data.chunks_exact(4).map(|end| u32_at(end, 0)).collect();
        let pairs: Vec<(u16, i16)> =
            pair_data.chunks_exact(PAIR).map(|pair| (u16_at(pair, 0), u16_at(pair, 2).cast_signed())).collect();
        if !glyphs.is_sorted_by(|a, b| a.codepoint < b.codepoint) {
            return Err(wrong("the glyphs do not ascend".to_owned()));
        }
        if let Some(glyph) = glyphs.iter().find(|g| usize::from(g.row) > ends.len() || !g.advance.is_finite()) {
            let KernedGlyph { codepoint, row, advance, .. } = glyph;
            return Err(wrong(format!("{codepoint:#x} has row {row} of {rows} and the advance {advance}")));
        }
        if !ends.is_sorted() || ends.last().copied().unwrap_or(0) as usize != pairs.len() {
            return Err(wrong(format!("the rows do not end at the {} pairs", pairs.len())));
        }
        let table = Self { units, glyphs, ends, pairs };
        match (1..=table.ends.len()).find(|row| !table.row(*row as u16).is_sorted_by(|a, b| a.0 < b.0)) {
            Some(row) => Err(wrong(format!("the columns of row {row} do not ascend"))),
            None => Ok(table),
        }
    }

    /// Returns the block of the table.
    pub fn block(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.glyphs.len() * GLYPH + self.ends.len() * 4 + self.pairs.len() * PAIR);
        for KernedGlyph { codepoint, advance, row, column } in &self.glyphs {
            data.extend(codepoint.to_le_bytes());
            data.extend(advance.to_le_bytes());
            data.extend(row.to_le_bytes());
            data.extend(column.to_le_bytes());
        }
        self.ends.iter().for_each(|end| data.extend(end.to_le_bytes()));
        for (column, value) in &self.pairs {
            data.extend(column.to_le_bytes());
            data.extend(value.to_le_bytes());
        }
        let count = |len: usize| len as u32;
        let props =
            [VERSION, count(self.glyphs.len()), count(self.ends.len()), count(self.pairs.len()), self.units.to_bits()];
        block(&props, &data)
    }

    /// Returns how many units make the size of a strike.
    pub fn units(&self) -> f32 {
        self.units
    }

    /// Returns the advance of a character in units; `None` if the font does not contain it.
    pub fn advance(&self, character: char) -> Option<f32> {
        self.find(character).map(|glyph| glyph.advance)
    }

    /// Returns what is added to the advance of `left` if `right` follows, in units; 0 for most pairs.
    pub fn between(&self, left: char, right: char) -> i16 {
        let value = || {
            let row = self.row(self.find(left)?.row);
            let column = self.find(right)?.column;
            row.binary_search_by_key(&column, |pair| pair.0).ok().map(|at| row[at].1)
        };
        value().unwrap_or(0)
    }

    /// Returns whether no pair is kerned.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns every kerned pair of characters, in order, with what is added in units. There may be millions.
    pub fn pairs(&self) -> impl Iterator<Item = (char, char, i16)> + '_ {
        let mut by_column: HashMap<u16, Vec<char>> = HashMap::new();
        for glyph in self.glyphs.iter().filter(|glyph| glyph.column > 0) {
            by_column.entry(glyph.column).or_default().extend(char::from_u32(glyph.codepoint));
        }
        let lefts = self.glyphs.iter().filter_map(|glyph| Some((char::from_u32(glyph.codepoint)?, glyph.row)));
        lefts.flat_map(move |(left, row)| {
            let of_column = |(column, value): &(u16, i16)| {
                let rights = by_column.get(column).map(Vec::as_slice).unwrap_or_default();
                rights.iter().map(|right| (left, *right, *value)).collect::<Vec<_>>()
            };
            let mut pairs: Vec<_> = self.row(row).iter().flat_map(of_column).collect();
            pairs.sort_unstable();
            pairs
        })
    }

    fn find(&self, character: char) -> Option<&KernedGlyph> {
        let at = self.glyphs.binary_search_by_key(&u32::from(character), |glyph| glyph.codepoint).ok()?;
        Some(&self.glyphs[at])
    }

    /// The pairs of a row, counted from 1.
    fn row(&self, row: u16) -> &[(u16, i16)] {
        let range = || {
            let number = usize::from(row).checked_sub(1)?;
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
            self.pairs.get(start..*self.ends.get(number)? as usize)
        };
        range().unwrap_or_default()
    }
}

/// Glyphs by what they have in common.
struct Classes {
    class_of: HashMap<u16, u16>,
    /// The first glyph of each class, and the pairs of all of its glyphs.
    members: Vec<(u16, Vec<(u16, i16)>)>,
}

impl Classes {
    /// The number of a glyph's class, from 1; 0 if it has no pairs.
    fn number(&self, glyph: u16) -> u16 {
        self.class_of.get(&glyph).copied().unwrap_or(0)
    }
}

/// Gives glyphs with equal pairs the same class, in the order of `glyphs`. Pairs of the value 0 are none.
fn classes(glyphs: &[u16], mut pairs: HashMap<u16, Vec<(u16, i16)>>) -> Classes {
    let mut classes = Classes { class_of: HashMap::new(), members: Vec::new() };
    let mut known: HashMap<Vec<(u16, i16)>, u16> = HashMap::new();
    for glyph in glyphs {
        let Some(mut own) = pairs.remove(glyph) else { continue };
        // The last one of equal pairs.
        own.reverse();
        own.sort_by_key(|pair| pair.0);
        own.dedup_by_key(|pair| pair.0);
        own.retain(|pair| pair.1 != 0);
        if own.is_empty() {
            continue;
        }
        // 65,536 glyphs may all differ, and then one of them is not kerned.
        let Ok(next) = u16::try_from(classes.members.len() + 1) else { break };
        let class = *known.entry(own.clone()).or_insert(next);
        if class == next {
            classes.members.push((*glyph, own));
        }
        classes.class_of.insert(*glyph, class);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A, B and V. A and Ä are one glyph; A and B kern alike.
    fn table() -> Kerning {
        let glyphs = [(65, 1, 600.5), (66, 2, 610.0), (86, 3, 580.0), (196, 1, 600.5), (0x4e2d, 4, 1000.0)];
        Kerning::new(1200.0, glyphs, [(1, 3, -80), (2, 3, -80), (3, 1, -70), (3, 1, -75), (3, 2, 0), (9, 1, 5)])
    }

    fn parse(block: &[u8]) -> Result<Kerning> {
        Kerning::parse(PayloadView::parse(block)?)
    }

    #[test]
    fn pairs_are_found_by_character_and_others_are_zero() {
        let table = parse(&table().block()).unwrap();
        assert_eq!(table, super::tests::table());
        let pairs = [
            ('A', 'V'),
            ('B', 'V'),
            ('Ä', 'V'),
            ('V', 'A'),
            ('V', 'Ä'),
            ('V', 'B'),
            ('V', 'V'),
            ('中', 'V'),
            ('x', 'V'),
        ];
        assert_eq!(pairs.map(|(a, b)| table.between(a, b)), [-80, -80, -80, -75, -75, 0, 0, 0, 0]);
        assert_eq!((table.units(), table.advance('Ä'), table.advance('x')), (1200.0, Some(600.5), None));
        let all: Vec<_> = table.pairs().collect();
        assert_eq!(all, [('A', 'V', -80), ('B', 'V', -80), ('V', 'A', -75), ('V', 'Ä', -75), ('Ä', 'V', -80)]);
        assert!(!table.is_empty() && Kerning::new(1.0, [(65, 1, 1.0)], []).is_empty());
    }

    #[test]
    fn glyphs_that_kern_alike_share_a_row() {
        // 200 × 200 pairs of equal value.
        let glyphs = (0..200).map(|i| (0x4000 + i, i as u16, 1.0));
        let pairs = (0..200u16).flat_map(|left| (0..200).map(move |right| (left, right, -5)));
        let table = Kerning::new(10.0, glyphs, pairs);
        assert!(table.block().len() < 200 * GLYPH + 64);
        assert_eq!(table.between('\u{4000}', '\u{40c7}'), -5);
        assert_eq!(table.pairs().count(), 40_000);
    }

    #[test]
    fn as_many_glyphs_as_have_numbers_may_all_kern_in_their_own_way() {
        let glyphs = (0..=u16::MAX).map(|glyph| (u32::from(glyph) + 0x10000, glyph, 1.0));
        let table = Kerning::new(10.0, glyphs, (0..=u16::MAX).map(|glyph| (glyph, glyph, -1)));
        let first = '\u{10000}';
        assert_eq!((table.between(first, first), table.between(first, '\u{10001}')), (-1, 0));
        assert_eq!(table.between('\u{1fffe}', '\u{1fffe}'), -1);
        assert!(parse(&table.block()).is_ok());
    }

    #[test]
    fn any_change_of_a_byte_is_an_error_or_a_table_in_order() {
        let block = table().block();
        for len in 0..block.len() {
            assert!(parse(&block[..len]).is_err(), "{len}");
        }
        for at in 0..block.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = block.clone();
                changed[at] = value;
                let Ok(table) = parse(&changed) else { continue };
                assert!(table.pairs().count() < 100);
                table.between('A', 'V');
            }
        }
    }
}
