//! glTF 2.0, `.gltf` and `.glb`, and `.obj` as a document of glTF → for each primitive a chain of VRTX chunks; MODL: nodes, primitives, base colours; SCNE:
//! scenes, materials in full, skins, animations, morph targets, cameras, lights, names.
//!
//! What is left out is named in one note: attributes of the exporter's own, channels of animations without a node, extensions that are
//! not supported. `document` has those that are. A file that requires one that cannot be left out is refused.
#![forbid(unsafe_code)]

mod accessor;
mod animations;
mod appearance;
mod buffers;
mod collision;
mod demand;
mod document;
mod json;
mod materials;
#[doc(hidden)]
pub mod measured;
mod members;
mod mesh;
mod meshopt;
mod morphs;
mod nodes;
mod numbers;
mod obj;
mod parts;
mod process;
mod scene;
mod skins;
#[cfg(test)]
mod tests;
mod tracks;
mod uri;

use std::collections::BTreeSet;

use gltf::json::{Root, Value};
use rres_format::chunk::model::model_block;
use rres_format::chunk::scene::{SceneBlock, Span};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError, Importer, ModelEncoder, NamedPart, Note, PartSort, Source};
use rres_settings::{Description, ModelSettings};

use self::buffers::Buffers;
use self::materials::Materials;
use self::mesh::Meshes;
use self::nodes::Nodes;
use self::numbers::Numbers;

pub use self::appearance::{FACTORS, FactorRow, GLOSSINESS, TEXTURES, UNLIT};

/// The importer of models, and what applies the settings of models for all importers.
#[derive(Clone, Copy, Debug)]
pub struct ModelImporter;

impl ModelEncoder for ModelImporter {
    fn apply(&self, assets: &mut [Asset], settings: &ModelSettings) -> Result<(), ImportError> {
        process::finished::apply(assets, settings)?;
        tracks::finished::apply(assets, settings.animation_error)?;
        collision::apply(assets, settings.collision)
    }

    fn parts(&self, path: &str, bytes: &[u8]) -> Option<Vec<String>> {
        parts::parts(path, bytes)
    }
}

impl Importer for ModelImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("model", 12)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let bytes = source.bytes;
        if obj::is_obj(source.path) {
            return obj::memory(bytes);
        }
        let asked = document::read(bytes, "").map_or(0, |document| {
            let has_animations = !json::list(&document.json, "animations").is_empty();
            demand::memory(&document.root, document.binary, has_animations, source.encoders)
        });
        (bytes.len() as u64 * 8).saturating_add(asked)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        if obj::is_obj(source.path) {
            let obj::Document { json, binary, left_out } = obj::read(source)?;
            return import(document::of(json, Some(&binary))?, left_out, source);
        }
        import(document::read(source.bytes, source.path)?, Vec::new(), source)
    }
}

/// Imports a document. `left_out` lists what was left out already.
fn import(
    document: document::Document<'_>,
    left_out: Vec<String>,
    source: &mut Source<'_>,
) -> Result<Vec<Asset>, ImportError> {
    let document::Document { root, json, binary } = document;
    let mut skipped = Skipped { statements: left_out, ..Skipped::of(&root, &json)? };
    let mut buffers = Buffers::new(&root, binary, source);
    if demand::vertices(&root) > demand::MAX_VERTICES {
        return Err(demand::too_many_vertices());
    }
    let list = |name| json::list(&json, name);
    let scale = buffers.source().settings.model.scale;
    let mut numbers = Numbers::new(&root, scale);
    let nodes = Nodes::read(&root, scale)?;
    let mut meshes = Meshes::read(list("meshes"), list("materials"), &mut numbers, &mut buffers, &mut skipped)?;
    skins::read(&mut numbers, &nodes, &mut buffers)?;
    scene::read(&json, &mut numbers, &nodes, &meshes.targets)?;
    skins::check_joints(&numbers, &meshes.joints)?;
    let targets = &meshes.targets;
    animations::read(list("animations"), &mut numbers, &nodes, targets, &mut buffers, &mut skipped)?;
    let Materials { materials, mut factors, textures, dependencies, images } =
        Materials::read(&root, list("materials"), &mut buffers, &mut skipped)?;
    appearance::scale(&mut factors, scale)?;
    let mut scene = numbers.block;
    (scene.factors, scene.textures) = (factors, textures);
    scene.model = [nodes.in_scene, meshes.primitives.len(), materials.len()].map(|count| count as u32);
    let not_stored = |error: rres_format::Error| ImportError::new(error.to_string());
    let structure = model_block(&nodes.nodes[..nodes.in_scene], &meshes.primitives, &materials).map_err(not_stored)?;
    let summary = summary(root.meshes.len(), &meshes, &scene);
    let parts = named_parts(&root, &scene);
    let in_scene = &nodes.nodes[..nodes.in_scene];
    let bound = buffers.source().settings.model.animation_error;
    let kept = tracks::pack(&mut scene, in_scene, &meshes.blocks, &meshes.primitives, bound)?;
    let scene = scene.block().map_err(not_stored)?;
    for (kind, block) in [(FourCc::MODL, structure), (FourCc::SCNE, scene)] {
        meshes.blocks.push(Block { linked: false, ..Block::new(kind, block) });
    }
    let notes = skipped.notes().chain(kept).collect();
    let model = Asset { dependencies, notes, parts, ..Asset::new(AssetKind::Model, meshes.blocks, summary) };
    let mut assets: Vec<Asset> = std::iter::once(model).chain(images).collect();
    collision::apply(&mut assets, buffers.source().settings.model.collision)?;
    Ok(assets)
}

