//! Writes the table `cmap`: a subtable for characters below 65,536, one for all if there are others, and one of variations if there are any.

use super::CharacterMap;
use crate::bytes::{put_u16, put_u32};

impl CharacterMap {
    /// The table.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut subtables = Vec::new();
        if !self.variations.is_empty() {
            subtables.push(((0, 5), self.variations()));
        }
        let low = self.segments();
        // A table of segments has a size of 16 bits.
        let is_low = low.len() <= usize::from(u16::MAX) && self.glyphs.keys().all(|code| *code < 0xffff);
        if low.len() <= usize::from(u16::MAX) {
            subtables.push(((3, if self.is_symbols { 0 } else { 1 }), low));
        }
        if !is_low {
            subtables.push(((3, 10), self.groups()));
        }
        let mut out = vec![0, 0];
        put_u16(&mut out, subtables.len());
        let mut place = 4 + 8 * subtables.len();
        for ((platform, encoding), subtable) in &subtables {
            put_u16(&mut out, *platform);
            put_u16(&mut out, *encoding);
            put_u32(&mut out, place);
            place += subtable.len();
        }
        subtables.into_iter().for_each(|(_, subtable)| out.extend(subtable));
        out
    }

    /// Runs of characters whose glyphs follow one another: first, last, and the glyph of the first.
    fn runs(&self) -> Vec<(u32, u32, u16)> {
        let mut runs: Vec<(u32, u32, u16)> = Vec::new();
        for (code, glyph) in &self.glyphs {
            match runs.last_mut() {
                Some((first, last, of))
                    if *last + 1 == *code && u32::from(*of) + (code - *first) == u32::from(*glyph) =>
                {
                    *last = *code;
                }
                _ => runs.push((*code, *code, *glyph)),
            }
        }
        runs
    }

    /// Format 4.
    fn segments(&self) -> Vec<u8> {
        let runs = self.runs().into_iter().filter(|(_, last, _)| *last < 0xffff);
        let mut runs: Vec<(u16, u16, u16)> =
            runs.map(|(first, last, glyph)| (first as u16, last as u16, glyph.wrapping_sub(first as u16))).collect();
        // The last segment is of no character.
        runs.push((0xffff, 0xffff, 1));
        let count = runs.len();
        let steps = count.ilog2();
        let mut out = Vec::new();
        put_u16(&mut out, 4_u16);
        put_u16(&mut out, 16 + 8 * count);
        put_u16(&mut out, 0_u16);
        put_u16(&mut out, 2 * count);
        put_u16(&mut out, 2_u32 << steps);
        put_u16(&mut out, steps);
        put_u16(&mut out, 2 * count - (2 << steps));
        runs.iter().for_each(|(_, last, _)| put_u16(&mut out, *last));
        put_u16(&mut out, 0_u16);
        runs.iter().for_each(|(first, _, _)| put_u16(&mut out, *first));
        runs.iter().for_each(|(_, _, delta)| put_u16(&mut out, *delta));
        runs.iter().for_each(|_| put_u16(&mut out, 0_u16));
        out
    }

    /// Format 12.
    fn groups(&self) -> Vec<u8> {
        let runs = self.runs();
        let mut out = vec![0, 12, 0, 0];
        put_u32(&mut out, 16 + 12 * runs.len());
        put_u32(&mut out, 0_u32);
        put_u32(&mut out, runs.len());
        for (first, last, glyph) in runs {
            put_u32(&mut out, first);
            put_u32(&mut out, last);
            put_u32(&mut out, u32::from(glyph));
        }
        out
    }

    /// Format 14.
    fn variations(&self) -> Vec<u8> {
        let mut records = Vec::new();
        let mut lists = Vec::new();
        let start = 10 + 11 * self.variations.len();
        let put_u24 = |out: &mut Vec<u8>, code: u32| out.extend_from_slice(&code.to_be_bytes()[1..]);
        for (selector, of) in &self.variations {
            put_u24(&mut records, *selector);
            let usual: Vec<u32> = of.iter().filter(|(_, glyph)| glyph.is_none()).map(|(code, _)| *code).collect();
            let special: Vec<(u32, u16)> = of.iter().filter_map(|(code, glyph)| Some((*code, (*glyph)?))).collect();
            put_u32(&mut records, if usual.is_empty() { 0 } else { start + lists.len() });
            if !usual.is_empty() {
                put_u32(&mut lists, usual.len());
                for code in usual {
                    put_u24(&mut lists, code);
                    lists.push(0);
                }
            }
            put_u32(&mut records, if special.is_empty() { 0 } else { start + lists.len() });
            if !special.is_empty() {
                put_u32(&mut lists, special.len());
                for (code, glyph) in special {
                    put_u24(&mut lists, code);
                    put_u16(&mut lists, glyph);
                }
            }
        }
        let mut out = vec![0, 14];
        put_u32(&mut out, start + lists.len());
        put_u32(&mut out, self.variations.len());
        out.extend(records);
        out.extend(lists);
        out
    }
}
