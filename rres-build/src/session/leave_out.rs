//! A set without the assets that something is wrong with.

use std::collections::HashSet;

use super::Importable;
use crate::diagnostic::Diagnostic;
use crate::lock_file::LockFile;
use crate::pipeline::{self, Resolution, refuse_dependents, split_refusals};
use crate::scope::Scope;

/// Resolves the assets that nothing is wrong with, and returns what is wrong with the others. The other diagnostics are not about one file.
pub(super) fn resolve(scope: Scope<'_>, ids: &LockFile, set: Importable) -> (Resolution, Vec<Diagnostic>) {
    let Importable { mut assets, mut unavailable, diagnostics } = set;
    let (mut refused, diagnostics) = split_refusals(diagnostics);
    // Each round leaves out an asset, so there is a last one.
    loop {
        let out: HashSet<&str> = refused.iter().flat_map(Diagnostic::refused_paths).collect();
        assets.retain(|asset| !out.contains(asset.path.as_str()));
        refused.extend(refuse_dependents(scope, &mut assets, &mut unavailable));
        // What is left out has neither id nor name.
        let mut resolution = pipeline::resolve(scope, ids, assets.clone(), &[]);
        let (newly_refused, found) = split_refusals(resolution.diagnostics);
        if newly_refused.is_empty() {
            resolution.diagnostics = [diagnostics, found].concat();
            return (resolution, refused);
        }
        refused.extend(newly_refused);
    }
}
