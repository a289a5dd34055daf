//! The form of the record of a build: a comment with the version and the package, and the options as TOML.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeTable;

use crate::diagnostic::{BuildError, Diagnostic};
use crate::import::RresImporters;
use crate::options::Build;
use crate::script_options::read_options;
use crate::settings::toml_string;

/// The version of this crate, which wrote the file.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The text of the record of a build of the package in the directory `root`.
pub(crate) fn record_text(root: &str, options: &str) -> String {
    format!("# build = {{ version = {}, root = {} }}\n{options}", toml_string(VERSION), toml_string(root))
}

/// Reads the record `file` of any package: its directory, and the options of the build.
///
/// # Errors
/// If it cannot be read. The options are an error if another version of this crate wrote them.
pub(crate) fn read_record_file(
    file: &Path,
    importers: &Arc<RresImporters>,
) -> Result<(PathBuf, Result<Build, BuildError>), BuildError> {
    let text = fs::read_to_string(file).map_err(|e| Diagnostic::io("read it", file, &e))?;
    let (head, options) = text.split_once('\n').unwrap_or((&text, ""));
    let head = DeTable::parse(head.strip_prefix("# ").unwrap_or_default()).map(|head| {
        let value = |key: &str| Some(head.get_ref().get("build")?.get_ref().get(key)?.get_ref().as_str()?.to_owned());
        Some((value("version")?, value("root")?))
    });
    let Ok(Some((version, package))) = head else {
        let help = "run `cargo build` again".to_owned();
        return Err(Diagnostic::file(file, "is not the record of a build").with_help(help).into());
    };
    let build = if version == VERSION {
        read_options(file, options, importers)
    } else {
        let message = format!("was written by rres-build {version}, and this is version {VERSION}");
        let help = "use one version of rres-build, in libraries too, and the same of cargo-rres".to_owned();
        Err(Diagnostic::file(file, message).with_help(help).into())
    };
    Ok((PathBuf::from(package), build))
}
