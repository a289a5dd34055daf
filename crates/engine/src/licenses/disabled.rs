//! In place of `licenses.rs` without the feature `licenses`: if the settings want licences, they are wrong.

use std::path::PathBuf;

use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Resolved;
use crate::scope::Scope;
use crate::settings::{LintFinding, LintLevel, PackSettings, Rules};

pub(crate) fn check<'p>(
    scope: Scope<'_>,
    _: impl Iterator<Item = &'p str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LintFinding> {
    for key in wanting(scope.rules.pack()) {
        let place = scope.rules.pack_place(key).cloned().unwrap_or_else(|| Place::Name("the settings".to_owned()));
        let message = format!("`{key}` is set, but the feature `licenses` of rres-build is disabled");
        let help = "run `cargo add --build rres-build --features licenses`".to_owned();
        diagnostics.push(Diagnostic::new(place, message).with_help(help));
    }
    Vec::new()
}

/// The settings that want a build to look at licences.
fn wanting(pack: &PackSettings) -> impl Iterator<Item = &'static str> {
    let wanted = [
        (pack.credits, "credits"),
        (pack.unlicensed != LintLevel::Allow, "lints.unlicensed"),
        (!pack.allowed_licenses.is_empty(), "lints.allowed_licenses"),
    ];
    wanted.into_iter().filter_map(|(is_set, key)| is_set.then_some(key))
}

pub(crate) fn files_above(_: &BuildContext, _: &Rules) -> Vec<PathBuf> {
    Vec::new()
}

pub(crate) fn credits_of(_: &BuildContext, _: &Rules, _: &Resolved) -> Option<Vec<rres_codegen::Credit>> {
    None
}
