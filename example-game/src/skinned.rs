//! Models that move: each vertex follows the joints of a skin while an animation plays.

use std::sync::Arc;

use anyhow::{Context, Result};
use macroquad::prelude::*;
use rres_runtime::Model;
use rres_runtime::Store;
use rres_runtime::asset::model::Indices;
use rres_runtime::asset::model::{Animation, Primitive, Skin};

/// A model with one primitive, one skin and one animation, ready to draw.
#[derive(Debug)]
pub(crate) struct Skinned {
    model: Arc<Model>,
    texture: Option<Texture2D>,
    /// Of the material: 0 for stone, 1 for ice.
    pub(crate) gloss: f32,
    /// Of the material, too.
    pub(crate) emissive: Vec3,
}

impl Skinned {
    pub(crate) fn new(store: &Store, model: &Arc<Model>) -> Result<Self> {
        let skinned = Self::without_texture(model);
        let (primitive, ..) = skinned.parts().context("has no mesh with joints and an animation")?;
        let count = primitive.positions().len();
        let sizes = [primitive.joints(0).map(<[_]>::len), primitive.weights(0).map(<[_]>::len)];
        anyhow::ensure!(sizes == [Some(count); 2], "has no joints and weights for each of {count} vertices");
        let material = primitive.material().and_then(|number| model.materials().get(number as usize));
        let Some(material) = material else { return Ok(skinned) };
        let image = material.base_color_image.map(|id| store.load(id)).transpose()?;
        let texture = image.map(|image| rres_macroquad::texture(&image.get())).transpose()?;
        Ok(Self { texture, gloss: 1.0 - material.roughness, emissive: Vec3::from(material.emissive), ..skinned })
    }

    /// Returns the model with its shape alone.
    pub(crate) fn without_texture(model: &Arc<Model>) -> Self {
        Self { model: Arc::clone(model), texture: None, gloss: 0.0, emissive: Vec3::ZERO }
    }

    fn parts(&self) -> Option<(&Primitive, &Skin, &Animation)> {
        Some((self.model.primitives().first()?, self.model.skins().first()?, self.model.animations().first()?))
    }

    /// Returns the positions and normals of the vertices at a time of the animation, which repeats.
    pub(crate) fn pose(&self, time: f32) -> Vec<(Vec3, Vec3)> {
        let Some((primitive, skin, swim)) = self.parts() else { return Vec::new() };
        let world = self.model.to_world(&self.model.pose(swim, time.rem_euclid(swim.duration().max(0.01))));
        let joints: Vec<Mat4> = skin.matrices(&world).iter().map(Mat4::from_cols_array).collect();
        let normals = primitive.normals().unwrap_or_default();
        let places = primitive.positions().iter().enumerate();
        let bones = primitive.joints(0).unwrap_or_default().iter().zip(primitive.weights(0).unwrap_or_default());
        let moved = places.zip(bones).map(|((i, position), (bones, weights))| {
            let matrix = |(bone, weight): (&u16, &f32)| joints[usize::from(*bone)] * *weight;
            let matrix = bones.iter().zip(weights).map(matrix).fold(Mat4::ZERO, |sum, part| sum + part);
            let normal = normals.get(i).map_or(Vec3::Z, |normal| Vec3::from(*normal));
            (matrix.transform_point3(Vec3::from(*position)), matrix.transform_vector3(normal))
        });
        moved.collect()
    }

    /// Draws it at a time of the animation, turned and enlarged, with its origin at `at`. The y axis points up, and `light` is 0 to 1.
    pub(crate) fn draw(&self, time: f32, at: Vec3, scale: f32, turn: Quat, light: f32) {
        let Some((primitive, ..)) = self.parts() else { return };
        let uvs = primitive.tex_coords().unwrap_or_default();
        let glow = |emissive: f32| ((light + emissive).min(1.0) * 255.0) as u8;
        let [r, g, b] = self.emissive.to_array().map(glow);
        let vertex = |(i, (position, normal)): (usize, (Vec3, Vec3))| Vertex {
            position: turn * position * scale + at,
            uv: uvs.get(i).map_or(Vec2::ZERO, |uv| Vec2::from(*uv)),
            color: [r, g, b, 255],
            normal: (turn * normal).extend(0.0),
        };
        let vertices: Vec<Vertex> = self.pose(time).into_iter().enumerate().map(vertex).collect();
        let indices = match primitive.indices() {
            Some(Indices::U16(indices)) => indices.to_vec(),
            // The whale has fewer vertices than that.
            _ => return,
        };
        draw_mesh(&Mesh { vertices, indices, texture: self.texture.clone() });
    }
}
