//! What assets need at run time: whether it is among the assets and of the kind that is meant, and its id.

use std::cell::OnceCell;
use std::collections::HashSet;

use rres_protocol::nearest::nearest_path;

use super::{Pass, Set};
use crate::diagnostic::{Diagnostic, Fix, Place, Position};
use crate::model::{Dependency, ImportedAsset, dependency_path, resource_path};
use crate::scope::Scope;

pub(super) struct Dependencies;

impl Pass for Dependencies {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let mut missing = missing(&set.assets, |path| set.resource_at(path).is_some());
        missing.retain(|missing| !set.is_unavailable(&missing.path));
        // In the order of the assets: of two that are equally near, the first one is named.
        let paths: Vec<String> = if missing.is_empty() { Vec::new() } else { resource_paths(&set.assets).collect() };
        let paths = || paths.iter().map(String::as_str);
        diagnostics.extend(missing.iter().map(|missing| missing.diagnostic(set.scope, paths())));
        diagnostics.extend(wrong_kinds(set));
        for at in 0..set.resources.len() {
            let asset = &set.assets[set.resources[at].asset];
            let dependencies = asset.record.resources[set.resources[at].index].dependencies.iter();
            let ids = dependencies
                .filter_map(|dependency| Some(set.resources[set.resource_at(&dependency_path(asset, dependency))?].id));
            set.resources[at].dependencies = ids.collect();
        }
    }
}

/// A dependency that no asset satisfies.
#[derive(Debug)]
pub(crate) struct MissingDependency {
    /// The path of the asset that needs it.
    pub(crate) needed_by: String,
    /// The path of the asset that is missing.
    pub(crate) path: String,
}

impl MissingDependency {
    /// The fault. `paths` are those of all assets.
    pub(crate) fn diagnostic<'a>(&self, scope: Scope<'_>, paths: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
        let Self { needed_by, path } = self;
        let help = match (scope.source_file(path).is_file(), nearest_path(path, paths)) {
            (true, _) => format!("set kind = \"raw\" for {path} if a model reads it, and let no rule ignore it"),
            (false, Some(found)) => format!("did you mean \"{found}\"?"),
            (false, None) => format!("put {path} into the assets directory"),
        };
        Diagnostic::new(place_of(scope, needed_by, path), format!("depends on \"{path}\", which is not an asset"))
            .with_help(help)
            .with_asset(needed_by)
            .with_fix(needed_by, Fix::RAW)
    }
}

/// The place in the source `needed_by` that names the asset `path`, if it is a text that does so in quotes or between commas.
fn place_of(scope: Scope<'_>, needed_by: &str, path: &str) -> Place {
    let file = scope.source_file(needed_by);
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
fn wrong_kinds(set: &Set<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for asset in &set.assets {
        for dependency in asset.record.resources.iter().flat_map(|resource| &resource.dependencies) {
            let Dependency::Typed(_, Some(expected)) = dependency else { continue };
            let path = dependency_path(asset, dependency);
            let found = set.resource_at(&path).map(|at| &set.resources[at]);
            if let Some(found) = found.filter(|found| found.kind != *expected) {
                let chunk = set.assets[found.asset].record.resources[found.index].custom_kind();
                let rust_type = chunk.and_then(|chunk| set.scope.rust_type(&path, chunk));
                let found = rust_type.map_or_else(|| found.kind.to_string(), |of| format!("{} ({of})", found.kind));
                let message = format!("refers to \"{path}\" as {expected}, but that file becomes {found}");
                let help = "name another file, change the type of the field, or the rules for that file";
                let diagnostic = Diagnostic::new(place_of(set.scope, &asset.path, &path), message);
                diagnostics.push(diagnostic.with_help(help.to_owned()).with_asset(&asset.path));
            }
        }
    }
    diagnostics
}

/// The dependencies of `assets` that are not among them.
pub(crate) fn missing_dependencies(assets: &[ImportedAsset]) -> Vec<MissingDependency> {
    // Most sets have no dependencies at all.
    let paths: OnceCell<HashSet<String>> = OnceCell::new();
    missing(assets, |path| paths.get_or_init(|| resource_paths(assets).collect()).contains(path))
}

/// The paths of all resources of `assets`.
pub(crate) fn resource_paths(assets: &[ImportedAsset]) -> impl Iterator<Item = String> {
    let all = assets.iter().flat_map(|asset| asset.record.resources.iter().map(move |of| (asset, of)));
    all.map(|(asset, of)| resource_path(&asset.path, &of.name))
}

fn missing(assets: &[ImportedAsset], is_known: impl Fn(&str) -> bool) -> Vec<MissingDependency> {
    let mut missing = Vec::new();
    for asset in assets {
        for dependency in asset.record.resources.iter().flat_map(|resource| &resource.dependencies) {
            let path = dependency_path(asset, dependency);
            if !is_known(&path) {
                missing.push(MissingDependency { needed_by: asset.path.clone(), path });
            }
        }
    }
    missing
}
