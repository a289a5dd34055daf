//! Models → models of raylib, in the pose that the model is stored in.

use std::ops::Deref;

use raylib::RaylibThread;
use raylib::ffi::{Color, Vector2, Vector3};
use raylib::models::{Mesh, Model as Drawable, RaylibModel};
use raylib::texture::Texture2D;
use rres_runtime::asset::model::{Primitive, Topology, VertexAttribute};
use rres_runtime::{Id, Image, Model, Store};

use crate::error::{Error, ErrorKind};
use crate::ffi::{self, Material};
use crate::texture::texture;

/// The number of vertices that indices of raylib reach.
const INDEXED: usize = u16::MAX as usize;

/// A model of raylib with the textures of its materials, which raylib does not free with the model.
#[derive(Debug)]
pub struct TexturedModel {
    model: Drawable,
    textures: Vec<Texture2D>,
}

impl TexturedModel {
    /// Returns the textures of the materials, each once.
    pub fn textures(&self) -> &[Texture2D] {
        &self.textures
    }

    pub(crate) fn model_mut(&mut self) -> &mut Drawable {
        &mut self.model
    }
}

impl Deref for TexturedModel {
    type Target = Drawable;

    fn deref(&self) -> &Drawable {
        &self.model
    }
}

impl AsRef<raylib::ffi::Model> for TexturedModel {
    fn as_ref(&self) -> &raylib::ffi::Model {
        self.model.as_ref()
    }
}

impl RaylibModel for TexturedModel {}

/// Makes a model of a mesh for each primitive of each node, transformed by the node, with the image and the colour of its material.
///
/// The colours of materials and vertices are the numbers of the model, which are linear. raylib knows no colour spaces and shows them as they are.
///
/// A mesh of more than 65,535 vertices has no indices, because those of raylib have 16 bits: each triangle then has its own vertices.
///
/// # Errors
/// If an image cannot be loaded or drawn, a primitive consists of lines or points, or there are no primitives.
pub fn model(thread: &RaylibThread, store: &Store, model: &Model) -> Result<TexturedModel, Error> {
    if !ffi::has_window() {
        return Err(Error::new(ErrorKind::Window));
    }
    let (textures, mut materials) = materials(thread, store, model)?;
    // The last one is for primitives without a material.
    let plain = materials.len();
    materials.push(Material { texture: None, color: Color::WHITE });
    let mut meshes = Vec::new();
    for (primitive, place) in placed(model) {
        let number = primitive.material().map(|number| number as usize).filter(|number| *number < plain);
        if let Some(mesh) = mesh(thread, primitive, &place)? {
            meshes.push((mesh, number.unwrap_or(plain)));
        }
    }
    if meshes.is_empty() {
        return Err(Error::new(ErrorKind::Empty));
    }
    let model = ffi::model(thread, meshes, &materials);
    Ok(TexturedModel { model: model.map_err(|error| Error::new(ErrorKind::Mesh(error.into())))?, textures })
}

/// A texture of each image, and a material of each material.
fn materials(thread: &RaylibThread, store: &Store, model: &Model) -> Result<(Vec<Texture2D>, Vec<Material>), Error> {
    let mut textures: Vec<(Id<Image>, Texture2D)> = Vec::new();
    let mut materials = Vec::new();
    for material in model.materials() {
        if let Some(id) = material.base_color_image
            && textures.iter().all(|(known, _)| *known != id)
        {
            let image = store.load(id)?;
            textures.push((id, texture(thread, &image.get()).map_err(|error| error.with_path(image.path()))?));
        }
        let of_material = textures.iter().find(|(id, _)| Some(*id) == material.base_color_image);
        let texture = of_material.map(|(_, texture)| **texture);
        materials.push(Material { texture, color: color(material.base_color) });
    }
    Ok((textures.into_iter().map(|(_, texture)| texture).collect(), materials))
}

/// The primitives with their transforms, column-major. A mesh in a pack of another program has no nodes.
fn placed(model: &Model) -> Vec<(&Primitive, [f32; 16])> {
    if model.nodes().is_empty() {
        let identity = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
        return model.primitives().iter().map(|primitive| (primitive, identity)).collect();
    }
    let of_node = |(node, place)| {
        let node: &rres_runtime::asset::model::Node = node;
        let of_mesh = move |primitive: &&Primitive| Some(primitive.mesh()) == node.mesh;
        model.primitives().iter().filter(of_mesh).map(move |primitive| (primitive, place))
    };
    model.nodes().iter().zip(model.world_transforms()).flat_map(of_node).collect()
}

