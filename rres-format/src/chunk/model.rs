//! MODL (ours): nodes, primitives and materials, which turn the vertex attributes of a model into a whole.
//!
//! A model is one resource: a chain of VRTX chunks for each primitive, then this chunk, all adjacent and with the
//! model's id. No chunk is linked to this one, so `rres.h` loads the first primitive as a mesh and ignores the rest.
//!
//! Properties: layout version (1), node count, primitive count, material count. Data, little-endian:
//!
//! | section | bytes each | fields |
//! |---|---|---|
//! | nodes | 80 | `u32` parent, `u32` mesh, `u32` name offset, `u32` name size, 16 × `f32` local transform, column-major |
//! | primitives | 40 | `u32` mesh, `u32` material, `u32` topology, `u32` number of VRTX chunks, 6 × `f32` bounds (minimum, maximum) |
//! | materials | 32 | `u32` name offset, `u32` name size, 4 × `f32` base colour, `u32` base colour image, `u32` 0 |
//! | names | | UTF-8; offsets count from the start of this section |
//!
//! `0xffffffff` means "none". An image is a position in the model's list of dependencies in the front index, because
//! ids would make the chunk depend on the path of the model.

use super::{PayloadView, block};
use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::open_enum::open_enum;
use crate::wire::{Wire, wire_newtype, wire_record};

/// The layout version that this crate reads and writes: the first property of the chunk.
const VERSION: u32 = 1;

const NONE: u32 = u32::MAX;

wire_record! {
    struct NodeRecord[80] {
        parent: u32,
        mesh: u32,
        name: NameRange,
        transform: [f32; 16],
    }
}

wire_record! {
    struct PrimitiveRecord[40] {
        mesh: u32,
        material: u32,
        topology: Topology,
        attributes: u32,
        minimum: [f32; 3],
        maximum: [f32; 3],
    }
}

wire_record! {
    struct MaterialRecord[32] {
        name: NameRange,
        base_color: [f32; 4],
        base_color_image: u32,
        /// No meaning yet, 0.
        reserved: u32,
    }
}

wire_record! {
    /// The position of a name in the section of names.
    struct NameRange[8] {
        offset: u32,
        size: u32,
    }
}

open_enum! {
    /// How the vertices of a primitive are joined. The numbers are glTF's (`primitive.mode`).
    pub struct Topology(u32);
    /// Points.
    POINTS = 0, "points";
    /// Separate lines.
    LINES = 1, "lines";
    /// A closed line.
    LINE_LOOP = 2, "line loop";
    /// An open line.
    LINE_STRIP = 3, "line strip";
    /// Separate triangles.
    TRIANGLES = 4, "triangles";
    /// A strip of triangles.
    TRIANGLE_STRIP = 5, "triangle strip";
    /// A fan of triangles.
    TRIANGLE_FAN = 6, "triangle fan";
}

wire_newtype!(Topology);

/// A node of the tree. Parents precede their children.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Name, empty if the source has none.
    pub name: &'a str,
    /// Index of the parent, always smaller than the node's own index; `None` for a root.
    pub parent: Option<u32>,
    /// Index of the mesh at this node.
    pub mesh: Option<u32>,
    /// Transform from this node's space to its parent's: a 4 × 4 matrix, column-major.
    pub transform: [f32; 16],
}

/// One drawable piece of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Index of the mesh that it belongs to.
    pub mesh: u32,
    /// Index of its material; `None` for the default material.
    pub material: Option<u32>,
    /// How its vertices are joined.
    pub topology: Topology,
    /// Number of its VRTX chunks. The chunks of the resource belong to the primitives in order.
    pub attributes: u32,
    /// Smallest position on each axis.
    pub minimum: [f32; 3],
    /// Largest position on each axis.
    pub maximum: [f32; 3],
}

/// The appearance of a primitive: a base colour and its image. A later layout version may add more.
#[derive(Clone, Debug, PartialEq)]
pub struct Material<'a> {
    /// Name, empty if the source has none.
    pub name: &'a str,
    /// Red, green, blue and alpha, linear.
    pub base_color: [f32; 4],
    /// Image that the base colour is multiplied with: a position in the model's list of dependencies.
    pub base_color_image: Option<u32>,
}

