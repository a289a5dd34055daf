//! The triangles of a body, cleaned.

use std::collections::HashMap;

use crate::Shape;

/// Returns the triangles with each position once, and without those that have no area because two corners are in one place. The others keep
/// their order and direction.
///
/// ```
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [5.0, 5.0, 5.0]];
/// let surface = rres_collision::surface(&corners, &[[0, 1, 2], [0, 3, 1]]);
/// assert_eq!(surface.vertices, corners[..3]);
/// assert_eq!(surface.triangles, [[0, 1, 2]]);
/// ```
pub fn surface(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Shape {
    let mut shape = Shape::default();
    let mut known = HashMap::new();
    for triangle in triangles {
        let Some(corners) = corners(points, triangle) else { continue };
        if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
            continue;
        }
        shape.triangles.push(corners.map(|corner| {
            *known.entry(corner.map(f32::to_bits)).or_insert_with(|| {
                shape.vertices.push(corner);
                shape.vertices.len() as u32 - 1
            })
        }));
    }
    shape
}

/// The corners of a triangle, with no zero of another sign; `None` if one is not a point.
fn corners(points: &[[f32; 3]], triangle: &[u32; 3]) -> Option<[[f32; 3]; 3]> {
    let point = |index: u32| points.get(index as usize).map(|point| point.map(|axis| axis + 0.0));
    Some([point(triangle[0])?, point(triangle[1])?, point(triangle[2])?])
}

/// The points without repetition, in their order.
pub(crate) fn distinct(mut points: Vec<[f32; 3]>) -> Vec<[f32; 3]> {
    points.iter_mut().for_each(|point| *point = point.map(|axis| axis + 0.0));
    let mut known = std::collections::HashSet::new();
    points.retain(|point| known.insert(point.map(f32::to_bits)));
    points
}
