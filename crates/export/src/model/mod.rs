//! Models as glTF 2.0: what a model is imported from again with equal chunks.
//!
//! The pack has nodes, primitives and materials in one chunk, and scenes, skins, animations, morph targets, cameras, lights and the rest of the
//! materials in another; a `.gltf` or `.glb` from it has all of these. Models of other programs have the first alone, or only a mesh.

mod animations;
mod buffer;
mod materials;
mod nodes;
mod textures;
mod vertices;

use std::collections::BTreeSet;

use rres_format::ResourceId;
use rres_format::chunk::scene::{
    Factor, FactorRecord, MeshRecord, NONE, NodeExtra, SceneBlock, SceneRecord, Span, TextureRecord, TextureSlot,
};
use rres_runtime::Image;
use rres_runtime::Model;
use serde_json::{Map, Value, json};

use super::{Contents, ExportError, float};
pub use buffer::base64;

use buffer::Buffer;
use textures::Textures;

/// The most meshes without primitives. Numbers of meshes in a damaged pack could ask for billions.
const MAX_EMPTY_MESHES: usize = 65_536;

/// The most weights and morph targets of all nodes and primitives together, which are lists in the document. Records of a damaged pack could
/// share numbers until there are billions.
const MAX_LISTED: usize = 1 << 22;

/// The file that a model becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// The document and the bytes one after the other.
    Glb,
    /// A document in JSON that contains the bytes, in base64.
    Gltf,
}

/// A model, and what is needed beside it to write it.
#[derive(Debug)]
pub struct ModelExport<'a> {
    /// The model.
    pub model: &'a Model,
    /// What its SCNE chunk has; `None` if it has no such chunk.
    pub scene: Option<SceneBlock>,
    /// Whether it is a mesh of another program, which has no nodes. It gets one: viewers show nothing without.
    pub is_bare_mesh: bool,
    /// Whether blocks of images inside the file are decoded, to `.png`.
    pub decode_blocks: bool,
    /// Its images. Their numbers differ.
    pub textures: Vec<Texture>,
}

/// An image of a model.
#[derive(Debug)]
pub struct Texture {
    /// Its id in the pack.
    pub id: ResourceId,
    /// Its number in the list of images. A model that is imported gets its images in this order, and those that were
    /// inside the file have the number in their names.
    pub number: usize,
    /// Where its bytes are.
    pub source: TextureSource,
}

/// The place of the bytes of an image.
#[derive(Debug)]
pub enum TextureSource {
    /// In a `.png` or `.dds` file with this path, relative to the model.
    File(String),
    /// In the file of the model.
    Embedded(Image),
}

/// What is written so far.
struct Writer<'a> {
    export: &'a ModelExport<'a>,
    scene: &'a SceneBlock,
    buffer: Buffer,
    /// The extensions that the document uses.
    extensions: BTreeSet<&'static str>,
    /// What the file does not have, with `without`.
    losses: Vec<String>,
    /// How many items may still be in lists whose length the pack does not bound.
    left: usize,
}

