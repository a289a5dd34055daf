//! What a pack lacks of a newer one, as a pack that is mounted over it: for a game that runs, which does not need a pack of the next version.

use std::collections::HashMap;

use rres_format::{
    AssetKind, ChunkView, Cipher, Compression, Compressor, Decompressor, FourCc, PackBuilder, Resource, ResourceId,
    StoredChunk,
};

use crate::compare::{Item, Side};
use crate::error::Error;

/// The resources of a newer pack set that differ.
#[derive(Debug)]
pub struct Overlay<'a> {
    builder: PackBuilder<'a>,
    /// Their number.
    pub count: usize,
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

/// The CRC-32 of the front index of each pack of a set, which tell the packs of one build from those of another.
pub fn checksums(side: &Side<'_>) -> Vec<u32> {
    side.packs.iter().map(|pack| super::index_crc(pack.view())).collect()
}

/// Collects the resources of `new` that differ from those of `old`, or that only `new` has. What only `old` has stays.
///
/// # Errors
/// [`Error::Fault`] if a chunk is damaged.
pub fn overlay<'a>(old: &Side<'_>, new: &Side<'a>) -> Result<Overlay<'a>, Error> {
    let by_id: HashMap<ResourceId, &Item<'_>> = old.items.iter().map(|item| (item.resource.id, item)).collect();
    let mut decompressor = Decompressor::default();
    let mut overlay = Overlay { builder: PackBuilder::new(), count: 0 };
    for item in &new.items {
        if by_id.get(&item.resource.id).is_some_and(|before| outline(before) == outline(item)) {
            continue;
        }
        overlay.builder.push(resource(item, &mut decompressor)?);
        overlay.count += 1;
    }
    Ok(overlay)
}

/// What tells a resource from an earlier one of its id, without reading its bytes.
fn outline<'i>(item: &'i Item<'_>) -> impl PartialEq + use<'i> {
    type Chunk = (FourCc, Compression, Cipher, u32, u32, u32);
    let chunk = |chunk: &ChunkView<'_>| -> Chunk {
        let info = chunk.info;
        (info.kind, info.compression, info.cipher, info.base_size, info.packed_size, info.crc32)
    };
    let chunks: Vec<Chunk> = item.resource.chunks.iter().map(chunk).collect();
    let path: Option<&str> = item.resource.path.as_deref();
    let kind: Option<AssetKind> = item.resource.kind;
    (path, kind, &item.meta, &item.dependencies, chunks)
}

fn resource<'a>(item: &Item<'a>, decompressor: &mut Decompressor) -> Result<Resource<'a>, Error> {
    let found = &item.resource;
    let fault = |e: &dyn std::fmt::Display| Error::Fault(format!("{}: {e}", found.name()));
    let kind = found.kind.ok_or_else(|| fault(&"this version does not know its kind"))?;
    let chunks = found.chunks.iter().map(|chunk| alone(*chunk, decompressor).map_err(|e| fault(&e)));
    let mut out = Resource::new(found.path.as_deref().unwrap_or_default(), chunks.collect::<Result<_, _>>()?)
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
