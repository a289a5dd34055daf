//! A charstring → the subroutines that it calls. It is run without drawing: which bytes are operators depends on the numbers before them.

use std::collections::BTreeSet;

use super::Version;
use super::index::Index;
use crate::SubsetError;
use crate::bytes::Bytes;
use crate::effort::Effort;

/// The deepest nesting of subroutines; the format allows 10.
const MAX_DEPTH: usize = 32;

/// More numbers than any charstring may have at a time.
const MAX_STACK: usize = 1024;

/// Subroutines, and which of them are called.
pub(super) struct Subroutines<'a> {
    index: Index<'a>,
    called: Vec<bool>,
}

impl<'a> Subroutines<'a> {
    pub(super) fn new(index: Index<'a>) -> Self {
        Self { index, called: vec![false; index.len()] }
    }

    /// Takes the subroutine that a charstring calls by this number.
    fn call(&mut self, number: i32) -> Result<Bytes<'a>, SubsetError> {
        let bias = match self.index.len() {
            0..1240 => 107,
            1240..33_900 => 1131,
            _ => 32_768,
        };
        let number = usize::try_from(number.saturating_add(bias)).unwrap_or(usize::MAX);
        let found = self.index.get(number)?;
        if let Some(is_called) = self.called.get_mut(number) {
            *is_called = true;
        }
        Ok(found)
    }

    /// The list with what is called; `None` if nothing is.
    pub(super) fn write(&self, version: Version, keeps_all: bool) -> Option<Vec<u8>> {
        let last = self.called.iter().rposition(|is_called| *is_called || keeps_all)?;
        // The last ones can go as far as the number that is added to those of calls stays the same.
        let fewest = match self.index.len() {
            0..1240 => 0,
            1240..33_900 => 1240,
            _ => 33_900,
        };
        let all = self.index.iter().zip(&self.called).take(fewest.max(last + 1));
        Some(Index::write(all.map(|(bytes, is_called)| if *is_called || keeps_all { bytes.0 } else { &[] }), version))
    }
}

/// What charstrings have reached.
#[derive(Default)]
pub(super) struct Reached {
    /// The standard codes of the parts of accented glyphs.
    pub(super) components: BTreeSet<u8>,
    /// Whether the number of a subroutine is computed, so that none can be left out.
    pub(super) is_unclear: bool,
}

/// The run of one charstring.
pub(super) struct Program<'p, 'a> {
    global: &'p mut Subroutines<'a>,
    local: &'p mut Subroutines<'a>,
    /// Of version 2: how many regions each set of variations has.
    regions: Option<&'p [usize]>,
    variations: usize,
    reached: &'p mut Reached,
    /// Numbers; `None` for one that is not known.
    stack: Vec<Option<i32>>,
    stems: usize,
}

impl<'p, 'a> Program<'p, 'a> {
    pub(super) fn new(
        global: &'p mut Subroutines<'a>,
        local: &'p mut Subroutines<'a>,
        regions: Option<&'p [usize]>,
        variations: usize,
        reached: &'p mut Reached,
    ) -> Self {
        Self { global, local, regions, variations, reached, stack: Vec::new(), stems: 0 }
    }

    pub(super) fn run(mut self, charstring: Bytes<'a>, effort: &mut Effort) -> Result<(), SubsetError> {
        self.part(charstring, 0, effort).map(|_| ())
    }

