//! What a pack lacks of a newer one, as a pack that is mounted over it: for a game that runs, which does not need a pack of the next version.

use std::collections::{HashMap, HashSet};

use rres_format::index::Meta;
use rres_format::{
    AssetKind, ChunkView, Cipher, Compression, Compressor, Decompressor, FourCc, PackBuilder, Resource, ResourceId,
    StoredChunk,
};

use crate::compare::{Item, Side};
use crate::error::Error;

/// What the resources of a pack set are, without their bytes.
#[derive(Debug)]
pub struct Outlines {
    checksums: Vec<u32>,
    resources: HashMap<ResourceId, Known>,
}

/// A resource without its bytes.
#[derive(Debug)]
struct Known {
    path: Option<String>,
    outline: Outline,
}

/// What tells a resource from another one with its id, without reading its bytes.
#[derive(Debug, PartialEq)]
struct Outline {
    kind: Option<AssetKind>,
    meta: Meta,
    dependencies: Vec<ResourceId>,
    /// Of each chunk: its kind, compression and cipher, the sizes of its block and its stored bytes, and their CRC.
    chunks: Vec<(FourCc, Compression, Cipher, u32, u32, u32)>,
}

impl Outlines {
    /// Reads the outlines of a pack set.
    pub fn of(side: &Side<'_>) -> Self {
        let mut checksums: Vec<u32> = side.packs.iter().map(|pack| super::index_crc(pack.view())).collect();
        checksums.sort_unstable();
        let known = |item: &Item<'_>| Known { path: path(item).map(str::to_owned), outline: outline(item) };
        Self { checksums, resources: side.items.iter().map(|item| (item.resource.id, known(item))).collect() }
    }

    /// Returns the CRC-32 of the front index of each pack, ascending, which tell the packs of one build from those of another.
    pub fn checksums(&self) -> &[u32] {
        &self.checksums
    }
}

fn path<'i>(item: &'i Item<'_>) -> Option<&'i str> {
    item.resource.path.as_deref()
}

fn outline(item: &Item<'_>) -> Outline {
    let chunk = |chunk: &ChunkView<'_>| {
        let info = chunk.info;
        (info.kind, info.compression, info.cipher, info.base_size, info.packed_size, info.crc32)
    };
    Outline {
        kind: item.resource.kind,
        meta: item.meta.clone(),
        dependencies: item.dependencies.clone(),
        chunks: item.resource.chunks.iter().map(chunk).collect(),
    }
}

/// The resources of a newer pack set that differ.
#[derive(Debug)]
pub struct Overlay<'a> {
    builder: PackBuilder<'a>,
    /// Their number.
    pub count: usize,
    /// The paths of those that are left out, because what has their id has another kind, and no overlay may change that.
    pub of_other_kind: Vec<String>,
}

impl Overlay<'_> {
    /// Returns the pack.
    ///
    /// # Errors
    /// [`Error::Fault`] if it would have more than `limit` bytes, or more than a pack can have.
    pub fn to_vec(&self, limit: usize) -> Result<Vec<u8>, Error> {
        let fault = |e: &dyn std::fmt::Display| Error::Fault(format!("cannot pack what differs: {e}"));
        let pack = self.builder.to_vec().map_err(|e| fault(&e))?;
        match pack.len() {
            len if len > limit => {
                Err(Error::Fault(format!("what differs takes {len} bytes, and at most {limit} can be sent")))
            }
            _ => Ok(pack),
        }
    }
}

/// Collects the resources of `new` that differ from those of `old`, or that only `new` has. What only `old` has stays. A resource that has moved and
/// kept its id keeps its old path, which no overlay may change either.
///
/// # Errors
/// [`Error::Fault`] if a chunk is damaged.
pub fn overlay<'a>(old: &Outlines, new: &Side<'a>) -> Result<Overlay<'a>, Error> {
    let mut decompressor = Decompressor::default();
    // In a directory everything has a path.
    let builder = PackBuilder::new().directory(false);
    let mut overlay = Overlay { builder, count: 0, of_other_kind: Vec::new() };
    let paths: HashSet<&str> = new.items.iter().filter_map(path).collect();
    for item in &new.items {
        let before = old.resources.get(&item.resource.id);
        let is_alike = before.is_some_and(|before| before.outline == outline(item));
        if before.is_some_and(|before| before.outline.kind != item.resource.kind) {
            overlay.of_other_kind.push(item.resource.name());
        } else if !is_alike {
            let path = match before.map(|before| before.path.as_deref()) {
                // What has moved, while another asset has its path now, is found by its id alone.
                Some(old) if old != path(item) => old.filter(|old| !paths.contains(old)),
                _ => path(item),
            };
            overlay.builder.push(resource(item, path.unwrap_or_default(), &mut decompressor)?);
            overlay.count += 1;
        }
    }
    Ok(overlay)
}

