//! One way to store a block → its bits and its error.
//!
//! Pixels of a subset lie near a line through their mean. Its ends are the two colours. The place of a pixel on it is its weight. Weights
//! are rounded to the weights of a grid, then the ends that suit these weights best are computed, and both are done again.
//! Only additions, multiplications, divisions and roots of floats are used, whose results IEEE 754 defines.

use super::choose::{Fitting, Wanted};
use super::decode::{between, ends};
use super::levels::{CHANNELS, WEIGHTS};
use super::line::{Vector, dot, line};
use super::sequence::RANGES;
use super::shape::{Channels, Division, MAX_TEXELS};

/// The pixels of a block.
pub(super) struct Pixels<'a> {
    pub(super) texels: &'a [[u8; 4]],
    pub(super) vectors: &'a [Vector],
    pub(super) channels: Channels,
}

/// How a block is divided.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) division: Division,
    /// The pixels of the second subset.
    pub(super) second: u64,
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

/// The weights of a plane.
#[derive(Clone, Copy)]
struct Plane {
    /// The number of each weight of the grid.
    numbers: [u8; MAX_TEXELS],
    /// The weights of all pixels, in 64ths.
    spread: [u8; MAX_TEXELS],
}

impl Parts {
    fn subset(&self, at: usize) -> usize {
        (self.second >> at & 1) as usize
    }

