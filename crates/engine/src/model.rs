//! The values that pass through the pipeline, and the vocabulary that its steps share.
//!
//! A [`SourceFile`] becomes an [`ImportedAsset`], whose blob contains one or more resources: the asset itself and its
//! sub-assets. This module contains data only: every step depends on it, and it depends on none of them.

use std::fs::Metadata;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rres_codegen::Facts;
use rres_format::SoundFormat;
use rres_format::index::{GroupSpec, Meta, MetaKey};
use rres_format::{AssetKind, Compression, FourCc, ResourceId};

use crate::key::Key;
pub(crate) use crate::settings::{Naming, extension_of};
pub(crate) use rres_import::{Dependency, NamedPart, Note, PartSort, relative_to, resolve_relative};

/// One file of the assets directory that is an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// The asset path: `/`-separated, NFC, relative to the assets directory.
    pub(crate) path: String,
    /// The file itself.
    pub(crate) file: PathBuf,
    /// Its length in bytes.
    pub(crate) size: u64,
    pub(crate) stamp: FileStamp,
}

/// Metadata that changes when a file changes. The default matches no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileStamp {
    pub(crate) size: u64,
    /// Nanoseconds since 1970, like all times here.
    pub(crate) modified: u64,
    /// The last change of contents or attributes: detects a file that was replaced by an older one.
    pub(crate) changed: u64,
    pub(crate) inode: u64,
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let changed = nanoseconds_of(metadata.ctime(), metadata.ctime_nsec());
            Self { size: metadata.len(), modified, changed, inode: metadata.ino() }
        }
        #[cfg(not(unix))]
        Self { size: metadata.len(), modified, changed: metadata.created().map_or(0, nanoseconds), inode: 0 }
    }
}

/// Nanoseconds since 1970; 0 for earlier times.
pub(crate) fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// The same of a time as file systems of Unix have it. A broken clock or image of a disk makes any time.
#[cfg(unix)]
fn nanoseconds_of(seconds: i64, nanoseconds: i64) -> u64 {
    let [seconds, nanoseconds] = [seconds, nanoseconds].map(|part| u64::try_from(part).unwrap_or(0));
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// One source file and its blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceRecord {
    pub(crate) stamp: FileStamp,
    /// Hash of the file's bytes.
    pub(crate) content_hash: [u8; 32],
    /// The key of everything that the import depends on, except input files.
    pub(crate) source_key: Key,
    /// The key of the blob: the source key, and the input files if there were any.
    pub(crate) blob_key: Key,
    /// The resources in the blob: the asset itself, then its sub-assets.
    pub(crate) resources: Vec<ResourceInfo>,
}

impl SourceRecord {
    /// Whether the importer read other files than the source.
    pub(crate) fn has_inputs(&self) -> bool {
        self.source_key != self.blob_key
    }

    /// Bytes of all resources in a pack.
    pub(crate) fn stored_size(&self) -> u64 {
        self.resources.iter().map(|resource| u64::from(resource.stored_size)).sum()
    }

    /// Bytes that a graphics card allocates for all resources.
    pub(crate) fn video_memory(&self) -> u64 {
        self.resources.iter().fold(0, |sum, resource| sum.saturating_add(resource.video_memory))
    }
}

/// One resource in a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceInfo {
    /// What is appended to the asset's path after `#`; empty for the asset itself.
    pub(crate) name: String,
    pub(crate) kind: AssetKind,
    /// Shape, length or format in a few words.
    pub(crate) summary: String,
    pub(crate) chunks: ChunkRun,
    /// Bytes from the first of these chunks to the end of the last one.
    pub(crate) stored_size: u32,
    /// Bytes of all chunks before compression.
    pub(crate) base_size: u32,
    /// The compression of the largest chunk.
    pub(crate) compression: Compression,
    pub(crate) facts: Facts,
    /// Bytes that a graphics card allocates for it.
    pub(crate) video_memory: u64,
    pub(crate) meta: Meta,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) notes: Vec<Note>,
    /// The parts of a model that have a name.
    pub(crate) parts: Vec<NamedPart>,
}

/// The chunks of a resource in its blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkRun {
    /// Offset of the header of the first one.
    pub(crate) offset: u32,
    pub(crate) count: u16,
    /// CRC-32 of their headers, which stands for everything in them.
    pub(crate) headers_crc: u32,
}

impl ResourceInfo {
    /// The kind of the chunk of a custom asset.
    pub(crate) fn custom_kind(&self) -> Option<FourCc> {
        let kind = self.meta.get(MetaKey::CUSTOM_KIND).filter(|_| self.kind == AssetKind::Custom)?;
        Some(FourCc(kind.to_le_bytes()))
    }