fn resource<'a>(item: &Item<'a>, path: &str, decompressor: &mut Decompressor) -> Result<Resource<'a>, Error> {
    let found = &item.resource;
    let fault = |e: &dyn std::fmt::Display| Error::Fault(format!("{}: {e}", found.name()));
    let kind = found.kind.ok_or_else(|| fault(&"this version does not know its kind"))?;
    let chunks = found.chunks.iter().map(|chunk| alone(*chunk, decompressor).map_err(|e| fault(&e)));
    let mut out = Resource::new(path, chunks.collect::<Result<_, _>>()?)
        .with_id(found.id)
        .with_kind(kind)
        .with_meta(item.meta.clone());
    out.dependencies.clone_from(&item.dependencies);
    Ok(out)
}

/// A chunk that can be decoded without others of its pack.
fn alone<'a>(chunk: ChunkView<'a>, decompressor: &mut Decompressor) -> rres_format::Result<StoredChunk<'a>> {
    chunk.verify()?;
    if chunk.info.compression != Compression::SIBLING {
        return Ok(StoredChunk::copied(chunk));
    }
    let block = chunk.decode(decompressor)?.into_bytes();
    let stored = StoredChunk::encode(chunk.info.kind, &block, Compression::FILTERED, &mut Compressor::fast())?;
    Ok(stored.with_link(chunk.info.next_offset != 0))
}

#[cfg(test)]
mod tests {
    use rres_format::PackView;
    use rres_format::chunk::text::TextProps;

    use super::*;
    use crate::opened_pack::PackOpener;
    use crate::pack_set::PackSet;

    /// A pack of texts: their ids, paths and contents.
    fn set(dir: &std::path::Path, texts: &[(u32, &str, &str)]) -> PackSet {
        let mut pack = PackBuilder::new();
        for (id, path, content) in texts {
            let block = TextProps::utf8(content.len() as u32).block(content.as_bytes());
            let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default());
            pack.push(Resource::new(*path, vec![chunk.unwrap()]).with_id(ResourceId(*id)));
        }
        let file = dir.join("game.rres");
        std::fs::write(&file, pack.to_vec().unwrap()).unwrap();
        PackOpener::default().open_set(&file).unwrap()
    }

    #[test]
    fn what_has_moved_and_changed_keeps_its_old_path() {
        let dir = tempfile::tempdir().unwrap();
        let before = [(1, "a.txt", "a"), (2, "b.txt", "b"), (3, "c.txt", "c"), (4, "d.txt", "d")];
        let old = Outlines::of(&Side::new(&set(dir.path(), &before)).unwrap());
        let after = [
            (1, "moved/a.txt", "a"),
            (2, "moved/b.txt", "other"),
            (3, "moved/c.txt", "other"),
            (4, "d.txt", "other"),
            (5, "c.txt", "new"),
        ];
        let new = set(dir.path(), &after);
        let overlay = overlay(&old, &Side::new(&new).unwrap()).unwrap();
        assert_eq!((overlay.count, overlay.of_other_kind.len()), (4, 0));
        let pack = overlay.to_vec(1 << 20).unwrap();
        let index = PackView::parse(&pack).unwrap().index().unwrap();
        let found: Vec<(u32, &str)> = index.entries().map(|entry| entry.map(|e| (e.id.0, e.path)).unwrap()).collect();
        assert_eq!(found, [(2, "b.txt"), (3, ""), (4, "d.txt"), (5, "c.txt")]);
    }
}
