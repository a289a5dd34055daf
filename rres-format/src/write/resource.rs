//! What goes into a pack: a resource with its chunks and metadata.

use super::StoredChunk;
use super::cursor::CHUNK_HEADER;
use crate::asset_kind::AssetKind;
use crate::id::ResourceId;
use crate::index::{EntrySpec, Meta};

/// A resource for a pack.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// Path of the resource, which is its name in the directory.
    pub path: String,
    /// Id of the resource, not 0.
    pub id: ResourceId,
    /// Asset kind, stored in the front index.
    pub kind: AssetKind,
    /// Its chunks in order, at least one.
    pub chunks: Vec<StoredChunk<'a>>,
    /// Metadata that rres chunks cannot express.
    pub meta: Meta,
    /// Resources that it needs at run time.
    pub dependencies: Vec<ResourceId>,
    /// An earlier resource of the pack whose chunks this one shares instead of having its own.
    pub shares: Option<ResourceId>,
}

impl<'a> Resource<'a> {
    /// Returns a resource whose id is the CRC-32 of its path, and whose kind follows from its first chunk;
    /// [`AssetKind::Raw`] if that is not possible.
    pub fn new(path: impl Into<String>, chunks: Vec<StoredChunk<'a>>) -> Self {
        let path = path.into();
        let kind = chunks.first().and_then(|chunk| AssetKind::of_chunk(chunk.info.kind)).unwrap_or(AssetKind::Raw);
        let id = ResourceId::from_path(&path);
        Self { id, path, kind, chunks, meta: Meta::default(), dependencies: Vec::new(), shares: None }
    }

    /// Returns this resource with another id.
    #[must_use]
    pub fn with_id(mut self, id: ResourceId) -> Self {
        self.id = id;
        self
    }

    /// Returns this resource with another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: AssetKind) -> Self {
        self.kind = kind;
        self
    }

    /// Returns this resource with other metadata.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Returns this resource without chunks of its own: it shares the chunks of an earlier resource of the pack.
    #[must_use]
    pub fn sharing(mut self, owner: ResourceId) -> Self {
        self.chunks = Vec::new();
        self.shares = Some(owner);
        self
    }

    /// Returns the number of bytes of its chunks in a pack, including their headers but not padding chunks.
    pub fn stored_size(&self) -> u64 {
        self.chunks.iter().map(|chunk| CHUNK_HEADER + u64::from(chunk.info.packed_size)).sum()
    }

    /// Returns the total size of its blocks before compression, in bytes.
    pub fn base_size(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum()
    }
}

impl Resource<'_> {
    /// Returns the entry of the index, without the place of the chunks.
    pub(super) fn entry(&self) -> EntrySpec {
        EntrySpec {
            id: self.id,
            path: self.path.clone(),
            kind: Some(self.kind),
            offset: 0,
            stored_size: 0,
            base_size: u32::try_from(self.base_size()).unwrap_or(u32::MAX),
            chunk_count: self.chunks.len() as u16,
            is_shared: false,
            meta: self.meta.clone(),
            dependencies: self.dependencies.clone(),
            headers_crc: 0,
            blob: 0,
        }
    }
}
