//! Models: primitives with their vertex attributes, the nodes and materials that combine them, and what moves them.

mod animation;
mod checks;
mod collision;
mod decode;
mod indices;
mod interleave;
mod lod;
mod material;
mod meshlets;
mod numbers;
mod part;
mod pose;
mod scene;
mod tracks;
mod world;

pub use animation::{Animation, Channel, Sample};
pub use collision::CollisionShape;
pub use indices::Indices;
pub use interleave::{InterleavedVertices, VertexField};
pub use lod::Lod;
pub use material::{AlphaMode, Material, Sampler, SpecularGlossiness, Texture};
pub use meshlets::{Meshlet, Meshlets};
pub use part::{ModelPart, Part};
pub use scene::{Camera, Light, LightKind, Mesh, Projection, Scene, Skin};

use checks::{checked, inconsistent};
use numbers::Numbers;
use rres_format::chunk::model::{ModelView, Topology};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_format::{AssetKind, FourCc};
use rres_protocol::packed_id::Slot;

use super::{Asset, FromResource, Image};
use crate::bytes::AssetBytes;
use crate::error::Result;
use crate::id::Id;
use crate::resource::{Chunk, LoadedResource};

/// A model. The vertex data of uncompressed chunks are views of the pack.
#[derive(Clone, Debug)]
pub struct Model {
    primitives: Vec<Primitive>,
    nodes: Vec<Node>,
    /// How many of the nodes are in the default scene. They are the first ones.
    in_scene: usize,
    materials: Vec<Material>,
    meshes: Vec<Mesh>,
    skins: Vec<Skin>,
    animations: Vec<Animation>,
    cameras: Vec<Camera>,
    lights: Vec<Light>,
    scenes: Vec<Scene>,
    default_scene: Option<u32>,
    collision: Vec<CollisionShape>,
}

/// One drawable part of a mesh.
#[derive(Clone, Debug)]
pub struct Primitive {
    mesh: u32,
    material: Option<u32>,
    topology: Topology,
    bounds: ([f32; 3], [f32; 3]),
    /// The box of its mesh, which positions in integers are parts of; `None` in packs of other programs.
    mesh_bounds: Option<([f32; 3], [f32; 3])>,
    attributes: Vec<(VertexProps, AssetBytes)>,
    morphs: Vec<scene::Morph>,
    /// The errors of its levels of detail.
    lods: Vec<f32>,
    meshlets: Vec<meshlets::List>,
}

/// A node of the scene tree.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Node {
    /// Its name; empty if the source file has none.
    pub name: Box<str>,
    /// The index of the parent, which is smaller than the node's own; `None` for a root.
    pub parent: Option<u32>,
    /// The index of the mesh at this node; see [`Primitive::mesh`].
    pub mesh: Option<u32>,
    /// Transforms from this node's space to its parent's, column-major. [`Model::world_transforms`] has those to the space
    /// of the model.
    pub transform: [f32; 16],
    /// The parts of the transform; `None` if the source file has the matrix alone. Only such nodes cannot be animated.
    pub parts: Option<NodeParts>,
    /// The index of the skin that moves its mesh, in [`Model::skins`].
    pub skin: Option<u32>,
    /// The index of the camera at this node, in [`Model::cameras`].
    pub camera: Option<u32>,
    /// The index of the light at this node, in [`Model::lights`].
    pub light: Option<u32>,
    weights: Numbers,
}

/// A transform in parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeParts {
    /// Translation, which is applied last.
    pub translation: [f32; 3],
    /// Rotation: a unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Scale, which is applied first.
    pub scale: [f32; 3],
}

impl Node {
    /// Returns the weights of the morph targets of its mesh. If it is empty, the weights of the mesh apply.
    pub fn morph_weights(&self) -> &[f32] {
        &self.weights
    }
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

impl Primitive {
    /// Returns the index of the mesh that the primitive is part of.
    pub fn mesh(&self) -> u32 {
        self.mesh
    }

    /// Returns the index of its material in [`Model::materials`].
    pub fn material(&self) -> Option<u32> {
        self.material
    }

    /// Returns how its vertices are connected.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Returns the smallest and the largest position, per axis.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        self.bounds
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        let of_vertices = self.attributes.iter().map(|(props, _)| props).find(|props| !props.attribute.is_indices());
        of_vertices.map_or(0, |props| props.count as usize)
    }

