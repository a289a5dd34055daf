//! Normals of primitives that have none.

use rres_format::chunk::vertex::VertexAttribute;
use rres_settings::NormalMode;

use super::geometry::{Geometry, dot, normal, positions_of};

/// The normal of what has no area.
const UP: [f32; 3] = [0.0, 1.0, 0.0];

/// A sum of normals that is a smaller part of its weights comes from surfaces that lie back to back, and points nowhere.
const CANCELLED: f64 = 1e-6;

/// Adds normals to a list of triangles.
pub(super) fn add(geometry: &mut Geometry, mode: NormalMode) {
    if mode == NormalMode::Keep || geometry.has(VertexAttribute::NORMAL) {
        return;
    }
    if mode == NormalMode::Flat {
        geometry.split();
        let positions = geometry.positions();
        let (triangles, _) = positions.as_chunks::<3>();
        let normals: Vec<[f32; 3]> = triangles.iter().flat_map(|triangle| [unit(normal(*triangle)); 3]).collect();
        geometry.add(VertexAttribute::NORMAL, &normals);
        return geometry.weld();
    }
    let positions = geometry.positions();
    let numbers = positions_of(&positions);
    let (mut sums, mut weights) = (vec![[0.0; 3]; positions.len()], vec![0.0; positions.len()]);
    // For the triangles of one vertex. A position may have several vertices.
    let (mut own, mut own_weights) = (vec![[0.0; 3]; positions.len()], vec![0.0; positions.len()]);
    // For both sides of a surface that share a vertex, which can have the normal of one.
    let mut first: Vec<Option<[f64; 3]>> = vec![None; positions.len()];
    for triangle in geometry.indices.as_chunks::<3>().0 {
        let corners = triangle.map(|corner| positions[corner as usize]);
        let normal = normal(corners);
        let length = dot(normal, normal).sqrt();
        if length <= 0.0 {
            continue;
        }
        for (i, corner) in triangle.iter().enumerate() {
            let weight = angle(corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]);
            let (vertex, number) = (*corner as usize, numbers[*corner as usize] as usize);
            weights[number] += weight;
            own_weights[vertex] += weight;
            first[vertex].get_or_insert(normal);
            for sum in [&mut sums[number], &mut own[vertex]] {
                *sum = std::array::from_fn(|axis| sum[axis] + normal[axis] * (weight / length));
            }
        }
    }
    let points = |sum: &[f64; 3], weight: f64| dot(*sum, *sum).sqrt() > weight * CANCELLED;
    let normals = (0..positions.len()).map(|vertex| {
        let number = numbers[vertex] as usize;
        let of_position = Some(sums[number]).filter(|sum| points(sum, weights[number]));
        let of_vertex = || Some(own[vertex]).filter(|sum| points(sum, own_weights[vertex]));
        of_position.or_else(of_vertex).or(first[vertex]).map_or(UP, unit)
    });
    let normals: Vec<[f32; 3]> = normals.collect();
    geometry.add(VertexAttribute::NORMAL, &normals);
}

/// The angle of a corner between two others. Weighted by it, a normal does not depend on how a polygon was cut into triangles.
fn angle(at: [f32; 3], a: [f32; 3], b: [f32; 3]) -> f64 {
    let [a, b] = [a, b].map(|end| std::array::from_fn(|axis| f64::from(end[axis]) - f64::from(at[axis])));
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { libm::acos((dot(a, b) / lengths).clamp(-1.0, 1.0)) } else { 0.0 }
}

/// The vector with the length 1.
fn unit(vector: [f64; 3]) -> [f32; 3] {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 { vector.map(|axis| (axis / length) as f32) } else { UP }
}
