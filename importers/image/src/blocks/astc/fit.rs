//! One way to store a block → its bits and its error.
//!
//! Pixels of a subset lie near a line through their mean. Its ends are the two colours. The place of a pixel on it is its weight. Weights
//! are rounded to the weights of a grid, then the ends that suit these weights best are computed, and both are done again.
//! Only additions, multiplications, divisions and roots of floats are used, whose results IEEE 754 defines.

use super::decode::{between, ends};
use super::levels::{CHANNELS, WEIGHTS};
use super::line::{Vector, dot, line};
use super::sequence::RANGES;
use super::shape::{Channels, Division, Grid};

/// The pixels of a block.
pub(super) struct Pixels<'a> {
    pub(super) texels: &'a [[u8; 4]],
    pub(super) vectors: &'a [Vector],
    pub(super) channels: Channels,
}

/// A way to store a block: a grid, planes and subsets.
pub(super) struct Layout<'a> {
    grid: &'a Grid,
    division: Division,
    /// The pixels of the second subset.
    second: u64,
    code: u32,
    /// The range of the channels of colours.
    range: usize,
}

/// A block that was tried.
#[derive(Clone, Copy)]
pub(super) struct Try {
    pub(super) error: u64,
    pub(super) bits: u128,
}

impl Try {
    /// No block.
    pub(super) const NONE: Self = Self { error: u64::MAX, bits: 0 };
}

/// The ends of the line of each subset.
pub(super) type Lines = [[Vector; 2]; 2];

/// Scratch memory.
#[derive(Default)]
pub(super) struct Scratch {
    wanted: Vec<f32>,
    /// The numbers of the weights of a plane.
    weights: [Vec<u8>; 2],
    values: Vec<u8>,
    /// The weights of all pixels in a plane.
    spread: [Vec<u8>; 2],
}

impl<'a> Layout<'a> {
    /// The layout of blocks with these channels; `None` if they do not fit.
    pub(super) fn new(grid: &'a Grid, channels: Channels, division: Division, second: u64) -> Option<Self> {
        let (code, range) = (grid.code(division.planes())?, grid.channels(channels, division)?);
        Some(Self { grid, division, second, code, range })
    }

    fn subset(&self, at: usize) -> usize {
        (self.second >> at & 1) as usize
    }

