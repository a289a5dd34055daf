//! Every asset and sub-asset gets its id: the one of a rule, of the lock file, or else of its path in the pack.

use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::{ImportedAsset, Resource, resource_path};

pub(super) struct Ids;

impl Pass for Ids {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        let mut resources = Vec::with_capacity(set.assets.len());
        for (asset_index, asset) in set.assets.iter().enumerate() {
            for (index, info) in asset.record.resources.iter().enumerate() {
                let path = resource_path(&asset.naming.path, &info.name);
                let explicit = asset.naming.id.filter(|_| info.name.is_empty());
                let id = explicit.unwrap_or_else(|| set.ids.id(&resource_path(&asset.path, &info.name), &path));
                let dependencies = Vec::new();
                resources.push(Resource { path, id, kind: info.kind, asset: asset_index, index, dependencies });
            }
        }
        resources.sort_by(|a, b| a.path.cmp(&b.path));
        if set.assets.iter().any(ImportedAsset::is_mapped) {
            let by_source = resources.iter().enumerate();
            let by_source = by_source.map(|(at, resource)| (set.source_path(resource).into_owned(), at));
            set.by_source = Some(by_source.collect());
        }
        set.resources = resources;
    }
}
