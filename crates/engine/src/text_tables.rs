//! The tables of texts of a build, and in which language each of their files is, without importing them.

use std::path::PathBuf;

use rres_format::LanguageTag;

use crate::context::BuildContext;
use crate::diagnostic::BuildError;
use crate::options::Build;
use crate::pipeline::{Plan, PlannedSource};
use crate::session::Session;

/// The files with tables of texts, and the languages of the pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextTables {
    /// `locales` of the pack, the first language first.
    pub locales: Vec<LanguageTag>,
    /// The files with `text.strings`, sorted by their paths in the assets directory.
    pub files: Vec<TextTable>,
}

/// A file with texts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextTable {
    /// The file.
    pub file: PathBuf,
    /// Its path in the assets directory, with `/` between folders.
    pub source: String,
    /// The path of the asset that it is a variant of; there may be no such file.
    pub base: Option<String>,
    /// Its language, if it is a variant for one.
    pub locale: Option<LanguageTag>,
}

impl Build {
    /// Returns the files that a build would import as tables of texts. Only the settings are read.
    ///
    /// # Errors
    /// If the settings are wrong.
    pub fn text_tables(self) -> Result<TextTables, BuildError> {
        let context = BuildContext::new(self)?;
        let session = Session::open(&context);
        let Plan { rules, sources, diagnostics, .. } = session.plan();
        BuildError::check([session.diagnostics, diagnostics].concat())?;
        let locales = rules.pack().locales.iter().filter_map(|locale| locale.parse().ok()).collect();
        // Rules of a folder may be for pictures in it, too.
        let is_table =
            |planned: &PlannedSource| planned.settings.text.strings && planned.importer.description.name == "text";
        let tables = sources.into_iter().filter(is_table);
        let files = tables.map(|planned| {
            let name = rules.variant_name(&planned.source.path);
            let (base, locale) = name.map_or((None, None), |name| (Some(name.base), name.locale));
            TextTable { file: planned.source.file, source: planned.source.path, base, locale }
        });
        Ok(TextTables { locales, files: files.collect() })
    }
}
