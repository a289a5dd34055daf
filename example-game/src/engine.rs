//! Converts the types of rres to macroquad's: images to textures, models to meshes, shader texts to materials,
//! sounds to files. `font.rs` does the same for fonts. Nothing else in the game knows how pixels, vertices and samples
//! are stored.
//!
//! The limits of macroquad make this file longer than it would have to be: textures are RGBA of 8 bits without mip
//! levels, so DDS blocks are unpacked here; meshes have 16-bit indices; sounds must be whole files.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail};
use macroquad::prelude::*;
use rres_runtime::asset::model::Indices;
use rres_runtime::asset::{Filter, PixelFormat};
use rres_runtime::{FromAsset, Store};
use rres_runtime::{Image as Pixels, Model, Text};

use crate::assets::shaders;

/// Makes a texture on the graphics card from an image.
pub(crate) fn texture(image: &Pixels) -> Result<Texture2D> {
    let pixels = match image.format() {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => unpack(image, 8, bcdec_rs::bc1).into(),
        PixelFormat::DXT5_RGBA => unpack(image, 16, bcdec_rs::bc3).into(),
        // Without a copy if the image is RGBA already.
        format => image.to_rgba8().with_context(|| format!("{format:?} cannot be drawn; set format = \"rgba8\""))?,
    };
    let texture = Texture2D::from_rgba8(image.width().try_into()?, image.height().try_into()?, &pixels);
    texture.set_filter(match image.filter() {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    });
    Ok(texture)
}

/// Unpacks pixels in blocks of 4 × 4, each of `size` bytes, to RGBA.
fn unpack(image: &Pixels, size: usize, decode: fn(&[u8], &mut [u8], usize)) -> Vec<u8> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (columns, rows) = (width.div_ceil(4), height.div_ceil(4));
    let pitch = columns * 16;
    let mut pixels = vec![0; pitch * rows * 4];
    for (number, block) in image.data().chunks_exact(size).take(columns * rows).enumerate() {
        decode(block, &mut pixels[number / columns * 4 * pitch + number % columns * 16..], pitch);
    }
    pixels.chunks(pitch).take(height).flat_map(|row| &row[..width * 4]).copied().collect()
}

/// One primitive of a model, transformed by its node, with its texture.
#[derive(Debug)]
pub(crate) struct Solid {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
    texture: Option<Texture2D>,
}

/// The primitives of a model.
pub(crate) fn solids(store: &Store, model: &Model) -> Result<Rc<[Solid]>> {
    let mut places: Vec<Mat4> = Vec::new();
    let mut solids = Vec::new();
    for node in model.nodes() {
        // Parents come before their children.
        let parent = node.parent.and_then(|parent| places.get(parent as usize)).copied().unwrap_or(Mat4::IDENTITY);
        let place = parent * Mat4::from_cols_array(&node.transform);
        places.push(place);
        for primitive in model.primitives().iter().filter(|primitive| Some(primitive.mesh()) == node.mesh) {
            let positions = primitive.positions();
            let material = primitive.material().and_then(|number| model.materials().get(number as usize));
            let image = material.and_then(|material| material.base_color_image).map(|id| store.load(id)).transpose()?;
            let color = material.map_or([1.0; 4], |material| material.base_color).map(|c| (c * 255.0) as u8);
            let (normals, uvs) = (primitive.normals(), primitive.tex_coords());
            let vertex = |i: usize| {
                let normal = normals.and_then(|normals| normals.get(i)).map_or(Vec3::Z, |n| Vec3::from(*n));
                Vertex {
                    position: place.transform_point3(Vec3::from(positions[i])),
                    uv: uvs.and_then(|uvs| uvs.get(i)).map_or(Vec2::ZERO, |uv| Vec2::from(*uv)),
                    color,
                    normal: place.transform_vector3(normal).extend(0.0),
                }
            };
            solids.push(Solid {
                vertices: (0..positions.len()).map(vertex).collect(),
                indices: match primitive.indices() {
                    Some(Indices::U16(indices)) => indices.to_vec(),
                    Some(Indices::U32(_)) => bail!("a mesh has more than 65,536 vertices"),
                    None => (0..u16::try_from(positions.len())?).collect(),
                },
                texture: image.map(|image| texture(&image.get())).transpose()?,
            });
        }
    }
    Ok(solids.into())
}