    /// Runs a charstring or a subroutine. Whether the glyph has ended.
    fn part(&mut self, code: Bytes<'a>, depth: usize, effort: &mut Effort) -> Result<bool, SubsetError> {
        if depth > MAX_DEPTH {
            return Err(code.fault("nests subroutines deeper than 32"));
        }
        let mut at = 0;
        while at < code.len() {
            effort.spend(1)?;
            let first = code.u8(at)?;
            at += 1;
            match first {
                28 => {
                    self.push(code, Some(i32::from(i16::from_be_bytes(code.array(at)?))))?;
                    at += 2;
                }
                32..=246 => self.push(code, Some(i32::from(first) - 139))?,
                247..=250 => {
                    self.push(code, Some((i32::from(first) - 247) * 256 + i32::from(code.u8(at)?) + 108))?;
                    at += 1;
                }
                251..=254 => {
                    self.push(code, Some(-(i32::from(first) - 251) * 256 - i32::from(code.u8(at)?) - 108))?;
                    at += 1;
                }
                255 => {
                    // With a fraction of 16 bits.
                    self.push(code, Some(i32::from_be_bytes(code.array(at)?) >> 16))?;
                    at += 4;
                }
                10 | 29 => {
                    let Some(Some(number)) = self.stack.pop() else {
                        self.reached.is_unclear = true;
                        return Ok(true);
                    };
                    let called = if first == 10 { self.local.call(number)? } else { self.global.call(number)? };
                    if self.part(called, depth + 1, effort)? {
                        return Ok(true);
                    }
                }
                11 => return Ok(false),
                14 => {
                    self.end();
                    return Ok(true);
                }
                1 | 3 | 18 | 23 => self.hints(),
                19 | 20 => {
                    self.hints();
                    at += self.stems.div_ceil(8);
                }
                15 if self.regions.is_some() => {
                    let set = self.stack.pop().flatten().and_then(|set| usize::try_from(set).ok());
                    self.variations = set.unwrap_or(usize::MAX);
                }
                16 if self.regions.is_some() => self.blend(code)?,
                12 => {
                    let second = code.u8(at)?;
                    at += 1;
                    self.compute(second);
                }
                // Lines and curves.
                _ => self.stack.clear(),
            }
        }
        Ok(false)
    }

    fn push(&mut self, code: Bytes<'a>, number: Option<i32>) -> Result<(), SubsetError> {
        if self.stack.len() == MAX_STACK {
            return Err(code.fault("has a charstring of more than 1,024 numbers in a row"));
        }
        self.stack.push(number);
        Ok(())
    }

    /// Pairs of numbers are stems; a first one without another is the width.
    fn hints(&mut self) {
        self.stems = self.stems.saturating_add(self.stack.len() / 2);
        self.stack.clear();
    }

    /// The end of a glyph. With four numbers before it, it consists of two others.
    fn end(&mut self) {
        if self.regions.is_none()
            && let [.., _, _, base, accent] = self.stack[..]
        {
            let codes = [base, accent].into_iter().flatten().filter_map(|code| u8::try_from(code).ok());
            self.reached.components.extend(codes);
        }
    }

    /// Numbers with their differences in each region become numbers.
    fn blend(&mut self, code: Bytes<'a>) -> Result<(), SubsetError> {
        let count = self.stack.pop().flatten().and_then(|count| usize::try_from(count).ok());
        let regions = self.regions.and_then(|regions| regions.get(self.variations));
        let (Some(count), Some(regions)) = (count, regions) else {
            return Err(code.fault("blends numbers of variations that it does not have"));
        };
        let taken = count.saturating_mul(*regions);
        let rest = self.stack.len().checked_sub(taken).filter(|rest| *rest >= count);
        let rest = rest.ok_or_else(|| code.fault("blends more numbers than it has"))?;
        self.stack.truncate(rest);
        Ok(())
    }

    /// An operator of arithmetic, whose result is not known, or a flex.
    fn compute(&mut self, operator: u8) {
        let (taken, made) = match operator {
            3 | 4 | 10..=12 | 15 | 24 => (2, 1),
            5 | 9 | 14 | 26 | 21 | 29 => (1, 1),
            18 => (1, 0),
            20 => (2, 0),
            22 => (4, 1),
            23 => (0, 1),
            27 => (1, 2),
            28 => (2, 2),
            30 => (2, 0),
            _ => {
                self.stack.clear();
                return;
            }
        };
        self.stack.truncate(self.stack.len().saturating_sub(taken));
        self.stack.resize(self.stack.len() + made, None);
        // The others are in another order.
        if operator == 30 {
            self.stack.fill(None);
        }
    }
}