    /// Returns the positions; empty if the source file has none, or if the setting `model.positions` stores them in another format:
    /// [`Self::decode`] has them in any case, as well as what other formats hold.
    pub fn positions(&self) -> &[[f32; 3]] {
        self.get(VertexAttribute::POSITION, 3, VertexFormat::FLOAT).unwrap_or_default()
    }

    /// Returns the normals.
    pub fn normals(&self) -> Option<&[[f32; 3]]> {
        self.get(VertexAttribute::NORMAL, 3, VertexFormat::FLOAT)
    }

    /// Returns the first texture coordinates, from the top left of the image.
    pub fn tex_coords(&self) -> Option<&[[f32; 2]]> {
        self.get(VertexAttribute::TEXCOORD1, 2, VertexFormat::FLOAT)
    }

    /// Returns the second texture coordinates.
    pub fn tex_coords2(&self) -> Option<&[[f32; 2]]> {
        self.get(VertexAttribute::TEXCOORD2, 2, VertexFormat::FLOAT)
    }

    /// Returns the tangents. The fourth number is the handedness.
    pub fn tangents(&self) -> Option<&[[f32; 4]]> {
        self.get(VertexAttribute::TANGENT, 4, VertexFormat::FLOAT)
    }

    /// Returns the colours: red, green, blue, alpha.
    pub fn colors(&self) -> Option<&[[u8; 4]]> {
        self.get(VertexAttribute::COLOR, 4, VertexFormat::UBYTE)
    }

    /// Returns the indices. Without them, vertices are used in order.
    pub fn indices(&self) -> Option<Indices<'_>> {
        self.indices_of(VertexAttribute::INDEX)
    }

    fn indices_of(&self, attribute: VertexAttribute) -> Option<Indices<'_>> {
        let short = self.get(attribute, 1, VertexFormat::USHORT).map(Indices::U16);
        short.or_else(|| self.get(attribute, 1, VertexFormat::UINT).map(Indices::U32))
    }

    /// Returns four joints of each vertex, counted by [`Skin::joints`], of a set counted from 0. Most models have one set.
    pub fn joints(&self, set: u32) -> Option<&[[u16; 4]]> {
        self.get(VertexAttribute::joints(set), 4, VertexFormat::USHORT)
    }

    /// Returns the weights of the joints of a set.
    pub fn weights(&self, set: u32) -> Option<&[[f32; 4]]> {
        self.get(VertexAttribute::weights(set), 4, VertexFormat::FLOAT)
    }

    /// Returns what a morph target adds to an attribute, for each vertex; `None` if nothing. Targets are counted by
    /// [`Mesh::morph_targets`].
    ///
    /// Positions, normals and tangents have 3 numbers a vertex, texture coordinates 2, colours 3 or 4.
    pub fn morph(&self, target: u32, attribute: VertexAttribute) -> Option<&[f32]> {
        let is_it = |morph: &&scene::Morph| (morph.target, morph.attribute) == (target, attribute);
        self.morphs.iter().find(is_it).map(|morph| &*morph.deltas)
    }

    fn largest_joint(&self) -> Option<u16> {
        let sets = (0..VertexAttribute::MAX_JOINT_SETS).filter_map(|set| self.joints(set));
        sets.filter_map(|joints| joints.as_flattened().iter().max().copied()).max()
    }

    /// Returns every attribute as stored, for layouts without an accessor here.
    pub fn attributes(&self) -> impl Iterator<Item = (VertexProps, &[u8])> {
        self.attributes.iter().map(|(props, data)| (*props, &**data))
    }

    fn get<T: bytemuck::AnyBitPattern>(
        &self,
        attribute: VertexAttribute,
        components: u32,
        format: VertexFormat,
    ) -> Option<&[T]> {
        let is_it =
            |props: &VertexProps| (props.attribute, props.components, props.format) == (attribute, components, format);
        let (_, data) = self.attributes.iter().find(|(props, _)| is_it(props))?;
        bytemuck::try_cast_slice(data).ok()
    }
}

impl Asset for Model {
    const KIND: AssetKind = AssetKind::Model;
}

