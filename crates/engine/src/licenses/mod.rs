//! Who made the sources, and under which licence: rules of the settings, and files of REUSE around the sources.
//!
//! Nothing here changes what a source becomes, so the cache knows nothing of it. A build looks at licences if the settings want that, which needs
//! the feature `licenses`.

use std::collections::HashMap;
use std::path::PathBuf;

use rres_format::AssetKind;
use rres_licenses::{Found, License, LicenseError, Origin, Reuse, Terms, credits};

use crate::asset_kinds::kind_of_extension;
use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Resolved, extension_of};
use crate::scope::Scope;
use crate::settings::{LintFinding, LintLevel, PackSettings, Rules, Settings};

/// What is known of each source.
pub(crate) struct Ledger<'s> {
    scope: Scope<'s>,
    /// The files of REUSE around each directory of assets.
    reuse: HashMap<PathBuf, Reuse>,
}

impl<'s> Ledger<'s> {
    pub(crate) fn new(scope: Scope<'s>) -> Self {
        Self { scope, reuse: HashMap::new() }
    }

    pub(crate) fn of(&mut self, path: &str, settings: &Settings) -> Found {
        let asset = &settings.asset;
        let stated = Terms {
            license: asset.license.clone(),
            authors: asset.author.clone(),
            copyright: Vec::new(),
            source: asset.source.clone(),
            attribution: asset.attribution.clone(),
        };
        let own = asset.license.as_ref().map(|_| Origin::Rule);
        // A rule may choose another file for the target.
        let file = self.scope.rules.target_file(path).unwrap_or(path);
        let dir = self.scope.context.dir_of(path);
        let local = dir.local(file).unwrap_or(file);
        let kind = asset.kind.unwrap_or_else(|| kind_of_extension(extension_of(path)));
        let is_text = matches!(kind, AssetKind::Text | AssetKind::Raw);
        let reuse = self.reuse.entry(dir.dir.clone()).or_insert_with(|| Reuse::of_directory(&dir.dir));
        let Found { terms, origin } = reuse.of(local, is_text);
        Found { terms: stated.or(terms), origin: own.or(origin) }
    }

    /// What is wrong with the files that have been read.
    pub(crate) fn faults(mut self) -> Vec<Diagnostic> {
        self.reuse.values_mut().flat_map(Reuse::take_faults).collect()
    }
}

/// Whether the settings want a build to look at licences.
pub(crate) fn are_wanted(pack: &PackSettings) -> bool {
    pack.credits || pack.unlicensed != LintLevel::Allow || !pack.allowed_licenses.is_empty()
}

/// The files above the directories of assets that a build depends on.
pub(crate) fn files_above(context: &BuildContext, rules: &Rules) -> Vec<PathBuf> {
    if !are_wanted(rules.pack()) {
        return Vec::new();
    }
    context.dirs().flat_map(|dir| Reuse::of_directory(&dir.dir).files_above()).collect()
}

/// Compares the licences of the sources at `paths` with what the settings want of them.
pub(crate) fn check<'p>(
    scope: Scope<'_>,
    paths: impl Iterator<Item = &'p str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LintFinding> {
    let pack = scope.rules.pack();
    let mut findings = Vec::new();
    if !are_wanted(pack) {
        return findings;
    }
    let mut ledger = Ledger::new(scope);
    let mut known: HashMap<String, Result<License, LicenseError>> = HashMap::new();
    let mut reported: Vec<(Place, String)> = Vec::new();
    for path in paths {
        let settings = scope.rules.resolve(path);
        let Found { terms, origin } = ledger.of(path, &settings);
        let file = scope.source_file(path);
        let accepts = settings.asset.lint == LintLevel::Allow;
        let Some(text) = terms.license else {
            if pack.unlicensed != LintLevel::Allow && !accepts {
                let help = "set `license` in a rule for it, or write it into a file of REUSE; see docs/licences.md";
                findings.push(finding(
                    scope,
                    file,
                    path,
                    UNLICENSED,
                    ("has no licence".to_owned(), "expected one".to_owned()),
                    help,
                ));
            }
            continue;
        };
        match known.entry(text.clone()).or_insert_with(|| License::parse(&text)) {
            Ok(license) => {
                if let Some((found, allowed)) = not_allowed(license, pack).filter(|_| !accepts) {
                    let help = "replace the file, or add the licence to `allowed_licenses`";
                    findings.push(finding(scope, file, path, ALLOWED, (format!("is {found}"), allowed), help));
                }
            }
            Err(error) => {
                let place = place_of(scope, path, origin.as_ref());
                let text = (place, error.to_string());
                // One rule is about many files.
                if !reported.contains(&text) {
                    diagnostics.push(Diagnostic::new(text.0.clone(), text.1.clone()).with_help(error.help()));
                    reported.push(text);
                }
            }
        }
    }
    diagnostics.extend(ledger.faults());
    findings
}

const UNLICENSED: &str = "lints.unlicensed";
const ALLOWED: &str = "lints.allowed_licenses";

fn finding(
    scope: Scope<'_>,
    file: PathBuf,
    path: &str,
    lint: &'static str,
    (found, allowed): (String, String),
    help: &str,
) -> LintFinding {
    let level = if lint == UNLICENSED { scope.rules.pack().unlicensed } else { LintLevel::Deny };
    let place = scope.rules.pack_place(lint).cloned().unwrap_or_else(|| Place::Name("the settings".to_owned()));
    LintFinding::of_pack(file, path, level, (lint, &place), (found, allowed), help)
}

/// What a licence is and what is allowed, if those differ.
pub(crate) fn not_allowed(license: &License, pack: &PackSettings) -> Option<(String, String)> {
    let allowed = &pack.allowed_licenses;
    let is_allowed = allowed.is_empty() || license.is_met_by(allowed);
    (!is_allowed).then(|| (format!("under {license}"), format!("allowed are {}", allowed.join(", "))))
}

/// Where the licence of a source is stated.
fn place_of(scope: Scope<'_>, path: &str, origin: Option<&Origin>) -> Place {
    match origin {
        Some(Origin::Sidecar(file) | Origin::Reuse(file)) => Some(Place::File(file.clone(), None)),
        Some(Origin::Rule) => scope.rules.origin(path, "license").map(|(_, place)| place.clone()),
        Some(Origin::Tag) | None => None,
    }
    .unwrap_or_else(|| Place::File(scope.source_file(path), None))
}

/// Who made the assets of the pack, if the settings want programs to know.
pub(crate) fn credits_of(
    context: &BuildContext,
    rules: &Rules,
    resolved: &Resolved,
) -> Option<Vec<rres_codegen::Credit>> {
    let pack = rules.pack();
    if !pack.credits {
        return None;
    }
    let mut ledger = Ledger::new(Scope { context, rules });
    let sources = resolved.assets.iter().filter(|asset| asset.source.is_some());
    let of = sources.map(|asset| {
        let terms = ledger.of(&asset.path, &rules.resolve(&asset.path)).terms;
        (asset.naming.path.clone(), terms)
    });
    let credit = |credit: rres_licenses::Credit| {
        let Terms { license, authors, copyright, source, attribution } = credit.terms;
        let assets = if pack.paths { credit.files } else { Vec::new() };
        rres_codegen::Credit { license, authors, copyright, source, attribution, assets }
    };
    Some(credits(of).into_iter().map(credit).collect())
}