/// The mesh of a primitive; `None` if it has no vertices.
fn mesh(thread: &RaylibThread, primitive: &Primitive, place: &[f32; 16]) -> Result<Option<Mesh>, Error> {
    if primitive.topology() != Topology::TRIANGLES {
        return Err(Error::new(ErrorKind::Topology(primitive.topology())));
    }
    let count = primitive.vertex_count();
    let mut indices = primitive.indices().map(|indices| indices.to_u32().into_owned());
    if is_mirror(place) {
        // In a mirror, raylib would see the other side of each triangle.
        let indices = indices.get_or_insert_with(|| (0..u32::MAX).take(count).collect());
        indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    }
    if count == 0 || indices.as_ref().is_some_and(|indices| indices.is_empty()) {
        return Ok(None);
    }
    // The order of the vertices, if the mesh has no indices.
    let order = indices.as_ref().filter(|_| count > INDEXED);
    let vertices = |attribute| -> Option<Vec<[f32; 4]>> {
        let stored = primitive.decode(attribute)?;
        Some(match order {
            Some(order) => order.iter().filter_map(|index| stored.get(*index as usize).copied()).collect(),
            None => stored,
        })
    };
    let Some(positions) = vertices(VertexAttribute::POSITION) else { return Ok(None) };
    let positions: Vec<Vector3> = positions.iter().map(|position| moved(place, position)).collect();
    let uvs = |attribute| {
        let uvs = vertices(attribute)?;
        Some(uvs.iter().map(|[x, y, ..]| Vector2 { x: *x, y: *y }).collect::<Vec<_>>())
    };
    let first = uvs(VertexAttribute::TEXCOORD1).unwrap_or_else(|| vec![Vector2 { x: 0.0, y: 0.0 }; positions.len()]);
    let second = uvs(VertexAttribute::TEXCOORD2);
    let normals = vertices(VertexAttribute::NORMAL)
        .map(|normals| normals.iter().map(|normal| turned(place, normal)).collect::<Vec<_>>());
    let colors = vertices(VertexAttribute::COLOR).map(|colors| colors.into_iter().map(color).collect::<Vec<_>>());
    let indices: Option<Vec<u16>> =
        indices.as_ref().filter(|_| order.is_none()).map(|indices| indices.iter().map(|index| *index as u16).collect());

    let mut builder = Mesh::gen_mesh(&positions, &first);
    if let Some(second) = &second {
        builder.texcoords2(second);
    }
    if let Some(normals) = &normals {
        builder.normals(normals);
    }
    if let Some(colors) = &colors {
        builder.colors(colors);
    }
    if let Some(indices) = &indices {
        builder.indices(indices);
    }
    builder.build(thread).map(Some).map_err(|error| Error::new(ErrorKind::Mesh(error)))
}

fn color(channels: [f32; 4]) -> Color {
    let [r, g, b, a] = channels.map(|channel| (channel * 255.0).round() as u8);
    Color { r, g, b, a }
}

/// A position, transformed.
fn moved(place: &[f32; 16], [x, y, z, _]: &[f32; 4]) -> Vector3 {
    let row = |row: usize| place[row] * x + place[row + 4] * y + place[row + 8] * z + place[row + 12];
    Vector3 { x: row(0), y: row(1), z: row(2) }
}

/// A normal, transformed: by the inverse of the transpose, so that it is at right angles to a surface that is stretched.
fn turned(place: &[f32; 16], [x, y, z, _]: &[f32; 4]) -> Vector3 {
    let [of_x, of_y, of_z] = cofactors(place);
    let sign = if is_mirror(place) { -1.0 } else { 1.0 };
    let part = |i: usize| sign * (of_x[i] * x + of_y[i] * y + of_z[i] * z);
    let [x, y, z] = [part(0), part(1), part(2)];
    let length = (x * x + y * y + z * z).sqrt();
    let by = if length > 0.0 { 1.0 / length } else { 1.0 };
    Vector3 { x: x * by, y: y * by, z: z * by }
}

/// The inverse of the transpose, times the determinant.
fn cofactors(place: &[f32; 16]) -> [[f32; 3]; 3] {
    let axis = |i: usize| [place[i], place[i + 1], place[i + 2]];
    let cross = |[a, b, c]: [f32; 3], [d, e, f]: [f32; 3]| [b * f - c * e, c * d - a * f, a * e - b * d];
    let (x, y, z) = (axis(0), axis(4), axis(8));
    [cross(y, z), cross(z, x), cross(x, y)]
}

/// Whether the determinant is below 0.
fn is_mirror(place: &[f32; 16]) -> bool {
    let [of_x, ..] = cofactors(place);
    place[0] * of_x[0] + place[1] * of_x[1] + place[2] * of_x[2] < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f32, y: f32) -> [f32; 16] {
        [x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 5.0, 5.0, 5.0, 1.0]
    }

    #[test]
    fn normals_stay_at_right_angles_to_stretched_and_mirrored_surfaces() {
        let slope = [0.6, 0.8, 0.0, 0.0];
        for (x, y) in [(1.0, 1.0), (2.0, 1.0), (-1.0, 1.0), (-2.0, -3.0)] {
            let place = place(x, y);
            assert_eq!(is_mirror(&place), x * y < 0.0);
            let normal = turned(&place, &slope);
            // The surface runs along (0.8, -0.6), which is stretched as positions are.
            let along = normal.x * 0.8 * x - normal.y * 0.6 * y;
            let length = normal.x * normal.x + normal.y * normal.y;
            assert!(along.abs() < 1e-6 && (length - 1.0).abs() < 1e-6, "{x} {y}: {normal:?}");
            assert_eq!((normal.x > 0.0, normal.y > 0.0), (x > 0.0, y > 0.0));
        }
    }
}
