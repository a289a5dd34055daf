//! Kerning of a font: pair adjustments of its GPOS table, or else its `kern` table → pairs of glyphs.
//!
//! Of GPOS, the lookups of the feature `kern` that scripts use by default count, of these the advance of the left glyph. Contextual
//! kerning is not read. A table can claim thousands of lookups that each look at every glyph, so the work is limited.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ttf_parser::Face;

use super::subset::table;
use super::tables::{Layout, class_of, coverage_index};

/// Most records of tables that are looked at.
const MAX_STEPS: u32 = 1 << 24;
/// Most pairs that are kept.
const MAX_PAIRS: usize = 1 << 21;

/// How much pairs of glyphs are kerned.
#[derive(Default)]
pub(super) struct Pairs {
    /// By left and right glyph, in units of the font.
    pub(super) pairs: BTreeMap<(u16, u16), i16>,
    /// Whether the tables have more than is read of hostile ones.
    pub(super) is_cut: bool,
}

/// The work that is left.
struct Steps(u32);

impl Steps {
    fn take(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.checked_sub(u32::try_from(count).ok()?)?;
        Some(())
    }
}

/// The pairs of these glyphs that the font kerns.
pub(super) fn pairs(face: &Face<'_>, glyphs: &BTreeSet<u16>) -> Pairs {
    let mut read = Pairs::default();
    let mut steps = Steps(MAX_STEPS);
    let gpos = table(face.raw_face(), b"GPOS").map(Layout);
    let lookups = gpos.and_then(|gpos| Some((gpos, kern_lookups(gpos, &mut steps)?))).filter(|(_, l)| !l.is_empty());
    let done = match lookups {
        Some((gpos, lookups)) => lookups.iter().try_for_each(|number| {
            let found = lookup(face, gpos, *number, glyphs, &mut steps)?;
            add(&mut read.pairs, found)
        }),
        None => old_table(face, glyphs, &mut steps, &mut read.pairs),
    };
    if done.is_none() {
        read = Pairs { pairs: BTreeMap::new(), is_cut: true };
    }
    read.pairs.retain(|_, value| *value != 0);
    read
}

/// Adds what one lookup says to what others have said. `None` if there are too many.
fn add(pairs: &mut BTreeMap<(u16, u16), i16>, found: HashMap<(u16, u16), i16>) -> Option<()> {
    for (pair, value) in found {
        let sum = pairs.entry(pair).or_insert(0);
        *sum = sum.saturating_add(value);
    }
    (pairs.len() <= MAX_PAIRS).then_some(())
}

/// The numbers of the lookups that kern; `None` if reading them takes too many steps.
fn kern_lookups(gpos: Layout<'_>, steps: &mut Steps) -> Option<BTreeSet<u16>> {
    let mut lookups = BTreeSet::new();
    let (Some(scripts), Some(features)) = (gpos.part(4), gpos.part(6)) else { return Some(lookups) };
    let mut chosen = BTreeSet::new();
    let script_count = scripts.u16(0).unwrap_or(0);
    for number in 0..usize::from(script_count) {
        let Some(language) = scripts.part(2 + number * 6 + 4).and_then(|script| script.part(0)) else { continue };
        let count = usize::from(language.u16(4).unwrap_or(0));
        steps.take(count + 1)?;
        chosen.extend((0..count).map_while(|i| language.u16(6 + i * 2)));
    }
    let feature_count = features.u16(0).unwrap_or(0);
    for number in 0..feature_count {
        let record = 2 + usize::from(number) * 6;
        let is_chosen = chosen.is_empty() || chosen.contains(&number);
        if !is_chosen || features.tag(record) != Some(*b"kern") {
            continue;
        }
        let Some(feature) = features.part(record + 4) else { continue };
        let count = usize::from(feature.u16(2).unwrap_or(0));
        steps.take(count + 1)?;
        lookups.extend((0..count).map_while(|i| feature.u16(4 + i * 2)));
    }
    Some(lookups)
}

/// What a lookup says of pairs of these glyphs. The first subtable that knows a pair decides.
fn lookup(
    face: &Face<'_>,
    gpos: Layout<'_>,
    number: u16,
    glyphs: &BTreeSet<u16>,
    steps: &mut Steps,
) -> Option<HashMap<(u16, u16), i16>> {
    let mut found = HashMap::new();
    let Some(lookup) = gpos.part(8).and_then(|list| list.part(2 + usize::from(number) * 2)) else { return Some(found) };
    let kind = lookup.u16(0);
    let count = usize::from(lookup.u16(4).unwrap_or(0));
    // Left glyphs whose kerning a subtable by classes has settled.
    let mut decided = BTreeSet::new();
    for i in 0..count {
        steps.take(1 + glyphs.len())?;
        let Some(mut subtable) = lookup.part(6 + i * 2) else { continue };
        let mut kind = kind;
        if kind == Some(9) {
            kind = subtable.u16(2);
            let Some(target) = subtable.far_part(4) else { continue };
            subtable = target;
        }
        if kind != Some(2) {
            continue;
        }
        let Some(coverage) = subtable.part(2) else { continue };
        let lefts: Vec<(u16, u16)> = glyphs
            .iter()
            .filter(|glyph| !decided.contains(*glyph))
            .filter_map(|glyph| Some((*glyph, coverage_index(coverage, *glyph)?)))
            .collect();
        match subtable.u16(0) {
            Some(1) => by_pair(face, subtable, &lefts, glyphs, steps, &mut found)?,
            Some(2) => {
                by_class(face, subtable, &lefts, glyphs, steps, &mut found)?;
                decided.extend(lefts.iter().map(|left| left.0));
            }
            _ => {}
        }
        if found.len() > MAX_PAIRS {
            return None;
        }
    }
    Some(found)
}

