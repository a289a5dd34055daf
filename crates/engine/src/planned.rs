//! What a build would import, without importing it.

use std::path::PathBuf;

use rres_format::{AssetKind, Cipher, Compression, ResourceId};

use crate::context::BuildContext;
use crate::diagnostic::BuildError;
use crate::lock_file::{self, LockFile};
use crate::model::Naming;
use crate::options::Build;
use crate::pipeline::{Plan, PlannedSource, split_refusals};
use crate::session::Session;
use crate::source_dir::AssetDirectory;

/// A file that a build would import, and what the settings say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedAsset {
    /// The file.
    pub file: PathBuf,
    /// Its path relative to the assets directory, with `/` between folders.
    pub source: String,
    /// Its path in the pack.
    pub path: String,
    /// The id, if a rule or the lock file sets another than the CRC-32 of the path.
    pub id: Option<ResourceId>,
    /// What it becomes; `None` if only its contents tell.
    pub kind: Option<AssetKind>,
    /// The name of its importer: the name of the kind, if it makes assets of one kind.
    pub importer: String,
    /// Whether a rule sets the kind, and not the extension.
    pub has_explicit_kind: bool,
    /// How it is compressed, if that makes it smaller.
    pub compression: Compression,
    /// How it is encrypted.
    pub cipher: Cipher,
    /// The keys of the other settings of its import that are not the default, such as `image.mipmaps`.
    pub other_settings: Vec<&'static str>,
}

impl Build {
    /// Returns the directories of the assets: the own one, then one for each library whose assets are added.
    ///
    /// # Errors
    /// If the records of libraries cannot be read.
    pub fn directories(self) -> Result<Vec<AssetDirectory>, BuildError> {
        let context = BuildContext::new(self)?;
        let dirs = context.dirs().map(|dir| AssetDirectory { dir: dir.dir.clone(), folder: dir.folder.clone() });
        Ok(dirs.collect())
    }

    /// Returns the files that a build would import, sorted by their paths in the assets directory. Only the settings, the lock
    /// file and the texts of models that name other files are read, and no output is written.
    ///
    /// # Errors
    /// If the settings, names of files or the lock file are wrong.
    pub fn plan(self) -> Result<Vec<PlannedAsset>, BuildError> {
        let context = BuildContext::new(self)?;
        let session = Session::open(&context);
        let Plan { rules, sources, diagnostics, .. } = session.plan();
        let lock = rules.pack().lock.then(|| LockFile::read(&lock_file::path_for(&context.assets)));
        let (ids, faults) = match lock.transpose() {
            Ok(ids) => (ids.flatten().unwrap_or_default(), Vec::new()),
            Err(faults) => (LockFile::default(), faults),
        };
        let diagnostics = if session.leaves_out() { split_refusals(diagnostics).1 } else { diagnostics };
        BuildError::check([session.diagnostics, diagnostics, faults].concat())?;
        let planned = |PlannedSource { source, importer, settings, .. }: PlannedSource| {
            let Naming { path, id, .. } = settings.naming(&source.path);
            let id = id.unwrap_or_else(|| ids.id(&source.path, &path));
            PlannedAsset {
                id: Some(id).filter(|id| *id != ResourceId::from_path(&path)),
                other_settings: settings.import_keys(importer.kinds()).filter(|key| *key != "compression").collect(),
                file: source.file,
                source: source.path,
                path,
                kind: importer.kind(),
                importer: importer.name().to_owned(),
                has_explicit_kind: settings.asset.kind.is_some(),
                compression: settings.asset.compression.unwrap_or(rules.pack().compression()),
                cipher: settings.asset.cipher.unwrap_or(rules.pack().cipher),
            }
        };
        Ok(sources.into_iter().map(planned).collect())
    }
}
