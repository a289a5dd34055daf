//! What a pack lacks of a newer one, as a pack that is mounted over it: for a game that runs, which does not need a pack of the next version.

use std::collections::HashMap;

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
    resources: HashMap<ResourceId, Outline>,
}

/// What tells a resource from another one with its id, without reading its bytes.
#[derive(Debug, PartialEq)]
struct Outline {
    path: Option<String>,
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
        Self { checksums, resources: side.items.iter().map(|item| (item.resource.id, outline(item))).collect() }
    }

    /// Returns the CRC-32 of the front index of each pack, ascending, which tell the packs of one build from those of another.
    pub fn checksums(&self) -> &[u32] {
        &self.checksums
    }
}

fn outline(item: &Item<'_>) -> Outline {
    let chunk = |chunk: &ChunkView<'_>| {
        let info = chunk.info;
        (info.kind, info.compression, info.cipher, info.base_size, info.packed_size, info.crc32)
    };
    Outline {
        path: item.resource.path.as_deref().map(str::to_owned),
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
    /// The paths of those that are left out, because what has their id has another kind or path, and no overlay may change that.
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

/// Collects the resources of `new` that differ from those of `old`, or that only `new` has. What only `old` has stays.
///
/// # Errors
/// [`Error::Fault`] if a chunk is damaged.
pub fn overlay<'a>(old: &Outlines, new: &Side<'a>) -> Result<Overlay<'a>, Error> {
    let mut decompressor = Decompressor::default();
    let mut overlay = Overlay { builder: PackBuilder::new(), count: 0, of_other_kind: Vec::new() };
    for item in &new.items {
        let (before, now) = (old.resources.get(&item.resource.id), outline(item));
        match before {
            Some(before) if *before == now => {}
            Some(before) if before.kind != now.kind || before.path != now.path => {
                overlay.of_other_kind.push(item.resource.name());
            }
            _ => {
                overlay.builder.push(resource(item, &mut decompressor)?);
                overlay.count += 1;
            }
        }
    }
    Ok(overlay)
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
