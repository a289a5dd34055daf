//! A pack without a front index, or with a damaged one → the index that it would have.

use std::collections::{HashMap, HashSet};

use rres_format::index::{EntrySpec, IndexBuilder, Meta};
use rres_format::{AssetKind, ChunkView, FourCc, PackView, ResourceId};

use crate::error::Result;

/// Makes an index with one entry per id. If chunks share an id, the first one wins, as in `rres.h`. Paths come from the
/// pack's directory.
///
/// # Errors
/// If the pack has a front index, but not at its start: it would load without its metadata, and a patch would replace nothing.
pub(super) fn scan(view: PackView<'_>) -> Result<IndexBuilder> {
    let of_ours = |chunk: &ChunkView<'_>| matches!(chunk.info.kind, FourCc::INDX | FourCc::PTCH);
    if let Some(chunk) = view.chunks().map_while(|chunk| chunk.ok()).find(of_ours) {
        return Err(rres_format::Error::MisplacedIndex { offset: chunk.offset.into() }.into());
    }
    scan_chunks(view, |first| view.chain(first).map_while(|member| member.ok()).collect())
}

/// Makes the index of a pack of ours whose front index is damaged. The chunks of its resources follow each other under one
/// id. Of resources that share chunks, the directory has the paths, and their ids follow from these.
pub(super) fn scan_own(view: PackView<'_>) -> Result<IndexBuilder> {
    let mut index = scan_chunks(view, |first| {
        let chunks = view.resource_chunks(first, u16::MAX);
        chunks.map_while(|member| member.ok()).collect()
    })?;
    let owners: HashMap<u32, usize> = index.entries.iter().enumerate().map(|(i, entry)| (entry.offset, i)).collect();
    let mut known: HashSet<ResourceId> = index.entries.iter().map(|entry| entry.id).collect();
    for Named { offset, path, .. } in directory(view) {
        let id = ResourceId::from_path(&path);
        if let Some(owner) = owners.get(&offset)
            && known.insert(id)
        {
            let owner = &index.entries[*owner];
            // A lock file can give it another id than its path would.
            if owner.path != path {
                let shared = EntrySpec { id, path, is_shared: true, ..owner.clone() };
                index.entries.push(shared);
            }
        }
    }
    Ok(index)
}

/// What the directory says about a resource.
struct Named {
    id: ResourceId,
    offset: u32,
    path: String,
}

/// Returns what the directory lists; nothing if there is none or it is damaged, since a pack still loads by id.
fn directory(view: PackView<'_>) -> Vec<Named> {
    let Ok(Some(directory)) = view.directory() else { return Vec::new() };
    let entries = directory.entries().map_while(|entry| entry.ok());
    let path = |name| String::from_utf8_lossy(name).into_owned();
    entries.map(|entry| Named { id: entry.id, offset: entry.offset, path: path(entry.name) }).collect()
}

fn scan_chunks<'a>(
    view: PackView<'a>,
    chunks_of: impl Fn(ChunkView<'a>) -> Vec<ChunkView<'a>>,
) -> Result<IndexBuilder> {
    let mut index = IndexBuilder::default();
    let mut seen = HashSet::new();
    let mut paths = HashMap::new();
    for Named { id, path, .. } in directory(view) {
        // Several paths have one id if their resources share chunks. Theirs is the id of one of the paths.
        if !paths.contains_key(&id) || ResourceId::from_path(&path) == id {
            paths.insert(id, path);
        }
    }
    for chunk in view.chunks() {
        let chunk = chunk?;
        if !chunk.is_resource() || chunk.info.id == ResourceId::NONE || !seen.insert(chunk.info.id) {
            continue;
        }
        // Later chunks of a chain may have ids of their own but are not resources of their own.
        let (mut stored_size, mut base_size, mut chunk_count) = (0u64, 0u64, 0u16);
        for member in chunks_of(chunk) {
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