/// Returns the block of a model.
///
/// # Errors
/// [`Error::LimitExceeded`] if the names take more than 4 GiB.
pub fn model_block(nodes: &[Node<'_>], primitives: &[Primitive], materials: &[Material<'_>]) -> Result<Vec<u8>> {
    let mut data = Vec::with_capacity(
        nodes.len() * NodeRecord::SIZE
            + primitives.len() * PrimitiveRecord::SIZE
            + materials.len() * MaterialRecord::SIZE,
    );
    let mut names = String::new();
    for node in nodes {
        let record = NodeRecord {
            parent: node.parent.unwrap_or(NONE),
            mesh: node.mesh.unwrap_or(NONE),
            name: push_name(&mut names, node.name)?,
            transform: node.transform,
        };
        record.put(&mut data);
    }
    for primitive in primitives {
        let record = PrimitiveRecord {
            mesh: primitive.mesh,
            material: primitive.material.unwrap_or(NONE),
            topology: primitive.topology,
            attributes: primitive.attributes,
            minimum: primitive.minimum,
            maximum: primitive.maximum,
        };
        record.put(&mut data);
    }
    for material in materials {
        let record = MaterialRecord {
            name: push_name(&mut names, material.name)?,
            base_color: material.base_color,
            base_color_image: material.base_color_image.unwrap_or(NONE),
            reserved: 0,
        };
        record.put(&mut data);
    }
    data.extend_from_slice(names.as_bytes());
    Ok(block(&[VERSION, nodes.len() as u32, primitives.len() as u32, materials.len() as u32], &data))
}

fn push_name(names: &mut String, name: &str) -> Result<NameRange> {
    let start = names.len();
    names.push_str(name);
    match (u32::try_from(start), u32::try_from(name.len())) {
        (Ok(offset), Ok(size)) => Ok(NameRange { offset, size }),
        _ => Err(Error::LimitExceeded {
            what: "the size of a model's names in bytes",
            value: names.len() as u64,
            limit: u32::MAX.into(),
            help: "split the model",
        }),
    }
}

/// A borrowed MODL payload.
#[derive(Clone, Copy, Debug)]
pub struct ModelView<'a> {
    nodes: &'a [u8],
    primitives: &'a [u8],
    materials: &'a [u8],
    names: &'a [u8],
}

