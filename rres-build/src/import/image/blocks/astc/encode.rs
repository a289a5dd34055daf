//! The pixels of a block → the colours and weights with the least error, among a handful of grids.
//!
//! Pixels lie near a line through their mean. Its ends are the two colours; where a pixel is on it is its weight. Weights
//! are rounded to those of a grid, then the ends that suit these weights best are computed, and both are done again.
//! Only additions, multiplications, divisions and roots of floats are used, whose results IEEE 754 defines.

use super::decode::{FLAT, between, ends};
use super::levels::{CHANNELS, WEIGHTS};
use super::sequence::RANGES;
use super::shape::{Channels, Grid, HEAD};
use crate::settings::BlockEffort;

type Vector = [f32; 4];

/// How often weights and ends are computed.
const ROUNDS: usize = 2;
const ROUNDS_BEST: usize = 4;

/// Encodes blocks with an edge.
pub(super) struct Encoder {
    grids: Vec<Grid>,
    rounds: usize,
}

/// Scratch memory of an encoder.
#[derive(Default)]
pub(super) struct Scratch {
    weights: Vec<u8>,
    spread: Vec<u8>,
}

/// A block that was tried.
struct Try {
    error: u64,
    bits: u128,
}

impl Encoder {
    pub(super) fn new(edge: usize, effort: BlockEffort) -> Self {
        let (fast, best) = grids(edge);
        let (grids, rounds) = match effort {
            BlockEffort::Fast => (fast.to_vec(), ROUNDS),
            BlockEffort::Best => ([fast, best].concat(), ROUNDS_BEST),
        };
        let grids = grids.into_iter().map(|(width, height, weights)| Grid::new(edge, width, height, weights));
        Self { grids: grids.collect(), rounds }
    }

    pub(super) fn encode(&self, texels: &[[u8; 4]], scratch: &mut Scratch) -> [u8; 16] {
        let first = texels[0];
        if texels.iter().all(|texel| *texel == first) {
            let color = first.iter().rev().fold(0u128, |bits, channel| bits << 16 | u128::from(*channel) * 0x101);
            return (color << 64 | u128::from(FLAT)).to_le_bytes();
        }
        let seen = visible(texels);
        let is_gray = seen.iter().all(|[red, green, blue, _]| red == green && green == blue);
        let is_opaque = seen.iter().all(|texel| texel[3] == u8::MAX);
        let channels = match (is_gray, is_opaque) {
            (true, true) => Channels::Gray,
            (true, false) => Channels::GrayAlpha,
            (false, true) => Channels::Rgb,
            (false, false) => Channels::Rgba,
        };
        let vectors: Vec<Vector> = seen.iter().map(|texel| texel.map(f32::from)).collect();
        let line = line(&vectors);
        let mut best = Try { error: u64::MAX, bits: 0 };
        for grid in &self.grids {
            let (Some(code), Some(range)) = (grid.code(), grid.channels(channels)) else { continue };
            let mut ends = line;
            for _ in 0..self.rounds {
                let tried = self.fit(grid, channels, range, code, &seen, &vectors, &mut ends, scratch);
                if tried.error < best.error {
                    best = tried;
                }
            }
        }
        best.bits.to_le_bytes()
    }

    /// Computes weights for these ends, then ends for these weights, and the block of both.
    #[expect(clippy::too_many_arguments, reason = "they have nothing in common but this step")]
    fn fit(
        &self,
        grid: &Grid,
        channels: Channels,
        range: usize,
        code: u32,
        texels: &[[u8; 4]],
        vectors: &[Vector],
        line: &mut [Vector; 2],
        scratch: &mut Scratch,
    ) -> Try {
        let Scratch { weights, spread } = scratch;
        let levels = &WEIGHTS[grid.weights];
        nearest_weights(grid, vectors, *line, weights);
        let values: Vec<u8> = weights.iter().map(|weight| levels.values[usize::from(*weight)]).collect();
        grid.spread(&values, spread);
        *line = ends_of(vectors, spread, *line);

        let kind = &CHANNELS[range];
        let mut pairs: Vec<u8> = stored_channels(channels)
            .iter()
            .flat_map(|channel| [0, 1].map(|end| kind.nearest[(line[end][*channel] + 0.5) as usize]))
            .collect();
        let mut shown: Vec<u8> = pairs.iter().map(|number| kind.values[usize::from(*number)]).collect();
        let sum = |end: usize| shown.iter().skip(end).step_by(2).take(3).map(|v| u32::from(*v)).sum::<u32>();
        if channels.count() >= 3 && sum(1) < sum(0) {
            // The darker end must be the first one.
            pairs.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
            shown.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
            weights.iter_mut().for_each(|weight| *weight = levels.mirrored[usize::from(*weight)]);
            let values: Vec<u8> = weights.iter().map(|weight| levels.values[usize::from(*weight)]).collect();
            grid.spread(&values, spread);
        }
        let Some(found) = ends(channels, &shown) else { return Try { error: u64::MAX, bits: 0 } };
        let error = texels.iter().zip(&*spread).map(|(texel, weight)| squared(*texel, between(found, *weight))).sum();
        let head = u128::from(code | channels.code() << 13);
        let bits = head | RANGES[range].store(&pairs) << HEAD | grid.range().store(weights).reverse_bits();
        *line = found.map(|end| end.map(f32::from));
        Try { error, bits }
    }
}

