//! The dev index: an index like a pack's. Its entries refer to blobs in the import cache.

use rres_format::index::{EntrySpec, IndexBuilder};
use rres_format::{FourCc, PackBuilder};

use crate::model::{Resolved, Resource};

/// The bytes of the dev index of these assets.
pub(crate) fn dev_index(resolved: &Resolved) -> Result<Vec<u8>, rres_format::Error> {
    let entry = |resource: &Resource| {
        let info = resolved.info(resource);
        EntrySpec {
            id: resource.id,
            path: resource.path.clone(),
            kind: Some(resource.kind),
            offset: info.chunks.offset,
            stored_size: info.stored_size,
            base_size: info.base_size,
            chunk_count: info.chunks.count,
            is_shared: false,
            meta: info.meta.clone(),
            dependencies: resource.dependencies.clone(),
            headers_crc: info.chunks.headers_crc,
            blob: resource.asset as u32,
        }
    };
    let index = IndexBuilder {
        entries: resolved.resources.iter().map(entry).collect(),
        groups: resolved.groups.clone(),
        blobs: resolved.assets.iter().map(|asset| asset.record.blob_key.0).collect(),
        set_hash: resolved.set_hash,
        additional_packs: 0,
        is_patch: false,
    };
    index.block().and_then(|block| PackBuilder::new().directory(false).leading_chunk(FourCc::INDX, block).to_vec())
}
