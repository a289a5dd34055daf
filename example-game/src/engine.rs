//! What the game draws with macroquad beyond what `rres-macroquad` makes of its assets: lit meshes, and shader texts as materials.

use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail};
use macroquad::prelude::*;
use rres_runtime::{FromAsset, Store, Text};

use crate::assets::shaders;

/// Draws a mesh turned and enlarged, with its origin at `at`. The y axis points up, and `light` is 0 to 1.
pub(crate) fn draw_lit(mesh: &Mesh, at: Vec3, scale: f32, turn: Quat, light: f32) {
    let moved = |v: &Vertex| Vertex {
        position: turn * v.position * scale + at,
        uv: v.uv,
        color: v.color.map(|c| (f32::from(c) * light) as u8),
        normal: (turn * v.normal.truncate()).extend(0.0),
    };
    let vertices = mesh.vertices.iter().map(moved).collect();
    draw_mesh(&Mesh { vertices, indices: mesh.indices.clone(), texture: mesh.texture.clone() });
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
