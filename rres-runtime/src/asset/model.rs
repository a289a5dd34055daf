//! Models: primitives with their vertex attributes, and the nodes and materials that tie them together.

use rres_format::chunk::model::{ModelView, Topology};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_format::{AssetKind, FourCc, ResourceId};

use super::{Asset, Chunk, Loaded};
use crate::data::Data;
use crate::error::{Error, Result};

/// A model. Vertex data are views of the pack where the chunks are plain.
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
    attributes: Vec<(VertexProps, Data)>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name, empty where the source has none.
    pub name: Box<str>,
    /// Index of the parent, always smaller than the node's own.
    pub parent: Option<u32>,
    /// Index of the mesh that stands here; see [`Primitive::mesh`].
    pub mesh: Option<u32>,
    /// From this node's space to its parent's, column-major.
    pub transform: [f32; 16],
}

/// What a primitive looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name, empty where the source has none.
    pub name: Box<str>,
    /// Linear red, green, blue, alpha.
    pub base_color: [f32; 4],
    /// The image that the colour is multiplied with.
    pub base_color_image: Option<crate::Id<super::Image>>,
}

/// Indices of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices<'a> {
    /// Up to 65,536 vertices.
    U16(&'a [u16]),
    /// More.
    U32(&'a [u32]),
}

impl Model {
    /// The primitives, mesh by mesh.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// The nodes, parents before children. Empty for meshes of other programs' packs.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The materials.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }
}

impl Primitive {
    /// The mesh that it is part of.
    pub fn mesh(&self) -> u32 {
        self.mesh
    }

    /// Index of its material.
    pub fn material(&self) -> Option<u32> {
        self.material
    }

    /// How its vertices are joined.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Smallest and largest position, per axis.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        self.bounds
    }

    /// Positions; empty where the source has none.
    pub fn positions(&self) -> &[[f32; 3]] {
        self.get(VertexAttribute::POSITION, 3, VertexFormat::FLOAT).unwrap_or_default()
    }

    /// Normals.
    pub fn normals(&self) -> Option<&[[f32; 3]]> {
        self.get(VertexAttribute::NORMAL, 3, VertexFormat::FLOAT)
    }

    /// First texture coordinates, from the top left of the image.
    pub fn tex_coords(&self) -> Option<&[[f32; 2]]> {
        self.get(VertexAttribute::TEXCOORD1, 2, VertexFormat::FLOAT)
    }

    /// Second texture coordinates.
    pub fn tex_coords2(&self) -> Option<&[[f32; 2]]> {
        self.get(VertexAttribute::TEXCOORD2, 2, VertexFormat::FLOAT)
    }

    /// Tangents; the fourth number is the handedness.
    pub fn tangents(&self) -> Option<&[[f32; 4]]> {
        self.get(VertexAttribute::TANGENT, 4, VertexFormat::FLOAT)
    }

    /// Colours: red, green, blue, alpha.
    pub fn colors(&self) -> Option<&[[u8; 4]]> {
        self.get(VertexAttribute::COLOR, 4, VertexFormat::UBYTE)
    }

    /// Indices; without them vertices are used in order.
    pub fn indices(&self) -> Option<Indices<'_>> {
        let short = self.get(VertexAttribute::INDEX, 1, VertexFormat::USHORT).map(Indices::U16);
        short.or_else(|| self.get(VertexAttribute::INDEX, 1, VertexFormat::UINT).map(Indices::U32))
    }

    /// Every attribute as stored, for layouts that have no accessor here.
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

    fn from_loaded(loaded: Loaded<'_>) -> Result<Self> {
        loaded.make(|loaded| {
            let vertices: Vec<&Chunk> = loaded.chunks.iter().filter(|c| c.kind == FourCc::VRTX).collect();
            let attribute = |chunk: &&Chunk| -> Result<(VertexProps, Data)> {
                let view = VertexView::parse(chunk.payload()?)?;
                Ok((view.props(), chunk.keep(view.data()).aligned(4)))
            };
            let Ok(structure) = loaded.chunk(FourCc::MODL) else {
                // A mesh of another program: one chain of attributes.
                let attributes = vertices.iter().map(attribute).collect::<Result<_>>()?;
                return Ok(Self { primitives: vec![single(attributes)], nodes: Vec::new(), materials: Vec::new() });
            };
            let view = ModelView::parse(structure.payload()?)?;
            let mut rest = vertices.as_slice();
            let mut primitives = Vec::with_capacity(view.primitives().len());
            for primitive in view.primitives() {
                let (own, next) = rest.split_at_checked(primitive.attributes as usize).ok_or_else(|| {
                    let detail = format!("promises {} attributes, {} are left", primitive.attributes, rest.len());
                    Error::from(rres_format::Error::Inconsistent { what: "model", detail })
                })?;
                rest = next;
                primitives.push(Primitive {
                    mesh: primitive.mesh,
                    material: primitive.material,
                    topology: primitive.topology,
                    bounds: (primitive.minimum, primitive.maximum),
                    attributes: own.iter().map(attribute).collect::<Result<_>>()?,
                });
            }
            let nodes = view.nodes().map(|node| Node {
                name: node.name.into(),
                parent: node.parent,
                mesh: node.mesh,
                transform: node.transform,
            });
            let image = |number: u32| loaded.dependencies.get(number as usize).copied();
            let materials = view.materials().map(|material| Material {
                name: material.name.into(),
                base_color: material.base_color,
                base_color_image: material.base_color_image.and_then(image).map(|ResourceId(id)| crate::Id::new(id, 0)),
            });
            Ok(Self { primitives, nodes: nodes.collect(), materials: materials.collect() })
        })
    }
}

/// The one primitive of a mesh without structure; bounds are those of its positions.
fn single(attributes: Vec<(VertexProps, Data)>) -> Primitive {
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
