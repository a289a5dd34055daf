//! The contents of two resources against each other: stored bytes first, decoded blocks only if those differ.

use std::borrow::Cow;

use rres_format::chunk::PayloadView;
use rres_format::{AssetKind, ChunkView, Compression, Decompressor, FourCc};
use serde_json::Value;

use super::Item;
use crate::describe;
use crate::keyring::Keyring;
use crate::resource_list::Resource;

/// How a resource differs.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Words, the most important first: `pixels`, `properties`, `metadata`, `compression`, …
    pub what: Vec<&'static str>,
    /// The properties that differ, before and after.
    pub properties: Vec<(String, Value, Value)>,
}

impl Difference {
    /// Whether the two sides are equal.
    pub fn is_empty(&self) -> bool {
        self.what.is_empty()
    }
}

/// Compares a resource before and after.
pub(super) fn difference(old: &Item<'_>, new: &Item<'_>, decompressor: &mut Decompressor) -> Difference {
    let (before, after) = (&old.resource, &new.resource);
    let mut out = Difference::default();
    if old.blob.is_some() || new.blob.is_some() {
        // A dev index does not contain the bytes. The key of a blob depends on the source, its settings and the importer.
        if old.blob != new.blob {
            out.what.push("source or settings");
        }
    } else if !is_stored_alike(&before.chunks, &after.chunks) {
        contents(before, after, decompressor, &mut out);
    }
    for (what, differs) in [
        ("kind", before.kind_name() != after.kind_name()),
        ("id", before.path == after.path && before.id != after.id),
        ("metadata", old.meta != new.meta),
        ("dependencies", old.dependencies != new.dependencies),
    ] {
        if differs {
            out.what.push(what);
        }
    }
    out
}

/// Whether two resources are stored in the same bytes.
pub(crate) fn is_stored_alike(old: &[ChunkView<'_>], new: &[ChunkView<'_>]) -> bool {
    let is_alike = |(old, new): (&ChunkView<'_>, &ChunkView<'_>)| {
        let form = |chunk: &ChunkView<'_>| {
            let info = chunk.info;
            (info.kind, info.compression, info.cipher, info.flags, info.base_size, info.reserved, info.next_offset != 0)
        };
        form(old) == form(new) && old.stored == new.stored
    };
    old.len() == new.len() && old.iter().zip(new).all(is_alike)
}

/// Adds how the blocks of two resources differ.
fn contents(old: &Resource<'_>, new: &Resource<'_>, decompressor: &mut Decompressor, out: &mut Difference) {
    let before = blocks(&old.chunks, old.keyring, decompressor);
    let after = blocks(&new.chunks, new.keyring, decompressor);
    let (Ok(before), Ok(after)) = (before, after) else {
        // Encrypted without a key, or in a form that this version does not decode.
        out.what.push("stored bytes");
        return;
    };
    if before == after {
        let compression =
            |resource: &Resource<'_>| resource.chunks.iter().map(|chunk| chunk.info.compression).collect::<Vec<_>>();
        let (was, is) = (compression(old), compression(new));
        // Each build encrypts with another salt.
        let is_encrypted = !old.ciphers().is_empty() || !new.ciphers().is_empty();
        out.what.push(if was == is && is_encrypted { "encryption" } else { "compression" });
        if was != is {
            let name = |list: &[Compression]| list.first().map_or(Value::Null, |first| first.to_string().into());
            out.properties.push(("compression".to_owned(), name(&was), name(&is)));
        }
        return;
    }
    let data = |blocks: &[(FourCc, Cow<'_, [u8]>)]| -> Vec<(FourCc, Vec<u8>)> {
        let data =
            |block: &[u8]| PayloadView::parse(block).map_or_else(|_| block.to_vec(), |view| view.data().to_vec());
        blocks.iter().map(|(kind, block)| (*kind, data(block))).collect()
    };
    if data(&before) != data(&after) {
        out.what.push(noun(new.kind));
    }
    out.properties = properties(old, new, decompressor);
    if !out.properties.is_empty() || out.what.is_empty() {
        out.what.push("properties");
    }
}

/// Returns the properties of the chunks that differ, without sizes in bytes, which follow from the data.
fn properties(old: &Resource<'_>, new: &Resource<'_>, decompressor: &mut Decompressor) -> Vec<(String, Value, Value)> {
    let mut out = Vec::new();
    for (chunk, new_chunk) in old.chunks.iter().zip(&new.chunks) {
        let mut of = |chunk: &ChunkView<'_>, keyring| describe::properties(chunk, keyring, decompressor);
        let before = of(chunk, old.keyring).unwrap_or_default();
        let after = of(new_chunk, new.keyring).unwrap_or_default();
        for (name, value) in after {
            let was = before.iter().find(|(other, _)| *other == name).map_or(Value::Null, |(_, value)| value.clone());
            let is_size =
                matches!(name, "size" | "data size") && chunk.info.kind != FourCc::FNTG || name == "data size";
            if was != value && !is_size {
                out.push((name.to_owned(), was, value));
            }
        }
    }
    out
}

/// Returns what the data of an asset consists of.
fn noun(kind: Option<AssetKind>) -> &'static str {
    match kind {
        Some(AssetKind::Image) => "pixels",
        Some(AssetKind::Sound) => "samples",
        Some(AssetKind::Text) => "text",
        Some(AssetKind::Font) => "glyphs",
        Some(AssetKind::Model) => "mesh",
        Some(AssetKind::Link) => "target",
        Some(AssetKind::Sprite) => "rectangle",
        Some(_) | None => "bytes",
    }
}

/// Returns the kind and the block of each chunk.
///
/// # Errors
/// If a chunk is encrypted without a key, is a delta, or its bytes are damaged.
pub(crate) fn blocks<'a>(
    chunks: &[ChunkView<'a>],
    keyring: Keyring<'_>,
    decompressor: &mut Decompressor,
) -> rres_format::Result<Vec<(FourCc, Cow<'a, [u8]>)>> {
    chunks.iter().map(|chunk| Ok((chunk.info.kind, keyring.decode(chunk, decompressor)?.into_bytes()))).collect()
}

/// What two resources with the same contents have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Outline {
    /// The kind and the decoded size of each chunk.
    chunks: Vec<(FourCc, u32)>,
    blob: Option<([u8; 32], u32)>,
}

/// Returns the outline of a resource, without decoding anything.
pub(super) fn outline(item: &Item<'_>) -> Outline {
    let chunks = item.resource.chunks.iter().map(|chunk| (chunk.info.kind, chunk.info.base_size));
    Outline { chunks: chunks.collect(), blob: item.blob }
}

/// Returns a hash of the contents, whatever their compression.
pub(super) fn content_hash(item: &Item<'_>, decompressor: &mut Decompressor) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    if let Some((key, offset)) = item.blob {
        hash.update(&key).update(&offset.to_le_bytes());
    }
    for chunk in &item.resource.chunks {
        let block = item.resource.keyring.decode(chunk, decompressor).map(|block| block.into_bytes());
        let (is_decoded, bytes) = match &block {
            Ok(block) => (1, block.as_ref()),
            // Encrypted without a key, or in a form that this version does not decode.
            Err(_) => (0, chunk.stored),
        };
        hash.update(&chunk.info.kind.0).update(&[is_decoded]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    hash.finalize().into()
}
