//! MODL (ours): what ties the vertex attributes of a model together.
//!
//! A model is one resource: for each primitive a chain of VRTX chunks, then this chunk, all with the model's id and
//! adjacent. `rres.h` loads the first primitive as a mesh and never meets the rest.
//!
//! Properties: layout version (1), node count, primitive count, material count. Data, little-endian:
//!
//! | part | bytes each | fields |
//! |---|---|---|
//! | nodes | 80 | `u32` parent, `u32` mesh, `u32` name offset, `u32` name size, 16 × `f32` local transform, column-major |
//! | primitives | 40 | `u32` mesh, `u32` material, `u32` topology, `u32` number of VRTX chunks, 6 × `f32` bounds (minimum, maximum) |
//! | materials | 32 | `u32` name offset, `u32` name size, 4 × `f32` base colour, `u32` base colour image, `u32` 0 |
//! | names | | UTF-8; offsets count from the start of this part |
//!
//! `0xffffffff` stands for "none". Images are numbers into the dependencies that the front index lists for the model:
//! ids would tie the chunk to the path of the model.

use super::{PayloadView, block};
use crate::error::{Error, Result};
use crate::open_enum::open_enum;
use crate::wire::{slice, u32_at};

const VERSION: u32 = 1;
const NODE_SIZE: usize = 80;
const PRIMITIVE_SIZE: usize = 40;
const MATERIAL_SIZE: usize = 32;
const NONE: u32 = u32::MAX;

open_enum! {
    /// How the vertices of a primitive are joined; the numbers are glTF's.
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

/// A node of the tree; parents stand before their children.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Its name, empty where the source has none.
    pub name: &'a str,
    /// Index of the parent, always smaller than the node's own.
    pub parent: Option<u32>,
    /// Index of the mesh that stands here.
    pub mesh: Option<u32>,
    /// From this node's space to its parent's, column-major.
    pub transform: [f32; 16],
}

/// One drawable part of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// The mesh that it is part of.
    pub mesh: u32,
    /// Index of its material.
    pub material: Option<u32>,
    /// How its vertices are joined.
    pub topology: Topology,
    /// Number of VRTX chunks that it takes, in the order of the primitives.
    pub attributes: u32,
    /// Smallest position, per axis.
    pub minimum: [f32; 3],
    /// Largest position, per axis.
    pub maximum: [f32; 3],
}

/// What a primitive looks like. Colour and its image for now; the version tells when there is more.
#[derive(Clone, Debug, PartialEq)]
pub struct Material<'a> {
    /// Its name, empty where the source has none.
    pub name: &'a str,
    /// Linear red, green, blue, alpha.
    pub base_color: [f32; 4],
    /// The image that the colour is multiplied with: which of the model's dependencies it is.
    pub base_color_image: Option<u32>,
}

