//! Assets, with their ids and groups → their sizes, as budgets count them.

use std::collections::{HashMap, HashSet};

use rres_format::ResourceId;
use rres_format::index::GroupSpec;

use crate::model::{ImportedAsset, Resource};
use crate::settings::{AssetSize, Rules};

/// The sizes of all assets, in their order.
pub(crate) fn asset_sizes<'a>(
    rules: &Rules,
    assets: &'a [ImportedAsset],
    resources: &[Resource],
    groups: &'a [GroupSpec],
) -> Vec<AssetSize<'a>> {
    let size = |asset: &'a ImportedAsset| AssetSize {
        path: &asset.path,
        stored: asset.record.stored_size(),
        video_memory: asset.record.video_memory(),
        needed_by: Vec::new(),
    };
    let mut sizes: Vec<AssetSize<'a>> = assets.iter().map(size).collect();
    if rules.limit_video_memory_of_groups() {
        let by_id: HashMap<ResourceId, &Resource> = resources.iter().map(|resource| (resource.id, resource)).collect();
        for group in groups {
            for asset in needed(group, &by_id) {
                sizes[asset].needed_by.push(&group.name);
            }
        }
    }
    sizes
}

/// The assets that are loaded together with a group, as positions: its members and what they need.
fn needed(group: &GroupSpec, by_id: &HashMap<ResourceId, &Resource>) -> HashSet<usize> {
    let (mut seen, mut next) = (HashSet::new(), group.members.clone());
    let mut assets = HashSet::new();
    while let Some(id) = next.pop() {
        if let Some(resource) = by_id.get(&id).filter(|_| seen.insert(id)) {
            assets.insert(resource.asset);
            next.extend(&resource.dependencies);
        }
    }
    assets
}