/// Encodes a model.
pub fn model(export: &ModelExport<'_>, container: Container) -> Result<Contents<'static>, ExportError> {
    let own;
    let scene = match &export.scene {
        Some(scene) => scene,
        None => {
            own = plain_scene(export)?;
            &own
        }
    };
    let (buffer, extensions) = (Buffer::default(), BTreeSet::new());
    let mut writer = Writer { export, scene, buffer, extensions, losses: Vec::new(), left: MAX_LISTED };
    let textures = Textures::write(&mut writer)?;
    let materials = materials::write(&mut writer, &textures)?;
    let meshes = vertices::meshes(&mut writer)?;
    let (nodes, scenes) = nodes::write(&mut writer)?;
    let skins = animations::skins(&mut writer)?;
    let animations = animations::write(&mut writer)?;
    let cameras = nodes::cameras(scene);
    let lights = nodes::lights(scene);

    let Writer { mut buffer, extensions, mut losses, .. } = writer;
    let mut document = json!({ "asset": { "version": "2.0", "generator": "cargo-rres" } });
    if !extensions.is_empty() {
        document["extensionsUsed"] = json!(extensions);
    }
    if extensions.contains(textures::DDS_EXTENSION) {
        document["extensionsRequired"] = json!([textures::DDS_EXTENSION]);
    }
    if !lights.is_empty() {
        document["extensions"] = json!({ nodes::LIGHTS: { "lights": lights } });
    }
    if let Some(default) = scene.default_scene {
        document["scene"] = json!(default);
    }
    let lists = [
        ("scenes", scenes),
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("cameras", cameras),
        ("materials", materials),
        ("textures", textures.textures),
        ("samplers", textures.samplers),
        ("images", textures.images),
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
    losses.sort();
    losses.dedup();
    let losses: String = losses.iter().map(|loss| format!(", {loss}")).collect();
    Ok(Contents::converted(bytes, format!("model as {name}{losses}")))
}

impl Writer<'_> {
    /// Adds a name to an object, unless it is empty.
    fn name(&self, object: &mut Value, span: Span) {
        let (first, count) = (span.first as usize, span.count as usize);
        let name = first.checked_add(count).and_then(|end| self.scene.names.get(first..end)).unwrap_or_default();
        if !name.is_empty() {
            object["name"] = json!(name);
        }
    }

    /// Refuses more items than a sound model has.
    fn count(&mut self, items: u32) -> Result<(), ExportError> {
        let left = self.left.checked_sub(items as usize);
        self.left = left.ok_or_else(|| {
            ExportError::Unsupported(format!("it has more than {MAX_LISTED} weights and morph targets in all"))
        })?;
        Ok(())
    }

    /// Some numbers of the scene.
    fn numbers(&self, span: Span) -> &[f32] {
        self.scene.numbers.get(range(span)).unwrap_or_default()
    }

    /// Some indices of the scene.
    fn indices(&self, span: Span) -> &[u32] {
        self.scene.indices.get(range(span)).unwrap_or_default()
    }
}

fn range(span: Span) -> std::ops::Range<usize> {
    let first = span.first as usize;
    first..first.saturating_add(span.count as usize)
}

fn floats(values: &[f32]) -> Value {
    values.iter().map(|value| float(*value)).collect()
}

/// The object of an extension of `object`.
fn extension<'o>(object: &'o mut Value, name: &str) -> &'o mut Map<String, Value> {
    let extension = &mut object["extensions"][name];
    if !extension.is_object() {
        *extension = json!({});
    }
    extension.as_object_mut().expect("it was made one")
}

/// The scene of a model that has only nodes, primitives and base colours, or only primitives.
fn plain_scene(export: &ModelExport<'_>) -> Result<SceneBlock, ExportError> {
    let model = export.model;
    let numbers = || {
        let of_primitives = model.primitives().iter().map(|primitive| primitive.mesh());
        of_primitives.chain(model.nodes().iter().filter_map(|node| node.mesh)).map(|mesh| mesh as usize)
    };
    let count = numbers().max().map_or(0, |largest| largest + 1);
    if count > numbers().count() + MAX_EMPTY_MESHES {
        return Err(ExportError::Damaged(format!("it has a mesh number {}, and far fewer meshes", count - 1)));
    }
    let mesh = MeshRecord { name: Span::default(), weights: Span::default(), targets: Span::default() };
    let mut scene = SceneBlock { meshes: vec![mesh; count], ..SceneBlock::default() };
    let roots: Vec<u32> = match export.is_bare_mesh {
        true => vec![0],
        false => (0..).zip(model.nodes()).filter(|(_, node)| node.parent.is_none()).map(|(number, _)| number).collect(),
    };
    let is_identity = |transform: &[f32; 16]| {
        let identity = (0..16).map(|i| if i % 5 == 0 { 1f32 } else { 0.0 });
        transform.iter().zip(identity).all(|(value, expected)| value.to_bits() == expected.to_bits())
    };
    let parts: Vec<bool> = match export.is_bare_mesh {
        true => vec![true],
        false => model.nodes().iter().map(|node| is_identity(&node.transform)).collect(),
    };
    scene.nodes.extend(parts.into_iter().map(|has_parts| NodeExtra {
        has_parts: has_parts.into(),
        skin: NONE,
        camera: NONE,
        light: NONE,
        weights: Span::default(),
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    }));
    if !roots.is_empty() {
        let roots = scene.push_indices(roots)?;
        scene.scenes.push(SceneRecord { name: Span::default(), roots });
        scene.default_scene = Some(0);
    }
    for (material, source) in (0..).zip(model.materials()) {
        // Metallic without reflections is black, and the pack does not say what is metallic.
        scene.factors.push(FactorRecord { material, factor: Factor::METALLIC, value: [0.0; 4] });
        if source.base_color_image.is_some() {
            scene.textures.push(TextureRecord {
                material,
                slot: TextureSlot::BASE_COLOR,
                image: 0,
                tex_coord: 0,
                sampler: [0, 0, 1, 1],
                strength: 1.0,
                offset: [0.0; 2],
                scale: [1.0; 2],
                rotation: 0.0,
                reserved: 0,
            });
        }
    }
    Ok(scene)
}
