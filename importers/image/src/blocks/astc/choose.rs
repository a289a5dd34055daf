//! Which grids suit the lines of a block: an estimate of the error of each, so that only a few become blocks.
//!
//! The error of a grid has three parts: weights between those of a coarse grid, the rounding of its weights, and the rounding of the
//! ends of the lines, whose channels have the bits that the weights leave.

use std::sync::Arc;

use super::inverse::Inverse;
use super::levels::WEIGHTS;
use super::sequence::RANGES;
use super::shape::{Channels, Division, Grid, MAX_TEXELS};

/// How much of the error of rounded ends remains when the weights are chosen for them.
const ENDS: f32 = 0.4;

/// A grid that fits into blocks with some channels and division.
pub(super) struct Fitting {
    pub(super) grid: Grid,
    pub(super) code: u32,
    /// The range of the channels of colours.
    pub(super) range: usize,
    /// The squared error of a pixel by the rounding of the ends.
    rounding: f32,
    pub(super) inverse: Arc<Inverse>,
}

/// A size of grids.
pub(super) struct Size {
    width: usize,
    height: usize,
    inverse: Arc<Inverse>,
}

impl Size {
    pub(super) fn new(edge: usize, width: usize, height: usize) -> Self {
        Self { width, height, inverse: Arc::new(Inverse::of(&Grid::new(edge, width, height, 0))) }
    }
}

/// The grids to choose from, those of each size together.
pub(super) struct Menu(Vec<Vec<Fitting>>);

/// What the weights of a plane should be.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The weight of each pixel, in 64ths.
    pub(super) weights: [f32; MAX_TEXELS],
    /// The squared error of each pixel if its weight is off by one 64th.
    pub(super) cost: [f32; MAX_TEXELS],
    /// Whether all pixels cost the same.
    pub(super) is_even: bool,
}

impl Wanted {
    pub(super) const NONE: Self = Self { weights: [0.0; MAX_TEXELS], cost: [0.0; MAX_TEXELS], is_even: true };

    /// The squared error of pixels that lie between these weights of a grid, and what each weight costs that is off by one 64th.
    fn costs(&self, grid: &Grid, ideal: &[f32; MAX_TEXELS], costs: &mut [f32; MAX_TEXELS]) -> f32 {
        if grid.len() == grid.taps.len() {
            *costs = self.cost;
            return 0.0;
        }
        let pixels = grid.taps.iter().zip(&self.cost);
        if self.is_even {
            costs.iter_mut().zip(&grid.squares).for_each(|(cost, squares)| *cost = squares * self.cost[0]);
        } else {
            *costs = [0.0; MAX_TEXELS];
            for (taps, cost) in pixels {
                taps.iter().for_each(|tap| costs[tap.at()] += tap.part * tap.part * cost);
            }
        }
        let mut sums = [0.0f32; 4];
        let fours = grid.taps.as_chunks::<4>().0.iter().zip(self.weights.as_chunks::<4>().0);
        for ((taps, weights), cost) in fours.zip(self.cost.as_chunks::<4>().0) {
            for i in 0..4 {
                let off = Grid::between(ideal, &taps[i]) - weights[i];
                sums[i] += off * off * cost[i];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

/// The weights of a grid before they are rounded.
#[derive(Clone, Copy)]
struct Ideal {
    weights: [f32; MAX_TEXELS],
    /// The nearest 64ths.
    rounded: [u8; MAX_TEXELS],
    /// The squared error if a weight is off by one 64th.
    cost: [f32; MAX_TEXELS],
}

impl Ideal {
    const NONE: Self = Self { weights: [0.0; MAX_TEXELS], rounded: [0; MAX_TEXELS], cost: [0.0; MAX_TEXELS] };

    /// The squared error if the first `len` weights become these values of their 64ths. Four sums at a time.
    fn rounding(&self, values: &[f32; 256], len: usize) -> f32 {
        let Self { weights, rounded, cost } = self;
        let mut sums = [0.0f32; 4];
        let fours = weights.as_chunks::<4>().0.iter().zip(rounded.as_chunks::<4>().0).zip(cost.as_chunks::<4>().0);
        // Weights beyond the grid cost nothing.
        for ((weights, rounded), cost) in fours.take(len.div_ceil(4)) {
            for i in 0..4 {
                let off = values[usize::from(rounded[i])] - weights[i];
                sums[i] += off * off * cost[i];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

impl Menu {
    /// The grids of these sizes, with weights in every range that fits.
    pub(super) fn new(edge: usize, sizes: &[Size], channels: Channels, division: Division) -> Self {
        let fitting = |grid: Grid, inverse: &Arc<Inverse>| {
            let (code, range) = (grid.code(division.planes())?, grid.channels(channels, division)?);
            let step = 255.0 / (RANGES[range].count() - 1) as f32;
            let rounding = ENDS * step * step / 18.0 * channels.stored().len() as f32;
            Some(Fitting { grid, code, range, rounding, inverse: Arc::clone(inverse) })
        };
        let of_size = |Size { width, height, inverse }: &Size| {
            let grids = (0..WEIGHTS.len()).map(|weights| Grid::new(edge, *width, *height, weights));
            grids.filter_map(|grid| fitting(grid, inverse)).collect::<Vec<_>>()
        };
        Self(sizes.iter().map(of_size).filter(|grids| !grids.is_empty()).collect())
    }

    /// The grids with the least estimates, at most `count` of them, the best first. An estimate above `most` is left out.
    pub(super) fn best(&self, wanted: &[Wanted], count: usize, most: f32) -> Vec<&Fitting> {
        let mut found: Vec<(f32, &Fitting)> = Vec::with_capacity(count + 1);
        for grids in &self.0 {
            let grid = &grids[0].grid;
            let texels = grid.taps.len();
            let mut planes = [Ideal::NONE; 2];
            let planes = &mut planes[..wanted.len()];
            let mut between = 0.0;
            for (wanted, plane) in wanted.iter().zip(&mut *planes) {
                grids[0].inverse.apply(&wanted.weights, &mut plane.weights);
                between += wanted.costs(grid, &plane.weights, &mut plane.cost);
                plane.rounded = plane.weights.map(|weight| (weight + 0.5) as u8);
            }
            let limit = found.last().filter(|_| found.len() == count).map_or(most, |(estimate, _)| *estimate);
            if between >= limit {
                continue;
            }
            for fitting in grids {
                let values = &WEIGHTS[fitting.grid.weights].rounded;
                let estimate = between
                    + planes.iter().map(|plane| plane.rounding(values, grid.len())).sum::<f32>()
                    + fitting.rounding * texels as f32;
                let is_full = found.len() == count;
                if estimate > most || is_full && found.last().is_some_and(|(last, _)| estimate >= *last) {
                    continue;
                }
                found.insert(found.partition_point(|(other, _)| *other <= estimate), (estimate, fitting));
                found.truncate(count);
            }
        }
        found.into_iter().map(|(_, fitting)| fitting).collect()
    }
}
