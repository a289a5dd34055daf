//! What `cargo rres nbr` needs to write files of common formats: the assets of a build, in a pack in memory.

use rres_format::{Compression, Compressor, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_import_nbr::Font;

use super::super::{Asset, ImportError};
use super::fonts;
use super::scenes::{NbrScene, convert};
use crate::model::{Dependency, resource_path};
use crate::settings::ImageSettings;

/// The path of the asset in the pack.
const PATH: &str = "asset";

/// A pack of one asset and its parts.
#[derive(Debug)]
pub struct NbrPack {
    /// The pack, without compression.
    pub pack: Vec<u8>,
    /// The asset.
    pub id: ResourceId,
    /// Its images, in the order of their numbers.
    pub images: Vec<ResourceId>,
    /// What the asset does not have: `without normals that are not finite`.
    pub left_out: Vec<String>,
}

/// Why something cannot be converted.
#[derive(Debug)]
pub struct NbrError {
    /// What was found.
    pub message: String,
    /// Whether the file is damaged, and not only beyond what the chunks hold.
    pub is_damage: bool,
}

impl From<ImportError> for NbrError {
    fn from(error: ImportError) -> Self {
        Self { message: error.to_string(), is_damage: error.is_damage() }
    }
}

/// Converts a model, a skeleton, animations, or all of one creature.
///
/// # Errors
/// If a build would refuse it.
pub fn nbr_scene(scene: &NbrScene<'_>) -> Result<NbrPack, NbrError> {
    let converted = convert(scene, &ImageSettings::default())?;
    Ok(pack(converted.assets, converted.left_out)?)
}

/// Converts a font.
///
/// # Errors
/// If a build would refuse it.
pub fn nbr_font(font: &Font<'_>) -> Result<NbrPack, NbrError> {
    Ok(pack(vec![fonts::import(font)?], Vec::new())?)
}

fn pack(assets: Vec<Asset>, left_out: Vec<String>) -> Result<NbrPack, ImportError> {
    let mut compressor = Compressor::default();
    let mut builder = PackBuilder::new();
    let mut images = Vec::new();
    let not_stored = |error: rres_format::Error| ImportError::new(format!("cannot be stored: {error}"));
    for asset in assets {
        let mut chunks = Vec::with_capacity(asset.blocks.len());
        for block in &asset.blocks {
            let chunk = StoredChunk::encode(block.kind, &block.bytes, Compression::NONE, &mut compressor)
                .map_err(not_stored)?;
            chunks.push(if block.linked { chunk } else { chunk.unlinked() });
        }
        let mut resource = Resource::new(resource_path(PATH, &asset.name), chunks).with_kind(asset.kind);
        resource.meta = asset.meta;
        resource.dependencies = asset.dependencies.iter().map(id).collect();
        if !asset.name.is_empty() {
            images.push(resource.id);
        }
        builder.push(resource);
    }
    let pack = builder.to_vec().map_err(not_stored)?;
    Ok(NbrPack { pack, id: ResourceId::from_path(PATH), images, left_out })
}

fn id(dependency: &Dependency) -> ResourceId {
    match dependency {
        Dependency::SubAsset(name) => ResourceId::from_path(&resource_path(PATH, name)),
        Dependency::Asset(path) => ResourceId::from_path(path),
    }
}