impl<'a> ModelView<'a> {
    /// Checks the counts, the order of the nodes, the indices of materials, and the names.
    ///
    /// # Errors
    /// [`Error::Truncated`] if a section or a name exceeds the data. [`Error::Inconsistent`] for another layout
    /// version, a parent that does not precede its child, a material that does not exist, or a name that is not UTF-8.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, nodes, primitives, materials] = payload.first_props()?;
        if version != VERSION {
            return Err(Error::inconsistent("model", format!("layout version {version}, expected {VERSION}")));
        }
        let data = payload.data();
        let mut at = 0u64;
        let mut section = |what, count: u32, record_size: usize| {
            let len = u64::from(count) * record_size as u64;
            let section = slice(data, what, at, len)?;
            at += len;
            Ok::<_, Error>(section)
        };
        let nodes = section("model nodes", nodes, NodeRecord::SIZE)?;
        let primitives = section("model primitives", primitives, PrimitiveRecord::SIZE)?;
        let materials = section("model materials", materials, MaterialRecord::SIZE)?;
        let view = Self { nodes, primitives, materials, names: &data[at as usize..] };
        view.check()?;
        Ok(view)
    }

    fn check(&self) -> Result<()> {
        for (i, NodeRecord { parent, name, .. }) in self.node_records().enumerate() {
            if parent != NONE && parent as usize >= i {
                let detail = format!("node {i} has parent {parent}, expected a node before it");
                return Err(Error::inconsistent("model", detail));
            }
            self.try_name(name)?;
        }
        let materials = self.material_records().len();
        for (i, PrimitiveRecord { material, .. }) in self.primitive_records().enumerate() {
            if material != NONE && material as usize >= materials {
                let detail = format!("primitive {i} has material {material}, but the model has {materials} materials");
                return Err(Error::inconsistent("model", detail));
            }
        }
        self.material_records().try_for_each(|material| self.try_name(material.name).map(drop))
    }

    fn node_records(&self) -> impl ExactSizeIterator<Item = NodeRecord> + use<'a> {
        self.nodes.chunks_exact(NodeRecord::SIZE).map(NodeRecord::get)
    }

    fn primitive_records(&self) -> impl ExactSizeIterator<Item = PrimitiveRecord> + use<'a> {
        self.primitives.chunks_exact(PrimitiveRecord::SIZE).map(PrimitiveRecord::get)
    }

    fn material_records(&self) -> impl ExactSizeIterator<Item = MaterialRecord> + use<'a> {
        self.materials.chunks_exact(MaterialRecord::SIZE).map(MaterialRecord::get)
    }

    fn try_name(&self, range: NameRange) -> Result<&'a str> {
        let bytes = slice(self.names, "model name", range.offset.into(), range.size.into())?;
        core::str::from_utf8(bytes).map_err(|_| Error::inconsistent("model", "a name is not UTF-8"))
    }

    /// Returns a name that [`Self::check`] has accepted.
    fn name(&self, range: NameRange) -> &'a str {
        self.try_name(range).unwrap_or_default()
    }

    /// Returns the nodes, parents before children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'a>> + use<'a> {
        let view = *self;
        self.node_records().map(move |record| Node {
            name: view.name(record.name),
            parent: some(record.parent),
            mesh: some(record.mesh),
            transform: record.transform,
        })
    }

    /// Returns the primitives, in the order of their VRTX chunks.
    pub fn primitives(&self) -> impl ExactSizeIterator<Item = Primitive> + use<'a> {
        self.primitive_records().map(|record| Primitive {
            mesh: record.mesh,
            material: some(record.material),
            topology: record.topology,
            attributes: record.attributes,
            minimum: record.minimum,
            maximum: record.maximum,
        })
    }

    /// Returns the materials, in the order of their indices.
    pub fn materials(&self) -> impl ExactSizeIterator<Item = Material<'a>> + use<'a> {
        let view = *self;
        self.material_records().map(move |record| Material {
            name: view.name(record.name),
            base_color: record.base_color,
            base_color_image: some(record.base_color_image),
        })
    }
}

fn some(value: u32) -> Option<u32> {
    (value != NONE).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let transform = core::array::from_fn(|i| i as f32);
        let node = |name, parent, mesh| Node { name, parent, mesh, transform };
        let primitive = Primitive {
            mesh: 0,
            material: Some(0),
            topology: Topology::TRIANGLES,
            attributes: 3,
            minimum: [-1.0; 3],
            maximum: [1.0; 3],
        };
        let material = Material { name: "Gläser", base_color: [1.0, 0.5, 0.25, 1.0], base_color_image: Some(7) };
        model_block(&[node("root", None, None), node("", Some(0), Some(0))], &[primitive], &[material]).unwrap()
    }

    #[test]
    fn round_trip() {
        let block = sample();
        let view = ModelView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        let again = model_block(
            &view.nodes().collect::<Vec<_>>(),
            &view.primitives().collect::<Vec<_>>(),
            &view.materials().collect::<Vec<_>>(),
        );
        assert_eq!(again.unwrap(), block);
        assert_eq!(view.materials().next().unwrap().name, "Gläser");
    }

    #[test]
    fn every_truncation_and_every_bad_index_is_an_error() {
        let block = sample();
        for len in 0..block.len() {
            assert!(PayloadView::parse(&block[..len]).and_then(ModelView::parse).is_err(), "truncated to {len} bytes");
        }
        for (at, value) in [(4, 2), (20, 0), (20 + 80, 1), (20 + 160 + 4, 1), (20 + 8, 999)] {
            let mut bad = block.clone();
            bad[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
            assert!(PayloadView::parse(&bad).and_then(ModelView::parse).is_err(), "{value} at {at}");
        }
    }
}
