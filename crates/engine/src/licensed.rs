//! Who made what a build would import, and under which licence, without importing it.

use std::path::PathBuf;

use rres_licenses::{Found, License, Origin, Terms};

use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::licenses::{Ledger, not_allowed};
use crate::options::Build;
use crate::pipeline::Plan;
use crate::scope::Scope;
use crate::session::Session;
use crate::settings::LintLevel;

/// A file that a build would import: who made it, and under which licence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LicensedSource {
    /// The file.
    pub file: PathBuf,
    /// Its path in the assets directory, with `/` between folders.
    pub source: String,
    /// Its path in the pack.
    pub path: String,
    /// What is known of it.
    pub terms: Terms,
    /// Where the licence is stated; `None` if it is not.
    pub origin: Option<Origin>,
    /// Why the licence is none that SPDX knows, or is not allowed.
    pub fault: Option<String>,
    /// Whether a rule accepts the file as it is, by `lint = "allow"`.
    pub is_accepted: bool,
    /// Whether packs have its path.
    pub is_named: bool,
}

impl Build {
    /// Returns the files that a build would import, sorted by their paths in the assets directory, each with its licence. Only the settings, the
    /// texts of files and the files of REUSE are read. What is wrong with files, and with files of REUSE, is returned beside them.
    ///
    /// # Errors
    /// If the settings are wrong.
    pub fn licenses(self) -> Result<(Vec<LicensedSource>, Vec<Diagnostic>), BuildError> {
        let context = BuildContext::new(self)?;
        let session = Session::open(&context);
        BuildError::check(session.diagnostics.clone())?;
        let Plan { rules, sources, diagnostics, .. } = session.plan();
        let mut ledger = Ledger::new(Scope { context: &context, rules: &rules });
        let mut listed = Vec::new();
        for planned in &sources {
            let Found { terms, origin } = ledger.of(&planned.source.path, &planned.settings);
            let is_accepted = planned.settings.asset.lint == LintLevel::Allow;
            let fault = terms.license.as_deref().and_then(|text| match License::parse(text) {
                Ok(_) if is_accepted => None,
                Ok(license) => {
                    not_allowed(&license, rules.pack()).map(|(found, allowed)| format!("is {found}, {allowed}"))
                }
                Err(error) => Some(error.to_string()),
            });
            listed.push(LicensedSource {
                file: planned.source.file.clone(),
                path: planned.settings.naming(&planned.source.path).path,
                source: planned.source.path.clone(),
                terms,
                origin,
                fault,
                is_accepted,
                is_named: rules.pack().paths,
            });
        }
        Ok((listed, [diagnostics, ledger.faults()].concat()))
    }
}