/// The grids to try for an edge, and more of them for better blocks: width, height and range of the weights.
type Sizes = &'static [(usize, usize, usize)];

fn grids(edge: usize) -> (Sizes, Sizes) {
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

/// The channels of a pixel that are stored.
fn stored_channels(channels: Channels) -> &'static [usize] {
    match channels {
        Channels::Gray => &[0],
        Channels::GrayAlpha => &[0, 3],
        Channels::Rgb => &[0, 1, 2],
        Channels::Rgba => &[0, 1, 2, 3],
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

fn squared(a: [u8; 4], b: [u8; 4]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b)).pow(2)).sum()
}

fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The ends of the line along which pixels differ most.
fn line(vectors: &[Vector]) -> [Vector; 2] {
    let count = vectors.len() as f32;
    let mean: Vector = std::array::from_fn(|c| vectors.iter().map(|vector| vector[c]).sum::<f32>() / count);
    let centered = |vector: &Vector| -> Vector { std::array::from_fn(|c| vector[c] - mean[c]) };
    let mut products = [[0.0f32; 4]; 4];
    for vector in vectors.iter().map(centered) {
        for (row, a) in products.iter_mut().zip(vector) {
            row.iter_mut().zip(vector).for_each(|(sum, b)| *sum += a * b);
        }
    }
    // The row of the channel that differs most is not at right angles to the axis, to which multiplications turn it.
    let most = (0..4).fold(0, |most, c| if products[c][c] > products[most][most] { c } else { most });
    let mut axis = products[most];
    for _ in 0..8 {
        let turned = products.map(|row| dot(row, axis));
        let len = dot(turned, turned).sqrt();
        if len <= 0.0 {
            break;
        }
        axis = turned.map(|v| v / len);
    }
    let len = dot(axis, axis).sqrt().max(f32::MIN_POSITIVE);
    let axis = axis.map(|v| v / len);
    let places = vectors.iter().map(|vector| dot(centered(vector), axis));
    let (low, high) = places.fold((0.0f32, 0.0f32), |(low, high), place| (low.min(place), high.max(place)));
    [low, high].map(|place| std::array::from_fn(|c| (mean[c] + place * axis[c]).clamp(0.0, 255.0)))
}

/// The numbers of the weights of a grid whose pixels are nearest to the texels.
fn nearest_weights(grid: &Grid, vectors: &[Vector], [low, high]: [Vector; 2], out: &mut Vec<u8>) {
    let along: Vector = std::array::from_fn(|c| high[c] - low[c]);
    let len = dot(along, along);
    let place = |vector: &Vector| {
        let from: Vector = std::array::from_fn(|c| vector[c] - low[c]);
        if len > 0.0 { (dot(from, along) / len * 64.0).clamp(0.0, 64.0) } else { 0.0 }
    };
    let wanted: Vec<f32> = vectors.iter().map(place).collect();
    let levels = &WEIGHTS[grid.weights];
    let round = |weight: f32| levels.nearest[(weight.clamp(0.0, 64.0) + 0.5) as usize];
    if grid.len() == vectors.len() {
        out.clear();
        out.extend(wanted.into_iter().map(round));
        return;
    }
    let mut weights = vec![0.0f32; grid.len()];
    let mut parts = vec![0.0f32; grid.len()];
    for taps in &grid.taps {
        taps.iter().for_each(|(at, part)| parts[usize::from(*at)] += f32::from(*part));
    }
    // Each weight is moved by the mean of what its pixels lack, again and again.
    for round in 0..4 {
        let mut moves = vec![0.0f32; grid.len()];
        for (taps, wanted) in grid.taps.iter().zip(&wanted) {
            let found: f32 = taps.iter().map(|(at, part)| weights[usize::from(*at)] * f32::from(*part)).sum();
            let lack = if round == 0 { *wanted } else { wanted - found / 16.0 };
            taps.iter().for_each(|(at, part)| moves[usize::from(*at)] += lack * f32::from(*part));
        }
        for ((weight, moved), parts) in weights.iter_mut().zip(moves).zip(&parts) {
            *weight = (*weight + moved / parts.max(1.0)).clamp(0.0, 64.0);
        }
    }
    out.clear();
    out.extend(weights.into_iter().map(round));
}

/// The ends for which pixels with these weights have the least squared error.
fn ends_of(vectors: &[Vector], weights: &[u8], line: [Vector; 2]) -> [Vector; 2] {
    let (mut aa, mut ab, mut bb) = (0.0f32, 0.0f32, 0.0f32);
    let (mut a, mut b) = ([0.0f32; 4], [0.0f32; 4]);
    for (vector, weight) in vectors.iter().zip(weights) {
        let high = f32::from(*weight) / 64.0;
        let low = 1.0 - high;
        (aa, ab, bb) = (aa + low * low, ab + low * high, bb + high * high);
        for c in 0..4 {
            a[c] += low * vector[c];
            b[c] += high * vector[c];
        }
    }
    let det = aa * bb - ab * ab;
    if det < 0.01 {
        return line;
    }
    [
        std::array::from_fn(|c| ((a[c] * bb - b[c] * ab) / det).clamp(0.0, 255.0)),
        std::array::from_fn(|c| ((b[c] * aa - a[c] * ab) / det).clamp(0.0, 255.0)),
    ]
}