    /// The lines to begin with.
    pub(super) fn lines(&self, pixels: &Pixels<'_>) -> Lines {
        std::array::from_fn(|subset| {
            if subset >= self.division.subsets() {
                return [[0.0; 4]; 2];
            }
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

    /// The weights that put pixels nearest to these lines, for each plane.
    pub(super) fn wanted(&self, vectors: &[Vector], lines: &Lines) -> [Wanted; 2] {
        let mut planes = [Wanted::NONE; 2];
        for (plane, wanted) in planes.iter_mut().enumerate().take(self.division.planes()) {
            let of_plane = |v: Vector| -> Vector {
                std::array::from_fn(|c| if self.division.plane_of(c) == plane { v[c] } else { 0.0 })
            };
            let along = lines.map(|[low, high]| of_plane(std::array::from_fn(|c| high[c] - low[c])));
            let squares = along.map(|along| dot(along, along));
            wanted.is_even = self.second == 0;
            for (at, vector) in vectors.iter().enumerate() {
                let subset = self.subset(at);
                let (along, square, low) = (along[subset], squares[subset], lines[subset][0]);
                let from = std::array::from_fn(|c| vector[c] - low[c]);
                wanted.weights[at] =
                    if square > 0.0 { (dot(from, along) / square * 64.0).clamp(0.0, 64.0) } else { 0.0 };
                wanted.cost[at] = square / (64.0 * 64.0);
            }
        }
        planes
    }

    /// Computes weights for these lines, then lines for these weights, and the block of both if it is better than `best`. Returns the error.
    pub(super) fn fit(&self, fitting: &Fitting, pixels: &Pixels<'_>, lines: &mut Lines, best: &mut Try) -> u64 {
        let Pixels { texels, vectors, channels } = *pixels;
        let (grid, division) = (&fitting.grid, self.division);
        let (subsets, count) = (division.subsets(), division.planes());
        for line in &mut lines[..subsets] {
            if brightness(line[1]) < brightness(line[0]) {
                line.reverse();
            }
        }
        let wanted = self.wanted(vectors, lines);
        let mut planes = [Plane { numbers: [0; MAX_TEXELS], spread: [0; MAX_TEXELS] }; 2];
        let levels = &WEIGHTS[grid.weights];
        for (number, plane) in planes.iter_mut().enumerate().take(count) {
            let mut ideal = [0.0; MAX_TEXELS];
            fitting.inverse.apply(&wanted[number].weights, &mut ideal);
            for (number, ideal) in plane.numbers.iter_mut().zip(ideal).take(grid.len()) {
                *number = levels.nearest[(ideal + 0.5) as usize];
            }
            plane.spread(fitting);
            self.improve(vectors, number, &plane.spread, lines);
        }

        let kind = &CHANNELS[fitting.range];
        let stored = channels.stored();
        let len = 2 * stored.len();
        let mut pairs = [0; 16];
        let mut found = [[[0; 4]; 2]; 2];
        for (subset, pairs) in pairs.chunks_exact_mut(len).enumerate().take(subsets) {
            for (pair, channel) in pairs.as_chunks_mut::<2>().0.iter_mut().zip(stored) {
                *pair = [0, 1].map(|end| kind.nearest[(lines[subset][end][*channel] + 0.5) as usize]);
            }
            let shown = |pairs: &[u8]| {
                let mut shown = [0; 8];
                shown.iter_mut().zip(pairs).for_each(|(shown, number)| *shown = kind.values[usize::from(*number)]);
                ends(channels, &shown[..len])
            };
            let mut stands = shown(pairs);
            if stands.is_none() {
                // The darker end must be the first one.
                lines[subset].reverse();
                if subsets == 2 {
                    return u64::MAX;
                }
                pairs.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
                stands = shown(pairs);
                for plane in &mut planes[..count] {
                    plane.numbers.iter_mut().take(grid.len()).for_each(|number| {
                        *number = levels.mirrored[usize::from(*number)];
                    });
                    plane.spread(fitting);
                }
            }
            let Some(ends) = stands else { return u64::MAX };
            found[subset] = ends;
            lines[subset] = ends.map(|end| end.map(f32::from));
        }
        let error = (0..texels.len())
            .map(|at| {
                let color = between(found[self.subset(at)], division, |plane| planes[plane].spread[at]);
                u64::from(squared(texels[at], color))
            })
            .sum();
        if error < best.error {
            *best = Try { error, bits: self.bits(fitting, channels, &pairs[..len * subsets], &planes) };
        }
        error
    }

    /// The channels of a plane in the ends that give pixels with these weights the least squared error.
    fn improve(&self, vectors: &[Vector], plane: usize, weights: &[u8; MAX_TEXELS], lines: &mut Lines) {
        let mut sums = [([0.0f32; 3], [[0.0f32; 4]; 2]); 2];
        for (at, vector) in vectors.iter().enumerate() {
            let ([aa, ab, bb], [a, b]) = &mut sums[self.subset(at)];
            let high = f32::from(weights[at]) / 64.0;
            let low = 1.0 - high;
            *aa += low * low;
            *ab += low * high;
            *bb += high * high;
            for c in 0..4 {
                a[c] += low * vector[c];
                b[c] += high * vector[c];
            }
        }
        for (line, ([aa, ab, bb], [a, b])) in lines.iter_mut().zip(sums).take(self.division.subsets()) {
            let det = aa * bb - ab * ab;
            if det < 0.01 {
                continue;
            }
            for c in (0..4).filter(|c| self.division.plane_of(*c) == plane) {
                line[0][c] = ((a[c] * bb - b[c] * ab) / det).clamp(0.0, 255.0);
                line[1][c] = ((b[c] * aa - a[c] * ab) / det).clamp(0.0, 255.0);
            }
        }
    }

    fn bits(&self, fitting: &Fitting, channels: Channels, pairs: &[u8], planes: &[Plane; 2]) -> u128 {
        let Self { division, .. } = *self;
        let Fitting { grid, code, range, .. } = fitting;
        let kinds = match division.pattern {
            None => u128::from(channels.code()) << 13,
            Some(number) => 1 << 11 | (number as u128) << 13 | u128::from(channels.code()) << 25,
        };
        let mut numbers = [0; 2 * MAX_TEXELS];
        let count = division.planes();
        for (number, plane) in planes.iter().enumerate().take(count) {
            let of_plane = numbers.iter_mut().skip(number).step_by(count).take(grid.len());
            of_plane.zip(plane.numbers).for_each(|(to, number)| *to = number);
        }
        let plane = division.plane.map_or(0, |channel| (channel as u128) << (126 - grid.size(2)));
        let stored = RANGES[*range].store(pairs) << division.head();
        let weights = grid.range().store(&numbers[..grid.len() * count]).reverse_bits();
        u128::from(*code) | kinds | stored | plane | weights
    }
}

impl Plane {
    /// Computes the weights of all pixels.
    fn spread(&mut self, fitting: &Fitting) {
        let values = &WEIGHTS[fitting.grid.weights].values;
        let len = fitting.grid.len();
        let of_grid = self.numbers.map(|number| values[usize::from(number)]);
        fitting.grid.spread(&of_grid[..len], &mut self.spread);
    }
}

fn brightness(end: Vector) -> f32 {
    end[0] + end[1] + end[2]
}

fn squared(a: [u8; 4], b: [u8; 4]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
