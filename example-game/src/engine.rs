//! Our types to macroquad's: images to textures, models to meshes, shader texts to materials, sounds to files that its player
//! takes; `lettering.rs` does the same for fonts. Nothing else in the game knows how pixels, vertices and samples are stored.
//!
//! Each function turns one value into one thing of the engine and keeps neither, so that [`crate::live::Live`] can call it
//! again when the value changes.
//!
//! This page wants to be a crate of its own, `rres-macroquad`, as `rres-raylib.h` is one for raylib. In the way stand: the
//! engine takes textures as RGBA of 8 bits without mip levels only, so blocks (`blocks.rs`) and floats are unpacked here;
//! meshes have 16-bit indices and one colour per vertex; sounds are taken as whole files of WAV or OGG, decoded at once (which is
//! why music is handed over whole and not read through `Store::stream`); and its global state carries RUSTSEC-2025-0035, which
//! a library should not pass on.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use macroquad::prelude::*;
use rres_runtime::asset::{Filter, Image as Pixels, Indices, Model, PixelFormat, Samples, Sound, Text};
use rres_runtime::{FromAsset, Store};

use crate::assets::shaders;
use crate::blocks::{self, Blocks};
use crate::error::{Error, Result};

/// An image as a texture on the graphics card; `path` is for messages, here and below.
pub(crate) fn texture(image: &Pixels, path: &str) -> Result<Texture2D> {
    let (width, height) = (image.width(), image.height());
    let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(Error::content(path, format!("{width} by {height} pixels are more than 65,535 on a side")));
    };
    let unpacked = match image.format() {
        PixelFormat::DXT1_RGB | PixelFormat::DXT1_RGBA => unpack(Blocks::Bc1, image),
        PixelFormat::DXT5_RGBA => unpack(Blocks::Bc3, image),
        // Without a copy where the image is RGBA already.
        _ => image.to_rgba8(),
    };
    let pixels = unpacked.ok_or_else(|| {
        let why = format!("its pixel format {:?} cannot be drawn; set image.format = \"rgba8\"", image.format());
        Error::content(path, why)
    })?;
    let texture = Texture2D::from_rgba8(short_width, short_height, &pixels);
    texture.set_filter(match image.filter() {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    });
    Ok(texture)
}

fn unpack(blocks: Blocks, image: &Pixels) -> Option<Cow<'_, [u8]>> {
    blocks::decode(blocks, image.width(), image.height(), image.data()).map(Cow::Owned)
}

/// One primitive of a model where it stands in the model's space, with its texture.
#[derive(Debug)]
pub(crate) struct Solid {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
    texture: Option<Texture2D>,
}

/// The primitives of a model, each moved to where its node puts it.
pub(crate) fn solids(store: &Store, model: &Model, path: &str) -> Result<Rc<[Solid]>> {
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
                Some(Indices::U32(_)) => return Err(Error::content(path, "a mesh has more than 65,536 vertices")),
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
                texture: image.map(|image| texture(&image.get(), image.path())).transpose()?,
            });
        }
    }
    Ok(solids.into())
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

/// The texts of a vertex and a fragment shader. It is made of the fragment shader, whose second line names the other; the store
/// makes it anew when either of the two changes.
#[derive(Clone, Debug)]
pub(crate) struct Shader {
    vertex: Arc<Text>,
    fragment: Text,
}

impl FromAsset for Shader {
    type Source = Text;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn from_asset(fragment: &Text, store: &Store) -> Result<Self, Self::Error> {
        let name = fragment.as_str().lines().find_map(|line| line.strip_prefix("// vertex shader: "));
        let vertex = match name.map(str::trim) {
            Some("flat.vs") => shaders::FLAT_VS,
            Some("crystal.vs") => shaders::CRYSTAL_VS,
            Some(other) => {
                return Err(format!("names the vertex shader \"{other}\", expected flat.vs or crystal.vs").into());
            }
            None => return Err("has no line \"// vertex shader: NAME\"".into()),
        };
        Ok(Self { vertex: store.load(vertex)?.get(), fragment: fragment.clone() })
    }
}

/// Compiles a material; `values` are its numbers, `textures` its further textures.
pub(crate) fn material(
    shader: &Shader,
    path: &str,
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
    let source = ShaderSource::Glsl { vertex: shader.vertex.as_str(), fragment: shader.fragment.as_str() };
    load_material(source, params).map_err(|error| {
        let why = match &error {
            macroquad::Error::ShaderError(error) => error.to_string(),
            other => other.to_string(),
        };
        Error::content(path, format!("does not compile: {}", why.trim_end()))
    })
}

/// A sound as a file that the engine's player takes: encoded ones as they are, samples as WAV. `None` for encodings that it
/// cannot decode.
#[cfg_attr(not(feature = "sound"), allow(dead_code))]
pub(crate) fn sound_file(sound: &Sound) -> Option<Cow<'_, [u8]>> {
    match sound.samples() {
        Samples::Encoded { extension: ".ogg" | ".wav", bytes } => Some(bytes.into()),
        Samples::U8(samples) => Some(wav(sound, samples.iter().map(|s| (i16::from(*s) - 128) << 8)).into()),
        Samples::I16(samples) => Some(wav(sound, samples.iter().copied()).into()),
        Samples::F32(samples) => Some(wav(sound, samples.iter().map(|s| (s.clamp(-1.0, 1.0) * 32767.0) as i16)).into()),
        _ => None,
    }
}

/// How loud the engine is to play it, at most 1.
#[cfg_attr(not(feature = "sound"), allow(dead_code))]
pub(crate) fn volume(sound: &Sound) -> f32 {
    10f32.powf(sound.gain() / 20.0).min(1.0)
}

fn wav(sound: &Sound, samples: impl ExactSizeIterator<Item = i16>) -> Vec<u8> {
    let (size, block) = (samples.len() as u32 * 2, sound.channels() * 2);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    bytes.extend((sound.channels() as u16).to_le_bytes());
    bytes.extend(sound.sample_rate().to_le_bytes());
    bytes.extend((sound.sample_rate() * block).to_le_bytes());
    bytes.extend((block as u16).to_le_bytes());
    bytes.extend(b"\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.extend(samples.flat_map(i16::to_le_bytes));
    bytes
}
