//! Which grids suit the lines of a block: an estimate of the error of each, so that only a few become blocks.
//!
//! The error of a grid has three parts: weights between those of a coarse grid, the rounding of its weights, and the rounding of the
//! ends of the lines, whose channels have the bits that the weights leave.

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
}

impl Wanted {
    pub(super) const NONE: Self = Self { weights: [0.0; MAX_TEXELS], cost: [0.0; MAX_TEXELS] };
}

impl Menu {
    /// The grids of these sizes, with weights in every range that fits.
    pub(super) fn new(edge: usize, sizes: &[(usize, usize)], channels: Channels, division: Division) -> Self {
        let fitting = |grid: Grid| {
            let (code, range) = (grid.code(division.planes())?, grid.channels(channels, division)?);
            let step = 255.0 / (RANGES[range].count() - 1) as f32;
            let rounding = ENDS * step * step / 18.0 * channels.stored().len() as f32;
            Some(Fitting { grid, code, range, rounding })
        };
        let of_size = |(width, height): &(usize, usize)| {
            let grids = (0..WEIGHTS.len()).map(|weights| Grid::new(edge, *width, *height, weights));
            grids.filter_map(fitting).collect::<Vec<_>>()
        };
        Self(sizes.iter().map(of_size).filter(|grids| !grids.is_empty()).collect())
    }

    /// The grids with the least estimates, at most `count` of them, the best first. An estimate above `most` is left out.
    pub(super) fn best(&self, wanted: &[Wanted], count: usize, most: f32) -> Vec<&Fitting> {
        let mut found: Vec<(f32, &Fitting)> = Vec::with_capacity(count + 1);
        for grids in &self.0 {
            let grid = &grids[0].grid;
            let texels = grid.taps.len();
            let mut planes = [([0.0f32; MAX_TEXELS], [0.0f32; MAX_TEXELS]); 2];
            let mut between = 0.0;
            for (wanted, (ideal, cost)) in wanted.iter().zip(&mut planes) {
                grid.ideal(&wanted.weights[..texels], 2, ideal);
                between += grid.costs(wanted, ideal, cost);
            }
            let limit = found.last().filter(|_| found.len() == count).map_or(most, |(estimate, _)| *estimate);
            if between >= limit {
                continue;
            }
            for fitting in grids {
                let levels = &WEIGHTS[fitting.grid.weights];
                let off = |(ideal, cost): (&f32, &f32)| {
                    let off = f32::from(levels.rounded(*ideal)) - ideal;
                    off * off * cost
                };
                let rounded = planes[..wanted.len()]
                    .iter()
                    .map(|(ideal, cost)| ideal[..grid.len()].iter().zip(&cost[..grid.len()]).map(off).sum::<f32>());
                let estimate = between + rounded.sum::<f32>() + fitting.rounding * texels as f32;
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
