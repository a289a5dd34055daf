//! Why the stored form of an asset is larger than its source.

use rres_format::AssetKind;

use crate::model::{ImportedAsset, ResourceInfo};

/// The most bytes that a chunk takes besides the file in it: its header, properties, padding.
const OVERHEAD: u64 = 96;

/// Why an asset takes more bytes in the pack than its source; `None` if it does not, apart from the headers of its chunks.
/// Sources that consist of several files are not compared.
pub(crate) fn reason(asset: &ImportedAsset) -> Option<&'static str> {
    let resources = &asset.record.resources;
    let overhead: u64 = resources.iter().map(|resource| u64::from(resource.chunks.count) * OVERHEAD).sum();
    if asset.record.has_inputs() || asset.record.stored_size() <= asset.source_size + overhead {
        return None;
    }
    // The largest part tells why the whole is large.
    let largest = resources.iter().max_by_key(|resource| resource.stored_size)?;
    // A sound that is its file has 16 bytes of seek points for each second.
    if largest.kind == AssetKind::Sound && largest.summary.contains(" kept") {
        return None;
    }
    Some(why(largest))
}

fn why(ResourceInfo { kind, summary, notes, .. }: &ResourceInfo) -> &'static str {
    let is_widened = notes.iter().any(|note| note.topic.contains("32-bit floats"));
    match kind {
        AssetKind::Image if summary.contains(" mips") => "mip levels are stored",
        AssetKind::Image if is_widened => "16-bit channels are stored as 32-bit floats",
        AssetKind::Image => "pixels are stored, which load without a decoder",
        AssetKind::Sound => "samples are stored, which load without a decoder",
        AssetKind::Font => "glyphs are stored as pixels",
        AssetKind::Model => "vertices are stored as a GPU takes them",
        _ => "it does not compress",
    }
}
