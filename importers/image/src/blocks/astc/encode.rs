//! The pixels of a block → the layout with the least error, among those worth trying.

use std::sync::LazyLock;

use rres_settings::BlockEffort;

use super::choose::{Menu, Size};
use super::decode::FLAT;
use super::fit::{Parts, Pixels, Try};
use super::line::{Vector, odd_channel, second_group};
use super::shape::{Channels, Division};
use super::subsets::Patterns;

/// If the mean squared error of a pixel is larger than this, other layouts than one line are tried.
const GOOD: u64 = 6;

/// Encodes blocks with an edge.
pub(super) struct Encoder {
    /// By channels: with one line for all pixels, with a second plane of weights, with two subsets.
    menus: [[Menu; 3]; 4],
    /// How many grids of a menu become blocks.
    candidates: usize,
    /// How often weights and ends are computed.
    rounds: usize,
    /// How many patterns of subsets are compared, and how many become blocks.
    patterns: (usize, usize),
    /// Whether every channel is tried in the second plane, rather than one: alpha, or the one that is farthest from the line.
    every_plane: bool,
    edge: usize,
}

/// By edge and effort. Their tables are made once.
static ENCODERS: [[LazyLock<Encoder>; 2]; 3] = [
    [LazyLock::new(|| Encoder::new(4, BlockEffort::Fast)), LazyLock::new(|| Encoder::new(4, BlockEffort::Best))],
    [LazyLock::new(|| Encoder::new(6, BlockEffort::Fast)), LazyLock::new(|| Encoder::new(6, BlockEffort::Best))],
    [LazyLock::new(|| Encoder::new(8, BlockEffort::Fast)), LazyLock::new(|| Encoder::new(8, BlockEffort::Best))],
];

impl Encoder {
    /// The encoder of blocks with an edge of 4, 6 or 8.
    pub(super) fn of(edge: usize, effort: BlockEffort) -> &'static Self {
        &ENCODERS[match edge {
            4 => 0,
            6 => 1,
            _ => 2,
        }][usize::from(effort == BlockEffort::Best)]
    }

    fn new(edge: usize, effort: BlockEffort) -> Self {
        let is_best = effort == BlockEffort::Best;
        let sizes = sizes(edge, effort);
        let divisions = [
            Division::default(),
            Division { plane: Some(3), ..Division::default() },
            Division { pattern: Some(0), ..Division::default() },
        ];
        Self {
            menus: Channels::ALL.map(|channels| divisions.map(|division| Menu::new(edge, &sizes, channels, division))),
            candidates: if is_best { 8 } else { 3 },
            rounds: if is_best { 4 } else { 2 },
            patterns: if is_best { (256, 8) } else { (64, 2) },
            every_plane: is_best,
            edge,
        }
    }

    pub(super) fn encode(&self, texels: &[[u8; 4]]) -> [u8; 16] {
        let first = texels[0];
        if texels.iter().all(|texel| *texel == first) {
            let color = first.iter().rev().fold(0u128, |bits, channel| (bits << 16) | (u128::from(*channel) * 0x101));
            return ((color << 64) | u128::from(FLAT)).to_le_bytes();
        }
        let seen = visible(texels);
        let vectors: Vec<Vector> = seen.iter().map(|texel| texel.map(f32::from)).collect();
        let pixels = Pixels { texels: &seen, vectors: &vectors, channels: channels(&seen) };
        let [plain, dual, split] = &self.menus[pixels.channels as usize];
        let mut best = Try::NONE;
        self.try_grids(plain, Division::default(), &pixels, &mut best);
        if best.error > GOOD * seen.len() as u64 {
            let planes = match pixels.channels {
                Channels::Gray => &[][..],
                Channels::GrayAlpha => &[3],
                Channels::Rgb if self.every_plane => &[0, 1, 2],
                Channels::Rgba if self.every_plane => &[3, 0, 1, 2],
                Channels::Rgb => &[odd_channel(&vectors)],
                Channels::Rgba => &[3],
            };
            for plane in planes {
                let division = Division { plane: Some(*plane), ..Division::default() };
                self.try_grids(dual, division, &pixels, &mut best);
            }
        }
        if best.error > GOOD * seen.len() as u64 {
            let wanted = second_group(&vectors);
            let (compared, tried) = self.patterns;
            let patterns = Patterns::of(self.edge);
            for number in patterns.flattest(patterns.nearest(wanted, vectors.len(), compared), &vectors, tried) {
                let division = Division { pattern: Some(number), ..Division::default() };
                self.try_grids(split, division, &pixels, &mut best);
            }
        }
        best.bits.to_le_bytes()
    }

    /// Makes blocks of the most promising grids of a menu.
    fn try_grids(&self, menu: &Menu, division: Division, pixels: &Pixels<'_>, best: &mut Try) {
        let second = division.pattern.map_or(0, |number| Patterns::of(self.edge).pattern(number));
        let parts = Parts { division, second };
        let begin = parts.lines(pixels);
        let wanted = parts.wanted(pixels.vectors, &begin);
        for fitting in menu.best(&wanted[..division.planes()], self.candidates, best.error as f32 * 2.0) {
            let mut lines = begin;
            let mut last = u64::MAX;
            for _ in 0..self.rounds {
                let error = parts.fit(fitting, pixels, &mut lines, best);
                if error >= last {
                    break;
                }
                last = error;
            }
        }
    }
}

/// The sizes of grids to choose from.
fn sizes(edge: usize, effort: BlockEffort) -> Vec<Size> {
    let all = (2..=edge).flat_map(|width| (2..=edge).map(move |height| (width, height)));
    // With little time those of small blocks, and in large blocks those that are nearly square or span the block one way.
    let is_tried = |(width, height): &(usize, usize)| {
        effort == BlockEffort::Best || edge == 4 || {
            let (least, most) = (*width.min(height), *width.max(height));
            least >= 3 && (most - least <= 1 || most == edge && least >= edge / 2)
        }
    };
    all.filter(is_tried).map(|(width, height)| Size::new(edge, width, height)).collect()
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
    if count == 0 {
        // The colours beside a sprite's edge, which a sampler mixes with the colours of the next block.
        return texels.to_vec();
    }
    let mean = [0, 1, 2].map(|c| (seen.clone().map(|texel| u32::from(texel[c])).sum::<u32>() / count) as u8);
    let shown = |texel: &[u8; 4]| if texel[3] > 0 { *texel } else { [mean[0], mean[1], mean[2], 0] };
    texels.iter().map(shown).collect()
}