/// The block of a model.
///
/// # Errors
/// [`Error::LimitExceeded`] where the names take more than 4 GiB.
pub fn model_block(nodes: &[Node<'_>], primitives: &[Primitive], materials: &[Material<'_>]) -> Result<Vec<u8>> {
    let mut data = Vec::with_capacity(
        nodes.len() * NODE_SIZE + primitives.len() * PRIMITIVE_SIZE + materials.len() * MATERIAL_SIZE,
    );
    let mut names = String::new();
    let mut name = |text: &str| {
        let offset = names.len();
        names.push_str(text);
        let wide = |n: usize| u32::try_from(n).ok();
        wide(offset).zip(wide(text.len())).ok_or(Error::LimitExceeded {
            what: "the size of a model's names",
            value: names.len() as u64,
            limit: u32::MAX.into(),
            help: "split the model",
        })
    };
    let put = |data: &mut Vec<u8>, values: &[u32]| data.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    let put_floats = |data: &mut Vec<u8>, values: &[f32]| data.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    for node in nodes {
        let (offset, len) = name(node.name)?;
        put(&mut data, &[node.parent.unwrap_or(NONE), node.mesh.unwrap_or(NONE), offset, len]);
        put_floats(&mut data, &node.transform);
    }
    for primitive in primitives {
        let Primitive { mesh, material, topology, attributes, minimum, maximum } = primitive;
        put(&mut data, &[*mesh, material.unwrap_or(NONE), topology.0, *attributes]);
        put_floats(&mut data, minimum);
        put_floats(&mut data, maximum);
    }
    for material in materials {
        let (offset, len) = name(material.name)?;
        put(&mut data, &[offset, len]);
        put_floats(&mut data, &material.base_color);
        put(&mut data, &[material.base_color_image.unwrap_or(NONE), 0]);
    }
    data.extend_from_slice(names.as_bytes());
    Ok(block(&[VERSION, nodes.len() as u32, primitives.len() as u32, materials.len() as u32], &data))
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
    /// Checks counts, references and names.
    ///
    /// # Errors
    /// [`Error::Truncated`], and [`Error::Inconsistent`] for another layout version, a parent that does not stand
    /// before its child, a material that is not there, or a name that is not UTF-8.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, nodes, primitives, materials] = payload.first_props()?;
        if version != VERSION {
            return Err(Error::inconsistent("model", format!("layout version {version}, expected {VERSION}")));
        }
        let data = payload.data();
        let mut at = 0u64;
        let mut part = |what, count: u32, size: usize| {
            let len = u64::from(count) * size as u64;
            let part = slice(data, what, at, len)?;
            at += len;
            Ok::<_, Error>(part)
        };
        let nodes = part("model nodes", nodes, NODE_SIZE)?;
        let primitives = part("model primitives", primitives, PRIMITIVE_SIZE)?;
        let materials = part("model materials", materials, MATERIAL_SIZE)?;
        let view = Self { nodes, primitives, materials, names: &data[at as usize..] };
        view.check()?;
        Ok(view)
    }

    fn check(&self) -> Result<()> {
        for (i, raw) in self.nodes.chunks_exact(NODE_SIZE).enumerate() {
            let parent = u32_at(raw, 0);
            if parent != NONE && parent as usize >= i {
                let detail = format!("node {i} has parent {parent}, which does not stand before it");
                return Err(Error::inconsistent("model", detail));
            }
            self.try_name(raw, 8)?;
        }
        let materials = self.materials.len() / MATERIAL_SIZE;
        for (i, raw) in self.primitives.chunks_exact(PRIMITIVE_SIZE).enumerate() {
            let material = u32_at(raw, 4);
            if material != NONE && material as usize >= materials {
                let detail = format!("primitive {i} has material {material}, {materials} are there");
                return Err(Error::inconsistent("model", detail));
            }
        }
        self.materials.chunks_exact(MATERIAL_SIZE).try_for_each(|raw| self.try_name(raw, 0).map(|_| ()))
    }

    fn try_name(&self, raw: &[u8], at: usize) -> Result<&'a str> {
        let bytes = slice(self.names, "model name", u32_at(raw, at).into(), u32_at(raw, at + 4).into())?;
        core::str::from_utf8(bytes).map_err(|_| Error::inconsistent("model", "a name is not UTF-8"))
    }

    /// A name that [`Self::check`] has seen.
    fn name(&self, raw: &[u8], at: usize) -> &'a str {
        self.try_name(raw, at).unwrap_or_default()
    }

    /// The nodes, parents before children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'a>> + use<'a> {
        let view = *self;
        self.nodes.chunks_exact(NODE_SIZE).map(move |raw| Node {
            name: view.name(raw, 8),
            parent: some(u32_at(raw, 0)),
            mesh: some(u32_at(raw, 4)),
            transform: floats(raw, 16),
        })
    }

    /// The primitives, in the order of their VRTX chunks.
    pub fn primitives(&self) -> impl ExactSizeIterator<Item = Primitive> + use<'a> {
        self.primitives.chunks_exact(PRIMITIVE_SIZE).map(|raw| Primitive {
            mesh: u32_at(raw, 0),
            material: some(u32_at(raw, 4)),
            topology: Topology(u32_at(raw, 8)),
            attributes: u32_at(raw, 12),
            minimum: floats(raw, 16),
            maximum: floats(raw, 28),
        })
    }

    /// The materials.
    pub fn materials(&self) -> impl ExactSizeIterator<Item = Material<'a>> + use<'a> {
        let view = *self;
        self.materials.chunks_exact(MATERIAL_SIZE).map(move |raw| Material {
            name: view.name(raw, 0),
            base_color: floats(raw, 8),
            base_color_image: some(u32_at(raw, 24)),
        })
    }
}

fn some(value: u32) -> Option<u32> {
    (value != NONE).then_some(value)
}

fn floats<const N: usize>(raw: &[u8], at: usize) -> [f32; N] {
    core::array::from_fn(|i| f32::from_bits(u32_at(raw, at + i * 4)))
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
    fn every_cut_and_every_bad_reference_is_an_error() {
        let block = sample();
        for len in 0..block.len() {
            assert!(PayloadView::parse(&block[..len]).and_then(ModelView::parse).is_err(), "cut to {len}");
        }
        for (at, value) in [(4, 2), (20, 0), (20 + 80, 1), (20 + 160 + 4, 1), (20 + 8, 999)] {
            let mut bad = block.clone();
            bad[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
            assert!(PayloadView::parse(&bad).and_then(ModelView::parse).is_err(), "{value} at {at}");
        }
    }
}
