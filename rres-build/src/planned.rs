//! What a build would import, without importing it.

use std::path::PathBuf;

use rres_format::{AssetKind, Compression, ResourceId};

use crate::context::BuildContext;
use crate::diagnostic::BuildError;
use crate::options::Build;
use crate::pipeline::{self, Plan};
use crate::settings::SettingsFile;

/// A file that a build would import, and what the settings say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedAsset {
    /// The file.
    pub file: PathBuf,
    /// Its path relative to the assets directory, with `/` between folders.
    pub source: String,
    /// The path by which the pack knows it.
    pub path: String,
    /// The id that a rule sets; otherwise it is the CRC-32 of the path, or that of the lock file.
    pub id: Option<ResourceId>,
    /// What it becomes.
    pub kind: AssetKind,
    /// Whether a rule sets the kind, and not the extension.
    pub has_explicit_kind: bool,
    /// How it is compressed, if that makes it smaller.
    pub compression: Compression,
}

impl Build {
    /// Returns the files that a build would import, sorted by their paths in the assets directory. No file but the settings is
    /// read, and none is written.
    ///
    /// # Errors
    /// If the settings or names of files are wrong.
    pub fn plan(self) -> Result<Vec<PlannedAsset>, BuildError> {
        let context = BuildContext::new(self)?;
        let SettingsFile { rules, mut diagnostics, .. } = context.read_settings();
        let Plan { sources, diagnostics: of_plan, .. } = pipeline::plan(&context, &rules);
        diagnostics.extend(of_plan);
        BuildError::check(diagnostics)?;
        let planned = |planned: pipeline::PlannedSource| {
            let pipeline::PlannedSource { source, kind, settings } = planned;
            let path = settings.naming(&source.path).path;
            PlannedAsset {
                file: source.file,
                source: source.path,
                path,
                id: settings.asset.id,
                kind,
                has_explicit_kind: settings.asset.kind.is_some(),
                compression: settings.asset.compression.unwrap_or(rules.pack().compression()),
            }
        };
        Ok(sources.into_iter().map(planned).collect())
    }
}
