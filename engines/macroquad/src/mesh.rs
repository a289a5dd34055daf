//! Models → meshes, in the pose that the model is stored in.

use macroquad::math::{Mat4, Vec2, Vec3};
use macroquad::models::Mesh;
use macroquad::ui::Vertex;
use rres_runtime::asset::model::{Indices, Primitive, Topology, VertexAttribute};
use rres_runtime::{Model, Store};

use crate::error::{Error, ErrorKind};
use crate::texture::texture;

/// Makes a mesh of each primitive of each node, transformed by the node, or of each primitive of a model without nodes, with the image and the colour of its material.
///
/// macroquad draws at most 10,000 vertices and 5,000 indices at once, unless the game asks for more with
/// `Conf::draw_call_vertex_capacity` and `draw_call_index_capacity`.
///
/// # Errors
/// If an image cannot be loaded or drawn, or a primitive consists of lines or points, or has more than 65,536 vertices.
pub fn meshes(store: &Store, model: &Model) -> Result<Vec<Mesh>, Error> {
    // A mesh in a pack of another program has no nodes.
    if model.nodes().is_empty() {
        return model.primitives().iter().map(|primitive| mesh(store, model, primitive, Mat4::IDENTITY)).collect();
    }
    let mut places: Vec<Mat4> = Vec::new();
    let mut meshes = Vec::new();
    for node in model.nodes() {
        // Parents come before their children.
        let parent = node.parent.and_then(|parent| places.get(parent as usize)).copied().unwrap_or(Mat4::IDENTITY);
        let place = parent * Mat4::from_cols_array(&node.transform);
        places.push(place);
        for primitive in model.primitives().iter().filter(|primitive| Some(primitive.mesh()) == node.mesh) {
            meshes.push(mesh(store, model, primitive, place)?);
        }
    }
    Ok(meshes)
}

fn mesh(store: &Store, model: &Model, primitive: &Primitive, place: Mat4) -> Result<Mesh, Error> {
    if primitive.topology() != Topology::TRIANGLES {
        return Err(Error::new(ErrorKind::Topology(primitive.topology())));
    }
    let material = primitive.material().and_then(|number| model.materials().get(number as usize));
    let image = material.and_then(|material| material.base_color_image).map(|id| store.load(id)).transpose()?;
    let color = material.map_or([1.0; 4], |material| material.base_color);
    Ok(Mesh {
        vertices: vertices(primitive, place, color),
        indices: indices(primitive)?,
        texture: image.map(|image| texture(&image.get()).map_err(|e| e.with_path(image.path()))).transpose()?,
    })
}

/// The vertices of a primitive at a place, each in `color` times its own, as the screen shows it. The normals keep their length only if the
/// place is not scaled.
fn vertices(primitive: &Primitive, place: Mat4, color: [f32; 4]) -> Vec<Vertex> {
    let decoded = |attribute| primitive.decode(attribute).unwrap_or_default();
    let (normals, uvs) = (decoded(VertexAttribute::NORMAL), decoded(VertexAttribute::TEXCOORD1));
    let colors = primitive.colors();
    let vertex = |(i, position): (usize, &[f32; 4])| {
        let three = |four: &[f32; 4]| Vec3::new(four[0], four[1], four[2]);
        let normal = normals.get(i).map_or(Vec3::Z, three);
        let own = colors.and_then(|colors| colors.get(i)).map_or([255; 4], |own| *own);
        Vertex {
            position: place.transform_point3(three(position)),
            uv: uvs.get(i).map_or(Vec2::ZERO, |uv| Vec2::new(uv[0], uv[1])),
            color: std::array::from_fn(|channel| {
                let value = f32::from(own[channel]) / 255.0 * color[channel];
                // Alpha is not a colour.
                byte(if channel < 3 { srgb(value) } else { value })
            }),
            normal: place.transform_vector3(normal).extend(0.0),
        }
    };
    decoded(VertexAttribute::POSITION).iter().enumerate().map(vertex).collect()
}

/// A linear part of a colour, which is what models have, in sRGB: macroquad draws colours as they are.
fn srgb(linear: f32) -> f32 {
    if linear <= 0.0031308 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The indices of a primitive; without any, each three vertices are a triangle.
fn indices(primitive: &Primitive) -> Result<Vec<u16>, Error> {
    let count = primitive.vertex_count();
    let too_many = |_| Error::new(ErrorKind::Vertices(count));
    match primitive.indices() {
        Some(Indices::U16(indices)) => Ok(indices.to_vec()),
        Some(Indices::U32(indices)) => indices.iter().map(|i| u16::try_from(*i).map_err(too_many)).collect(),
        None => (0..count).map(|i| u16::try_from(i).map_err(too_many)).collect(),
    }
}
