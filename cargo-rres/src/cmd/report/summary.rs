//! Facts about assets → what they amount to: totals, equal assets, and assets that are larger than their sources.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::facts::Asset;

/// Assets with equal contents.
pub(super) struct Duplicates {
    pub(super) paths: Vec<String>,
    /// Bytes of all but one of them in the packs.
    pub(super) wasted_size: u64,
}

/// A source and what the packs store of it, sub-assets included.
pub(super) struct Grown {
    pub(super) path: String,
    pub(super) source_size: u64,
    pub(super) stored_size: u64,
}

/// What a report counts.
pub(super) struct Summary {
    pub(super) stored_size: u64,
    pub(super) decoded_size: u64,
    /// Of the assets whose video memory is known.
    pub(super) video_memory: u64,
    /// Of the assets whose sources are known; `None` if there are none.
    pub(super) source_size: Option<u64>,
    pub(super) duplicates: Vec<Duplicates>,
    pub(super) grown: Vec<Grown>,
    /// Assets that cannot be loaded.
    pub(super) broken: Vec<String>,
}

/// The fewest bytes that are worth a line.
const NEGLIGIBLE: u64 = 512;

impl Summary {
    pub(super) fn new(assets: &[Asset<'_>]) -> Self {
        let sum = |size: fn(&Asset<'_>) -> u64| assets.iter().map(size).sum();
        let sources: Vec<u64> = assets.iter().filter_map(|asset| Some(asset.source?.size)).collect();
        Self {
            stored_size: sum(|asset| asset.resource.stored_size),
            decoded_size: sum(|asset| asset.resource.decoded_size),
            video_memory: sum(|asset| asset.video_memory.unwrap_or_default()),
            source_size: (!sources.is_empty()).then(|| sources.iter().sum()),
            duplicates: duplicates(assets),
            grown: grown(assets),
            broken: assets.iter().filter(|asset| asset.error.is_some()).map(|asset| asset.resource.name()).collect(),
        }
    }

    /// Adds the fields of the summary to the fields of a report.
    pub(super) fn add_to(&self, json: &mut Value) {
        let duplicates = self
            .duplicates
            .iter()
            .map(|Duplicates { paths, wasted_size }| json!({ "paths": paths, "wasted_size": wasted_size }));
        let grown = self.grown.iter().map(|Grown { path, source_size, stored_size }| {
            json!({ "path": path, "source_size": source_size, "stored_size": stored_size })
        });
        json["stored_size"] = json!(self.stored_size);
        json["decoded_size"] = json!(self.decoded_size);
        json["video_memory"] = json!(self.video_memory);
        json["source_size"] = json!(self.source_size);
        json["duplicates"] = duplicates.collect();
        json["larger_than_source"] = grown.collect();
        json["broken"] = json!(self.broken);
    }
}

/// Returns the groups of assets with equal contents, the most wasteful first.
fn duplicates(assets: &[Asset<'_>]) -> Vec<Duplicates> {
    let mut groups: BTreeMap<&str, Vec<&Asset<'_>>> = BTreeMap::new();
    // Those that share the chunks of another one are stored once.
    for asset in assets.iter().filter(|asset| asset.resource.same_as.is_none()) {
        if let Some(contents) = &asset.contents {
            groups.entry(contents).or_default().push(asset);
        }
    }
    let waste = |group: &[&Asset<'_>]| group[1..].iter().map(|asset| asset.resource.stored_size).sum();
    let mut duplicates: Vec<Duplicates> = groups
        .into_values()
        .filter(|group| group.len() > 1)
        .map(|group| Duplicates {
            wasted_size: waste(&group),
            paths: group.iter().map(|asset| asset.resource.name()).collect(),
        })
        .collect();
    duplicates.sort_by(|a, b| b.wasted_size.cmp(&a.wasted_size).then_with(|| a.paths.cmp(&b.paths)));
    duplicates
}

/// Returns the sources that are smaller than what the packs store of them, the largest difference first.
fn grown(assets: &[Asset<'_>]) -> Vec<Grown> {
    let mut stored: BTreeMap<&str, u64> = BTreeMap::new();
    for asset in assets {
        if let Some(path) = asset.source_path() {
            *stored.entry(path).or_default() += asset.resource.stored_size;
        }
    }
    let mut seen = BTreeSet::new();
    let mut grown: Vec<Grown> = Vec::new();
    for asset in assets {
        let (Some(path), Some(source)) = (asset.resource.path.as_deref(), asset.source) else { continue };
        let stored_size = stored.get(path).copied().unwrap_or(0);
        if stored_size > source.size + NEGLIGIBLE && seen.insert(path) {
            grown.push(Grown { path: asset.resource.name(), source_size: source.size, stored_size });
        }
    }
    grown.sort_by_key(|asset| (std::cmp::Reverse(asset.stored_size - asset.source_size), asset.path.clone()));
    grown
}
