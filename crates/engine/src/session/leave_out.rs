//! A set without the assets that something is wrong with.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::lock_file::LockFile;
use crate::model::ImportedAsset;
use crate::pipeline::{self, Resolution, UnavailableSource, refuse_dependents, split_refusals};
use crate::scope::Scope;

/// Resolves the assets that nothing is wrong with, and adds to `refused` what is wrong with the others. The diagnostics of the result are not
/// about one file.
pub(super) fn resolve(
    scope: Scope<'_>,
    ids: &LockFile,
    mut assets: Vec<ImportedAsset>,
    mut unavailable: Vec<UnavailableSource>,
    refused: &mut Vec<Diagnostic>,
) -> Resolution {
    // Each round leaves out an asset, so there is a last one.
    let mut left = usize::MAX;
    loop {
        let out: HashSet<&str> = refused.iter().flat_map(Diagnostic::refused_paths).collect();
        assets.retain(|asset| !out.contains(asset.path.as_str()));
        refused.extend(refuse_dependents(scope, &mut assets, &mut unavailable));
        // What is left out has neither id nor name.
        let resolution = pipeline::resolve(scope, ids, assets.clone(), &[]);
        let (newly_refused, diagnostics) = split_refusals(resolution.diagnostics);
        // What is refused twice is not a source, such as a path that a message has cut off.
        let is_stuck = std::mem::replace(&mut left, assets.len()) == assets.len();
        if newly_refused.is_empty() || is_stuck {
            return Resolution { diagnostics: [diagnostics, newly_refused].concat(), ..resolution };
        }
        refused.extend(newly_refused);
    }
}
