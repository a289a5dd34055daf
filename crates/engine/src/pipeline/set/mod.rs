//! Third step: imported assets → resources with ids, dependencies and names, checked as a whole.
//!
//! Each feature that concerns several assets is a [`Pass`] over the [`Set`]. [`PASSES`] has them in order: first those that change what is in
//! the set, then those that name it, then those that only look. What was imported stays as it is, since a record is copied when a pass
//! changes it.

mod atlas;
mod clashes;
mod dependencies;
mod folder_groups;
mod groups;
mod ids;
mod image_links;
mod licenses;
mod lint;
mod quantities;
mod strings;
mod variants;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rres_format::index::GroupSpec;
use rres_protocol::sub_asset;

use super::plan::UnavailableSource;
use crate::diagnostic::Diagnostic;
use crate::key::KeyBuilder;
use crate::lock_file::LockFile;
use crate::model::{ImportedAsset, Resolved, Resource, ResourceInfo, find_asset, resource_path};
use crate::scope::Scope;
use crate::settings::LintFinding;
pub(crate) use dependencies::{missing_dependencies, resource_paths};
pub(crate) use folder_groups::folder_groups;
use variants::VariantOf;

/// One feature that concerns several assets.
trait Pass {
    /// Changes the set, or adds to it what the feature finds.
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>);
}

/// The passes, in order. Each may rely on what those before it have found.
const PASSES: &[&dyn Pass] = &[
    &image_links::ImageLinks,
    &atlas::Atlases,
    // No pass after this one adds assets.
    &ids::Ids,
    &variants::Variants,
    &dependencies::Dependencies,
    &clashes::PathsAndIds,
    &groups::Groups,
    &folder_groups::FolderGroups,
    &clashes::Names,
    &lint::Limits,
    &quantities::Quantities,
    &strings::Texts,
    &licenses::Licenses,
];

/// The assets of a build, and what the passes have found so far.
struct Set<'s> {
    scope: Scope<'s>,
    ids: &'s LockFile,
    /// Sorted by path. They may contain last good versions of unavailable sources.
    assets: Vec<ImportedAsset>,
    unavailable: &'s [UnavailableSource],
    /// Every asset and sub-asset, sorted by its path in the pack.
    resources: Vec<Resource>,
    /// The positions of the resources by the paths that they have if no rule gives their assets others; `None` if no rule does.
    by_source: Option<HashMap<String, usize>>,
    variants: Vec<VariantOf>,
    groups: Vec<GroupSpec>,
    /// The assets whose path in the pack another one has.
    clashing: HashSet<String>,
    /// Whether ids or paths clash.
    is_ambiguous: bool,
    lints: Vec<LintFinding>,
}

impl Set<'_> {
    /// The asset at `path`.
    fn find(&self, path: &str) -> Option<usize> {
        find_asset(&self.assets, path).ok()
    }

    /// Whether the source at `path`, or the one that a sub-asset is of, has no imported form.
    fn is_unavailable(&self, path: &str) -> bool {
        let file = sub_asset::file(path);
        self.unavailable.iter().any(|source| source.path == path || source.path == file)
    }

    /// The unavailable sources without a last good version.
    fn missing(&self) -> impl Iterator<Item = &UnavailableSource> {
        self.unavailable.iter().filter(|source| self.find(&source.path).is_none())
    }

    /// The resources without those whose path another one has, each with the path of its source, or `source#name`.
    fn named(&self) -> impl Iterator<Item = (Cow<'_, str>, &Resource)> {
        let named = self.resources.iter().map(|resource| (self.source_path(resource), resource));
        named.filter(|(path, _)| !self.clashing.contains(sub_asset::file(path)))
    }

    /// The path of a resource if no rule gave its asset another: the path of the source, or `source#name`.
    fn source_path<'r>(&self, resource: &'r Resource) -> Cow<'r, str> {
        let asset = &self.assets[resource.asset];
        match asset.is_mapped() {
            true => resource_path(&asset.path, &asset.record.resources[resource.index].name).into(),
            false => resource.path.as_str().into(),
        }
    }

    /// The position of the resource with this path, if no rule gave its asset another.
    fn resource_at(&self, source_path: &str) -> Option<usize> {
        match &self.by_source {
            Some(by_source) => by_source.get(source_path).copied(),
            None => self.stored_at(source_path),
        }
    }

    /// The position of the last resource with this path in the pack.
    fn stored_at(&self, path: &str) -> Option<usize> {
        let last = self.resources.partition_point(|resource| resource.path.as_str() <= path).checked_sub(1)?;
        (self.resources[last].path == path).then_some(last)
    }

    /// The description of the asset itself at this position, which may be changed; `None` if it has only sub-assets.
    fn own_resource(&mut self, asset: usize) -> Option<&mut ResourceInfo> {
        let record = Arc::make_mut(&mut self.assets[asset].record);
        record.resources.first_mut().filter(|info| info.name.is_empty())
    }
}

/// The result of resolving.
pub(crate) struct Resolution {
    pub(crate) resolved: Resolved,
    /// Whether ids or paths clash, so that an index of these resources would be ambiguous. There are diagnostics then.
    pub(crate) is_ambiguous: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is beyond a limit, whether that warns or denies.
    pub(crate) lints: Vec<LintFinding>,
}

/// Runs all passes over `assets`, which are sorted by path and get the ids of the lock file `ids`.
///
/// All checks include the paths of `unavailable` sources, so that a source that failed to import is not also reported
/// as a missing dependency. `assets` may contain their last good versions.
pub(crate) fn resolve(
    scope: Scope<'_>,
    ids: &LockFile,
    assets: Vec<ImportedAsset>,
    unavailable: &[UnavailableSource],
) -> Resolution {
    let mut set = Set {
        scope,
        ids,
        assets,
        unavailable,
        resources: Vec::new(),
        by_source: None,
        variants: Vec::new(),
        groups: Vec::new(),
        clashing: HashSet::new(),
        is_ambiguous: false,
        lints: Vec::new(),
    };
    let mut diagnostics = Vec::new();
    PASSES.iter().for_each(|pass| pass.apply(&mut set, &mut diagnostics));
    let Set { assets, resources, groups, is_ambiguous, lints, .. } = set;
    let set_hash = set_hash(&resources);
    Resolution { resolved: Resolved { assets, resources, groups, set_hash }, is_ambiguous, diagnostics, lints }
}

fn set_hash(resources: &[Resource]) -> [u8; 16] {
    let mut hash = KeyBuilder::new("rres asset set");
    for Resource { path, id, kind, .. } in resources {
        hash.field(path.as_bytes()).field(&id.0.to_le_bytes()).field(&[*kind as u8]);
    }
    let mut out = [0; 16];
    out.copy_from_slice(&hash.finish().0[..16]);
    out
}
