//! Our types to macroquad's: images to textures, models to meshes, texts to shaders. Nothing else in the game knows how
//! pixels and vertices are stored.

use macroquad::prelude::*;
use rres_runtime::asset::{Filter, Image as Pixels, Indices, Model, PixelFormat};
use rres_runtime::{Handle, Store, Text};

use crate::blocks::{self, Blocks};
use crate::error::{Error, Result};

/// An image as a texture on the graphics card.
pub(crate) fn texture(image: &Handle<Pixels>) -> Result<Texture2D> {
    texture_of(&image.get(), image.path())
}

/// As [`texture`], for images inside other assets; `path` is for messages.
pub(crate) fn texture_of(image: &Pixels, path: &str) -> Result<Texture2D> {
    let (width, height) = (image.width(), image.height());
    let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(Error::content(path, 0, format!("{width} by {height} pixels are more than 65,535 on a side")));
    };
    let unpacked = match image.format() {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => blocks::decode(Blocks::Bc1, width, height, image.data()),
        PixelFormat::DXT5_RGBA => blocks::decode(Blocks::Bc3, width, height, image.data()),
        _ => image.to_rgba8().map(|pixels| pixels.into_owned()),
    };
    let pixels = unpacked.ok_or_else(|| {
        let why = format!("its pixel format {:?} cannot be drawn; set image.format = \"rgba8\"", image.format());
        Error::content(path, 0, why)
    })?;
    let texture = Texture2D::from_rgba8(short_width, short_height, &pixels);
    texture.set_filter(match image.filter() {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    });
    Ok(texture)
}

/// One primitive of a model where it stands in the model's space, with its texture.
#[derive(Debug)]
pub(crate) struct Solid {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
    texture: Option<Texture2D>,
}

/// The primitives of a model, each moved to where its node puts it.
pub(crate) fn solids(store: &Store, model: &Handle<Model>) -> Result<Vec<Solid>> {
    let (path, model) = (model.path().to_owned(), model.get());
    let mut places: Vec<Mat4> = Vec::new();
    let mut solids = Vec::new();
    for node in model.nodes() {
        // Parents come before their children.
        let parent = node.parent.and_then(|p| places.get(p as usize)).copied().unwrap_or(Mat4::IDENTITY);
        let place = parent * Mat4::from_cols_array(&node.transform);
        places.push(place);
        for primitive in model.primitives().iter().filter(|p| Some(p.mesh()) == node.mesh) {
            let material = primitive.material().and_then(|m| model.materials().get(m as usize));
            let tint = material.map_or([1.0; 4], |m| m.base_color);
            let image = material.and_then(|m| m.base_color_image).map(|id| store.load(id)).transpose()?;
            let count = primitive.positions().len();
            let indices = match primitive.indices() {
                Some(Indices::U16(indices)) => indices.to_vec(),
                Some(Indices::U32(_)) => return Err(Error::content(&path, 0, "a mesh has more than 65,536 vertices")),
                None => (0..count as u32).map(|i| i as u16).collect(),
            };
            let (normals, uvs) = (primitive.normals(), primitive.tex_coords());
            let vertex = |i: usize| Vertex {
                position: place.transform_point3(Vec3::from(primitive.positions()[i])),
                uv: uvs.and_then(|uvs| uvs.get(i)).map_or(Vec2::ZERO, |uv| Vec2::from(*uv)),
                color: tint.map(|c| (c * 255.0) as u8),
                normal: normals
                    .and_then(|n| n.get(i))
                    .map_or(Vec3::Z, |n| place.transform_vector3(Vec3::from(*n)))
                    .extend(0.0),
            };
            solids.push(Solid {
                vertices: (0..count).map(vertex).collect(),
                indices,
                texture: image.as_ref().map(texture).transpose()?,
            });
        }
    }
    Ok(solids)
}

impl Solid {
    /// Draws it turned, enlarged and with its origin at `at`, in a space where y points up.
    pub(crate) fn draw(&self, at: Vec3, scale: f32, turn: Quat, tint: [f32; 3]) {
        let tint = [tint[0], tint[1], tint[2], 1.0];
        let moved = |v: &Vertex| Vertex {
            position: turn * v.position * scale + at,
            uv: v.uv,
            color: std::array::from_fn(|i| (f32::from(v.color[i]) * tint[i]) as u8),
            normal: (turn * v.normal.truncate()).extend(0.0),
        };
        let vertices = self.vertices.iter().map(moved).collect();
        draw_mesh(&Mesh { vertices, indices: self.indices.clone(), texture: self.texture.clone() });
    }
}

/// How what is drawn meets what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// Replaces it.
    Cover,
    /// Adds its light.
    Add,
    /// Covers what is farther away.
    Depth,
}

/// Compiles a material from two shaders; `values` are its numbers, `textures` its further textures.
pub(crate) fn material(
    vertex: &Handle<Text>,
    fragment: &Handle<Text>,
    meeting: Meeting,
    values: &[&str],
    textures: &[&str],
) -> Result<Material> {
    use macroquad::miniquad::{BlendFactor, BlendState, Comparison, Equation, PipelineParams};
    let add = BlendState::new(Equation::Add, BlendFactor::One, BlendFactor::One);
    let pipeline_params = PipelineParams {
        color_blend: (meeting == Meeting::Add).then_some(add),
        depth_write: meeting == Meeting::Depth,
        depth_test: if meeting == Meeting::Depth { Comparison::LessOrEqual } else { Comparison::Always },
        ..Default::default()
    };
    let params = MaterialParams {
        pipeline_params,
        uniforms: values.iter().map(|name| UniformDesc::new(name, UniformType::Float1)).collect(),
        textures: textures.iter().map(|name| (*name).to_owned()).collect(),
    };
    let (vertex_text, fragment_text) = (vertex.get(), fragment.get());
    let source = ShaderSource::Glsl { vertex: vertex_text.as_str(), fragment: fragment_text.as_str() };
    load_material(source, params)
        .map_err(|e| Error::content(fragment.path(), 0, format!("does not compile with \"{}\": {e}", vertex.path())))
}
