//! How a block divides its 128 bits: a grid of weights with one or two planes, and colours of one or two subsets.

use super::levels::LEAST_CHANNELS;
use super::sequence::{RANGES, Range};

/// What the channels of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channels {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
}

impl Channels {
    pub(super) const ALL: [Self; 4] = [Self::Gray, Self::GrayAlpha, Self::Rgb, Self::Rgba];

    /// The channels of a pixel that are stored.
    pub(super) fn stored(self) -> &'static [usize] {
        match self {
            Self::Gray => &[0],
            Self::GrayAlpha => &[0, 3],
            Self::Rgb => &[0, 1, 2],
            Self::Rgba => &[0, 1, 2, 3],
        }
    }

    /// The number of this kind of colours in ASTC.
    pub(super) fn code(self) -> u32 {
        4 * self as u32
    }
}

/// What a block has besides its colours and weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Division {
    /// The number of the pattern that divides it into two subsets.
    pub(super) pattern: Option<usize>,
    /// The channel that has a plane of weights of its own.
    pub(super) plane: Option<usize>,
}

impl Division {
    pub(super) fn subsets(self) -> usize {
        1 + usize::from(self.pattern.is_some())
    }

    pub(super) fn planes(self) -> usize {
        1 + usize::from(self.plane.is_some())
    }

    /// The bits of a block before the colours: the shape, the number of subsets, and what the channels are.
    pub(super) fn head(self) -> u32 {
        if self.pattern.is_some() { 29 } else { 17 }
    }

    /// The plane that has the weights of a channel.
    pub(super) fn plane_of(self, channel: usize) -> usize {
        usize::from(self.plane == Some(channel))
    }
}

/// The most pixels of a block.
pub(super) const MAX_TEXELS: usize = 64;

/// A weight of a grid that a pixel has a part of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    at: u8,
    sixteenths: u8,
    /// The same part.
    pub(super) part: f32,
}

impl Tap {
    /// The place of the weight, in a way that the compiler sees to be in range.
    pub(super) fn at(self) -> usize {
        usize::from(self.at) % MAX_TEXELS
    }
}

/// A grid of weights.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Which range the weights have.
    pub(super) weights: usize,
    /// For each pixel of the block four weights of the grid, and how much it has of them.
    pub(super) taps: Vec<[Tap; 4]>,
    /// The sum of the squares of the parts that pixels have of each weight.
    pub(super) squares: [f32; MAX_TEXELS],
}

impl Grid {
    /// A grid over blocks with this edge.
    pub(super) fn new(edge: usize, width: usize, height: usize, weights: usize) -> Self {
        let scale = (1024 + edge / 2) / (edge - 1);
        let along = |at: usize, len: usize| {
            let place = (scale * at * (len - 1) + 32) >> 6;
            (place >> 4, place & 15)
        };
        let tap = |pixel: usize| {
            let ((x, across), (y, down)) = (along(pixel % edge, width), along(pixel / edge, height));
            let both = (across * down + 8) >> 4;
            let parts = [16 + both - across - down, across - both, down - both, both];
            let first = x + y * width;
            let at = [first, first + 1, first + width, first + width + 1];
            // Weights without a part may be beyond the grid.
            std::array::from_fn(|i| Tap {
                at: if parts[i] == 0 { first } else { at[i] } as u8,
                sixteenths: parts[i] as u8,
                part: parts[i] as f32 / 16.0,
            })
        };
        let taps: Vec<[Tap; 4]> = (0..edge * edge).map(tap).collect();
        let mut squares = [0.0; MAX_TEXELS];
        taps.iter().flatten().for_each(|tap| squares[tap.at()] += tap.part * tap.part);
        Self { width, height, weights, taps, squares }
    }

    pub(super) fn len(&self) -> usize {
        self.width * self.height
    }

    pub(super) fn range(&self) -> Range {
        RANGES[self.weights]
    }

    /// The bits of the weights of all planes.
    pub(super) fn size(&self, planes: usize) -> u32 {
        self.range().size(self.len() * planes)
    }

    /// The weight of each pixel, of the weights of the grid in 64ths.
    pub(super) fn spread(&self, grid: &[u8], out: &mut [u8; MAX_TEXELS]) {
        if self.len() == self.taps.len() {
            out[..grid.len()].copy_from_slice(grid);
            return;
        }
        for (taps, out) in self.taps.iter().zip(out) {
            let sum: u32 = taps.iter().map(|tap| u32::from(grid[tap.at()]) * u32::from(tap.sixteenths)).sum();
            *out = ((sum + 8) >> 4) as u8;
        }
    }