    /// The lines to begin with.
    pub(super) fn lines(&self, pixels: &Pixels<'_>) -> Lines {
        std::array::from_fn(|subset| {
            let members = |at: &usize| self.subset(*at) == subset;
            let of_subset = (0..pixels.vectors.len()).filter(members).map(|at| pixels.vectors[at]);
            let mut vectors: Vec<Vector> = of_subset.collect();
            let Some(plane) = self.division.plane else { return line(&vectors) };
            // The channel of the second plane is a line of its own.
            let own = vectors.iter().map(|vector| vector[plane]);
            let (low, high) = own.fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(v), high.max(v)));
            vectors.iter_mut().for_each(|vector| vector[plane] = 0.0);
            let mut ends = line(&vectors);
            (ends[0][plane], ends[1][plane]) = (low, high);
            ends
        })
    }

    /// Computes weights for these lines, then lines for these weights, and the block of both.
    pub(super) fn fit(&self, pixels: &Pixels<'_>, lines: &mut Lines, scratch: &mut Scratch) -> Try {
        let Pixels { texels, vectors, channels } = *pixels;
        let Self { grid, division, .. } = *self;
        let subsets = division.subsets();
        for line in &mut lines[..subsets] {
            if brightness(line[1]) < brightness(line[0]) {
                line.reverse();
            }
        }
        let values = &WEIGHTS[grid.weights].values;
        let Scratch { wanted, weights, values: of_grid, spread } = scratch;
        for plane in 0..division.planes() {
            wanted.clear();
            wanted.extend((0..vectors.len()).map(|at| self.place(vectors[at], lines[self.subset(at)], plane)));
            nearest_weights(grid, wanted, &mut weights[plane]);
            of_grid.clear();
            of_grid.extend(weights[plane].iter().map(|weight| values[usize::from(*weight)]));
            grid.spread(of_grid, &mut spread[plane]);
            for (subset, line) in lines[..subsets].iter_mut().enumerate() {
                self.improve(vectors, subset, plane, &spread[plane], line);
            }
        }

        let kind = &CHANNELS[self.range];
        let pair =
            |line: &[Vector; 2], channel: usize| [0, 1].map(|end| kind.nearest[(line[end][channel] + 0.5) as usize]);
        let stored = channels.stored();
        let mut pairs: Vec<u8> =
            lines[..subsets].iter().flat_map(|line| stored.iter().flat_map(|channel| pair(line, *channel))).collect();
        let mut found = [[[0; 4]; 2]; 2];
        for (subset, pairs) in pairs.chunks_mut(2 * stored.len()).enumerate() {
            let mut shown: Vec<u8> = pairs.iter().map(|number| kind.values[usize::from(*number)]).collect();
            if ends(channels, &shown).is_none() {
                // The darker end must be the first one.
                lines[subset].reverse();
                if subsets == 2 {
                    return Try::NONE;
                }
                pairs.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
                shown.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
                for plane in 0..division.planes() {
                    self.mirror(&mut weights[plane], of_grid, &mut spread[plane]);
                }
            }
            let Some(ends) = ends(channels, &shown) else { return Try::NONE };
            found[subset] = ends;
            lines[subset] = ends.map(|end| end.map(f32::from));
        }
        let error = (0..texels.len())
            .map(|at| squared(texels[at], between(found[self.subset(at)], division, |plane| spread[plane][at])))
            .sum();
        Try { error, bits: self.bits(channels, &pairs, weights) }
    }

    /// The place of a pixel on the line, in 64ths, as far as the channels of a plane tell.
    fn place(&self, vector: Vector, [low, high]: [Vector; 2], plane: usize) -> f32 {
        let of_plane = |c: usize, v: f32| if self.division.plane_of(c) == plane { v } else { 0.0 };
        let along: Vector = std::array::from_fn(|c| of_plane(c, high[c] - low[c]));
        let from: Vector = std::array::from_fn(|c| of_plane(c, vector[c] - low[c]));
        let len = dot(along, along);
        if len > 0.0 { (dot(from, along) / len * 64.0).clamp(0.0, 64.0) } else { 0.0 }
    }

    /// The channels of a plane in the ends that give pixels with these weights the least squared error.
    fn improve(&self, vectors: &[Vector], subset: usize, plane: usize, weights: &[u8], line: &mut [Vector; 2]) {
        let (mut aa, mut ab, mut bb) = (0.0f32, 0.0f32, 0.0f32);
        let (mut a, mut b) = ([0.0f32; 4], [0.0f32; 4]);
        for at in (0..vectors.len()).filter(|at| self.subset(*at) == subset) {
            let high = f32::from(weights[at]) / 64.0;
            let low = 1.0 - high;
            (aa, ab, bb) = (aa + low * low, ab + low * high, bb + high * high);
            for c in 0..4 {
                a[c] += low * vectors[at][c];
                b[c] += high * vectors[at][c];
            }
        }
        let det = aa * bb - ab * ab;
        if det < 0.01 {
            return;
        }
        for c in (0..4).filter(|c| self.division.plane_of(*c) == plane) {
            line[0][c] = ((a[c] * bb - b[c] * ab) / det).clamp(0.0, 255.0);
            line[1][c] = ((b[c] * aa - a[c] * ab) / det).clamp(0.0, 255.0);
        }
    }

    /// Weights from the other end.
    fn mirror(&self, weights: &mut [u8], of_grid: &mut Vec<u8>, spread: &mut Vec<u8>) {
        let levels = &WEIGHTS[self.grid.weights];
        weights.iter_mut().for_each(|weight| *weight = levels.mirrored[usize::from(*weight)]);
        of_grid.clear();
        of_grid.extend(weights.iter().map(|weight| levels.values[usize::from(*weight)]));
        self.grid.spread(of_grid, spread);
    }

    fn bits(&self, channels: Channels, pairs: &[u8], weights: &[Vec<u8>; 2]) -> u128 {
        let Self { grid, division, code, range, .. } = *self;
        let kinds = match division.pattern {
            None => u128::from(channels.code()) << 13,
            Some(number) => 1 << 11 | (number as u128) << 13 | u128::from(channels.code()) << 25,
        };
        let (own, planes);
        let of_grid: &[u8] = match division.plane {
            None => &weights[0],
            Some(_) => {
                planes = weights[0].iter().zip(&weights[1]).flat_map(|(first, second)| [*first, *second]);
                own = planes.collect::<Vec<u8>>();
                &own
            }
        };
        let plane = division.plane.map_or(0, |channel| (channel as u128) << (126 - grid.size(2)));
        let stored = RANGES[range].store(pairs) << division.head();
        u128::from(code) | kinds | stored | plane | grid.range().store(of_grid).reverse_bits()
    }
}

fn brightness(end: Vector) -> f32 {
    end[0] + end[1] + end[2]
}

fn squared(a: [u8; 4], b: [u8; 4]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b)).pow(2)).sum()
}

/// The numbers of the weights of a grid whose pixels are nearest to the weights that they want.
fn nearest_weights(grid: &Grid, wanted: &[f32], out: &mut Vec<u8>) {
    let levels = &WEIGHTS[grid.weights];
    let round = |weight: f32| levels.nearest[(weight.clamp(0.0, 64.0) + 0.5) as usize];
    out.clear();
    if grid.len() == wanted.len() {
        out.extend(wanted.iter().copied().map(round));
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
        for (taps, wanted) in grid.taps.iter().zip(wanted) {
            let found: f32 = taps.iter().map(|(at, part)| weights[usize::from(*at)] * f32::from(*part)).sum();
            let lack = if round == 0 { *wanted } else { wanted - found / 16.0 };
            taps.iter().for_each(|(at, part)| moves[usize::from(*at)] += lack * f32::from(*part));
        }
        for ((weight, moved), parts) in weights.iter_mut().zip(moves).zip(&parts) {
            *weight = (*weight + moved / parts.max(1.0)).clamp(0.0, 64.0);
        }
    }
    out.extend(weights.into_iter().map(round));
}
