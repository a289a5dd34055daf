//! Tables of OpenType layout: numbers and parts at offsets, coverages and classes of glyphs. Nothing outside of the bytes is read.

/// A table, from its start to the end of the one that it is in.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a>(pub(super) &'a [u8]);

impl<'a> Layout<'a> {
    pub(super) fn u16(self, at: usize) -> Option<u16> {
        Some(u16::from_be_bytes(self.0.get(at..)?.first_chunk().copied()?))
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(self.0.get(at..)?.first_chunk().copied()?))
    }

    pub(super) fn tag(self, at: usize) -> Option<[u8; 4]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    /// The table at the 16-bit offset that is at `at`.
    pub(super) fn part(self, at: usize) -> Option<Self> {
        let offset = usize::from(self.u16(at)?);
        self.0.get(offset..).filter(|_| offset > 0).map(Self)
    }

    /// The table at the 32-bit offset that is at `at`.
    pub(super) fn far_part(self, at: usize) -> Option<Self> {
        let offset = self.u32(at)? as usize;
        self.0.get(offset..).filter(|_| offset > 0).map(Self)
    }
}

/// The number of a glyph in a coverage table, if it is in there.
pub(super) fn coverage_index(coverage: Layout<'_>, glyph: u16) -> Option<u16> {
    let count = usize::from(coverage.u16(2)?);
    match coverage.u16(0)? {
        1 => find(count, |i| coverage.u16(4 + i * 2).map(|first| (first, first)), glyph).map(|at| at as u16),
        2 => {
            let range = |i| Some((coverage.u16(4 + i * 6)?, coverage.u16(6 + i * 6)?));
            let at = find(count, range, glyph)?;
            coverage.u16(8 + at * 6)?.checked_add(glyph - coverage.u16(4 + at * 6)?)
        }
        _ => None,
    }
}

/// The class of a glyph; 0 if the table does not name it.
pub(super) fn class_of(classes: Layout<'_>, glyph: u16) -> u16 {
    let class = || match classes.u16(0)? {
        1 => {
            let at = glyph.checked_sub(classes.u16(2)?)?;
            classes.u16(6 + usize::from(at) * 2).filter(|_| Some(at) < classes.u16(4))
        }
        2 => {
            let range = |i| Some((classes.u16(4 + i * 6)?, classes.u16(6 + i * 6)?));
            classes.u16(8 + find(usize::from(classes.u16(2)?), range, glyph)? * 6)
        }
        _ => None,
    };
    class().unwrap_or(0)
}

/// The number of the range that contains a glyph, of ranges in ascending order.
fn find(count: usize, range: impl Fn(usize) -> Option<(u16, u16)>, glyph: u16) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        let (first, last) = range(middle)?;
        match glyph {
            glyph if glyph < first => high = middle,
            glyph if glyph > last => low = middle + 1,
            _ => return Some(middle),
        }
    }
    None
}
