//! glTF 2.0, `.gltf` and `.glb` → for each primitive a chain of VRTX chunks, then MODL: nodes, primitives, materials.
//!
//! Kept: positions, four sets of texture coordinates, normals, tangents, the first colours, indices; the nodes of the
//! default scene; base colours and the images inside the file. Skipped and listed in the summary: skins, animations,
//! morph targets, cameras, lights, texture transforms, other attributes and scenes. Skipped silently: everything in a
//! material except its base colour. Compressed meshes and textures are errors; see `document` for supported extensions.

mod accessor;
mod buffers;
mod demand;
mod document;
mod materials;
mod mesh;
mod nodes;
#[cfg(test)]
mod tests;
mod uri;

use gltf::json::Root;
use rres_format::chunk::model::model_block;
use rres_format::{AssetKind, FourCc};

use self::buffers::Buffers;
use self::materials::Materials;
use self::mesh::Meshes;
use super::{Block, ImportError, ImportedResource, Importer, Source};
use crate::note::Note;
use crate::settings::AssetType;

pub(super) struct ModelImporter;

impl Importer for ModelImporter {
    fn name(&self) -> &str {
        AssetKind::Model.name()
    }

    fn types(&self) -> Vec<AssetType> {
        vec![AssetKind::Model.into()]
    }

    fn version(&self) -> u32 {
        4
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let bytes = source.bytes;
        let asked = document::read(bytes, "").map_or(0, |document| demand::memory(&document.root, document.binary));
        (bytes.len() as u64 * 4).saturating_add(asked)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let document::Document { root, animations, binary } = document::read(source.bytes, source.path)?;
        let mut skipped = Skipped { animations, ..Skipped::of(&root) };
        let mut buffers = Buffers::new(&root, binary, source);
        if demand::vertices(&root) > demand::MAX_VERTICES {
            return Err(mesh::too_many_vertices());
        }
        let nodes = nodes::read(&root)?;
        let mut meshes = Meshes::read(&root, &mut buffers, &mut skipped)?;
        let Materials { materials, dependencies, images } = Materials::read(&root, &mut buffers, &mut skipped)?;
        let structure =
            model_block(&nodes, &meshes.primitives, &materials).map_err(|error| ImportError::new(error.to_string()))?;
        meshes.blocks.push(Block { linked: false, ..Block::new(FourCc::MODL, structure) });
        let skipped = skipped.in_words();
        let summary = summary(root.meshes.len(), &meshes, &skipped);
        let parts = skipped.into_iter().chain(materials::skipped(&root).into_iter().map(str::to_owned));
        let parts: Vec<String> = parts.collect();
        let topic = "only meshes, nodes and base colours of models are stored";
        let note = (!parts.is_empty()).then(|| Note::new(topic).with_detail(format!("not {}", parts.join(", "))));
        let notes = note.into_iter().collect();
        let model =
            ImportedResource { dependencies, notes, ..ImportedResource::new(AssetKind::Model, meshes.blocks, summary) };
        Ok(std::iter::once(model).chain(images).collect())
    }
}

/// How many items of each sort are skipped.
#[derive(Default)]
struct Skipped {
    skins: usize,
    animations: usize,
    morph_targets: usize,
    cameras: usize,
    lights: usize,
    scenes: usize,
    /// Primitives without positions, or with an empty list of positions.
    shapeless: usize,
    attributes: usize,
    unused_images: usize,
    texture_transforms: bool,
}

impl Skipped {
    fn of(root: &Root) -> Self {
        let uses = |name: &str| root.extensions_used.iter().chain(&root.extensions_required).any(|used| used == name);
        let lights = || {
            let all = root.extensions.as_ref()?.others.get("KHR_lights_punctual")?;
            Some(all.get("lights")?.as_array()?.len())
        };
        Self {
            skins: root.skins.len(),
            cameras: root.cameras.len(),
            lights: lights().unwrap_or_default(),
            scenes: root.scenes.len().saturating_sub(1),
            texture_transforms: uses("KHR_texture_transform"),
            ..Self::default()
        }
    }

    /// The items of each sort that occurs: `2 skins`.
    fn in_words(&self) -> Vec<String> {
        [
            (self.skins, "skin", "skins"),
            (self.animations, "animation", "animations"),
            (self.morph_targets, "morph target", "morph targets"),
            (self.cameras, "camera", "cameras"),
            (self.lights, "light", "lights"),
            (self.scenes, "other scene", "other scenes"),
            (self.shapeless, "primitive without vertices", "primitives without vertices"),
            (self.attributes, "further attribute", "further attributes"),
            (self.unused_images, "image without texture", "images without texture"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count as u64, one, many))
        .chain(self.texture_transforms.then(|| "texture transforms".to_owned()))
        .collect()
    }
}

fn summary(count: usize, meshes: &Meshes, skipped: &[String]) -> String {
    let mut summary = [
        counted(count as u64, "mesh", "meshes"),
        counted(meshes.primitives.len() as u64, "primitive", "primitives"),
        counted(meshes.triangles, "triangle", "triangles"),
    ]
    .join(", ");
    if !skipped.is_empty() {
        summary += &format!("; skipped: {}", skipped.join(", "));
    }
    summary
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
