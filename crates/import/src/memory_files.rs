//! Files in memory, which importers read without an engine: for the tests of importers.

use std::collections::BTreeMap;
use std::sync::Arc;

use rres_settings::{Settings, glob_matches};

use crate::{Asset, Encoders, ImportError, Importer, InputFiles, Source};

/// Files by asset path, which an importer can import and read.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    /// The bytes of each file.
    pub files: BTreeMap<String, Vec<u8>>,
    /// How files are imported.
    pub settings: Settings,
    /// What encodes pixels and samples; none in a test without an engine.
    pub encoders: Encoders,
}

impl MemoryFiles {
    /// Creates files of pairs of path and contents.
    pub fn new<P: Into<String>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.as_ref().to_vec()));
        Self { files: files.collect(), ..Self::default() }
    }

    /// The same files, imported with these settings.
    #[must_use]
    pub fn with_settings(self, settings: &Settings) -> Self {
        Self { settings: settings.clone(), ..self }
    }

    /// The same files in an engine with these encoders.
    #[must_use]
    pub fn with_encoders(self, encoders: Encoders) -> Self {
        Self { encoders, ..self }
    }

    /// Imports the file at `path`. The others are its input files.
    ///
    /// # Errors
    /// As [`Importer::import`], and if the file does not exist.
    pub fn import(&self, importer: &dyn Importer, path: &str) -> Result<Vec<Asset>, ImportError> {
        let mut inputs = self.clone();
        let bytes = inputs.read(path)?;
        let description = importer.describe();
        let source = Source::new(path, &bytes, &self.settings, &mut inputs);
        importer.import(&mut source.with_encoders(self.encoders).for_importer(&description))
    }
}

impl From<BTreeMap<String, Vec<u8>>> for MemoryFiles {
    fn from(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { files, ..Self::default() }
    }
}

impl InputFiles for MemoryFiles {
    fn find(&mut self, path: &str) -> Option<String> {
        let lower = path.to_lowercase();
        self.files.keys().find(|known| known.to_lowercase() == lower).cloned()
    }

    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let bytes = self.files.get(path).ok_or_else(|| ImportError::new(format!("{path} does not exist")))?;
        Ok(bytes.as_slice().into())
    }

    fn list(&mut self, glob: &str) -> Result<Vec<String>, ImportError> {
        let paths = glob_matches(glob, self.files.keys().map(String::as_str));
        Ok(paths.map_err(ImportError::new)?.into_iter().map(str::to_owned).collect())
    }
}
