//! Assets in a pack in memory: what `cargo rres` needs to write files of common formats of what builds import.

use rres_format::{Compression, Compressor, PackBuilder, Resource, ResourceId, StoredChunk};

use super::{Asset, ImportError};
use crate::model::{Dependency, resource_path};

/// The path of the asset in the pack.
const PATH: &str = "asset";

/// A pack of one asset and its parts.
#[derive(Debug)]
pub struct AssetPack {
    /// The pack, without compression.
    pub pack: Vec<u8>,
    /// The asset.
    pub id: ResourceId,
    /// What it depends on, in the order of its numbers.
    pub dependencies: Vec<ResourceId>,
    /// What the asset does not have: `without normals that are not finite`.
    pub left_out: Vec<String>,
}

/// Why something cannot be converted.
#[derive(Debug)]
pub struct AssetPackError {
    /// What was found.
    pub message: String,
    /// Whether the file is damaged, and not only beyond what the chunks hold.
    pub is_damage: bool,
}

impl From<ImportError> for AssetPackError {
    fn from(error: ImportError) -> Self {
        Self { message: error.to_string(), is_damage: error.is_damage() }
    }
}

/// Packs an asset and its sub-assets.
pub(super) fn pack(assets: Vec<Asset>, left_out: Vec<String>) -> Result<AssetPack, AssetPackError> {
    let mut compressor = Compressor::default();
    let mut builder = PackBuilder::new();
    let dependencies = assets.first().map(|asset| asset.dependencies.iter().map(id).collect()).unwrap_or_default();
    let not_stored = |error: rres_format::Error| ImportError::new(format!("cannot be stored: {error}"));
    for asset in assets {
        let mut chunks = Vec::with_capacity(asset.blocks.len());
        for block in &asset.blocks {
            let chunk = StoredChunk::encode(block.kind, &block.bytes, Compression::NONE, &mut compressor)
                .map_err(not_stored)?;
            chunks.push(if block.linked { chunk } else { chunk.unlinked() });
        }
        let mut resource = Resource::new(resource_path(PATH, &asset.name), chunks).with_kind(asset.kind);
        resource.dependencies = asset.dependencies.iter().map(id).collect();
        resource.meta = asset.meta;
        builder.push(resource);
    }
    let pack = builder.to_vec().map_err(not_stored)?;
    Ok(AssetPack { pack, id: ResourceId::from_path(PATH), dependencies, left_out })
}

fn id(dependency: &Dependency) -> ResourceId {
    match dependency {
        Dependency::SubAsset(name) => ResourceId::from_path(&resource_path(PATH, name)),
        Dependency::Asset(path) | Dependency::Typed(path, _) => ResourceId::from_path(path),
    }
}
