//! What a model has besides its vertices: nodes, materials, skins and animations.

use rres_format::chunk::scene::{
    ChannelRecord, Factor, FactorRecord, Interpolation, NONE, NodeExtra, Property, SceneBlock, SkinRecord, Span,
    TextureRecord,
};

/// A node: a place that meshes are drawn at, or a joint. The default is the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelNode {
    /// Its name; empty if it has none.
    pub name: String,
    /// The number of its parent, which was added before it; `None` for a root.
    pub parent: Option<u32>,
    /// The number of the mesh that is drawn here.
    pub mesh: Option<u32>,
    /// The number of the skin that moves that mesh.
    pub skin: Option<u32>,
    /// Translation.
    pub translation: [f32; 3],
    /// Rotation, a unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Scale.
    pub scale: [f32; 3],
}

impl Default for ModelNode {
    fn default() -> Self {
        Self {
            name: String::new(),
            parent: None,
            mesh: None,
            skin: None,
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
        }
    }
}

impl ModelNode {
    pub(super) fn extra(&self) -> NodeExtra {
        let Self { skin, translation, rotation, scale, .. } = *self;
        let (skin, weights) = (skin.unwrap_or(NONE), Span::default());
        NodeExtra { has_parts: 1, skin, camera: NONE, light: NONE, weights, translation, rotation, scale }
    }

    /// Returns the matrix of the scale, the rotation and the translation, in this order, column by column.
    pub(super) fn transform(&self) -> [f32; 16] {
        let Self { translation: [tx, ty, tz], rotation: [x, y, z, w], scale: [sx, sy, sz], .. } = *self;
        #[rustfmt::skip]
        let columns = [
            (1.0 - 2.0 * (y * y + z * z)) * sx, 2.0 * (x * y + z * w) * sx, 2.0 * (x * z - y * w) * sx, 0.0,
            2.0 * (x * y - z * w) * sy, (1.0 - 2.0 * (x * x + z * z)) * sy, 2.0 * (y * z + x * w) * sy, 0.0,
            2.0 * (x * z + y * w) * sz, 2.0 * (y * z - x * w) * sz, (1.0 - 2.0 * (x * x + y * y)) * sz, 0.0,
            tx, ty, tz, 1.0,
        ];
        columns
    }
}

/// A material: a base colour, and what differs from the defaults of glTF.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelMaterial {
    pub(super) name: String,
    pub(super) base_color: [f32; 4],
    factors: Vec<(Factor, [f32; 4])>,
    pub(super) textures: Vec<TextureRecord>,
}

impl ModelMaterial {
    /// Creates a material of a linear colour, red, green, blue and alpha. The name may be empty.
    pub fn new(name: impl Into<String>, base_color: [f32; 4]) -> Self {
        Self { name: name.into(), base_color, factors: Vec::new(), textures: Vec::new() }
    }

    /// Sets a number, or a colour. Components that the factor does not have are 0.
    #[must_use]
    pub fn with_factor(mut self, factor: Factor, value: [f32; 4]) -> Self {
        self.factors.push((factor, value));
        self
    }

    /// Adds a texture: [`TextureRecord::new`] of an image of [`ModelBuilder::add_image`](super::ModelBuilder::add_image). The number of the
    /// material in it does not count.
    #[must_use]
    pub fn with_texture(mut self, texture: TextureRecord) -> Self {
        self.textures.push(texture);
        self
    }

    /// Adds the records of the material with this number, in the order that the chunk demands.
    pub(super) fn put(self, material: u32, scene: &mut SceneBlock) {
        let Self { mut factors, mut textures, .. } = self;
        factors.sort_by_key(|(factor, _)| factor.0);
        textures.sort_by_key(|texture| texture.slot.0);
        scene.factors.extend(factors.into_iter().map(|(factor, value)| FactorRecord { material, factor, value }));
        scene.textures.extend(textures.into_iter().map(|texture| TextureRecord { material, ..texture }));
    }
}

/// A skin: the joints that move the vertices of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSkin {
    /// Its name; empty if it has none.
    pub name: String,
    /// The nodes that are joints. Vertices refer to them by their place in this list.
    pub joints: Vec<u32>,
    /// The inverse bind matrix of each joint, column by column; empty if all are the identity.
    pub inverse_bind_matrices: Vec<[f32; 16]>,
    /// The node that is the root of the skeleton.
    pub root: Option<u32>,
}

impl ModelSkin {
    pub(super) fn put(self, scene: &mut SceneBlock) -> rres_format::Result<()> {
        let inverse_bind_matrices = scene.push_numbers(self.inverse_bind_matrices.into_iter().flatten())?;
        let joints = scene.push_indices(self.joints)?;
        let name = scene.push_name(&self.name)?;
        scene.skins.push(SkinRecord { name, joints, inverse_bind_matrices, skeleton: self.root.unwrap_or(NONE) });
        Ok(())
    }
}

/// How one property of one node changes in an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelChannel {
    /// The number of the node.
    pub node: u32,
    /// The property.
    pub property: Property,
    /// What is between two keys.
    pub interpolation: Interpolation,
    /// The times of the keys in seconds, ascending.
    pub times: Vec<f32>,
    /// The values of the keys: 3 numbers each, 4 for a rotation. With cubic interpolation each key has three: tangent in, value, tangent out.
    pub values: Vec<f32>,
}

impl ModelChannel {
    /// Adds the channel. It shares its times with the one before if they are the same.
    pub(super) fn put(self, scene: &mut SceneBlock) -> rres_format::Result<()> {
        let Self { node, property, interpolation, times, values } = self;
        let per_key = if interpolation == Interpolation::CUBIC { 3 } else { 1 };
        let components = values.len().checked_div(times.len() * per_key).unwrap_or_default() as u32;
        let shared = scene.channels.last().map(|before| before.times).filter(|before| {
            let before = scene.numbers.get(before.first as usize..(before.first + before.count) as usize);
            before == Some(&times[..])
        });
        let times = match shared {
            Some(times) => times,
            None => scene.push_numbers(times)?,
        };
        let values = scene.push_numbers(values)?;
        scene.channels.push(ChannelRecord { node, property, interpolation, components, times, values });
        Ok(())
    }
}
