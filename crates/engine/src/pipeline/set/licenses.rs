//! The licences of sources compared with what the settings want of them.

use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::licenses;

/// Files without a licence, or with another than those that are allowed, in the order of the assets.
pub(super) struct Licenses;

impl Pass for Licenses {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let sources = set.assets.iter().filter(|asset| asset.source.is_some());
        set.lints.extend(licenses::check(set.scope, sources.map(|asset| asset.path.as_str()), diagnostics));
    }
}
