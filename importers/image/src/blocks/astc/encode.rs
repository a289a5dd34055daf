//! The pixels of a block → the layout with the least error, among those worth trying.

use rres_settings::BlockEffort;

use super::decode::FLAT;
use super::fit::{Layout, Pixels, Scratch, Try};
use super::line::{Vector, second_group};
use super::shape::{Channels, Division, Grid};
use super::subsets::Patterns;

/// If the mean squared error of a pixel is larger than this, other layouts than one line are tried.
const GOOD: u64 = 6;

/// Encodes blocks with an edge.
pub(super) struct Encoder {
    /// With one line for all pixels.
    plain: Vec<Grid>,
    /// With a second plane of weights.
    dual: Vec<Grid>,
    /// With two subsets.
    split: Vec<Grid>,
    /// How often weights and ends are computed.
    rounds: usize,
    /// How many patterns of subsets are tried.
    patterns: usize,
    /// Whether every channel is tried in the second plane, rather than only alpha.
    every_plane: bool,
    edge: usize,
}

impl Encoder {
    pub(super) fn new(edge: usize, effort: BlockEffort) -> Self {
        let is_best = effort == BlockEffort::Best;
        let grids = |(fast, more): (Sizes, Sizes)| {
            let sizes = fast.iter().chain(if is_best { more } else { &[] });
            sizes.map(|(width, height, weights)| Grid::new(edge, *width, *height, *weights)).collect()
        };
        Self {
            plain: grids(plain(edge)),
            dual: grids(dual(edge)),
            split: grids(split(edge)),
            rounds: if is_best { 4 } else { 2 },
            patterns: if is_best { 8 } else { 2 },
            every_plane: is_best,
            edge,
        }
    }

    pub(super) fn encode(&self, texels: &[[u8; 4]], scratch: &mut Scratch) -> [u8; 16] {
        let first = texels[0];
        if texels.iter().all(|texel| *texel == first) {
            let color = first.iter().rev().fold(0u128, |bits, channel| (bits << 16) | (u128::from(*channel) * 0x101));
            return ((color << 64) | u128::from(FLAT)).to_le_bytes();
        }
        let seen = visible(texels);
        let vectors: Vec<Vector> = seen.iter().map(|texel| texel.map(f32::from)).collect();
        let pixels = Pixels { texels: &seen, vectors: &vectors, channels: channels(&seen) };
        let mut best = Try::NONE;
        self.try_grids(&self.plain, Division::default(), &pixels, scratch, &mut best);
        if best.error > GOOD * seen.len() as u64 {
            let planes = match pixels.channels {
                Channels::Gray => &[][..],
                Channels::GrayAlpha => &[3],
                Channels::Rgb if self.every_plane => &[0, 1, 2],
                Channels::Rgb => &[],
                Channels::Rgba if self.every_plane => &[3, 0, 1, 2],
                Channels::Rgba => &[3],
            };
            for plane in planes {
                let division = Division { plane: Some(*plane), ..Division::default() };
                self.try_grids(&self.dual, division, &pixels, scratch, &mut best);
            }
        }
        if best.error > GOOD * seen.len() as u64 {
            let wanted = second_group(&vectors);
            for number in Patterns::of(self.edge).nearest(wanted, vectors.len(), self.patterns) {
                let division = Division { pattern: Some(number), ..Division::default() };
                self.try_grids(&self.split, division, &pixels, scratch, &mut best);
            }
        }
        best.bits.to_le_bytes()
    }

    fn try_grids(
        &self,
        grids: &[Grid],
        division: Division,
        pixels: &Pixels<'_>,
        scratch: &mut Scratch,
        best: &mut Try,
    ) {
        let second = division.pattern.map_or(0, |number| Patterns::of(self.edge).pattern(number));
        let mut lines = None;
        for grid in grids {
            let Some(layout) = Layout::new(grid, pixels.channels, division, second) else { continue };
            let mut lines = *lines.get_or_insert_with(|| layout.lines(pixels));
            for _ in 0..self.rounds {
                let tried = layout.fit(pixels, &mut lines, scratch);
                if tried.error < best.error {
                    *best = tried;
                }
            }
        }
    }
}

/// Grids: width, height and range of the weights.
type Sizes = &'static [(usize, usize, usize)];

