//! Builds of some kinds of assets only: which of the imported ones are needed.
//!
//! The others count as unavailable, like the sources that the plan left out: they keep their ids, their names and their lines
//! in the lock file.

use std::collections::HashSet;
use std::mem::take;

use rres_format::AssetKind;
use rres_protocol::sub_asset;

use super::plan::UnavailableSource;
use crate::model::{ImportedAsset, dependency_path};

/// Drops the assets that are neither of a chosen kind nor needed by one that is, and returns them.
pub(crate) fn drop_unneeded(
    only: &[AssetKind],
    assets: &mut Vec<ImportedAsset>,
    unavailable: &mut Vec<UnavailableSource>,
) -> Vec<ImportedAsset> {
    if only.is_empty() {
        return Vec::new();
    }
    let is_chosen = |asset: &ImportedAsset| asset.record.resources.iter().any(|resource| only.contains(&resource.kind));
    let needed_by = |asset: &ImportedAsset| -> Vec<String> {
        let dependencies = asset.record.resources.iter().flat_map(|resource| &resource.dependencies);
        let paths = dependencies.map(|dependency| dependency_path(asset, dependency));
        // A sub-asset comes with its file. The name of a file may have a `#`, too.
        paths.flat_map(|path| [sub_asset::file(&path).to_owned(), path.clone()]).collect()
    };
    let needed: HashSet<String> = assets.iter().filter(|asset| is_chosen(asset)).flat_map(needed_by).collect();
    let stays = |asset: &ImportedAsset| is_chosen(asset) || needed.contains(&asset.path);
    let (kept, dropped) = take(assets).into_iter().partition(stays);
    *assets = kept;
    let left_out =
        |asset: &ImportedAsset| UnavailableSource { path: asset.path.clone(), naming: Some(asset.naming.clone()) };
    unavailable.extend(dropped.iter().map(left_out));
    dropped
}
