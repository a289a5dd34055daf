//! Points and triangles → a sphere around them, and a cone of the directions that the triangles face.
//!
//! Everything is computed in `f64` and rounded to `f32` so that it still holds.

use super::super::geometry::{dot, normal};

/// How often the middle of a sphere is moved. The radius is then a few hundredths larger than the smallest one.
const STEPS: usize = 48;

/// The least cosine between the axis of a cone and what it has around it. Wider cones hide nothing from any distance that matters.
const WIDEST: f64 = 0.1;

/// Part of a coordinate that rounding may change, here and on a GPU.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// The directions that triangles face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cone {
    pub(super) apex: [f32; 3],
    pub(super) axis: [f32; 3],
    /// 1 if no cone does.
    pub(super) cutoff: f32,
}

/// The middle and the radius of a sphere around points.
pub(super) fn sphere(points: &[[f32; 3]]) -> ([f32; 3], f32) {
    let points: Vec<[f64; 3]> = points.iter().map(|point| point.map(f64::from)).collect();
    let center = middle(&points).map(|axis| axis as f32);
    let farthest = points.iter().map(|point| length(minus(*point, center.map(f64::from)))).fold(0.0, f64::max);
    let largest = points.iter().flatten().map(|axis| axis.abs()).fold(0.0, f64::max);
    (center, above(farthest + largest * ROUNDING))
}

/// A cone around the directions of triangles whose corners are in a sphere around `center`. Triangles without area have no direction.
pub(super) fn cone(triangles: impl Iterator<Item = [[f32; 3]; 3]>, center: [f32; 3]) -> Cone {
    let none = Cone { apex: center, axis: [0.0; 3], cutoff: 1.0 };
    // The direction of each triangle, and one of its corners.
    let faces: Vec<([f64; 3], [f64; 3])> =
        triangles.filter_map(|corners| Some((unit(normal(corners))?, corners[0].map(f64::from)))).collect();
    let directions: Vec<[f64; 3]> = faces.iter().map(|(direction, _)| *direction).collect();
    let Some(axis) = unit(middle(&directions)) else { return none };
    let axis = axis.map(|part| part as f32);
    let exact = axis.map(f64::from);
    let least = directions.iter().map(|direction| dot(*direction, exact)).fold(f64::INFINITY, f64::min) / length(exact);
    if least <= WIDEST {
        return none;
    }
    // The viewer must be behind every triangle from the apex on: it moves back until it is behind all of them itself.
    let middle = center.map(f64::from);
    let back = faces.iter().map(|(direction, corner)| dot(minus(middle, *corner), *direction) / dot(exact, *direction));
    let back = back.fold(0.0, f64::max);
    let size = middle.iter().map(|part| part.abs()).fold(back, f64::max);
    let back = back + size * ROUNDING / WIDEST;
    let apex: [f64; 3] = std::array::from_fn(|i| middle[i] - exact[i] * back);
    let cutoff = above((1.0 - least * least).max(0.0).sqrt() + ROUNDING);
    let is_finite = apex.iter().all(|part| part.abs() <= f32::MAX.into());
    if cutoff >= 1.0 || !is_finite { none } else { Cone { apex: apex.map(|part| part as f32), axis, cutoff } }
}

/// About the middle of the smallest sphere around points: it moves towards the farthest one, in ever smaller steps (Bădoiu and Clarkson 2003).
fn middle(points: &[[f64; 3]]) -> [f64; 3] {
    let fold = |pick: fn(f64, f64) -> f64, axis: usize| {
        points.iter().map(|point| point[axis]).reduce(pick).unwrap_or_default()
    };
    let mut center: [f64; 3] = std::array::from_fn(|axis| (fold(f64::min, axis) + fold(f64::max, axis)) / 2.0);
    for step in 2..STEPS + 2 {
        let mut farthest = (0.0, center);
        for point in points {
            let offset = minus(*point, center);
            let distance = dot(offset, offset);
            if distance > farthest.0 {
                farthest = (distance, *point);
            }
        }
        let offset = minus(farthest.1, center);
        center = std::array::from_fn(|axis| center[axis] + offset[axis] / step as f64);
    }
    center
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn length(vector: [f64; 3]) -> f64 {
    dot(vector, vector).sqrt()
}

fn unit(vector: [f64; 3]) -> Option<[f64; 3]> {
    let length = length(vector);
    (length > 0.0).then(|| vector.map(|part| part / length))
}

/// The smallest `f32` that is not smaller than a positive number, at most [`f32::MAX`].
fn above(number: f64) -> f32 {
    let nearest = number as f32;
    let whole = if f64::from(nearest) < number { nearest.next_up() } else { nearest };
    whole.min(f32::MAX)
}
