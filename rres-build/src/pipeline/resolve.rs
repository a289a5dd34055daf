//! Third step: imported assets → resources with ids, dependencies and names, checked as a whole.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use rres_format::index::{GroupSpec, MetaKey};
use rres_format::{AssetKind, ResourceId};

use super::clashes::{check_ids, check_names, check_paths};
use super::folder_groups;
use super::image_links::link_images;
use super::lint::lint;
use super::plan::UnavailableSource;
use super::strings::compare_strings;
use super::variants::{VariantOf, find_variants, is_table};
use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Fix, Place, Position};
use crate::key::KeyBuilder;
use crate::lock_file::LockFile;
use crate::model::{Dependency, ImportedAsset, Resolved, Resource, dependency_path, find_asset, resource_path};
use crate::settings::{LintFinding, Rules};

/// A dependency that no asset satisfies.
#[derive(Debug)]
pub(crate) struct MissingDependency {
    /// The path of the asset that needs it.
    pub(crate) needed_by: String,
    /// The path of the asset that is missing.
    pub(crate) path: String,
}

impl MissingDependency {
    pub(crate) fn diagnostic(&self, context: &BuildContext) -> Diagnostic {
        let Self { needed_by, path } = self;
        let help = match context.source_file(path).is_file() {
            true => format!("set kind = \"raw\" for {path} if a model reads it, and let no rule ignore it"),
            false => format!("put {path} into the assets directory"),
        };
        Diagnostic::new(place_of(context, needed_by, path), format!("depends on \"{path}\", which is not an asset"))
            .with_help(help)
            .with_asset(needed_by)
            .with_fix(needed_by, Fix::RAW)
    }
}

/// The place in the source `needed_by` that names the asset `path`, if it is a text that does so in quotes or between commas.
fn place_of(context: &BuildContext, needed_by: &str, path: &str) -> Place {
    let file = context.source_file(needed_by);
    let position = std::fs::read_to_string(&file).ok().and_then(|text| {
        let is_end = |c: Option<char>| c.is_none_or(|c| matches!(c, '"' | '\'' | ',' | '\n' | '\r'));
        let (at, _) = text.match_indices(path).find(|(at, _)| {
            is_end(text[..*at].chars().next_back()) && is_end(text[at + path.len()..].chars().next())
        })?;
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = u32::try_from(1 + before.matches('\n').count()).ok()?;
        Some(Position { line, column: u32::try_from(1 + before[line_start..].chars().count()).ok()? })
    });
    Place::File(file, position)
}

/// References of data to assets of another kind than its type says.
fn wrong_kinds(context: &BuildContext, assets: &[ImportedAsset]) -> Vec<Diagnostic> {
    let mut kinds: Option<HashMap<String, AssetKind>> = None;
    let mut diagnostics = Vec::new();
    for asset in assets {
        for dependency in asset.record.resources.iter().flat_map(|resource| &resource.dependencies) {
            let Dependency::Typed(_, Some(expected)) = dependency else { continue };
            let all = || assets.iter().flat_map(|asset| asset.record.resources.iter().map(move |of| (asset, of)));
            let kinds = kinds.get_or_insert_with(|| {
                all().map(|(asset, of)| (resource_path(&asset.path, &of.name), of.kind)).collect()
            });
            let path = dependency_path(asset, dependency);
            if let Some(found) = kinds.get(&path).filter(|found| *found != expected) {
                let message = format!("refers to \"{path}\" as {expected}, but that file becomes {found}");
                let help = "name another file, change the type of the field, or the rules for that file";
                diagnostics.push(
                    Diagnostic::new(place_of(context, &asset.path, &path), message)
                        .with_help(help.to_owned())
                        .with_asset(&asset.path),
                );
            }
        }
    }
    diagnostics
}