    /// The weight of a pixel between weights of the grid.
    pub(super) fn between(grid: &[f32; MAX_TEXELS], taps: &[Tap; 4]) -> f32 {
        let [a, b, c, d] = taps.map(|tap| grid[tap.at()] * tap.part);
        (a + b) + (c + d)
    }

    /// The first 11 bits of a block with this grid and number of planes; `None` if such a block does not exist.
    pub(super) fn code(&self, planes: usize) -> Option<u32> {
        if !(24..=96).contains(&self.size(planes)) || self.len() * planes > 64 || self.weights > 11 {
            return None;
        }
        let (high, range) = if self.weights > 5 { (1, self.weights as u32 - 4) } else { (0, self.weights as u32 + 2) };
        let (width, height) = (self.width as u32, self.height as u32);
        let (a, b, kind) = match (width, height) {
            (4..=7, 2..=5) => (height - 2, width - 4, 0),
            (8..=11, 2..=5) => (height - 2, width - 8, 1),
            (2..=5, 8..=11) => (width - 2, height - 8, 2),
            (2..=5, 6..=7) => (width - 2, height - 6, 3),
            (2..=3, 2..=5) => (height - 2, width, 3),
            (6..=9, 6..=9) if high == 0 && planes == 1 => {
                let sizes = (width - 6) << 5 | (height - 6) << 9;
                return Some(sizes | 1 << 8 | (range & 1) << 4 | range >> 1 << 2);
            }
            _ => return None,
        };
        let dual = planes as u32 - 1;
        Some(dual << 10 | high << 9 | b << 7 | a << 5 | (range & 1) << 4 | kind << 2 | range >> 1)
    }

    /// The grid and the number of planes of a block that begins with these 11 bits; `None` if this encoder writes no such blocks.
    pub(super) fn of_code(code: u32, edge: usize) -> Option<(Self, usize)> {
        let (a, b) = ((code >> 5 & 3) as usize, (code >> 7 & 3) as usize);
        let (high, planes, range, (width, height)) = if code & 3 == 0 {
            if code >> 7 & 3 != 2 {
                return None;
            }
            (0, 1, code >> 2 & 3, (a + 6, (code >> 9 & 3) as usize + 6))
        } else {
            let size = match code >> 2 & 3 {
                0 => (b + 4, a + 2),
                1 => (b + 8, a + 2),
                2 => (a + 2, b + 8),
                _ if b < 2 => (a + 2, b + 6),
                _ => (b, a + 2),
            };
            (code >> 9 & 1, 1 + (code >> 10 & 1) as usize, code & 3, size)
        };
        let range = (range << 1 | code >> 4 & 1).checked_sub(2)? + 6 * high;
        Some((Self::new(edge, width, height, range as usize), planes))
    }

    /// The range of the channels of colours, which follows from the bits that the rest leaves; `None` if it is too small.
    pub(super) fn channels(&self, channels: Channels, division: Division) -> Option<usize> {
        let planes = division.planes();
        // The channel of the second plane takes two bits.
        let taken = division.head() + self.size(planes) + 2 * (planes as u32 - 1);
        let left = 128u32.checked_sub(taken)?;
        let fits = |range: &Range| range.size(2 * channels.stored().len() * division.subsets()) <= left;
        RANGES.iter().rposition(fits).filter(|range| *range >= LEAST_CHANNELS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grid_has_a_code_of_its_own() {
        let mut codes = std::collections::BTreeMap::new();
        let grids = (2..=8).flat_map(|w| (2..=8).flat_map(move |h| (0..12).map(move |r| (w, h, r))));
        for ((width, height, weights), planes) in grids.flat_map(|grid| [(grid, 1), (grid, 2)]) {
            let grid = Grid::new(8, width, height, weights);
            let Some(code) = grid.code(planes) else { continue };
            assert_eq!(codes.insert(code, (width, height, weights, planes)), None, "{code:#b}");
            let (found, found_planes) = Grid::of_code(code, 8).unwrap();
            assert_eq!(
                (found.width, found.height, found.weights, found_planes),
                (width, height, weights, planes),
                "{code:#b}"
            );
        }
        assert!(codes.len() > 200, "{}", codes.len());
    }
}
