//! One source, as its importer sees it: its bytes, its settings, and the other files that it refers to.

use std::sync::Arc;

use super::ImportError;
use crate::model::{extension_of, resolve_relative};
use crate::settings::Settings;

/// One source to import, and everything that its importer may use.
pub(crate) struct Source<'a> {
    /// The asset's path.
    pub(crate) path: &'a str,
    /// The file's bytes.
    pub(crate) bytes: &'a [u8],
    /// How to import it.
    pub(crate) settings: &'a Settings,
    /// Reads the other files that the source refers to.
    pub(crate) inputs: &'a mut dyn InputFiles,
}

/// The files that an importer reads besides its source.
pub(crate) trait InputFiles {
    /// The bytes of the file with this asset path.
    ///
    /// # Errors
    /// [`ImportError`] if it does not exist or cannot be read.
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError>;
}

impl Source<'_> {
    /// The extension of the path: lower case, without dot, empty if there is none.
    pub(crate) fn extension(&self) -> String {
        extension_of(self.path).to_ascii_lowercase()
    }

    /// The asset path of `relative`, a path in the source that is relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory.
    pub(crate) fn input_path(&self, relative: &str) -> Result<String, ImportError> {
        let is_absolute = relative.starts_with(['/', '\\']) || relative.contains(':');
        resolve_relative(self.path, relative).ok().filter(|_| !is_absolute).ok_or_else(|| {
            ImportError::new(format!("refers to \"{relative}\", which is not inside the assets directory"))
                .with_help("move the file beside this one and refer to it by a relative path")
        })
    }

    /// The bytes of a file that the source refers to, relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory, does not exist or cannot be read.
    pub(crate) fn read_input(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = self.input_path(relative)?;
        self.inputs.read(&path)
    }
}