/// How many items of each sort are left out.
#[derive(Default)]
struct Skipped {
    /// Channels of animations that change no node.
    channels: usize,
    /// Primitives without positions, or with an empty list of positions.
    shapeless: usize,
    /// Attributes of primitives, by name.
    attributes: BTreeSet<String>,
    /// Attributes of morph targets, by name.
    morph_attributes: BTreeSet<String>,
    /// Colours of vertices that are outside of 0 to 1, by name.
    cut_colors: BTreeSet<String>,
    /// Colours of vertices that 8 bits do not hold, by name.
    rounded_colors: BTreeSet<String>,
    /// Primitives with a normal map, for which no tangents can be made.
    without_tangents: usize,
    unused_images: usize,
    /// Textures without an image.
    blank_textures: usize,
    /// Extensions that are not supported.
    extensions: Vec<String>,
    /// Members of objects of the document that glTF 2.0 does not have.
    members: BTreeSet<String>,
    /// Phrases about what a file of another format than glTF has.
    statements: Vec<String>,
}

impl Skipped {
    fn of(root: &Root, json: &Value) -> Result<Self, ImportError> {
        let used = root.extensions_used.iter().chain(&root.extensions_required);
        let mut names: BTreeSet<String> = used.cloned().collect();
        // Some exporters do not list what they use.
        document::extensions(json, &mut names)?;
        names.retain(|name| !document::is_supported(name));
        Ok(Self { extensions: names.into_iter().collect(), members: members::unknown(json), ..Self::default() })
    }

    /// Names everything that is left out, and the colours that 8 bits change.
    fn notes(mut self) -> impl Iterator<Item = Note> {
        let colors = [
            ("colours of vertices outside of 0 to 1 are cut off", std::mem::take(&mut self.cut_colors)),
            ("colours of vertices are rounded to 8 bits", std::mem::take(&mut self.rounded_colors)),
        ];
        let colors = colors.into_iter().filter(|(_, names)| !names.is_empty());
        let colors =
            colors.map(|(topic, names)| Note::new(topic).with_detail(names.into_iter().collect::<Vec<_>>().join(", ")));
        let tangents = process::tangents::note(self.without_tangents);
        self.left_out().into_iter().chain(tangents).chain(colors)
    }

    /// Names everything that is left out.
    fn left_out(self) -> Option<Note> {
        let parts: Vec<String> = [
            (self.channels, "channel of an animation without a node", "channels of animations without a node"),
            (self.shapeless, "primitive without vertices", "primitives without vertices"),
            (self.unused_images, "image without texture", "images without texture"),
            (self.blank_textures, "texture without image", "textures without image"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count as u64, one, many))
        .chain(self.attributes.into_iter().map(|name| format!("attribute {name}")))
        .chain(self.morph_attributes.into_iter().map(|name| format!("attribute {name} of morph targets")))
        .chain(self.extensions)
        .chain(self.members.into_iter().map(|name| format!("`{name}`")))
        .chain(self.statements)
        .collect();
        let topic = "parts of models that have no place in a pack are left out";
        (!parts.is_empty()).then(|| Note::new(topic).with_detail(format!("without {}", parts.join(", "))))
    }
}

/// The name of an attribute for the note.
fn attribute_name(name: &str) -> String {
    name.chars().take(60).collect()
}

/// The parts that have a name, in the order of the sorts and their numbers.
fn named_parts(root: &Root, scene: &SceneBlock) -> Vec<NamedPart> {
    let name =
        |span: Span| scene.names.get(span.first as usize..(span.first + span.count) as usize).unwrap_or_default();
    let names = |sort| -> Vec<&str> {
        match sort {
            PartSort::Animation => scene.animations.iter().map(|animation| name(animation.name)).collect(),
            PartSort::Camera => scene.cameras.iter().map(|camera| name(camera.name)).collect(),
            PartSort::Light => scene.lights.iter().map(|light| name(light.name)).collect(),
            PartSort::Material => root.materials.iter().map(|m| m.name.as_deref().unwrap_or_default()).collect(),
            PartSort::Mesh => scene.meshes.iter().map(|mesh| name(mesh.name)).collect(),
            PartSort::Scene => scene.scenes.iter().map(|scene| name(scene.name)).collect(),
            PartSort::Skin => scene.skins.iter().map(|skin| name(skin.name)).collect(),
            PartSort::Key => Vec::new(),
        }
    };
    let of_sort = |sort| {
        let names = names(sort).into_iter().enumerate().filter(|(_, name)| !name.is_empty());
        names
            .map(move |(index, name)| NamedPart { sort, index: index as u32, name: name.to_owned() })
            .collect::<Vec<_>>()
    };
    PartSort::ALL.into_iter().flat_map(of_sort).collect()
}

fn summary(count: usize, meshes: &Meshes, scene: &SceneBlock) -> String {
    let mut parts = vec![
        counted(count as u64, "mesh", "meshes"),
        counted(meshes.primitives.len() as u64, "primitive", "primitives"),
        counted(meshes.triangles, "triangle", "triangles"),
    ];
    let further = [
        (scene.skins.len(), "skin", "skins"),
        (scene.animations.len(), "animation", "animations"),
        (scene.targets.len(), "morph target", "morph targets"),
        (scene.cameras.len(), "camera", "cameras"),
        (scene.lights.len(), "light", "lights"),
    ];
    let further = further.into_iter().filter(|(count, ..)| *count > 0);
    parts.extend(further.map(|(count, one, many)| counted(count as u64, one, many)));
    parts.join(", ")
}

/// `1,204 triangles`.
fn counted(count: u64, one: &str, many: &str) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {}", if count == 1 { one } else { many })
}
