//! The tables `CFF` and `CFF2`: outlines of PostScript. Charstrings of glyphs outside of the set, and subroutines that no other calls, become
//! empty; both keep their numbers.

mod charstring;
mod dict;
mod index;
mod standard;

use std::collections::BTreeSet;

use charstring::{Program, Reached, Subroutines};
use dict::Dict;
use index::Index;

use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;
use crate::glyph_set::GlyphSet;

/// Operators of dictionaries; the second byte of those that begin with 12 is in the upper half.
mod op {
    pub(super) const CHARSET: u16 = 15;
    pub(super) const ENCODING: u16 = 16;
    pub(super) const CHAR_STRINGS: u16 = 17;
    pub(super) const PRIVATE: u16 = 18;
    pub(super) const SUBRS: u16 = 19;
    pub(super) const VSINDEX: u16 = 22;
    pub(super) const VSTORE: u16 = 24;
    pub(super) const CHARSTRING_TYPE: u16 = 6 << 8 | 12;
    pub(super) const FD_ARRAY: u16 = 36 << 8 | 12;
    pub(super) const FD_SELECT: u16 = 37 << 8 | 12;
}

/// The charstring of an empty glyph: `endchar`.
const EMPTY: &[u8] = &[14];

/// Which of the two tables it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

/// The private part of a font dictionary: its entries, its subroutines, and the set of variations that it begins with.
struct Private<'a> {
    dict: Dict<'a>,
    subroutines: Subroutines<'a>,
    variations: usize,
}

impl<'a> Private<'a> {
    /// Reads what the entry of a font dictionary points to.
    fn read(
        table: Bytes<'a>,
        dict: &Dict<'_>,
        version: Version,
        effort: &mut Effort,
    ) -> Result<Option<Self>, SubsetError> {
        let Some([size, at]) = dict.numbers(op::PRIVATE) else { return Ok(None) };
        let dict = Dict::read(table.slice(at, size)?)?;
        let subroutines = match dict.number(op::SUBRS) {
            Some(offset) => Index::read(table.from(at.saturating_add(offset))?, version)?,
            None => Index::empty(table.1),
        };
        // Dictionaries may share subroutines, whose places are read and written for each: a step for each byte of them.
        effort.spend(size.saturating_add(subroutines.size()))?;
        let variations = dict.number(op::VSINDEX).unwrap_or_default();
        Ok(Some(Self { dict, subroutines: Subroutines::new(subroutines), variations }))
    }

    /// Writes the dictionary, and its subroutines after it. Its size.
    fn write(&self, version: Version, keeps_all: bool, out: &mut Vec<u8>) -> usize {
        let subroutines = self.subroutines.write(version, keeps_all);
        let mut dict = self.dict.clone();
        dict.remove(op::SUBRS);
        if let Some(subroutines) = subroutines {
            // The place counts from the dictionary, whose size the number does not change.
            dict.set(op::SUBRS, &[0]);
            dict.set(op::SUBRS, &[dict.size()]);
            out.extend(dict.write());
            out.extend(subroutines);
        } else {
            out.extend(dict.write());
        }
        dict.size()
    }
}

/// What the font dictionary of a glyph is: for each glyph a number, or 0 for all.
fn choices(table: Bytes<'_>, glyphs: usize, effort: &mut Effort) -> Result<(Vec<u16>, usize), SubsetError> {
    effort.spend(glyphs)?;
    let format = table.u8(0)?;
    if format == 0 {
        return Ok((table.slice(1, glyphs)?.0.iter().map(|number| u16::from(*number)).collect(), 1 + glyphs));
    }
    // Format 3 has numbers of 16 and 8 bits, format 4 of 32 and 16.
    let size = match format {
        3 => 2,
        4 => 4,
        _ => return Err(table.fault("has a choice of dictionaries of an unknown format")),
    };
    let record = size + size / 2;
    let count = table.number(1, size)?;
    let mut all = Vec::new();
    for range in 0..count {
        effort.spend(1)?;
        let at = 1 + size + range * record;
        let (first, number, end) =
            (table.number(at, size)?, table.number(at + size, size / 2)?, table.number(at + record, size)?);
        if first != all.len() || end < first || end > glyphs {
            return Err(table.fault("chooses dictionaries of other glyphs than there are"));
        }
        all.resize(end, number as u16);
    }
    if all.len() != glyphs {
        return Err(table.fault("chooses dictionaries of other glyphs than there are"));
    }
    Ok((all, 1 + size + count * record + size))
}

/// The dictionaries of the fonts that a table is made of, and which glyph has which.
struct Parts<'a> {
    dicts: Vec<Dict<'a>>,
    privates: Vec<Option<Private<'a>>>,
    choices: Vec<u16>,
    /// The choices as they are in the file.
    select: Option<Bytes<'a>>,
}