    /// The feature of the runtime, of those that are off by default, that decodes what is stored.
    pub(crate) fn needed_feature(&self) -> Option<&'static str> {
        self.decoder().or(match self.compression {
            Compression::DEFLATE => Some("deflate"),
            Compression::QOI => Some("qoi"),
            _ => None,
        })
    }

    /// The feature of the runtime that decodes the file that is stored of it, if one must when it is loaded.
    fn decoder(&self) -> Option<&'static str> {
        match self.kind {
            AssetKind::Image => self.meta.get(MetaKey::PIXEL_FORMAT).map(|_| "jpeg"),
            AssetKind::Sound => {
                self.meta.get(MetaKey::SOUND_FORMAT).and_then(SoundFormat::from_number).map(SoundFormat::feature)
            }
            _ => None,
        }
    }
}

/// An asset whose blob is in the cache.
#[derive(Clone, Debug)]
pub(crate) struct ImportedAsset {
    /// The path of its source.
    pub(crate) path: String,
    pub(crate) naming: Naming,
    /// Whether it is an asset of a library, whose module has its constants.
    pub(crate) is_of_library: bool,
    /// Whether the build prints its notes.
    pub(crate) prints_notes: bool,
    /// Whether the folders in the names of its sub-assets are groups.
    pub(crate) folders_are_groups: bool,
    /// What it is in the set.
    pub(crate) record: Arc<SourceRecord>,
    /// What the source became by itself; `None` for the pages of an atlas, which have no source.
    pub(crate) source: Option<Arc<SourceRecord>>,
    /// Whether the blob was in the cache before this build.
    pub(crate) is_cached: bool,
    /// Bytes of the source file.
    pub(crate) source_size: u64,
    /// Time from reading the source to having the blob.
    pub(crate) elapsed: Duration,
}

/// Everything that goes into a pack or a dev index.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// Sorted by the path of the source.
    pub(crate) assets: Vec<ImportedAsset>,
    /// Sorted by their path in the pack.
    pub(crate) resources: Vec<Resource>,
    pub(crate) groups: Vec<GroupSpec>,
    /// Hash of the paths, ids and kinds of all resources.
    pub(crate) set_hash: [u8; 16],
}

/// One asset or sub-asset.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// Its path in the pack: the asset's, or `asset#name`.
    pub(crate) path: String,
    pub(crate) id: ResourceId,
    pub(crate) kind: AssetKind,
    /// The index of its asset in [`Resolved::assets`].
    pub(crate) asset: usize,
    /// Its index among the resources of that asset.
    pub(crate) index: usize,
    pub(crate) dependencies: Vec<ResourceId>,
}

impl ImportedAsset {
    /// Whether a rule gives it another path than its source has.
    pub(crate) fn is_mapped(&self) -> bool {
        self.naming.path != self.path
    }

    /// The notes that the build prints, of the asset and its sub-assets, with their paths.
    pub(crate) fn notes(&self) -> impl Iterator<Item = (&str, &Note)> {
        let resources = self.record.resources.iter().filter(|_| self.prints_notes);
        resources.flat_map(|resource| &resource.notes).map(|note| (self.path.as_str(), note))
    }
}

impl Resolved {
    /// The asset of a resource.
    pub(crate) fn asset(&self, resource: &Resource) -> &ImportedAsset {
        &self.assets[resource.asset]
    }

    /// The asset that a resource, or the one that it is a part of, is a variant of.
    pub(crate) fn variant_of(&self, resource: &Resource) -> Option<ResourceId> {
        let own = self.asset(resource).record.resources.first()?;
        [self.info(resource), own].iter().find_map(|info| info.meta.get(MetaKey::VARIANT_OF)).map(ResourceId)
    }

    /// The description of a resource in its blob.
    pub(crate) fn info(&self, resource: &Resource) -> &ResourceInfo {
        &self.assets[resource.asset].record.resources[resource.index]
    }
}

/// The path of a resource: the asset's own, or `asset#name` for a sub-asset.
pub(crate) fn resource_path(asset: &str, name: &str) -> String {
    if name.is_empty() { asset.to_owned() } else { format!("{asset}#{name}") }
}

/// The path of a dependency; empty if it leads out of the assets directory.
pub(crate) fn dependency_path(asset: &ImportedAsset, dependency: &Dependency) -> String {
    match dependency {
        Dependency::SubAsset(name) => resource_path(&asset.path, name),
        Dependency::Asset(relative) | Dependency::Typed(relative, _) | Dependency::Quantities(relative) => {
            resolve_relative(&asset.path, relative).unwrap_or_default()
        }
    }
}

/// The position of the asset at `path` in `assets`, which are sorted by path, or the position to insert it at.
pub(crate) fn find_asset(assets: &[ImportedAsset], path: &str) -> Result<usize, usize> {
    assets.binary_search_by(|asset| asset.path.as_str().cmp(path))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_time_before_1970_or_after_all_others_is_a_time() {
        for (seconds, nanoseconds, expected) in
            [(2, 5, 2_000_000_005), (-1, 999, 999), (i64::MIN, 0, 0), (i64::MAX, 999_999_999, u64::MAX)]
        {
            assert_eq!(nanoseconds_of(seconds, nanoseconds), expected);
        }
    }
}
