//! What is done to triangles, each step alone, for the benchmarks of this repository, which compare them with others.

use rres_settings::MeshletSize;

use super::process::{meshlets, order, simplify};

/// The vertices of a meshlet, and its triangles by the numbers of these.
pub type Meshlet = (Vec<u32>, Vec<[u8; 3]>);

/// The triangles in the order of `model.optimize`.
#[must_use]
pub fn ordered(indices: &[u32], positions: &[[f32; 3]]) -> Vec<u32> {
    order::of_triangles(indices, positions)
}

/// Index lists with at most these shares of the triangles, as `model.lods` makes them, with the estimate of their errors. No error is
/// larger than `most` of the longest edge of the box.
#[must_use]
pub fn simplified(indices: &[u32], positions: &[[f32; 3]], shares: &[f32], most: f32) -> Vec<(Vec<u32>, f32)> {
    simplify::levels(indices, positions, shares, most)
}

/// The meshlets of `model.meshlets`, with their bounds computed and left out.
#[must_use]
pub fn meshlets(indices: &[u32], positions: &[[f32; 3]], size: MeshletSize) -> Vec<Meshlet> {
    meshlets::lists(indices.as_chunks().0, positions, size)
}