impl<'a> Parts<'a> {
    fn read(
        table: Bytes<'a>,
        top: &Dict<'_>,
        glyphs: usize,
        version: Version,
        effort: &mut Effort,
    ) -> Result<Self, SubsetError> {
        let mut parts = Self { dicts: Vec::new(), privates: Vec::new(), choices: vec![0; glyphs], select: None };
        if let Some(at) = top.number(op::FD_SELECT) {
            let select = table.from(at)?;
            let (choices, size) = choices(select, glyphs, effort)?;
            (parts.choices, parts.select) = (choices, Some(select.slice(0, size)?));
        }
        let Some(at) = top.number(op::FD_ARRAY) else {
            parts.privates.push(Private::read(table, top, version, effort)?);
            return Ok(parts);
        };
        for dict in Index::read(table.from(at)?, version)?.iter() {
            let dict = Dict::read(dict)?;
            parts.privates.push(Private::read(table, &dict, version, effort)?);
            parts.dicts.push(dict);
        }
        Ok(parts)
    }
}

/// Marks the subroutines that charstrings of the set call, and adds the glyphs that accented ones consist of.
fn reach<'a>(
    charstrings: &Index<'a>,
    global: &mut Subroutines<'a>,
    parts: &mut Parts<'a>,
    regions: Option<&[usize]>,
    kept: &GlyphSet,
    effort: &mut Effort,
) -> Result<Reached, SubsetError> {
    let mut reached = Reached::default();
    for glyph in kept.iter() {
        let charstring = charstrings.get(usize::from(glyph))?;
        let of = parts.choices.get(usize::from(glyph)).copied().unwrap_or_default();
        let private = parts.privates.get_mut(usize::from(of));
        let private = private.ok_or_else(|| charstring.fault("chooses a dictionary that it does not list"))?;
        let mut none = Subroutines::new(Index::empty(charstring.1));
        let (local, variations) = match private {
            Some(private) => (&mut private.subroutines, private.variations),
            None => (&mut none, 0),
        };
        Program::new(global, local, regions, variations, &mut reached).run(charstring, effort)?;
    }
    Ok(reached)
}

/// Cuts a table `CFF`, after it has added the glyphs that accented ones consist of to the set.
pub(crate) fn cut(table: Bytes<'_>, kept: &mut GlyphSet, effort: &mut Effort) -> Result<Vec<u8>, SubsetError> {
    let version = Version::One;
    let names = Index::read(table.from(usize::from(table.u8(2)?))?, version)?;
    let tops = Index::read(names.after(), version)?;
    let strings = Index::read(tops.after(), version)?;
    let mut global = Subroutines::new(Index::read(strings.after(), version)?);
    let top = Dict::read(tops.get(0)?)?;
    if top.number(op::CHARSTRING_TYPE).is_some_and(|sort| sort != 2) {
        return Err(table.fault("has charstrings of type 1"));
    }
    let missing = || table.fault("has no charstrings");
    let charstrings = Index::read(table.from(top.number(op::CHAR_STRINGS).ok_or_else(missing)?)?, version)?;
    let glyphs = charstrings.len();
    if glyphs < kept.of() {
        return Err(table.fault("has fewer glyphs than the table `maxp`"));
    }
    let mut parts = Parts::read(table, &top, glyphs, version, effort)?;
    let charset = match top.number(op::CHARSET) {
        None | Some(0..=2) => None,
        Some(at) => Some(standard::charset(table.from(at)?, glyphs, effort)?),
    };
    let mut reached = reach(&charstrings, &mut global, &mut parts, None, kept, effort)?;
    let accented: BTreeSet<u8> = std::mem::take(&mut reached.components);
    if !accented.is_empty() {
        let named = charset.as_ref().map(|(names, _)| names.as_slice());
        accented.iter().filter_map(|code| standard::glyph_of(*code, named)).for_each(|glyph| {
            kept.insert(glyph);
        });
        // Components have no components.
        let again = reach(&charstrings, &mut global, &mut parts, None, kept, effort)?;
        reached.is_unclear |= again.is_unclear;
    }

    // Everything that the dictionary points to, in the order in which it is written after it.
    let mut top = top;
    top.remove(op::ENCODING);
    for place in [op::CHARSET, op::FD_SELECT, op::FD_ARRAY, op::CHAR_STRINGS] {
        if top.number(place).is_some_and(|at| place != op::CHARSET || at > 2) {
            top.set(place, &[0]);
        }
    }
    if top.numbers::<2>(op::PRIVATE).is_some() {
        top.set(op::PRIVATE, &[0, 0]);
    }
    let mut head = vec![1, 0, 4, 4];
    head.extend_from_slice(names.whole().0);
    let mut tail = strings.whole().0.to_vec();
    tail.extend(global.write(version, reached.is_unclear).unwrap_or_else(|| Index::write([].into_iter(), version)));
    let start = head.len() + Index::write([top.write().as_slice()].into_iter(), version).len();
    if let Some((_, bytes)) = charset {
        top.set(op::CHARSET, &[start + tail.len()]);
        tail.extend_from_slice(bytes.0);
    }
    if let Some(select) = parts.select {
        top.set(op::FD_SELECT, &[start + tail.len()]);
        tail.extend_from_slice(select.0);
    }
    top.set(op::CHAR_STRINGS, &[start + tail.len()]);
    tail.extend(cut_charstrings(&charstrings, kept, EMPTY, version));
    write_privates(&mut top, parts, reached.is_unclear, version, start, &mut tail);
    head.extend(Index::write([top.write().as_slice()].into_iter(), version));
    head.extend(tail);
    Ok(head)
}

