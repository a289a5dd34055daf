//! Refused files: faults that concern one file, and what else cannot be built without that file.
//!
//! A build that goes on without refused files leaves out the assets that need them, too.

use std::collections::HashSet;

use super::plan::UnavailableSource;
use super::set::missing_dependencies;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::ImportedAsset;
use crate::scope::Scope;

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
        for missing in &missing {
            let is_refused = |source: &UnavailableSource| is_in(&missing.path, &source.path);
            diagnostics.push(match unavailable.iter().any(is_refused) {
                true => {
                    let message = format!("depends on \"{}\", which is refused", missing.path);
                    let help = format!("mend {} first: without it this file is refused, too", missing.path);
                    scope.fault(&missing.needed_by, message, help).with_fix(&missing.needed_by, Fix::RAW)
                }
                false => missing.diagnostic(scope),
            });
        }
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

/// Whether `path` is the file, or in the folder, `source`, or a sub-asset of it.
fn is_in(path: &str, source: &str) -> bool {
    path.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '#']))
}

/// Divides diagnostics into two groups: for refused files, and for the build as a whole.
pub(crate) fn split_refusals(diagnostics: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    diagnostics.into_iter().partition(|diagnostic| diagnostic.asset().is_some())
}
