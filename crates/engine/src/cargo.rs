//! Communication with Cargo: only this module prints build-script directives or reads Cargo's variables.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rres_protocol::{MODULE_VARIABLE_PREFIX, serve};

use crate::diagnostic::{BuildError, SUGGESTION, escape_controls};

/// The variable with the path of the command that does the work of a build script without `engine`.
pub(crate) const TOOL: &str = "RRES_TOOL";

/// The modification time of watched files that a build script creates, in September 2001: earlier than the start of any
/// build script, so that Cargo does not consider a new one changed.
pub(crate) const LONG_AGO: Duration = Duration::from_secs(1_000_000_000);

/// The environment variables that Cargo sets for a build script.
#[derive(Clone, Debug)]
pub(crate) struct CargoEnv {
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) manifest_dir: Option<PathBuf>,
    pub(crate) package_name: Option<String>,
    /// Whether the game is compiled with debug assertions.
    pub(crate) is_debug: bool,
    /// Whether the game is compiled with the profile `release` or one that inherits from it.
    pub(crate) is_release_profile: bool,
    /// What the game is compiled for; `None` outside of a build script.
    pub(crate) target: Option<Target>,
    /// The same as `rustc --print cfg` prints it; empty outside of a build script.
    pub(crate) target_cfg: Vec<String>,
    /// The number of jobs that may run at once.
    pub(crate) jobs: Option<usize>,
    /// The name of the pack to serve, if a running game started the script.
    pub(crate) serve: Option<String>,
    /// `links` in the manifest of the package.
    pub(crate) links: Option<String>,
    /// The records of the libraries with assets that the package depends on, which their build scripts have published.
    pub(crate) libraries: Vec<PathBuf>,
}

/// The system that a game is compiled for, in the words of `cfg(target_…)`.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) arch: String,
    pub(crate) os: String,
    pub(crate) vendor: String,
    pub(crate) env: String,
    pub(crate) endian: String,
}

impl CargoEnv {
    pub(crate) fn read() -> Self {
        let text = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let profile = text("PROFILE");
        // Cargo sets the variable for debug assertions since version 1.93; for older versions, use the name of the
        // profile.
        let is_debug_profile = profile.as_ref().map_or(cfg!(debug_assertions), |profile| profile == "debug");
        Self {
            out_dir: path("OUT_DIR"),
            manifest_dir: path("CARGO_MANIFEST_DIR"),
            package_name: text("CARGO_PKG_NAME"),
            is_debug: env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() || is_debug_profile,
            is_release_profile: profile.is_some_and(|profile| profile == "release"),
            target: text("CARGO_CFG_TARGET_ARCH").map(|arch| Target {
                arch,
                os: text("CARGO_CFG_TARGET_OS").unwrap_or_default(),
                vendor: text("CARGO_CFG_TARGET_VENDOR").unwrap_or_default(),
                env: text("CARGO_CFG_TARGET_ENV").unwrap_or_default(),
                endian: text("CARGO_CFG_TARGET_ENDIAN").unwrap_or_default(),
            }),
            target_cfg: target_cfg(),
            jobs: text("NUM_JOBS").and_then(|jobs| jobs.parse().ok()),
            serve: text(serve::VARIABLE),
            links: text("CARGO_MANIFEST_LINKS"),
            libraries: published_records(),
        }
    }
}

/// The key under which the build script of a library publishes the record of its assets. Cargo passes it to the scripts of the packages
/// that depend on the library.
const RECORD_KEY: &str = "rres_assets";

/// The records that the scripts of dependencies have published, in the order of their `links`.
fn published_records() -> Vec<PathBuf> {
    let end = format!("_{}", RECORD_KEY.to_ascii_uppercase());
    let is_record = |name: &str| name.starts_with("DEP_") && name.ends_with(&end);
    let mut records: Vec<_> = env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_record)).collect();
    records.sort();
    records.into_iter().map(|(_, file)| PathBuf::from(file)).collect()
}

/// Publishes the record of a library's assets.
pub(crate) fn publish_record(file: &Path) {
    print("metadata", &format!("{RECORD_KEY}={}", file.display()));
}

/// The names and values of `cfg` that describe the target.
fn target_cfg() -> Vec<String> {
    let mut cfg = Vec::new();
    for (name, values) in env::vars_os() {
        let (Some(name), Some(values)) = (name.to_str(), values.to_str()) else { continue };
        let Some(name) = name.strip_prefix("CARGO_CFG_") else { continue };
        if matches!(name, "UNIX" | "WINDOWS") {
            cfg.push(name.to_ascii_lowercase());
        } else if name.starts_with("TARGET_") && name != "TARGET_FEATURE" {
            cfg.extend(values.split(',').map(|value| format!("{}=\"{value}\"", name.to_ascii_lowercase())));
        }
    }
    cfg.sort();
    cfg
}

