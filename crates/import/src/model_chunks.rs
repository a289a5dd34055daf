//! The chunks of models that importers make of vertices: VRTX for each attribute of each primitive, then MODL and SCNE.
//!
//! The order is the same as for models from glTF, so that a model that is extracted and imported again has the same chunks.

use rres_format::chunk::model::{Material, Node, Primitive, Topology, model_block};
use rres_format::chunk::scene::SceneBlock;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{AssetKind, FourCc};

use crate::{Asset, Block, ImportError};

/// An attribute of all vertices of a primitive.
#[derive(Clone, Debug)]
pub struct Vertices {
    attribute: VertexAttribute,
    components: u32,
    format: VertexFormat,
    bytes: Vec<u8>,
}

impl Vertices {
    /// An attribute of `N` floats for each vertex.
    pub fn floats<const N: usize>(attribute: VertexAttribute, values: impl IntoIterator<Item = [f32; N]>) -> Self {
        let bytes = values.into_iter().flatten().flat_map(f32::to_le_bytes).collect();
        Self { attribute, components: N as u32, format: VertexFormat::FLOAT, bytes }
    }

    /// A set of joints.
    pub fn joints(set: u32, values: impl IntoIterator<Item = [u16; 4]>) -> Self {
        let bytes = values.into_iter().flatten().flat_map(u16::to_le_bytes).collect();
        Self { attribute: VertexAttribute::joints(set), components: 4, format: VertexFormat::USHORT, bytes }
    }

    /// Indices, of 16 bits if none is larger.
    fn indices(indices: &[u32]) -> Self {
        let is_narrow = indices.iter().all(|index| *index <= u16::MAX.into());
        let (format, bytes) = match is_narrow {
            true => (VertexFormat::USHORT, indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect()),
            false => (VertexFormat::UINT, indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        };
        Self { attribute: VertexAttribute::INDEX, components: 1, format, bytes }
    }

    fn block(&self) -> Result<Vec<u8>, ImportError> {
        let Self { attribute, components, format, .. } = *self;
        let size = format.size().unwrap_or(1) as usize * components as usize;
        let count = u32::try_from(self.bytes.len() / size).map_err(|_| ImportError::new("has too many vertices"))?;
        Ok(VertexProps { count, attribute, components, format }.block(&self.bytes))
    }
}

/// The primitives of a model so far.
#[derive(Clone, Debug, Default)]
pub struct ModelChunks {
    blocks: Vec<Block>,
    primitives: Vec<Primitive>,
}

impl ModelChunks {
    /// Adds triangles. `vertices` are the attributes besides the positions that C programs know, and `further` those that they do not.
    pub fn triangles(
        &mut self,
        (mesh, material): (u32, Option<u32>),
        positions: &[[f32; 3]],
        vertices: Vec<Vertices>,
        indices: &[u32],
        further: Vec<Vertices>,
    ) -> Result<(), ImportError> {
        let known = std::iter::once(Vertices::floats(VertexAttribute::POSITION, positions.iter().copied()))
            .chain(vertices)
            .chain([Vertices::indices(indices)]);
        let known: Vec<Vertices> = known.collect();
        let linked = known.len() - 1;
        let attributes = known.len() + further.len();
        for (number, list) in known.iter().chain(&further).enumerate() {
            // C programs load the first chain.
            self.blocks.push(Block { linked: number < linked, ..Block::new(FourCc::VRTX, list.block()?) });
        }
        let bound = |fold: fn(f32, f32) -> f32| {
            std::array::from_fn(|axis| positions.iter().map(|at| at[axis]).reduce(fold).unwrap_or_default())
        };
        self.primitives.push(Primitive {
            mesh,
            material,
            topology: Topology::TRIANGLES,
            attributes: attributes as u32,
            minimum: bound(f32::min),
            maximum: bound(f32::max),
        });
        Ok(())
    }

    /// Makes the asset of the primitives, with their nodes and materials, and with what a model has besides. `nodes` are all nodes of it.
    pub fn into_asset(
        mut self,
        nodes: &[Node<'_>],
        materials: &[Material<'_>],
        mut scene: SceneBlock,
        summary: String,
    ) -> Result<Asset, ImportError> {
        let not_stored = |error: rres_format::Error| ImportError::new(error.to_string());
        scene.model = [nodes.len(), self.primitives.len(), materials.len()].map(|count| count as u32);
        let structure = model_block(nodes, &self.primitives, materials).map_err(not_stored)?;
        for (kind, block) in [(FourCc::MODL, structure), (FourCc::SCNE, scene.block().map_err(not_stored)?)] {
            self.blocks.push(Block { linked: false, ..Block::new(kind, block) });
        }
        Ok(Asset::new(AssetKind::Model, self.blocks, summary))
    }
}
