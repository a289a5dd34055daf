//! A pack without a front index, or with a damaged one → the index that it would have.

use std::collections::{HashMap, HashSet};

use rres_format::index::{EntrySpec, IndexBuilder, Meta};
use rres_format::{AssetKind, ChunkInfo, ChunkView, FourCc, Header, PackView, ResourceId};

use crate::error::Result;

/// Makes an index with one entry per id. If chunks share an id, the first one wins, as in `rres.h`. Paths come from the
/// pack's directory.
///
/// # Errors
/// As [`check_foreign`]; if a chunk does not fit the file.
pub(super) fn scan(view: PackView<'_>) -> Result<IndexBuilder> {
    check_foreign(view)?;
    scan_chunks(view, |first| view.chain(first).map_while(|member| member.ok()).collect())
}

/// Checks that a pack without a front index at its start may be one of another program. A pack of ours whose first bytes are destroyed
/// would load without its metadata, and a patch or a mod would replace nothing.
///
/// # Errors
/// If it has a front index elsewhere, a chunk of a kind that no program writes, no chunk although its header counts some, or chunks
/// although its header counts none.
fn check_foreign(view: PackView<'_>) -> rres_format::Result<()> {
    use rres_format::Error;
    for chunk in view.chunks().map_while(|chunk| chunk.ok()) {
        let (kind, offset) = (chunk.info.kind, chunk.offset);
        if matches!(kind, FourCc::INDX | FourCc::PTCH) {
            return Err(Error::MisplacedIndex { offset: offset.into() });
        }
        if !kind.is_printable() {
            let detail = format!("expected four letters as the kind of the chunk at offset {offset}, found \"{kind}\"");
            return Err(Error::Inconsistent { what: "chunk header", detail });
        }
    }
    let (counted, is_empty) = (view.header().chunk_count, view.bytes().len() == Header::SIZE);
    // Some programs do not count the directory.
    let is_directory = || view.chunk_at(Header::SIZE as u32).is_ok_and(|chunk| chunk.info.kind == FourCc::CDIR);
    match counted {
        0 if !is_empty && !is_directory() => {
            let detail = format!("it counts no chunk, and {} bytes follow it", view.bytes().len() - Header::SIZE);
            Err(Error::Inconsistent { what: "file header", detail })
        }
        1.. if is_empty => {
            let needed = ChunkInfo::SIZE as u64;
            Err(Error::Truncated { what: "first chunk", offset: Header::SIZE as u64, needed, available: 0 })
        }
        _ => Ok(()),
    }
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
