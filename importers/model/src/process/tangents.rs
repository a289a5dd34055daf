//! Tangents of primitives that have none, by MikkTSpace, for which tools make normal maps.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry as Input, Ops, TangentSpace, generate_tangents};
use rres_format::chunk::vertex::VertexAttribute;
use rres_import::Note;

use super::geometry::Geometry;

/// The functions of the C library that MikkTSpace weighs corners with. The system's functions differ from one machine to another.
struct Portable;

impl Ops for Portable {
    fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }

    fn acos(x: f32) -> f32 {
        libm::acos(f64::from(x)) as f32
    }
}

struct Corners<'g> {
    indices: &'g [u32],
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tex_coords: Vec<[f32; 2]>,
    tangents: Vec<[f32; 4]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.indices[face * 3 + corner] as usize
    }
}

impl Input<Portable> for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)]
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.tex_coords[self.vertex(face, corner)]
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        let [x, y, z, sign] = tangent.unwrap_or_default().tangent_encoded();
        // Texture coordinates count from the top here, and from the bottom there.
        self.tangents[face * 3 + corner] = [x, y, z, -sign];
    }
}

/// The sets of texture coordinates.
const COORDINATES: [VertexAttribute; 8] = [
    VertexAttribute::TEXCOORD1,
    VertexAttribute::TEXCOORD2,
    VertexAttribute::TEXCOORD3,
    VertexAttribute::TEXCOORD4,
    VertexAttribute::TEXCOORD5,
    VertexAttribute::TEXCOORD6,
    VertexAttribute::TEXCOORD7,
    VertexAttribute::TEXCOORD8,
];

/// Says of how many primitives the tangents are missing that their normal maps need.
pub(in super::super) fn note(count: usize) -> Option<Note> {
    let topic =
        "primitives with a normal map get no tangents, because they have no normals or not its texture coordinates";
    let help = "export them, or make normals with model.normals = \"smooth\"";
    (count > 0)
        .then(|| Note::new(topic).with_detail(crate::counted(count as u64, "primitive", "primitives")).with_help(help))
}

/// Adds tangents to a list of triangles with normals, along the texture coordinates of a set. Vertices whose triangles have different ones are
/// split. Returns whether there are tangents then.
pub(super) fn add(geometry: &mut Geometry, coordinates: u32) -> bool {
    if geometry.has(VertexAttribute::TANGENT) || geometry.indices.is_empty() {
        return true;
    }
    let normals = geometry.floats::<3>(VertexAttribute::NORMAL);
    let set = COORDINATES.get(coordinates as usize);
    let tex_coords = set.map(|set| geometry.floats::<2>(*set)).unwrap_or_default();
    if normals.is_empty() || tex_coords.is_empty() {
        return false;
    }
    let tangents = vec![[0.0; 4]; geometry.indices.len()];
    let positions = geometry.positions();
    let mut corners = Corners { indices: &geometry.indices, positions, normals, tex_coords, tangents };
    // The type of its error has no value.
    let _ = generate_tangents(&mut corners);
    let tangents = corners.tangents.iter().map(|tangent| {
        // Texture coordinates beyond what the algorithm computes with.
        if tangent.iter().all(|axis| axis.is_finite()) { *tangent } else { [1.0, 0.0, 0.0, 1.0] }
    });
    let mut known = HashMap::new();
    let (mut vertices, mut values) = (Vec::new(), Vec::new());
    let corners = std::mem::take(&mut geometry.indices);
    for (vertex, tangent) in corners.iter().zip(tangents) {
        let key = (*vertex, tangent.map(f32::to_bits));
        geometry.indices.push(*known.entry(key).or_insert_with(|| {
            vertices.push(*vertex);
            values.push(tangent);
            vertices.len() as u32 - 1
        }));
    }
    geometry.select(&vertices);
    geometry.add(VertexAttribute::TANGENT, &values);
    true
}
