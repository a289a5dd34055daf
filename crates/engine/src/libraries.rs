//! The libraries whose assets a build adds to its own: crates with assets that the package depends on.
//!
//! The build script of a library publishes the record of its build (`recorded.rs`) through Cargo. The script of a game reads from it where the
//! assets are and which rules they have, and imports them like its own, as the folder with the name of the library.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cache::Cache;
use crate::diagnostic::{BuildError, Diagnostic, Place};
use crate::import::RresImporters;
use crate::options::Build;
use crate::record_file::read_record_file;
use crate::source_dir::SourceDir;

/// A library with assets.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) dir: Arc<SourceDir>,
    /// The record of its build.
    pub(crate) record: PathBuf,
    /// Its build.
    pub(crate) build: Build,
}

impl Library {
    /// The name of the package, which is the folder of its assets.
    pub(crate) fn name(&self) -> &str {
        &self.dir.folder
    }
}

/// Reads the records, and the records that they name, sorted by the names of the libraries.
pub(crate) fn read_libraries(records: &[PathBuf], importers: &Arc<RresImporters>) -> Result<Vec<Library>, BuildError> {
    let (mut libraries, mut diagnostics) = (BTreeMap::new(), Vec::new());
    let mut open: Vec<PathBuf> = records.iter().rev().cloned().collect();
    while let Some(record) = open.pop() {
        let build = match read_record_file(&record, importers).and_then(|(_, build)| build) {
            Ok(build) => build,
            Err(error) => {
                diagnostics.extend(Vec::from(error));
                continue;
            }
        };
        let Some(name) = build.package.clone().filter(|_| build.is_library) else {
            diagnostics.push(Diagnostic::file(&record, "is not the record of a library with assets"));
            continue;
        };
        // Two libraries may depend on the same one.
        if libraries.contains_key(&name) {
            continue;
        }
        open.extend(build.libraries.iter().flatten().rev().cloned());
        let importers = build.importer_set();
        let cache = build.cache_dir.clone().map(Cache::at);
        let dir = SourceDir {
            dir: build.dir.clone(),
            folder: name.clone(),
            importers,
            may_be_missing: build.allows_missing,
            cache,
        };
        libraries.insert(name, Library { dir: Arc::new(dir), record, build });
    }
    BuildError::check(diagnostics)?;
    Ok(libraries.into_values().collect())
}

/// The folder of the assets of a library's own build.
///
/// # Errors
/// If its record could not be published.
pub(crate) fn own_folder(package: Option<&str>, links: Option<&str>, in_cargo: bool) -> Result<String, Diagnostic> {
    let fail = |message: &str, help: String| {
        Err(Diagnostic::new(Place::Name(".library()".to_owned()), message).with_help(help))
    };
    let Some(package) = package else {
        return fail("a library needs the name of its package", "build it with Cargo".to_owned());
    };
    if in_cargo && links.is_none() {
        let message = "a library with assets needs `links`: by it, Cargo tells games of the library";
        return fail(message, format!("add `links = \"{package}-assets\"` under [package] in its Cargo.toml"));
    }
    Ok(package.to_owned())
}
