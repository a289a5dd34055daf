//! The model as a whole.

use super::{Animation, Camera, Light, Material, Mesh, Node, Primitive, Scene, Skin};

/// A model. The vertex data of uncompressed chunks are views of the pack.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) primitives: Vec<Primitive>,
    pub(super) nodes: Vec<Node>,
    /// How many of the nodes are in the default scene. They are the first ones.
    pub(super) in_scene: usize,
    pub(super) materials: Vec<Material>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) cameras: Vec<Camera>,
    pub(super) lights: Vec<Light>,
    pub(super) scenes: Vec<Scene>,
    pub(super) default_scene: Option<u32>,
}

impl Model {
    /// Returns the primitives, in the order of their meshes.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// Returns the nodes of the default scene, parents before children. Empty for a mesh in a pack of another program.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes[..self.in_scene]
    }

    /// Returns the nodes of all scenes and of none, which is what indices of nodes count. The first ones are [`Self::nodes`].
    pub fn all_nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the meshes; [`Primitive::mesh`] and [`Node::mesh`] count them.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// Returns the skins.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// Returns the animations.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Returns the cameras.
    pub fn cameras(&self) -> &[Camera] {
        &self.cameras
    }

    /// Returns the lights.
    pub fn lights(&self) -> &[Light] {
        &self.lights
    }

    /// Returns the scenes.
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// Returns the scene that is shown first, whose nodes are [`Self::nodes`].
    pub fn default_scene(&self) -> Option<&Scene> {
        self.scenes.get(self.default_scene? as usize)
    }

    /// Returns the materials.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }
}
