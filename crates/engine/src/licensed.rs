//! Who made what a build would import, and under which licence, without importing it.

use std::path::PathBuf;

use rres_licenses::{Found, License, Origin, Terms};

use crate::context::BuildContext;
use crate::diagnostic::BuildError;
use crate::licenses::{Ledger, not_allowed};
use crate::options::Build;
use crate::pipeline::Plan;
use crate::scope::Scope;
use crate::session::Session;

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
}

impl Build {
    /// Returns the files that a build would import, sorted by their paths in the assets directory, each with its licence. Only the settings, the
    /// texts of files and the files of REUSE are read.
    ///
    /// # Errors
    /// If the settings, names of files, or files of REUSE are wrong.
    pub fn licenses(self) -> Result<Vec<LicensedSource>, BuildError> {
        let context = BuildContext::new(self)?;
        let session = Session::open(&context);
        let Plan { rules, sources, diagnostics, .. } = session.plan();
        let mut ledger = Ledger::new(Scope { context: &context, rules: &rules });
        let mut listed = Vec::new();
        for planned in &sources {
            let Found { terms, origin } = ledger.of(&planned.source.path, &planned.settings);
            let fault = terms.license.as_deref().and_then(|text| match License::parse(text) {
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
            });
        }
        BuildError::check([session.diagnostics, diagnostics, ledger.faults()].concat())?;
        Ok(listed)
    }
}