/// The variables that Cargo sets for a build script, and that this crate or a game's build script may read. Others are
/// left out: some contain secrets, and the process that starts the script again has its own.
pub(crate) fn script_variables() -> Vec<(String, String)> {
    const NAMES: &[&str] = &[
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
    let is_listed = |name: &str| NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let mut variables: Vec<(String, String)> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_listed(name))
        .collect();
    // Listed even if it is not set: the process that starts the script may have set it to something else.
    variables.push(("RRES_CACHE_DIR".to_owned(), env::var("RRES_CACHE_DIR").unwrap_or_default()));
    variables.sort();
    variables
}

/// Asks Cargo to run the build script again when one of these files, anything in these directories, or a variable about
/// imports changes. Cargo watches the build script itself. A missing file is left out, because Cargo would always consider it
/// changed.
pub(crate) fn watch<'p>(paths: impl IntoIterator<Item = &'p Path>) {
    for path in paths.into_iter().filter(|path| path.exists()) {
        watch_file(path);
    }
    for variable in ["RRES_CACHE_DIR", "RRES_CACHE_SIZE", "RRES_IMPORT_SECONDS"] {
        print("rerun-if-env-changed", variable);
    }
}

/// Asks Cargo to run the build script again when a variable is set that is not set now.
pub(crate) fn watch_variable(variable: &str) {
    print("rerun-if-env-changed", variable);
}

/// Asks Cargo to run the build script again when `file` changes or does not exist.
pub(crate) fn watch_file(file: &Path) {
    print("rerun-if-changed", &file.display().to_string());
}

/// Asks Cargo to run the build script again when `marker` is removed, and creates it. `cargo rres ship` removes it if a pack is
/// out of date although Cargo, which compares times, considers it current.
pub(crate) fn watch_marker(marker: &Path) {
    let created = File::create(marker).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH + LONG_AGO));
    // Without the marker, Cargo would run the script in each build.
    if created.is_ok() {
        watch_file(marker);
    }
}

/// Asks Cargo to run the build script again when it would use another command, or another version of it.
#[cfg(feature = "tool")]
pub(crate) fn watch_tool(tool: Option<&Path>) {
    print("rerun-if-env-changed", TOOL);
    tool.into_iter().for_each(watch_file);
}

/// Tells `include_assets!` the file of the module `name`.
pub(crate) fn set_module(name: &str, file: &Path) {
    print("rustc-env", &format!("{MODULE_VARIABLE_PREFIX}{name}={}", file.display()));
}

/// Passes an argument to the linker of the programs of this package.
pub(crate) fn link(argument: &str) {
    print("rustc-link-arg", argument);
}

/// Links a static library as a whole into every program that uses this package's library. `name` is the file's, without `lib` and
/// extension.
pub(crate) fn link_library(dir: &Path, name: &str) {
    print("rustc-link-search", &format!("native={}", dir.display()));
    // Not copied into the crate: rustc would read the packs.
    print("rustc-link-lib", &format!("static:+whole-archive,-bundle={name}"));
}

/// Reports every fault, one line per message, because Cargo does not support line breaks. Paths of files in the package
/// are relative to it, so that editors can link them.
pub(crate) fn report(error: &BuildError, manifest_dir: Option<&Path>) {
    for diagnostic in error.diagnostics() {
        let place = diagnostic.place_in(manifest_dir.unwrap_or(Path::new("")));
        print("error", &format!("{place}: {}", diagnostic.message()));
        if let Some(help) = diagnostic.help() {
            print("error", &format!("  help: {help}"));
        }
    }
    if let Some(rules) = error.suggested_rules() {
        print_suggestion(rules);
    }
}

/// Rules that settle faults, on standard error: if a script fails, Cargo shows its standard error, without its own words before each
/// line, so that the rules can be copied.
#[allow(clippy::print_stderr, reason = "Cargo shows it")]
fn print_suggestion(rules: &str) {
    eprintln!("\n{SUGGESTION}\n\n{rules}");
}

/// Says on standard error what a build script is waiting for. A running game shows it, as does `cargo build -vv`; Cargo by itself
/// shows it only if the script fails.
#[allow(clippy::print_stderr, reason = "a game inherits it, and Cargo shows it")]
pub(crate) fn still_importing(file: &Path, elapsed: Duration) {
    eprintln!("rres: still importing {} after {} s", escape_controls(&file.display().to_string()), elapsed.as_secs());
}

/// Prints a warning that Cargo shows and repeats in every build, until the build script runs without it.
pub(crate) fn warn(message: &str) {
    print("warning", message);
}

fn print(key: &str, value: &str) {
    for line in value.lines() {
        // Nobody reads the directives if it fails: a game that had started the script to be served has ended.
        let _ = writeln!(io::stdout(), "cargo::{key}={line}");
    }
}
