//! Turns triangles into shapes for physics.
//!
//! [`hull`] makes a convex solid around points, [`parts`] several that fill a body, and [`surface`] cleans the triangles themselves. What is
//! convex comes from parry, whose numbers are the same on every machine with its feature `enhanced-determinism`.

mod clip;
mod hull;
mod parts;
mod surface;
#[cfg(test)]
mod tests;

pub use hull::hull;
pub use parts::parts;
pub use surface::surface;

/// Vertices, and triangles between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Positions.
    pub vertices: Vec<[f32; 3]>,
    /// Indices of vertices. Those of a solid are counterclockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The power of two by which a body is multiplied so that its largest extent is from 1/2 to 1: that is exact, and keeps the products of
/// lengths within what floats hold. `None` if the extent is nothing, or beyond what that can help.
fn unit(points: &[[f32; 3]]) -> Option<f32> {
    let extent = (0..3).map(|axis| {
        let values = points.iter().map(|point| point[axis]);
        values.clone().fold(f32::NEG_INFINITY, f32::max) - values.fold(f32::INFINITY, f32::min)
    });
    let largest = extent.fold(0.0, f32::max);
    // The exponent of a float is in the bits from 23 on.
    let exponent = (largest.to_bits() >> 23) as i32 - 126;
    (1e-30..=1e30).contains(&largest).then(|| f32::from_bits(((127 - exponent) as u32) << 23))
}
