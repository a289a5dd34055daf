//! Imports what is asked for, as a build does, and looks up the results.

use std::collections::{BTreeSet, HashMap};

use rres_format::{AssetKind, Compression, PackView, ResourceId};

use super::{ChunkFacts, ImportFacts, ResourceFacts};
use crate::cache::BuildManifest;
use crate::codegen;
use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::lock_file::LockFile;
use crate::model::{ImportedAsset, Resolved, Resource, dependency_path, find_asset, resolve_relative, resource_path};
use crate::pipeline::{self, Imported, Known, Plan, PlannedSource, Resolution, TimedOut, UnavailableSource};
use crate::read_file::read_file;
use crate::settings::{BudgetUse, LintFinding, Rules};
use rres_import::Note;

/// What is known about the assets that were imported.
pub(super) struct Facts {
    /// Sorted by path.
    assets: Vec<ImportedAsset>,
    /// `None` if ids clash.
    resolved: Option<Resolved>,
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
    /// Imports the sources `paths` of a plan, and the models, which refer to other files. With `is_whole`, `paths` are all.
    pub(super) fn import(
        context: &BuildContext,
        rules: &Rules,
        ids: &LockFile,
        plan: Plan,
        paths: &[String],
        is_whole: bool,
    ) -> Self {
        let Plan { sources, mut unavailable, diagnostics, notes, .. } = plan;
        let are_linked = rules.have_image_links();
        let is_wanted = |planned: &PlannedSource| {
            is_whole
                || paths.contains(&planned.source.path)
                || planned.importer.refers()
                // The place of an image in an atlas follows from all of its images.
                || planned.settings.image.atlas.is_some()
                // A sequence has all images whose names are alike.
                || are_linked && planned.importer.kinds().contains(&AssetKind::Image)
        };
        let (sources, others): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_wanted);
        let files = context.output_files(context.pack_name(rules));
        // The manifest of a build script is in its output directory.
        let own = files.dir.join(files.build_manifest().file_name().unwrap_or_default());
        let manifests = [own, files.build_manifest(), context.cache.manifest_file(&files.name)];
        let manifest = manifests.iter().map(|file| BuildManifest::read(file)).find(|manifest| manifest.len() > 0);
        let known = Known {
            manifest: &manifest.unwrap_or_default(),
            trust_stamps: true,
            same_rules: false,
            timed_out: &TimedOut::new(),
        };
        let imported = pipeline::import(
            context,
            rules,
            Plan { sources, unavailable, diagnostics, notes, ..Plan::default() },
            known,
        );
        let Imported { assets, mut diagnostics, .. } = imported;
        unavailable = imported.unavailable;
        let named = others.iter().map(|planned| UnavailableSource::new(&planned.source.path, &planned.settings));
        unavailable.extend(named);
        let Resolution { resolved, diagnostics: of_resolving, lints } =
            pipeline::resolve(context, rules, ids, assets.clone(), &unavailable);
        diagnostics.extend(of_resolving);
        let assets = resolved.as_ref().map_or(assets, |resolved| resolved.assets.clone());
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
        let stored = assets.iter().map(|asset| (&*asset.path, asset.record.stored_size()));
        let mut resources_of = vec![Vec::new(); assets.len()];
        let mut users: HashMap<ResourceId, Vec<usize>> = HashMap::new();
        for (position, resource) in resolved.iter().flat_map(|resolved| &resolved.resources).enumerate() {
            resources_of[resource.asset].push(position);
            resource.dependencies.iter().for_each(|id| users.entry(*id).or_default().push(position));
        }
        let budgets = if is_whole { rules.budget_uses(stored) } else { Vec::new() };
        Self { assets, resolved, resources_of, users, inputs, lints, budgets, diagnostics }
    }

    fn asset(&self, path: &str) -> Option<&ImportedAsset> {
        find_asset(&self.assets, path).ok().map(|at| &self.assets[at])
    }

    /// The kind of the asset at `path`.
    pub(super) fn kind(&self, path: &str) -> Option<AssetKind> {
        Some(self.asset(path)?.record.resources.first()?.kind)
    }

    /// The resources of the asset at `path`.
    fn resources(&self, path: &str) -> impl Iterator<Item = &Resource> {
        let resources = self.resolved.as_ref().map_or(&[][..], |resolved| &resolved.resources);
        let at = find_asset(&self.assets, path).ok();
        let positions = at.map_or(&[][..], |at| &self.resources_of[at]);
        positions.iter().map(|position| &resources[*position])
    }

    pub(super) fn of(
        &self,
        context: &BuildContext,
        rules: &Rules,
        path: &str,
        with_chunks: bool,
    ) -> Option<ImportFacts> {
        let asset = self.asset(path)?;
        let chunks = |index: usize| match with_chunks {
            true => chunks(context, rules, asset, index).unwrap_or_default(),
            false => Vec::new(),
        };
        let resources = self.resources(path).map(|resource| {
            let info = &asset.record.resources[resource.index];
            ResourceFacts {
                path: resource.path.clone(),
                id: resource.id,
                kind: resource.kind,
                constant: {
                    let folder = &context.dir_of(&asset.path).folder;
                    codegen::constant_path_in(folder, &resource.path, asset.naming.rename.as_deref())
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
        let groups = self.resolved.iter().flat_map(|resolved| &resolved.groups);
        groups.filter(|group| ids.iter().any(|id| group.members.contains(id))).map(|group| group.name.clone()).collect()
    }

    /// The assets that need the asset, or a part of it, at run time.
    pub(super) fn needed_by(&self, path: &str) -> Vec<String> {
        let own = self.resources(path).map(|resource| resource.id);
        let users = own.flat_map(|id| self.users.get(&id).into_iter().flatten());
        let positions: BTreeSet<usize> = users.copied().collect();
        let resources = self.resolved.as_ref().map_or(&[][..], |resolved| &resolved.resources);
        let source = |position: usize| {
            let Resource { asset, index, .. } = resources[position];
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
fn chunks(context: &BuildContext, rules: &Rules, asset: &ImportedAsset, index: usize) -> Option<Vec<ChunkFacts>> {
    let info = &asset.record.resources[index];
    let bytes = read_file(&context.cache.blob_file(&asset.record.blob_key)).ok()?;
    let view = PackView::parse(&bytes).ok()?;
    let wanted = wanted_compression(rules, &asset.path);
    let facts = info.chunks.sound(&view).ok()?.into_iter().map(|chunk| ChunkFacts {
        kind: chunk.info.kind,
        compression: chunk.info.compression,
        stored_size: chunk.info.packed_size.into(),
        decoded_size: chunk.info.base_size.into(),
        reason: pipeline::why(info.kind, &chunk.info, wanted, rules.pack().compat),
    });
    Some(facts.collect())
}