/// Cuts a table `CFF2`.
pub(crate) fn cut2(table: Bytes<'_>, kept: &GlyphSet, effort: &mut Effort) -> Result<Vec<u8>, SubsetError> {
    let version = Version::Two;
    let (header, size) = (usize::from(table.u8(2)?), usize::from(table.u16(3)?));
    let top = Dict::read(table.slice(header, size)?)?;
    let mut global = Subroutines::new(Index::read(table.from(header.saturating_add(size))?, version)?);
    let missing = || table.fault("has no charstrings");
    let charstrings = Index::read(table.from(top.number(op::CHAR_STRINGS).ok_or_else(missing)?)?, version)?;
    if charstrings.len() < kept.of() {
        return Err(table.fault("has fewer glyphs than the table `maxp`"));
    }
    let mut parts = Parts::read(table, &top, charstrings.len(), version, effort)?;
    let store = match top.number(op::VSTORE) {
        Some(at) => {
            let store = table.from(at)?;
            Some(store.slice(0, 2 + usize::from(store.u16(0)?))?)
        }
        None => None,
    };
    let regions = store.map(|store| regions(store, effort)).transpose()?.unwrap_or_default();
    let reached = reach(&charstrings, &mut global, &mut parts, Some(&regions), kept, effort)?;

    let mut top = top;
    for place in [op::VSTORE, op::FD_SELECT, op::FD_ARRAY, op::CHAR_STRINGS] {
        if top.number(place).is_some() {
            top.set(place, &[0]);
        }
    }
    let start = 5 + top.size();
    let mut tail = global.write(version, reached.is_unclear).unwrap_or_else(|| Index::write([].into_iter(), version));
    if let Some(store) = store {
        top.set(op::VSTORE, &[start + tail.len()]);
        tail.extend_from_slice(store.0);
    }
    if let Some(select) = parts.select {
        top.set(op::FD_SELECT, &[start + tail.len()]);
        tail.extend_from_slice(select.0);
    }
    top.set(op::CHAR_STRINGS, &[start + tail.len()]);
    tail.extend(cut_charstrings(&charstrings, kept, &[], version));
    write_privates(&mut top, parts, reached.is_unclear, version, start, &mut tail);
    let mut out = vec![2, 0, 5];
    crate::bytes::put_u16(&mut out, top.size());
    out.extend(top.write());
    out.extend(tail);
    Ok(out)
}

/// The number of regions of each set of variations, which is how many numbers `blend` takes for one.
fn regions(store: Bytes<'_>, effort: &mut Effort) -> Result<Vec<usize>, SubsetError> {
    let store = store.from(2)?;
    let count = usize::from(store.u16(6)?);
    effort.spend(count)?;
    (0..count).map(|set| Ok(usize::from(store.follow32(8 + 4 * set)?.u16(4)?))).collect()
}

fn cut_charstrings(charstrings: &Index<'_>, kept: &GlyphSet, empty: &[u8], version: Version) -> Vec<u8> {
    let all = charstrings.iter().enumerate();
    let all = all.map(|(glyph, charstring)| if kept.contains(glyph as u16) { charstring.0 } else { empty });
    Index::write(all, version)
}

/// Writes the private parts, and the dictionaries of fonts that point to them. `start` is where `tail` will be.
fn write_privates(
    top: &mut Dict<'_>,
    mut parts: Parts<'_>,
    keeps_all: bool,
    version: Version,
    start: usize,
    tail: &mut Vec<u8>,
) {
    if parts.dicts.is_empty() {
        if let Some(Some(private)) = parts.privates.first() {
            let place = start + tail.len();
            let size = private.write(version, keeps_all, tail);
            top.set(op::PRIVATE, &[size, place]);
        }
        return;
    }
    for (dict, private) in parts.dicts.iter_mut().zip(&parts.privates) {
        if let Some(private) = private {
            let place = start + tail.len();
            let size = private.write(version, keeps_all, tail);
            dict.set(op::PRIVATE, &[size, place]);
        }
    }
    top.set(op::FD_ARRAY, &[start + tail.len()]);
    let dicts: Vec<Vec<u8>> = parts.dicts.iter().map(Dict::write).collect();
    tail.extend(Index::write(dicts.iter().map(Vec::as_slice), version));
}