/// The dependencies of `assets` that are not among them.
pub(crate) fn missing_dependencies(assets: &[ImportedAsset]) -> Vec<MissingDependency> {
    let mut paths: Option<HashMap<String, ()>> = None;
    let mut missing = Vec::new();
    for asset in assets {
        for dependency in asset.record.resources.iter().flat_map(|resource| &resource.dependencies) {
            // Most sets have no dependencies at all.
            let paths = paths.get_or_insert_with(|| all_paths(assets).map(|path| (path, ())).collect());
            let path = dependency_path(asset, dependency);
            if !paths.contains_key(&path) {
                missing.push(MissingDependency { needed_by: asset.path.clone(), path });
            }
        }
    }
    missing
}

fn all_paths(assets: &[ImportedAsset]) -> impl Iterator<Item = String> {
    assets
        .iter()
        .flat_map(|asset| asset.record.resources.iter().map(|resource| resource_path(&asset.path, &resource.name)))
}

/// The result of resolving.
pub(crate) struct Resolution {
    /// `None` if ids or paths clash, because the index would be ambiguous.
    pub(crate) resolved: Option<Resolved>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is beyond a limit, whether that warns or denies.
    pub(crate) lints: Vec<LintFinding>,
}

/// Links images, puts them into their atlases, assigns every resource its id, and resolves dependencies, names, groups and budgets. `assets`
/// are sorted by path.
///
/// All checks include the paths of `unavailable` sources, so that a source that failed to import is not also reported
/// as a missing dependency. `assets` may contain their last good versions.
pub(crate) fn resolve(
    context: &BuildContext,
    rules: &Rules,
    ids: &LockFile,
    assets: Vec<ImportedAsset>,
    unavailable: &[UnavailableSource],
) -> Resolution {
    let mut diagnostics = Vec::new();
    let mut assets = assets;
    link_images(context, rules, &mut assets, unavailable, &mut diagnostics);
    #[cfg(feature = "image")]
    let assets = super::atlas::gather(context, rules, assets, &mut diagnostics);
    #[cfg(feature = "image")]
    let mut assets = assets;
    let variants = find_variants(context, rules, &mut assets, unavailable, &mut diagnostics);
    let is_unavailable = |path: &str| {
        let file = path.split('#').next().unwrap_or(path);
        unavailable.iter().any(|source| source.path == path || source.path == file)
    };
    let missing = missing_dependencies(&assets).into_iter().filter(|missing| !is_unavailable(&missing.path));
    diagnostics.extend(missing.map(|missing| missing.diagnostic(context)));
    diagnostics.extend(wrong_kinds(context, &assets));

    let unavailable: Vec<&UnavailableSource> =
        unavailable.iter().filter(|source| find_asset(&assets, &source.path).is_err()).collect();
    let mut resources = resources(&assets, ids);
    let unavailable_ids = unavailable.iter().filter_map(|source| {
        let naming = source.naming.as_ref()?;
        Some((source.path.as_str(), naming.id.unwrap_or_else(|| ids.id(&source.path, &naming.path))))
    });
    let source_paths: Vec<Cow<'_, str>> = resources.iter().map(|resource| source_path(&assets, resource)).collect();
    let of_unavailable = unavailable.iter().filter_map(|source| Some((&*source.path, &*source.naming.as_ref()?.path)));
    let stored = source_paths.iter().zip(&resources).map(|(source, resource)| (&**source, &*resource.path));
    let path_clashes = check_paths(context, stored.chain(of_unavailable));
    // Their ids and constants are the same, too, which need not be said.
    let refused: HashSet<&str> = path_clashes.iter().flat_map(Diagnostic::refused_paths).collect();
    let is_refused = |path: &str| refused.contains(path.split('#').next().unwrap_or(path));
    let named = || source_paths.iter().zip(&resources).filter(|(source, _)| refused.is_empty() || !is_refused(source));
    let all_ids = named().map(|(source, resource)| (&**source, resource.id));
    let id_clashes = check_ids(context, all_ids.chain(unavailable_ids).collect());
    let is_ambiguous = !path_clashes.is_empty() || !id_clashes.is_empty();
    diagnostics.extend(id_clashes);

    let id_of: HashMap<&str, ResourceId> =
        source_paths.iter().zip(&resources).map(|(source, resource)| (&**source, resource.id)).collect();
    let dependencies: Vec<Vec<ResourceId>> = resources
        .iter()
        .map(|resource| {
            let asset = &assets[resource.asset];
            let dependencies = asset.record.resources[resource.index].dependencies.iter();
            dependencies.filter_map(|dependency| id_of.get(&*dependency_path(asset, dependency)).copied()).collect()
        })
        .collect();

    let variant_assets: HashSet<usize> = variants.iter().map(|of| of.variant).collect();
    let is_variant = |resource: &Resource| {
        variant_assets.contains(&resource.asset) || resource.index > 0 && is_table(&assets[resource.asset])
    };
    let mut groups: Vec<GroupSpec> = rules
        .group_members(source_paths.iter().map(|path| &**path))
        .into_iter()
        .map(|(name, members)| GroupSpec {
            name: name.to_owned(),
            // Loading the asset loads the variant that is wanted.
            members: members.into_iter().filter(|i| !is_variant(&resources[*i])).map(|i| resources[i].id).collect(),
        })
        .collect();
    folder_groups::add(context, &assets, &resources, &mut groups);
    let name_clashes = check_names(context, rules, &assets, named(), &unavailable, &groups);
    diagnostics.extend(path_clashes.into_iter().chain(name_clashes));
    resources.iter_mut().zip(dependencies).for_each(|(resource, dependencies)| resource.dependencies = dependencies);
    let tables: Vec<usize> = (0..assets.len()).filter(|position| is_table(&assets[*position])).collect();
    let bases: HashSet<usize> = variants.iter().filter_map(|of| of.base).chain(tables.iter().copied()).collect();
    let own = resources.iter().filter(|resource| resource.index == 0 && bases.contains(&resource.asset));
    let base_ids: HashMap<usize, ResourceId> = own.map(|resource| (resource.asset, resource.id)).collect();
    for VariantOf { variant, base } in &variants {
        if let (Some(id), Some(info)) =
            (base.as_ref().and_then(|base| base_ids.get(base)), assets[*variant].record.resources.first_mut())
        {
            info.meta.set(MetaKey::VARIANT_OF, id.0);
        }
    }
    for table in tables {
        if let (Some(id), [_, columns @ ..]) = (base_ids.get(&table), &mut assets[table].record.resources[..]) {
            columns.iter_mut().for_each(|info| info.meta.set(MetaKey::VARIANT_OF, id.0));
        }
    }
    let mut lints = lint(context, rules, &assets);
    lints.extend(compare_strings(context, rules, &assets, &variants));
    let set_hash = set_hash(&resources);
    let resolved = Resolved { assets, resources, groups, set_hash };
    Resolution { resolved: (!is_ambiguous).then_some(resolved), diagnostics, lints }
}

/// The path of a resource if no rule gave its asset another: the path of the source, or `source#name`.
fn source_path<'r>(assets: &'r [ImportedAsset], resource: &'r Resource) -> Cow<'r, str> {
    let asset = &assets[resource.asset];
    match asset.is_mapped() {
        true => resource_path(&asset.path, &asset.record.resources[resource.index].name).into(),
        false => resource.path.as_str().into(),
    }
}

/// Every asset and sub-asset, sorted by its path in the pack, without dependencies.
fn resources(assets: &[ImportedAsset], ids: &LockFile) -> Vec<Resource> {
    let mut resources = Vec::with_capacity(assets.len());
    for (asset_index, asset) in assets.iter().enumerate() {
        for (index, info) in asset.record.resources.iter().enumerate() {
            let path = resource_path(&asset.naming.path, &info.name);
            let explicit = asset.naming.id.filter(|_| info.name.is_empty());
            let id = explicit.unwrap_or_else(|| ids.id(&resource_path(&asset.path, &info.name), &path));
            resources.push(Resource { path, id, kind: info.kind, asset: asset_index, index, dependencies: Vec::new() });
        }
    }
    resources.sort_by(|a, b| a.path.cmp(&b.path));
    resources
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
