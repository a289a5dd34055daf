//! Which importers a build has, and which of them reads a source, as opposed to the kinds of assets that it makes of it.

use std::path::Path;
use std::sync::Arc;

use rres_format::AssetKind;
use rres_import::{Encoders, Importer};

use super::registered::RegisteredImporter;
use crate::asset_kinds;
use crate::cache::RemoteCache;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::extension_of;
use crate::own::own_importer;
use crate::settings::Settings;

/// The importers of rres, those that the program is not compiled with included, and what encodes decoded content.
#[derive(Debug)]
pub struct RresImporters {
    importers: Vec<Arc<RegisteredImporter>>,
    pub(crate) encoders: Encoders,
    /// The crates that do most of their work, and an optimisation level that is worth its compilation.
    pub(crate) hot_crates: Vec<(&'static str, u8)>,
    /// Opens the cache of imported assets that machines share.
    remote_cache: Option<OpenRemoteCache>,
}

/// Opens the remote cache that the user has configured; `None` if she has not. The error says which setting is wrong.
pub type OpenRemoteCache = fn() -> Result<Option<Arc<dyn RemoteCache>>, String>;

impl RresImporters {
    /// Takes the importers whose code a function has by their names; it returns `None` for those that the program is not compiled with. Those
    /// of raw bytes and links are always there.
    pub fn new(code_of: impl Fn(&str) -> Option<Arc<dyn Importer>>, encoders: Encoders) -> Self {
        let importers = asset_kinds::IMPORTERS.iter();
        let importers = importers
            .map(|row| Arc::new(RegisteredImporter::of_rres(row, own_importer(row.name).or_else(|| code_of(row.name)))))
            .collect();
        Self { importers, encoders, hot_crates: Vec::new(), remote_cache: None }
    }

    /// Adds crates that do most of the work of the importers, each with an optimisation level that is worth its compilation. A build script
    /// that imports for a long time without optimisation prints them.
    #[must_use]
    pub fn with_hot_crates(mut self, crates: &[(&'static str, u8)]) -> Self {
        self.hot_crates.extend(crates);
        self
    }

    /// Returns whether the program is compiled with a remote cache.
    pub fn has_remote_cache(&self) -> bool {
        self.remote_cache.is_some()
    }

    /// Sets what opens the cache of their results that machines share, for builds that name none themselves.
    #[must_use]
    pub fn with_remote_cache(self, open: OpenRemoteCache) -> Self {
        Self { remote_cache: Some(open), ..self }
    }

    /// Returns the remote cache that the user has configured; `None` if there is none, or the program is not compiled with any.
    ///
    /// # Errors
    /// If a setting is wrong.
    pub fn remote_cache(&self) -> Result<Option<Arc<dyn RemoteCache>>, Diagnostic> {
        self.remote_cache.map_or(Ok(None), |open| open()).map_err(|why| {
            let help = "correct it, or turn the remote cache off with RRES_REMOTE_CACHE=off".to_owned();
            Diagnostic::new(Place::Name("remote cache".to_owned()), why).with_help(help)
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<RegisteredImporter>> {
        self.importers.iter()
    }

    /// The importer of a kind that rules can set.
    pub(crate) fn of_kind(&self, kind: AssetKind) -> &Arc<RegisteredImporter> {
        let named = |name| self.iter().find(|one| one.description.name == name);
        let of_kind = named(kind.name()).or_else(|| named(AssetKind::Raw.name()));
        of_kind.expect("the importer of raw files always exists")
    }
}

/// The importers that the sources of a directory can choose from.
#[derive(Clone, Debug)]
pub(crate) struct ImporterSet {
    pub(crate) rres: Arc<RresImporters>,
    /// The importers of the build script that the directory belongs to. They read no other directory.
    pub(crate) script: Vec<Arc<RegisteredImporter>>,
}

impl ImporterSet {
    /// Returns the importer of the source at `path`, whose file is `file` and which has these settings: the one that a rule names, or the
    /// importer of the kind that a rule sets; or else the one that takes files with this extension.
    pub(crate) fn choose(&self, path: &str, file: &Path, settings: &Settings) -> Arc<RegisteredImporter> {
        let all = || self.script.iter().chain(self.rres.iter());
        // The settings have reported a name that no importer has.
        let named = settings.asset.importer.as_ref().and_then(|name| all().find(|one| one.description.name == *name));
        let of_set_kind = || settings.asset.kind.map(|kind| self.rres.of_kind(kind));
        let extension = extension_of(path);
        let by_file = || all().find(|one| one.description.takes_file(extension, file));
        let chosen = named.or_else(of_set_kind).or_else(by_file);
        Arc::clone(chosen.unwrap_or_else(|| self.rres.of_kind(AssetKind::Raw)))
    }
}
