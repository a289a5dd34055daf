//! Refused files: faults that concern one file, and what else cannot be built without that file.
//!
//! A build that goes on without refused files leaves out the assets that need them, too.

use std::collections::HashSet;

use super::plan::UnavailableSource;
use super::set::{missing_dependencies, resource_paths};
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::ImportedAsset;
use crate::scope::Scope;

/// Refused files that are named where a file needs many.
const MAX_NAMED: usize = 3;

/// Moves every asset with a dependency that is not among the assets to the unavailable ones, and reports it.
pub(crate) fn refuse_dependents(
    scope: Scope<'_>,
    assets: &mut Vec<ImportedAsset>,
    unavailable: &mut Vec<UnavailableSource>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    // Each round drops an asset, so there is a last one.
    loop {
        let missing = missing_dependencies(assets);
        if missing.is_empty() {
            return diagnostics;
        }
        let dropped: HashSet<&str> = missing.iter().map(|missing| missing.needed_by.as_str()).collect();
        let is_refused = |path: &str| unavailable.iter().any(|source: &UnavailableSource| is_in(path, &source.path));
        let (refused, absent): (Vec<_>, Vec<_>) = missing.iter().partition(|missing| is_refused(&missing.path));
        // One fault may refuse hundreds of files, and a table may need all of them.
        for needed in refused.chunk_by(|a, b| a.needed_by == b.needed_by) {
            let paths: Vec<&str> = needed.iter().map(|missing| missing.path.as_str()).collect();
            diagnostics.push(needs_refused(scope, &needed[0].needed_by, &paths));
        }
        let paths: Vec<String> = if absent.is_empty() { Vec::new() } else { resource_paths(assets).collect() };
        diagnostics.extend(absent.iter().map(|missing| missing.diagnostic(scope, paths.iter().map(String::as_str))));
        assets.retain(|asset| {
            let is_dropped = dropped.contains(asset.path.as_str());
            if is_dropped {
                let naming = Some(asset.naming.clone());
                unavailable.push(UnavailableSource { path: asset.path.clone(), naming });
            }
            !is_dropped
        });
    }
}

/// The fault of a file that needs others, which are refused.
fn needs_refused(scope: Scope<'_>, needed_by: &str, paths: &[&str]) -> Diagnostic {
    let (message, help) = match paths {
        [path] => (
            format!("depends on \"{path}\", which is refused"),
            format!("mend {path} first: without it this file is refused, too"),
        ),
        _ => {
            let named: Vec<_> = paths.iter().take(MAX_NAMED).map(|path| format!("{path:?}")).collect();
            let more = paths.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            (
                format!("depends on {} files that are refused: {}{more}", paths.len(), named.join(", ")),
                "mend them first: without them this file is refused, too".to_owned(),
            )
        }
    };
    scope.fault(needed_by, message, help).with_fix(needed_by, Fix::RAW)
}

/// Whether `path` is the file, or in the folder, `source`, or a sub-asset of it.
fn is_in(path: &str, source: &str) -> bool {
    path.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '#']))
}

/// Divides diagnostics into two groups: for refused files, and for the build as a whole.
pub(crate) fn split_refusals(diagnostics: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    diagnostics.into_iter().partition(|diagnostic| diagnostic.asset().is_some())
}
