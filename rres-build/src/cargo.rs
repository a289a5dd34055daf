//! Talking with Cargo: the only place that prints build-script directives or reads Cargo's variables.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::{Errors, Problem};

/// What Cargo tells a build script.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) manifest_dir: Option<PathBuf>,
    /// Whether the game is compiled with debug assertions.
    pub(crate) debug: bool,
    /// How many jobs may run at once.
    pub(crate) jobs: Option<usize>,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // Cargo tells debug assertions from 1.93 on; before that the profile's name has to do.
        let profile = env::var("PROFILE").map_or(cfg!(debug_assertions), |profile| profile == "debug");
        Self {
            out_dir: path("OUT_DIR"),
            manifest_dir: path("CARGO_MANIFEST_DIR"),
            debug: env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() || profile,
            jobs: env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()),
        }
    }
}

/// Asks Cargo to run the build script again when one of these files or anything in these directories changes, or the
/// build script or our variables do. A file that is not there is left out: for Cargo it would always have changed.
pub(crate) fn watch<'p>(paths: impl IntoIterator<Item = &'p Path>) {
    for path in paths.into_iter().filter(|path| path.exists()) {
        print("rerun-if-changed", &path.display().to_string());
    }
    print("rerun-if-changed", "build.rs");
    print("rerun-if-env-changed", "RRES_CACHE_DIR");
}

/// Asks Cargo to run the build script again once `file` changes or is gone.
pub(crate) fn watch_file(file: &Path) {
    print("rerun-if-changed", &file.display().to_string());
}

/// Reports every problem, one line per message, since Cargo carries no line breaks.
pub(crate) fn report(errors: &Errors, manifest_dir: Option<&Path>) {
    for problem in errors.problems() {
        print("error", &format!("{}: {}", relative(problem, manifest_dir), problem.message()));
        if let Some(help) = problem.help_text() {
            print("error", &format!("  help: {help}"));
        }
    }
}

/// A warning that Cargo shows, and repeats on every build until the build script runs without it.
pub(crate) fn warn(message: &str) {
    print("warning", message);
}

/// The place of a problem relative to the package, as editors link it.
fn relative<'p>(problem: &'p Problem, manifest_dir: Option<&Path>) -> &'p str {
    let prefix = manifest_dir.and_then(Path::to_str).unwrap_or_default();
    let place = problem.place();
    place.strip_prefix(prefix).map_or(place, |rest| rest.trim_start_matches(['/', '\\']))
}

#[allow(clippy::print_stdout, reason = "directives go to standard output")]
fn print(key: &str, value: &str) {
    for line in value.lines() {
        println!("cargo::{key}={line}");
    }
}