impl Solid {
    /// Draws it turned and enlarged, with its origin at `at`. The y axis points up, and `light` is 0 to 1.
    pub(crate) fn draw(&self, at: Vec3, scale: f32, turn: Quat, light: f32) {
        let moved = |v: &Vertex| Vertex {
            position: turn * v.position * scale + at,
            uv: v.uv,
            color: v.color.map(|c| (f32::from(c) * light) as u8),
            normal: (turn * v.normal.truncate()).extend(0.0),
        };
        let vertices = self.vertices.iter().map(moved).collect();
        draw_mesh(&Mesh { vertices, indices: self.indices.clone(), texture: self.texture.clone() });
    }
}

/// The texts of a vertex and a fragment shader. It is made from the fragment shader, whose second line names the other
/// one. The store makes it again when either of them changes.
#[derive(Clone, Debug)]
pub(crate) struct Shader {
    vertex: Arc<Text>,
    fragment: Text,
}

impl FromAsset for Shader {
    type Source = Text;
    type Error = Error;

    fn from_asset(fragment: &Text, store: &Store) -> Result<Self> {
        let name = fragment.as_str().lines().find_map(|line| line.strip_prefix("// vertex shader: "));
        let vertex = match name.context("has no line \"// vertex shader: NAME\"")?.trim() {
            "flat.vs" => shaders::FLAT_VS,
            "crystal.vs" => shaders::CRYSTAL_VS,
            other => bail!("names the vertex shader \"{other}\", expected flat.vs or crystal.vs"),
        };
        Ok(Self { vertex: store.load(vertex)?.get(), fragment: fragment.clone() })
    }
}

/// How drawn pixels combine with those below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blend {
    Replace,
    /// They add light.
    Add,
    /// They cover what is farther away.
    Depth,
}

/// Compiles a material; `values` are the names of its numbers, `textures` the names of its additional textures.
pub(crate) fn material(shader: &Shader, blend: Blend, values: &[&str], textures: &[&str]) -> Result<Material> {
    use macroquad::miniquad::{BlendFactor, BlendState, Comparison, Equation, PipelineParams};
    let add = BlendState::new(Equation::Add, BlendFactor::One, BlendFactor::One);
    let pipeline_params = PipelineParams {
        color_blend: (blend == Blend::Add).then_some(add),
        depth_write: blend == Blend::Depth,
        depth_test: if blend == Blend::Depth { Comparison::LessOrEqual } else { Comparison::Always },
        ..Default::default()
    };
    let params = MaterialParams {
        pipeline_params,
        uniforms: values.iter().map(|name| UniformDesc::new(name, UniformType::Float1)).collect(),
        textures: textures.iter().map(|name| (*name).to_owned()).collect(),
    };
    let source = ShaderSource::Glsl { vertex: shader.vertex.as_str(), fragment: shader.fragment.as_str() };
    load_material(source, params).map_err(|error| match error {
        macroquad::Error::ShaderError(error) => anyhow!("does not compile: {error}"),
        other => anyhow!("does not compile: {other}"),
    })
}

/// The file of a sound for macroquad's player; `None` for encodings that it does not know.
#[cfg(feature = "sound")]
pub(crate) fn sound_file(sound: &rres_runtime::Sound) -> Option<std::borrow::Cow<'_, [u8]>> {
    match sound.samples() {
        rres_runtime::asset::Samples::Encoded { extension: ".ogg", bytes } => Some(bytes.into()),
        _ => sound.to_wav(),
    }
}
