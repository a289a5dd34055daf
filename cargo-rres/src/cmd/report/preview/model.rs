//! Models: triangles in the space of the model, with the pictures of their materials.
//!
//! Positions are stored in 16 bits between the bounds of the model, normals in 8 bits: half a pixel on a screen.

use rres_runtime::asset::model::{Primitive, Topology, VertexAttribute};
use rres_runtime::{Model, Pack};
use serde_json::{Value, json};

use super::{Preview, base64, image};

/// A model has to fit 32-bit indices in a page long before it has this many vertices.
const MOST_VERTICES: usize = 2_000_000;

/// A column-major matrix.
type Matrix = [f32; 16];

pub(super) fn preview(model: &Model, pack: &Pack, share: usize) -> Preview {
    let parts = parts(model);
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for position in parts.iter().flat_map(|part| &part.positions).filter(|p| p.iter().all(|v| v.is_finite())) {
        for axis in 0..3 {
            low[axis] = low[axis].min(position[axis]);
            high[axis] = high[axis].max(position[axis]);
        }
    }
    if parts.is_empty() || low[0] > high[0] {
        return Preview::nothing("it has no triangles");
    }
    let vertices: usize = parts.iter().map(|part| part.positions.len()).sum();
    let indices: usize = parts.iter().map(|part| part.indices.len()).sum();
    // Base 64 of 6 + 3 + 8 bytes for a vertex and 4 for an index.
    if (vertices * 17 + indices * 4) / 3 * 4 > share.max(20_000) || vertices > MOST_VERTICES {
        return Preview::nothing(format!(
            "{vertices} vertices are too many for this page; make the page with --previews full"
        ));
    }
    let materials = model.materials().iter().map(|material| {
        let texture = material.base_color_image.and_then(|id| pack.load(id).ok());
        let texture = texture.as_ref().and_then(|texture| image::pixels(texture, 0)?.fitting(share / 4, 512));
        json!({ "color": material.base_color, "texture": texture.map(|(uri, ..)| uri) })
    });
    Preview::of(json!({
        "type": "model",
        "low": low,
        "high": high,
        "vertex_count": vertices,
        "triangle_count": indices / 3,
        "materials": materials.collect::<Vec<_>>(),
        "parts": parts.iter().map(|part| part.value(low, high)).collect::<Vec<_>>(),
    }))
}

/// A primitive at a node.
struct Part {
    material: Option<u32>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    /// Triangles.
    indices: Vec<u32>,
}

/// Returns the triangles of every node, or of all primitives if the model has no nodes.
fn parts(model: &Model) -> Vec<Part> {
    const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut places: Vec<(Option<u32>, Matrix)> = model
        .nodes()
        .iter()
        .map(|node| node.mesh)
        .zip(model.world_transforms())
        .filter(|(mesh, _)| mesh.is_some())
        .collect();
    if places.is_empty() {
        places = model.primitives().iter().map(|primitive| (Some(primitive.mesh()), IDENTITY)).collect();
        places.dedup();
    }
    let mut parts = Vec::new();
    let mut vertices = 0;
    for (mesh, matrix) in places {
        for primitive in model.primitives().iter().filter(|primitive| Some(primitive.mesh()) == mesh) {
            vertices += primitive.vertex_count();
            if vertices > MOST_VERTICES {
                return parts;
            }
            parts.extend(Part::new(primitive, &matrix));
        }
    }
    parts
}

impl Part {
    fn new(primitive: &Primitive, matrix: &Matrix) -> Option<Self> {
        let transformed = |[x, y, z]: [f32; 3], w: f32| {
            std::array::from_fn(|row| {
                matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row] * w
            })
        };
        let numbers = |attribute| primitive.decode(attribute).unwrap_or_default();
        let positions: Vec<[f32; 3]> =
            numbers(VertexAttribute::POSITION).iter().map(|[x, y, z, _]| transformed([*x, *y, *z], 1.0)).collect();
        let count = positions.len() as u32;
        let order: Vec<u32> =
            primitive.indices().map_or_else(|| (0..count).collect(), |indices| indices.to_u32().into_owned());
        let indices = triangles(primitive.topology(), &order)?;
        let indices: Vec<u32> =
            indices.chunks_exact(3).filter(|t| t.iter().all(|i| *i < count)).flatten().copied().collect();
        let normals =
            numbers(VertexAttribute::NORMAL).iter().map(|[x, y, z, _]| transformed([*x, *y, *z], 0.0)).collect();
        let coordinates = numbers(VertexAttribute::TEXCOORD1).iter().map(|[u, v, ..]| [*u, *v]).collect();
        (!indices.is_empty()).then_some(Self {
            material: primitive.material(),
            positions,
            normals,
            coordinates,
            indices,
        })
    }

    fn value(&self, low: [f32; 3], high: [f32; 3]) -> Value {
        let quantise = |value: f32, axis: usize| {
            let share = (value - low[axis]) / (high[axis] - low[axis]).max(f32::MIN_POSITIVE);
            ((share.clamp(0.0, 1.0) * 65_535.0) as u16).to_le_bytes()
        };
        let positions = self.positions.iter().flat_map(|p| (0..3).flat_map(move |axis| quantise(p[axis], axis)));
        let normals = self.normals.iter().flat_map(|normal| {
            let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            normal.map(|value| (value / length * 127.0) as i8 as u8)
        });
        let coordinates = self.coordinates.iter().flatten().flat_map(|value| value.to_le_bytes());
        let is_short = self.positions.len() <= 65_536;
        let indices: Vec<u8> = match is_short {
            true => self.indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            false => self.indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        };
        json!({
            "material": self.material,
            "positions": base64(&positions.collect::<Vec<_>>()),
            "normals": base64(&normals.collect::<Vec<_>>()),
            "coordinates": base64(&coordinates.collect::<Vec<_>>()),
            "indices": base64(&indices),
            "index_size": if is_short { 2 } else { 4 },
        })
    }
}

/// Returns vertices in threes, or `None` for points and lines.
fn triangles(topology: Topology, order: &[u32]) -> Option<Vec<u32>> {
    Some(match topology {
        Topology::TRIANGLES => order.to_vec(),
        // Every other triangle of a strip has its corners in the other order.
        Topology::TRIANGLE_STRIP => {
            let turned = |(i, t): (usize, &[u32])| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] };
            order.windows(3).enumerate().flat_map(turned).collect()
        }
        Topology::TRIANGLE_FAN => order.windows(2).skip(1).flat_map(|edge| [order[0], edge[0], edge[1]]).collect(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_become_triangles() {
        assert_eq!(triangles(Topology::TRIANGLE_STRIP, &[0, 1, 2, 3]).unwrap(), [0, 1, 2, 2, 1, 3]);
        assert_eq!(triangles(Topology::TRIANGLE_FAN, &[0, 1, 2, 3]).unwrap(), [0, 1, 2, 0, 2, 3]);
        assert_eq!(triangles(Topology::POINTS, &[0, 1, 2]), None);
    }
}
