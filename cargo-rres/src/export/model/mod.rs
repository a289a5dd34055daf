//! Models as glTF 2.0: what a model is imported from again with equal chunks.
//!
//! The pack has nodes, primitives, and base colours with their images; a `.gltf` or `.glb` from it has these. What images
//! besides the base colours were for is not stored. They are kept, and those with linear numbers become normal and
//! occlusion maps of no strength: viewers show no difference, and importing them makes them linear again.

mod buffer;
mod materials;
mod nbr;
mod vertices;

use rres_format::ResourceId;
use rres_runtime::Image;
use rres_runtime::asset::{Model, Node};
use serde_json::{Value, json};

use super::{Contents, ExportError, float};
pub(crate) use buffer::base64;
pub(crate) use nbr::{Scene, nbr_scene};

use buffer::Buffer;
use materials::Materials;

/// The most meshes without primitives. Numbers of meshes in a damaged pack could ask for billions.
const MAX_EMPTY_MESHES: usize = 65_536;

/// The file that a model becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// The document and the bytes one after the other.
    Glb,
    /// A document in JSON that contains the bytes, in base64.
    Gltf,
}

/// A model, and what is needed beside it to write it.
pub(crate) struct ModelExport<'a> {
    pub(crate) model: &'a Model,
    /// Whether it is a mesh of another program, which has no nodes. It gets one: viewers show nothing without.
    pub(crate) is_bare_mesh: bool,
    /// Whether blocks of images inside the file are decoded, to `.png`.
    pub(crate) decode_blocks: bool,
    /// Its images. Their numbers differ.
    pub(crate) textures: Vec<Texture>,
    /// The numbers of the materials that are visible from both sides.
    pub(crate) double_sided: Vec<usize>,
}

/// An image of a model.
pub(crate) struct Texture {
    pub(crate) id: ResourceId,
    /// Its number in the list of images. A model that is imported gets its images in this order, and those that were
    /// inside the file have the number in their names.
    pub(crate) number: usize,
    pub(crate) source: TextureSource,
}

/// The place of the bytes of an image.
pub(crate) enum TextureSource {
    /// In a `.png` or `.dds` file with this path, relative to the model.
    File(String),
    /// In the file of the model.
    Embedded(Image),
}

/// Encodes a model.
pub(crate) fn model(export: &ModelExport<'_>, container: Container) -> Result<Contents<'static>, ExportError> {
    let mut buffer = Buffer::default();
    let mut losses = Vec::new();
    let materials = Materials::write(export, &mut buffer, &mut losses)?;
    let meshes = meshes(export.model, &mut buffer, &mut losses)?;
    let (nodes, roots) = nodes(export)?;

    let mut document = json!({ "asset": { "version": "2.0", "generator": "cargo-rres" } });
    let extensions = ["MSFT_texture_dds"];
    if materials.has_dds {
        document["extensionsUsed"] = json!(extensions);
        document["extensionsRequired"] = json!(extensions);
    }
    if !nodes.is_empty() {
        document["scene"] = json!(0);
        document["scenes"] = json!([{ "nodes": roots }]);
    }
    let lists = [
        ("nodes", nodes),
        ("meshes", meshes),
        ("materials", materials.materials),
        ("textures", materials.textures),
        ("samplers", materials.samplers),
        ("images", materials.images),
        ("accessors", std::mem::take(&mut buffer.accessors)),
        ("bufferViews", std::mem::take(&mut buffer.views)),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        document[name] = list.into();
    }
    let (bytes, name) = match container {
        Container::Glb => (buffer::glb(document, &buffer.bytes)?, ".glb"),
        Container::Gltf => (buffer::gltf(document, &buffer.bytes)?, ".gltf"),
    };
    losses.extend(left_out(export.model));
    losses.sort();
    losses.dedup();
    let losses: String = losses.iter().map(|loss| format!(", {loss}")).collect();
    Ok(Contents::converted(bytes, format!("vertices, nodes and base colours as {name}{losses}")))
}

/// What the file does not have: it is for meshes and pictures, and not for moving models between programs.
fn left_out(model: &Model) -> Vec<String> {
    let has_morph_targets = model.meshes().iter().any(|mesh| mesh.morph_targets().len() > 0);
    [
        (!model.skins().is_empty(), "skins"),
        (!model.animations().is_empty(), "animations"),
        (has_morph_targets, "morph targets"),
        (!model.cameras().is_empty(), "cameras"),
        (!model.lights().is_empty(), "lights"),
        (model.all_nodes().len() > model.nodes().len(), "further nodes"),
    ]
    .into_iter()
    .filter(|(is_left_out, _)| *is_left_out)
    .map(|(_, what)| format!("without {what}"))
    .collect()
}

fn meshes(model: &Model, buffer: &mut Buffer, losses: &mut Vec<String>) -> Result<Vec<Value>, ExportError> {
    let numbers = || {
        let of_primitives = model.primitives().iter().map(|primitive| primitive.mesh());
        of_primitives.chain(model.nodes().iter().filter_map(|node| node.mesh)).map(|mesh| mesh as usize)
    };
    let count = numbers().max().map_or(0, |largest| largest + 1);
    if count > numbers().count() + MAX_EMPTY_MESHES {
        return Err(ExportError::Damaged(format!("it has a mesh number {}, and far fewer meshes", count - 1)));
    }
    let mut meshes: Vec<Vec<Value>> = vec![Vec::new(); count];
    for primitive in model.primitives() {
        meshes[primitive.mesh() as usize].push(vertices::primitive(primitive, buffer, losses)?);
    }
    // A mesh whose primitives have no positions: the importer drops those, but nodes refer to the mesh.
    let or_empty = |primitives: Vec<Value>| match primitives.is_empty() {
        true => json!({ "primitives": [{ "attributes": {} }] }),
        false => json!({ "primitives": primitives }),
    };
    Ok(meshes.into_iter().map(or_empty).collect())
}

/// Returns the nodes, and the numbers of those without a parent.
fn nodes(export: &ModelExport<'_>) -> Result<(Vec<Value>, Vec<usize>), ExportError> {
    if export.is_bare_mesh {
        return Ok((vec![json!({ "mesh": 0 })], vec![0]));
    }
    let nodes = export.model.nodes();
    let mut values = Vec::with_capacity(nodes.len());
    let mut children = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        match node.parent.and_then(|parent| children.get_mut(parent as usize)) {
            Some(siblings) => siblings.push(number),
            None => roots.push(number),
        }
        values.push(self::node(number, node)?);
    }
    for (value, children) in values.iter_mut().zip(children).filter(|(_, children)| !children.is_empty()) {
        value["children"] = children.into();
    }
    Ok((values, roots))
}

fn node(number: usize, node: &Node) -> Result<Value, ExportError> {
    if node.transform.iter().any(|value| !value.is_finite()) {
        return Err(ExportError::Damaged(format!("node {number} has a transform that is not finite")));
    }
    let mut value = json!({});
    if !node.name.is_empty() {
        value["name"] = json!(node.name);
    }
    if let Some(mesh) = node.mesh {
        value["mesh"] = json!(mesh);
    }
    let is_identity = node.transform.iter().enumerate().all(|(i, value)| {
        let expected: f32 = if i % 5 == 0 { 1.0 } else { 0.0 };
        value.to_bits() == expected.to_bits()
    });
    if !is_identity {
        value["matrix"] = node.transform.iter().map(|value| float(*value)).collect();
    }
    Ok(value)
}
