//! A pack of another program, which has no front index → the index that it would have.

use std::collections::{HashMap, HashSet};

use rres_format::index::{EntrySpec, IndexBuilder, Meta};
use rres_format::{AssetKind, PackView, ResourceId};

use crate::error::Result;

/// Makes an index with one entry per id. If chunks share an id, the first one wins, as in `rres.h`. Paths come from the
/// pack's directory.
pub(super) fn scan(view: PackView<'_>) -> Result<IndexBuilder> {
    let mut index = IndexBuilder::default();
    let mut seen = HashSet::new();
    // A pack without a directory, or with a damaged one, still loads by id.
    let mut paths = HashMap::new();
    if let Ok(Some(directory)) = view.directory() {
        for entry in directory.entries().map_while(|entry| entry.ok()) {
            paths.entry(entry.id).or_insert_with(|| String::from_utf8_lossy(entry.name).into_owned());
        }
    }
    for chunk in view.chunks() {
        let chunk = chunk?;
        if !chunk.is_resource() || chunk.info.id == ResourceId::NONE || !seen.insert(chunk.info.id) {
            continue;
        }
        // Later chunks of a chain may have ids of their own but are not resources of their own.
        let (mut stored_size, mut base_size, mut chunk_count) = (0u64, 0u64, 0u16);
        for member in view.chain(chunk).map_while(|member| member.ok()) {
            seen.insert(member.info.id);
            stored_size += u64::from(member.info.packed_size);
            base_size += u64::from(member.info.base_size);
            chunk_count = chunk_count.saturating_add(1);
        }
        index.entries.push(EntrySpec {
            id: chunk.info.id,
            kind: AssetKind::of_chunk(chunk.info.kind),
            offset: chunk.offset,
            stored_size: u32::try_from(stored_size).unwrap_or(u32::MAX),
            base_size: u32::try_from(base_size).unwrap_or(u32::MAX),
            chunk_count,
            is_shared: false,
            path: paths.remove(&chunk.info.id).unwrap_or_default(),
            meta: Meta::default(),
            dependencies: Vec::new(),
            // Not checked: the whole entry was made from the headers.
            headers_crc: 0,
            blob: 0,
        });
    }
    Ok(index)
}
