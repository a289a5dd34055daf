//! The three channels of a field whose median keeps corners, and their correction where the median is wrong between pixels.

use super::color::{BLUE, GREEN, RED, Segment};
use super::pieces::Piece;
use super::{Grid, Point, cross, dot, length, sub};

/// Samples of a pixel in each direction that the correction looks at.
const SAMPLES: usize = 4;

/// How far from the outline a sample must be that counts as wrong, in pixels: nearer ones are within what a field can show.
const NEAR: f64 = 0.2;

/// Most rounds of corrections: one can make another necessary beside it.
const ROUNDS: usize = 4;

/// What a channel knows of its nearest piece.
#[derive(Clone, Copy)]
struct Nearest {
    square: f64,
    /// How much the piece points to the pixel, from 0 to 1. Of two pieces that meet in the nearest point the other one decides.
    slant: f64,
    distance: f64,
}

/// The distances of each pixel in three channels.
pub(super) fn channels(
    grid: &Grid,
    segments: &[Segment],
    pieces: &[Piece],
    single: &[f64],
    range: f64,
) -> Vec<[f64; 3]> {
    let far = Nearest { square: f64::INFINITY, slant: 1.0, distance: 0.0 };
    let mut nearest = vec![[far; 3]; single.len()];
    for piece in pieces {
        grid.for_each_near(piece, range, |at, center| {
            let found = look(piece, center);
            for (channel, bit) in [RED, GREEN, BLUE].into_iter().enumerate() {
                let known = &mut nearest[at][channel];
                let is_nearer = found.square < known.square - 1e-9
                    || found.square <= known.square + 1e-9 && found.slant < known.slant;
                if piece.channels & bit != 0 && is_nearer {
                    *known = found;
                }
            }
        });
    }
    let mut multi: Vec<[f64; 3]> = nearest
        .iter()
        .zip(single)
        .map(|(nearest, single)| nearest.map(|known| if known.square.is_finite() { known.distance } else { *single }))
        .collect();
    let inside = grid.inside(segments, SAMPLES);
    for _ in 0..ROUNDS {
        if !correct(grid, &inside, single, &mut multi) {
            break;
        }
    }
    multi
}

/// The signed distance of a point to the line of a piece: beyond a corner, to the line that goes on.
fn look(piece: &Piece, point: Point) -> Nearest {
    let (at, t) = piece.nearest(point);
    let away = sub(point, at);
    let square = dot(away, away);
    let along = sub(piece.b, piece.a);
    let side = cross(along, sub(point, piece.a));
    let is_inside = (side > 0.0) == piece.is_left_inside;
    let distance = square.sqrt();
    let slant = match distance > 0.0 {
        true => (dot(along, away) / (length(along) * distance)).abs(),
        false => 0.0,
    };
    let beyond = if t < 0.0 {
        piece.from
    } else if t > 1.0 {
        piece.to
    } else {
        None
    };
    // The distance to the line beyond the corner is never larger.
    let distance = beyond.map_or(distance, |direction| {
        let direction_length = length(direction);
        match direction_length > 0.0 {
            true => (cross(direction, away) / direction_length).abs(),
            false => distance,
        }
    });
    Nearest { square, slant, distance: if is_inside { distance } else { -distance } }
}

pub(super) fn median([a, b, c]: [f64; 3]) -> f64 {
    a.min(b).max(a.max(b).min(c))
}

/// Replaces pixels by the distance where the median between them and their neighbours is on the wrong side of the outline. Whether there
/// were any.
fn correct(grid: &Grid, inside: &[bool], single: &[f64], multi: &mut [[f64; 3]]) -> bool {
    let columns = grid.width * SAMPLES;
    let mut wrong = vec![false; multi.len()];
    for row in 0..grid.height * SAMPLES {
        for column in 0..columns {
            let Some((corners, weights)) = neighbours(grid, column, row) else { continue };
            let mix = |value: &dyn Fn(usize) -> f64| (0..4).map(|i| value(corners[i]) * weights[i]).sum::<f64>();
            let distance = mix(&|at| single[at]);
            if distance.abs() < NEAR {
                continue;
            }
            let shown = median([0, 1, 2].map(|channel| mix(&|at| multi[at][channel])));
            if (shown > 0.0) != inside[row * columns + column] && (shown > 0.0) != (distance > 0.0) {
                corners.iter().for_each(|at| wrong[*at] = true);
            }
        }
    }
    let mut any = false;
    for (at, _) in wrong.iter().enumerate().filter(|(_, wrong)| **wrong) {
        any |= multi[at] != [single[at]; 3];
        multi[at] = [single[at]; 3];
    }
    any
}

/// The four pixels around a sample, and the part of each in it.
fn neighbours(grid: &Grid, column: usize, row: usize) -> Option<([usize; 4], [f64; 4])> {
    let place = |sample: usize, count: usize| {
        let at = (sample as f64 + 0.5) / SAMPLES as f64 - 0.5;
        let low = at.floor();
        (low >= 0.0 && low as usize + 1 < count).then_some((low as usize, at - low))
    };
    let (x, right) = place(column, grid.width)?;
    let (y, below) = place(row, grid.height)?;
    let at = y * grid.width + x;
    let corners = [at, at + 1, at + grid.width, at + grid.width + 1];
    let weights = [(1.0 - right) * (1.0 - below), right * (1.0 - below), (1.0 - right) * below, right * below];
    Some((corners, weights))
}