/// Format 1: for each left glyph a list of right ones.
fn by_pair(
    face: &Face<'_>,
    subtable: Layout<'_>,
    lefts: &[(u16, u16)],
    glyphs: &BTreeSet<u16>,
    steps: &mut Steps,
    found: &mut HashMap<(u16, u16), i16>,
) -> Option<()> {
    let Some(values) = Values::of(subtable) else { return Some(()) };
    for (left, index) in lefts {
        if *index >= subtable.u16(8).unwrap_or(0) {
            continue;
        }
        let Some(set) = subtable.part(10 + usize::from(*index) * 2) else { continue };
        let count = usize::from(set.u16(0).unwrap_or(0));
        steps.take(count)?;
        for i in 0..count {
            let at = 2 + i * (2 + values.size);
            let Some(right) = set.u16(at) else { break };
            if glyphs.contains(&right) {
                let value = values.advance(face, set, at + 2).unwrap_or(0);
                found.entry((*left, right)).or_insert(value);
            }
        }
    }
    Some(())
}

/// Format 2: a value for each class of left glyphs and class of right ones.
fn by_class(
    face: &Face<'_>,
    subtable: Layout<'_>,
    lefts: &[(u16, u16)],
    glyphs: &BTreeSet<u16>,
    steps: &mut Steps,
    found: &mut HashMap<(u16, u16), i16>,
) -> Option<()> {
    let parts =
        || Some((Values::of(subtable)?, subtable.part(8)?, subtable.part(10)?, subtable.u16(12)?, subtable.u16(14)?));
    let Some((values, left_classes, right_classes, rows, columns)) = parts() else { return Some(()) };
    steps.take(glyphs.len())?;
    let mut by_column: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for glyph in glyphs {
        by_column.entry(class_of(right_classes, *glyph)).or_default().push(*glyph);
    }
    let columns_used: Vec<(&u16, &Vec<u16>)> = by_column.iter().filter(|(column, _)| **column < columns).collect();
    for (left, _) in lefts {
        let row = class_of(left_classes, *left);
        if row >= rows {
            continue;
        }
        steps.take(columns_used.len())?;
        for (column, rights) in &columns_used {
            let cell = usize::from(row) * usize::from(columns) + usize::from(**column);
            let value = values.advance(face, subtable, 16 + cell * values.size).unwrap_or(0);
            // A pair of a list before this one may have another value; of those that are in none, 0 need not be kept.
            if value != 0 {
                steps.take(rights.len())?;
                rights.iter().for_each(|right| {
                    found.entry((*left, *right)).or_insert(value);
                });
                if found.len() > MAX_PAIRS {
                    return None;
                }
            }
        }
    }
    Some(())
}

/// The layout of the values of a pair.
struct Values {
    /// Bytes of the values of both glyphs.
    size: usize,
    /// The offset of the left glyph's advance, if it has one.
    advance: Option<usize>,
    /// The offset of the place of its change in variable fonts.
    change: Option<usize>,
}

impl Values {
    fn of(subtable: Layout<'_>) -> Option<Self> {
        let (left, right) = (subtable.u16(4)? & 0xff, subtable.u16(6)? & 0xff);
        let size = 2 * (left.count_ones() + right.count_ones()) as usize;
        // Numbers follow in the order of their bits.
        let place = |bit: u16| (left & bit != 0).then(|| 2 * (left & (bit - 1)).count_ones() as usize);
        Some(Self { size, advance: place(0x04), change: place(0x40) })
    }

    /// The advance of the values at `at` of a table. Changes are relative to that table.
    fn advance(&self, face: &Face<'_>, table: Layout<'_>, at: usize) -> Option<i16> {
        let value = table.u16(at + self.advance?)?.cast_signed();
        let change = || {
            let device = table.part(at + self.change?)?;
            if device.u16(4)? != 0x8000 || !face.has_non_default_variation_coordinates() {
                return None;
            }
            let coordinates = face.variation_coordinates();
            face.tables().gdef?.glyph_variation_delta(device.u16(0)?, device.u16(2)?, coordinates)
        };
        Some(value.saturating_add(change().unwrap_or(0.0).round() as i16))
    }
}

/// The `kern` table, which fonts have that are older than GPOS.
fn old_table(
    face: &Face<'_>,
    glyphs: &BTreeSet<u16>,
    steps: &mut Steps,
    pairs: &mut BTreeMap<(u16, u16), i16>,
) -> Option<()> {
    use ttf_parser::kern::Format;
    let Some(kern) = face.tables().kern else { return Some(()) };
    for subtable in kern.subtables {
        if !subtable.horizontal || subtable.variable || subtable.has_cross_stream || subtable.has_state_machine {
            continue;
        }
        let mut found = HashMap::new();
        if let Format::Format0(list) = &subtable.format {
            for pair in list.pairs {
                steps.take(1)?;
                let (left, right) = (pair.left().0, pair.right().0);
                if glyphs.contains(&left) && glyphs.contains(&right) {
                    found.entry((left, right)).or_insert(pair.value);
                }
            }
        } else {
            for left in glyphs {
                steps.take(glyphs.len())?;
                for right in glyphs {
                    let value = subtable.glyphs_kerning(ttf_parser::GlyphId(*left), ttf_parser::GlyphId(*right));
                    found.extend(value.filter(|value| *value != 0).map(|value| ((*left, *right), value)));
                }
                if found.len() > MAX_PAIRS {
                    return None;
                }
            }
        }
        add(pairs, found)?;
    }
    Some(())
}