/// The grids to try for an edge, and more of them for better blocks.
fn plain(edge: usize) -> (Sizes, Sizes) {
    match edge {
        4 => (
            &[(4, 4, 8), (4, 4, 5), (4, 4, 7), (4, 4, 10)],
            &[(4, 4, 4), (4, 4, 6), (4, 4, 9), (4, 4, 11), (4, 4, 3), (3, 4, 10), (4, 3, 10), (2, 4, 11), (4, 2, 11)],
        ),
        6 => (
            &[(5, 5, 4), (4, 4, 8), (6, 6, 2), (6, 4, 5), (4, 6, 5)],
            &[
                (6, 6, 1),
                (6, 6, 3),
                (5, 5, 2),
                (5, 5, 5),
                (4, 4, 5),
                (4, 4, 7),
                (5, 4, 5),
                (4, 5, 5),
                (3, 6, 7),
                (6, 3, 7),
                (3, 3, 11),
                (6, 5, 3),
                (5, 6, 3),
            ],
        ),
        _ => (
            &[(5, 5, 4), (4, 4, 8), (6, 6, 2), (8, 4, 4), (4, 8, 4), (8, 8, 0)],
            &[
                (7, 7, 1),
                (6, 6, 1),
                (6, 6, 3),
                (5, 5, 2),
                (5, 5, 5),
                (4, 4, 5),
                (4, 4, 10),
                (8, 5, 1),
                (5, 8, 1),
                (6, 4, 5),
                (4, 6, 5),
                (3, 8, 5),
                (8, 3, 5),
                (8, 2, 8),
                (2, 8, 8),
                (3, 3, 11),
            ],
        ),
    }
}

/// Grids of two planes.
fn dual(edge: usize) -> (Sizes, Sizes) {
    match edge {
        4 => (&[(4, 4, 2), (4, 4, 1), (3, 4, 3), (4, 3, 3)], &[(4, 4, 3), (3, 3, 4), (4, 2, 5), (2, 4, 5)]),
        6 => (&[(4, 4, 2), (5, 4, 1), (4, 5, 1)], &[(5, 5, 0), (6, 4, 0), (4, 6, 0), (3, 3, 5), (5, 3, 2), (3, 5, 2)]),
        _ => (&[(4, 4, 2), (5, 4, 1), (4, 5, 1)], &[(5, 5, 0), (8, 3, 0), (3, 8, 0), (3, 3, 5), (6, 3, 1), (3, 6, 1)]),
    }
}

/// Grids of two subsets.
fn split(edge: usize) -> (Sizes, Sizes) {
    match edge {
        4 => (&[(4, 4, 2), (4, 4, 4), (4, 4, 5)], &[(4, 4, 1), (4, 4, 3), (4, 4, 0), (3, 4, 4), (4, 3, 4), (4, 4, 7)]),
        6 => (
            &[(4, 4, 4), (6, 6, 0), (5, 5, 1)],
            &[(4, 4, 2), (6, 5, 0), (5, 6, 0), (5, 5, 0), (3, 3, 5), (6, 4, 1), (4, 6, 1)],
        ),
        _ => (
            &[(4, 4, 4), (5, 5, 1), (8, 4, 0), (4, 8, 0)],
            &[(6, 6, 0), (4, 4, 2), (5, 5, 0), (3, 3, 5), (8, 3, 1), (3, 8, 1)],
        ),
    }
}

/// What the channels of a block are.
fn channels(texels: &[[u8; 4]]) -> Channels {
    let is_gray = texels.iter().all(|[red, green, blue, _]| red == green && green == blue);
    let is_opaque = texels.iter().all(|texel| texel[3] == u8::MAX);
    match (is_gray, is_opaque) {
        (true, true) => Channels::Gray,
        (true, false) => Channels::GrayAlpha,
        (false, true) => Channels::Rgb,
        (false, false) => Channels::Rgba,
    }
}

/// The texels with the mean of the visible colours in place of invisible ones, which then cost the others no quality.
fn visible(texels: &[[u8; 4]]) -> Vec<[u8; 4]> {
    let seen = texels.iter().filter(|texel| texel[3] > 0);
    let count = seen.clone().count() as u32;
    let mean = [0, 1, 2].map(|c| (seen.clone().map(|texel| u32::from(texel[c])).sum::<u32>() / count.max(1)) as u8);
    let shown = |texel: &[u8; 4]| if texel[3] > 0 { *texel } else { [mean[0], mean[1], mean[2], 0] };
    texels.iter().map(shown).collect()
}