impl FromResource for Model {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let vertices: Vec<&Chunk> = resource.chunks.iter().filter(|c| c.kind == FourCc::VRTX).collect();
        let attribute = |chunk: &&Chunk| -> Result<(VertexProps, AssetBytes)> {
            let view = VertexView::parse(chunk.payload()?)?;
            Ok((view.props(), chunk.share(view.data()).aligned(4)))
        };
        let structure = match resource.chunk(FourCc::MODL) {
            Ok(structure) => structure,
            Err(error) if vertices.is_empty() => return Err(error),
            // A mesh of another program is one chain of attributes.
            Err(_) => {
                let attributes = vertices.iter().map(attribute).collect::<Result<_>>()?;
                return Ok(Self::new(vec![single(checked(attributes)?)], Vec::new(), Vec::new()));
            }
        };
        let view = ModelView::parse(structure.payload()?)?;
        let mut rest = vertices.as_slice();
        let mut primitives = Vec::with_capacity(view.primitives().len());
        for primitive in view.primitives() {
            let (own, next) = rest.split_at_checked(primitive.attributes as usize).ok_or_else(|| {
                inconsistent(format!(
                    "a primitive has {} attributes, {} chunks are left",
                    primitive.attributes,
                    rest.len()
                ))
            })?;
            rest = next;
            primitives.push(Primitive {
                mesh: primitive.mesh,
                material: primitive.material,
                topology: primitive.topology,
                bounds: (primitive.minimum, primitive.maximum),
                mesh_bounds: None,
                attributes: checked(own.iter().map(attribute).collect::<Result<_>>()?)?,
                morphs: Vec::new(),
                lods: Vec::new(),
                meshlets: Vec::new(),
            });
        }
        if !rest.is_empty() {
            return Err(inconsistent(format!("{} chunks of vertices belong to no primitive", rest.len())));
        }
        decode::share_bounds(&mut primitives);
        let nodes = view.nodes().map(|node| Node {
            name: node.name.into(),
            parent: node.parent,
            mesh: node.mesh,
            transform: node.transform,
            parts: None,
            skin: None,
            camera: None,
            light: None,
            weights: Numbers::default(),
        });
        let image = |number: u32| -> Result<Id<Image>> {
            let found = resource.dependencies.get(number as usize);
            let id = found.ok_or_else(|| {
                inconsistent(format!(
                    "a material has image {number}, but the index has {}",
                    resource.dependencies.len()
                ))
            })?;
            Ok(Id::new(*id, Slot(0)))
        };
        let materials = view.materials().map(|material| {
            let base_color_image = material.base_color_image.map(image).transpose()?;
            Ok(Material::new(material.name, material.base_color, base_color_image))
        });
        let mut model = Self::new(primitives, nodes.collect(), materials.collect::<Result<_>>()?);
        // Packs of older versions have none.
        if let Ok(chunk) = resource.chunk(FourCc::SCNE) {
            scene::add(&mut model, chunk, view, &resource.dependencies, resource.limits)?;
        }
        if let Ok(chunk) = resource.chunk(FourCc::COLL) {
            collision::add(&mut model, chunk)?;
        }
        Ok(model)
    }
}

impl Model {
    fn new(primitives: Vec<Primitive>, nodes: Vec<Node>, materials: Vec<Material>) -> Self {
        let in_scene = nodes.len();
        Self {
            primitives,
            nodes,
            in_scene,
            materials,
            meshes: Vec::new(),
            skins: Vec::new(),
            animations: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            scenes: Vec::new(),
            default_scene: None,
            collision: Vec::new(),
        }
    }
}

/// Creates the primitive of a mesh without structure. Its bounds are computed from its positions.
fn single(attributes: Vec<(VertexProps, AssetBytes)>) -> Primitive {
    let topology = Topology::TRIANGLES;
    let mut primitive = Primitive {
        mesh: 0,
        material: None,
        topology,
        bounds: ([0.0; 3], [0.0; 3]),
        mesh_bounds: None,
        attributes,
        morphs: Vec::new(),
        lods: Vec::new(),
        meshlets: Vec::new(),
    };
    if let [first, rest @ ..] = primitive.positions() {
        let fold = |pick: fn(f32, f32) -> f32| {
            rest.iter().fold(*first, |a, p| std::array::from_fn(|axis| pick(a[axis], p[axis])))
        };
        primitive.bounds = (fold(f32::min), fold(f32::max));
    }
    primitive
}
