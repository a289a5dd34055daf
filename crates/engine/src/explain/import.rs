//! What a run has found about the assets that are asked for.

use std::collections::{BTreeSet, HashMap};

use rres_format::index::GroupSpec;
use rres_format::{AssetKind, Compression, FourCc, PackView, ResourceId};
use rres_import::Note;

use super::{ChunkFacts, ImportFacts, ResourceFacts};
use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::model::{ImportedAsset, Resolved, Resource, dependency_path, find_asset, resolve_relative, resource_path};
use crate::pipeline;
use crate::read_file::read_file;
use crate::scope::Scope;
use crate::session::Checked;
use crate::settings::{BudgetUse, LintFinding, Rules};

/// What is known about the assets that were imported.
pub(super) struct Facts {
    /// Sorted by path.
    assets: Vec<ImportedAsset>,
    /// Empty if ids clash.
    resources: Vec<Resource>,
    groups: Vec<GroupSpec>,
    /// For each asset the positions of its resources. Their paths may differ from the path of the asset.
    resources_of: Vec<Vec<usize>>,
    /// The positions of the resources that need a resource at run time.
    users: HashMap<ResourceId, Vec<usize>>,
    /// The input files of each asset that has some, by the path of the asset.
    inputs: Vec<(String, Vec<String>)>,
    pub(super) lints: Vec<LintFinding>,
    /// Empty if not all assets were imported.
    pub(super) budgets: Vec<BudgetUse>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Facts {
    /// What a run has found about the sources `paths`; with `is_whole`, these are all.
    pub(super) fn new(context: &BuildContext, checked: Checked, paths: &[String], is_whole: bool) -> Self {
        let Checked { resolved, is_ambiguous, diagnostics, lints, found, .. } = checked;
        let Resolved { assets, resources, groups, .. } = resolved.unwrap_or_default();
        // Without certain ids, nothing is said about what has them.
        let (resources, groups) = if is_ambiguous { Default::default() } else { (resources, groups) };
        let inputs = assets.iter().filter(|asset| asset.record.has_inputs()).map(|asset| {
            let relative = context.cache.input_files(&asset.record.source_key).unwrap_or_default();
            let paths = relative.iter().filter_map(|relative| resolve_relative(&asset.path, relative).ok());
            (asset.path.clone(), paths.collect())
        });
        let inputs = inputs.collect();
        let is_about = |lint: &LintFinding| match &lint.asset {
            Some(asset) => paths.contains(asset),
            None => is_whole,
        };
        let lints = lints.into_iter().filter(is_about).collect();
        let sizes = || pipeline::asset_sizes(&found.rules, &assets, &resources, &groups);
        let budgets = if is_whole { found.rules.budget_uses(&sizes()) } else { Vec::new() };
        let mut resources_of = vec![Vec::new(); assets.len()];
        let mut users: HashMap<ResourceId, Vec<usize>> = HashMap::new();
        for (position, resource) in resources.iter().enumerate() {
            resources_of[resource.asset].push(position);
            resource.dependencies.iter().for_each(|id| users.entry(*id).or_default().push(position));
        }
        Self { assets, resources, groups, resources_of, users, inputs, lints, budgets, diagnostics }
    }

    fn asset(&self, path: &str) -> Option<&ImportedAsset> {
        find_asset(&self.assets, path).ok().map(|at| &self.assets[at])
    }

    /// The kind of the asset at `path`.
    pub(super) fn kind(&self, path: &str) -> Option<AssetKind> {
        Some(self.asset(path)?.record.resources.first()?.kind)
    }

    /// The kind of the chunk of the asset at `path`, if it is data of a type of the game.
    pub(super) fn custom_kind(&self, path: &str) -> Option<FourCc> {
        self.asset(path)?.record.resources.first()?.custom_kind()
    }

    /// The resources of the asset at `path`.
    fn resources(&self, path: &str) -> impl Iterator<Item = &Resource> {
        let at = find_asset(&self.assets, path).ok();
        let positions = at.map_or(&[][..], |at| &self.resources_of[at]);
        positions.iter().map(|position| &self.resources[*position])
    }

    pub(super) fn of(&self, scope: Scope<'_>, path: &str, with_chunks: bool) -> Option<ImportFacts> {
        let asset = self.asset(path)?;
        let chunks = |index: usize| match with_chunks {
            true => chunks(scope, asset, index).unwrap_or_default(),
            false => Vec::new(),
        };
        let resources = self.resources(path).map(|resource| {
            let info = &asset.record.resources[resource.index];
            ResourceFacts {
                path: resource.path.clone(),
                id: resource.id,
                kind: resource.kind,
                constant: {
                    let folder = &scope.context.dir_of(&asset.path).folder;
                    rres_codegen::constant_path_in(folder, &resource.path, asset.naming.rename.as_deref())
                },
                summary: info.summary.clone(),
                stored_size: info.stored_size.into(),
                decoded_size: info.base_size.into(),
                compression: info.compression,
                chunk_count: info.chunks.count.into(),
                chunks: chunks(resource.index),
                dependencies: info.dependencies.iter().map(|dependency| dependency_path(asset, dependency)).collect(),
            }
        });
        Some(ImportFacts {
            source_size: asset.source_size,
            stored_size: asset.record.stored_size(),
            cached: asset.is_cached,
            elapsed: asset.elapsed,
            inputs: self.inputs.iter().find(|(of, _)| of == path).map(|(_, inputs)| inputs.clone()).unwrap_or_default(),
            resources: resources.collect(),
        })
    }

    pub(super) fn notes(&self, path: &str) -> impl Iterator<Item = &Note> {
        self.asset(path).into_iter().flat_map(|asset| &asset.record.resources).flat_map(|resource| &resource.notes)
    }

    /// The groups that contain the asset.
    pub(super) fn groups_of(&self, path: &str) -> Vec<String> {
        let ids: Vec<ResourceId> = self.resources(path).map(|resource| resource.id).collect();
        let groups = self.groups.iter();
        groups.filter(|group| ids.iter().any(|id| group.members.contains(id))).map(|group| group.name.clone()).collect()
    }

    /// The assets that need the asset, or a part of it, at run time.
    pub(super) fn needed_by(&self, path: &str) -> Vec<String> {
        let own = self.resources(path).map(|resource| resource.id);
        let users = own.flat_map(|id| self.users.get(&id).into_iter().flatten());
        let positions: BTreeSet<usize> = users.copied().collect();
        let source = |position: usize| {
            let Resource { asset, index, .. } = self.resources[position];
            let asset = &self.assets[asset];
            // The path of the file, as everywhere in an explanation, even if a rule gives it another in the pack.
            (asset.path != path).then(|| resource_path(&asset.path, &asset.record.resources[index].name))
        };
        positions.into_iter().filter_map(source).collect()
    }

    /// The assets whose importers read the file.
    pub(super) fn read_by(&self, path: &str) -> Vec<String> {
        let reads = |(_, inputs): &&(String, Vec<String>)| inputs.iter().any(|input| input == path);
        self.inputs.iter().filter(reads).map(|(asset, _)| asset.clone()).collect()
    }
}

/// The compression that the settings choose for the asset at `path`.
pub(super) fn wanted_compression(rules: &Rules, path: &str) -> Compression {
    rules.resolve(path).asset.compression.unwrap_or(Compression::NONE)
}

/// The chunks of one resource of an asset, from its blob.
fn chunks(scope: Scope<'_>, asset: &ImportedAsset, index: usize) -> Option<Vec<ChunkFacts>> {
    let info = &asset.record.resources[index];
    let bytes = read_file(&scope.context.cache.blob_file(&asset.record.blob_key)).ok()?;
    let view = PackView::parse(&bytes).ok()?;
    let wanted = wanted_compression(scope.rules, &asset.path);
    let facts = info.chunks.sound(&view).ok()?.into_iter().map(|chunk| ChunkFacts {
        kind: chunk.info.kind,
        compression: chunk.info.compression,
        stored_size: chunk.info.packed_size.into(),
        decoded_size: chunk.info.base_size.into(),
        reason: pipeline::why(info.kind, &chunk.info, wanted, scope.rules.pack().compat),
    });
    Some(facts.collect())
}
