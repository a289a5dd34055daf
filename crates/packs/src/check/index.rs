//! Our front index against the chunks and the central directory.

use std::collections::HashSet;

use rres_format::chunk::directory::DirectoryEntry;
use rres_format::index::{Entry, IndexView};
use rres_format::{AssetKind, ChunkView, Error, FourCc, PackView, ResourceId};

use crate::finding::{Code, Findings};
use crate::text::count;
use crate::truncation::Truncation;

/// Checks the index of a pack.
pub(super) fn check(
    view: PackView<'_>,
    index: IndexView<'_>,
    chunks: &[ChunkView<'_>],
    directory: &[DirectoryEntry<'_>],
    cut: Option<&Truncation>,
    findings: &mut Findings<'_>,
) {
    let is_lost =
        |entry: &Entry<'_>| cut.is_some_and(|cut| cut.cuts(u64::from(entry.offset) + u64::from(entry.stored_size)));
    let mut listed_chunks = HashSet::new();
    let mut paths = HashSet::new();
    for (slot, entry) in (0..).zip(index.entries()) {
        match entry {
            Ok(entry) => {
                // The directory has the id in the chunk headers.
                let owner = view.first_chunk_of(&entry).map_or(entry.id, |chunk| chunk.info.id);
                paths.insert((entry.path.as_bytes(), owner));
                check_entry(index, slot, &entry, findings);
                if !is_lost(&entry) {
                    if let Err(error @ Error::DamagedIndex { .. }) = view.check_entry(slot) {
                        findings.add_resource(Code::IndexCrcMismatch, entry.id, error.to_string());
                    }
                    listed_chunks.extend(check_chunks(view, &entry, findings));
                }
            }
            Err(error) => findings.add(Code::IndexEntryInvalid, format!("entry {slot} of the front index: {error}")),
        }
    }
    check_groups(index, findings);
    if cut.is_some() {
        // Chunks of a resource that is partly lost have no entry, and neither has the directory.
        return;
    }
    for chunk in chunks.iter().filter(|chunk| chunk.is_resource() && !listed_chunks.contains(&chunk.offset)) {
        findings.add_chunk(Code::IndexIncomplete, chunk, "the chunk belongs to no entry of the front index");
    }
    if view.header().directory_offset != 0 {
        compare_with_directory(&paths, directory, findings);
    }
}

fn check_entry(index: IndexView<'_>, slot: u32, entry: &Entry<'_>, findings: &mut Findings<'_>) {
    if index.find(entry.id) != Some(slot) || index.find_path(entry.path) != Some(slot) {
        let message = "the front index does not find the resource by its id or its path";
        findings.add_resource(Code::IndexLookupFailed, entry.id, message);
    }
    if entry.kind.is_none() {
        let message = "this version does not know the kind of the asset";
        findings.add_resource(Code::AssetKindUnknown, entry.id, message);
    }
    if let Err(error) = index.meta(slot).map(drop).and_then(|()| index.dependencies(slot).map(drop)) {
        findings.add_resource(Code::IndexEntryInvalid, entry.id, error.to_string());
    }
}

/// Checks that the chunks of an entry are where it claims. Returns the offsets of their headers.
fn check_chunks(view: PackView<'_>, entry: &Entry<'_>, findings: &mut Findings<'_>) -> Vec<u32> {
    if entry.chunk_count == 0 {
        findings.add_resource(Code::IndexChunksMissing, entry.id, "the entry has no chunks");
        return Vec::new();
    }
    let first = view.first_chunk_of(entry);
    let chunks: rres_format::Result<Vec<_>> =
        first.and_then(|first| view.resource_chunks(first, entry.chunk_count).collect());
    let chunks = match chunks {
        Ok(chunks) => chunks,
        Err(error) => {
            findings.add_resource(Code::IndexChunksMissing, entry.id, error.to_string());
            return Vec::new();
        }
    };
    let end = chunks.last().map_or(0, ChunkView::end);
    let expected = u64::from(entry.offset) + u64::from(entry.stored_size);
    if end != expected {
        let message = format!("expected its chunks to end at offset {expected}, found {end}");
        findings.add_resource(Code::IndexSizeWrong, entry.id, message);
    }
    let decoded: u64 = chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum();
    // An entry has room for 4 GiB.
    if decoded.min(u32::MAX.into()) != u64::from(entry.base_size) {
        let message = format!("expected its chunks to have {} bytes when decoded, found {decoded}", entry.base_size);
        findings.add_resource(Code::IndexSizeWrong, entry.id, message);
    }
    if let Some(kind) = entry.kind {
        for chunk in chunks.iter().filter(|chunk| !can_contain(kind, chunk.info.kind)) {
            let message = format!("an asset of kind {kind} has no such chunk");
            findings.add_chunk(Code::ChunkKindUnexpected, chunk, message);
        }
    }
    chunks.iter().map(|chunk| chunk.offset).collect()
}

/// Whether assets of a kind have chunks of this kind. No CRC covers the kind of a chunk, and loading a model without its
/// structure succeeds, as it has to for models of other programs.
fn can_contain(kind: AssetKind, chunk: FourCc) -> bool {
    match kind {
        AssetKind::Image => matches!(chunk, FourCc::IMGE | FourCc::RAWD | FourCc::FRMS),
        AssetKind::Sound => matches!(chunk, FourCc::WAVE | FourCc::RAWD | FourCc::MARK | FourCc::SEEK),
        AssetKind::Font => matches!(chunk, FourCc::FNTG | FourCc::IMGE | FourCc::KERN),
        AssetKind::Model => matches!(chunk, FourCc::VRTX | FourCc::MODL | FourCc::SCNE | FourCc::COLL),
        AssetKind::Text => matches!(chunk, FourCc::TEXT | FourCc::SHDR),
        AssetKind::Raw => chunk == FourCc::RAWD,
        AssetKind::Link => chunk == FourCc::LINK,
        AssetKind::Sprite => chunk == FourCc::SPRT,
        // Any kind that the game has chosen.
        AssetKind::Custom => chunk.description().is_none(),
        // Kinds of newer versions.
        _ => true,
    }
}

fn check_groups(index: IndexView<'_>, findings: &mut Findings<'_>) {
    for group in index.groups() {
        match group {
            Ok(group) => {
                let missing = group.slots().filter(|slot| *slot as usize >= index.len()).count();
                if missing > 0 {
                    let members = count(missing, "member");
                    let message = format!("group \"{}\" has {members} outside the front index", group.name);
                    findings.add(Code::GroupInvalid, message);
                }
            }
            Err(error) => findings.add(Code::GroupInvalid, format!("a group cannot be read: {error}")),
        }
    }
}

/// Checks that index and directory contain the same resources under the same names.
fn compare_with_directory(
    in_index: &HashSet<(&[u8], ResourceId)>,
    directory: &[DirectoryEntry<'_>],
    findings: &mut Findings<'_>,
) {
    let in_directory: HashSet<(&[u8], ResourceId)> = directory.iter().map(|entry| (entry.name, entry.id)).collect();
    let mut differences: Vec<_> = in_index.symmetric_difference(&in_directory).collect();
    differences.sort();
    for (path, id) in differences {
        let is_in_index = in_index.contains(&(*path, *id));
        let (present, missing) =
            if is_in_index { ("front index", "central directory") } else { ("central directory", "front index") };
        let message = format!("the resource is in the {present}, but not in the {missing}");
        findings.add_named(Code::IndexDirectoryDiffer, &String::from_utf8_lossy(path), *id, message);
    }
}
