//! `OUT_DIR/NAME.serve`: how the running game starts this build script again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rres_format::serve::Record;

use crate::cache::write_if_changed;
use crate::error::Problem;

/// What Cargo tells a build script, and we read. The user's own variables are left out: some hold secrets, and whoever
/// starts the script has variables too.
const VARIABLES: &[&str] = &[
    "CARGO",
    "CARGO_ENCODED_RUSTFLAGS",
    "DEBUG",
    "HOST",
    "NUM_JOBS",
    "OPT_LEVEL",
    "OUT_DIR",
    "PROFILE",
    "RUSTC",
    "RUSTC_LINKER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "TARGET",
];
const PREFIXES: &[&str] = &["CARGO_CFG_", "CARGO_FEATURE_", "CARGO_MANIFEST_", "CARGO_PKG_", "DEP_"];

/// The record of the pack `name`.
pub(crate) fn file(out_dir: &Path, name: &str) -> PathBuf {
    out_dir.join(Record::file_name(name))
}

/// Writes the record of this script's build of the pack `name`, unless its paths are not UTF-8.
pub(crate) fn write(out_dir: &Path, name: &str, module: &str) -> Result<(), Problem> {
    let (Ok(script), Ok(dir)) = (env::current_exe(), env::current_dir()) else { return Ok(()) };
    let (Some(script), Some(dir)) = (script.to_str(), dir.to_str()) else { return Ok(()) };
    let is_cargos = |name: &str| VARIABLES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let mut variables: Vec<(String, String)> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_cargos(name))
        .collect();
    // Said even where it is not set: whoever starts the script may have set it for something else.
    variables.push(("RRES_CACHE_DIR".to_owned(), env::var("RRES_CACHE_DIR").unwrap_or_default()));
    variables.sort();
    let record = Record { script: script.to_owned(), dir: dir.to_owned(), module: module.to_owned(), variables };
    let file = file(out_dir, name);
    write_if_changed(&file, record.to_string().as_bytes()).map_err(|e| Problem::io("write it", &file, &e))?;
    Ok(())
}

/// Which module the record of the pack `name` is about.
pub(super) fn module(out_dir: &Path, name: &str) -> Option<String> {
    Some(Record::parse(&fs::read_to_string(file(out_dir, name)).ok()?)?.module)
}
