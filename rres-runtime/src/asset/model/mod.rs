//! Models: primitives with their vertex attributes, and the nodes and materials that combine them.

mod checks;
mod indices;
mod interleave;
mod world;

pub use indices::Indices;
pub use interleave::{InterleavedVertices, VertexField};

use checks::{checked, inconsistent};
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
    materials: Vec<Material>,
}

/// One drawable part of a mesh.
#[derive(Clone, Debug)]
pub struct Primitive {
    mesh: u32,
    material: Option<u32>,
    topology: Topology,
    bounds: ([f32; 3], [f32; 3]),
    attributes: Vec<(VertexProps, AssetBytes)>,
}

/// A node of the scene tree.
#[derive(Clone, Debug, PartialEq)]
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
}

/// What a primitive looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name; empty if the source file has none.
    pub name: Box<str>,
    /// Linear red, green, blue, alpha.
    pub base_color: [f32; 4],
    /// The image that the colour is multiplied by.
    pub base_color_image: Option<Id<Image>>,
}

impl Model {
    /// Returns the primitives, in the order of their meshes.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// Returns the nodes, parents before children. Empty for a mesh in a pack of another program.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
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

    /// Returns the positions; empty if the source file has none.
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
        let short = self.get(VertexAttribute::INDEX, 1, VertexFormat::USHORT).map(Indices::U16);
        short.or_else(|| self.get(VertexAttribute::INDEX, 1, VertexFormat::UINT).map(Indices::U32))
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
        let Ok(structure) = resource.chunk(FourCc::MODL) else {
            // A mesh of another program is one chain of attributes.
            let attributes = vertices.iter().map(attribute).collect::<Result<_>>()?;
            return Ok(Self {
                primitives: vec![single(checked(attributes)?)],
                nodes: Vec::new(),
                materials: Vec::new(),
            });
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
                attributes: checked(own.iter().map(attribute).collect::<Result<_>>()?)?,
            });
        }
        if !rest.is_empty() {
            return Err(inconsistent(format!("{} chunks of vertices belong to no primitive", rest.len())));
        }
        let nodes = view.nodes().map(|node| Node {
            name: node.name.into(),
            parent: node.parent,
            mesh: node.mesh,
            transform: node.transform,
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
            Ok(Material {
                name: material.name.into(),
                base_color: material.base_color,
                base_color_image: material.base_color_image.map(image).transpose()?,
            })
        });
        Ok(Self { primitives, nodes: nodes.collect(), materials: materials.collect::<Result<_>>()? })
    }
}

/// Creates the primitive of a mesh without structure. Its bounds are computed from its positions.
fn single(attributes: Vec<(VertexProps, AssetBytes)>) -> Primitive {
    let topology = Topology::TRIANGLES;
    let mut primitive = Primitive { mesh: 0, material: None, topology, bounds: ([0.0; 3], [0.0; 3]), attributes };
    if let [first, rest @ ..] = primitive.positions() {
        let fold = |pick: fn(f32, f32) -> f32| {
            rest.iter().fold(*first, |a, p| std::array::from_fn(|axis| pick(a[axis], p[axis])))
        };
        primitive.bounds = (fold(f32::min), fold(f32::max));
    }
    primitive
}
