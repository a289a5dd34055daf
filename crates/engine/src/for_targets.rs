//! Builds of the same assets for several targets in one run.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::cache::default_cache_dir;
use crate::context::HIDDEN_CACHE;
use crate::diagnostic::{BuildError, Diagnostic, Place};
use crate::options::Build;

/// One of the builds of [`Build::for_targets`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TargetBuild {
    /// The target, as it was given.
    pub target: String,
    /// The build for it.
    pub build: Build,
}

impl Build {
    /// Returns a build for each of several targets, which are triples as `rustc` knows them, or paths of target specifications. The packs
    /// of each are in a directory of its own below the output directory, which must be set: `packs/aarch64-linux-android/game.rres`.
    ///
    /// The builds share the import cache, so what does not differ is imported once. What differs are rules under `[target]` in
    /// `assets.toml` and files for some targets; see `docs/languages.md`. Needs the feature `engine`.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rres_build::BuildError> {
    /// let build = rres_build::import("assets").out_dir("packs");
    /// for of in build.for_targets(["x86_64-pc-windows-msvc", "aarch64-linux-android"])? {
    ///     println!("{}: {}", of.target, of.build.build()?);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no output directory, a target is listed twice, or `rustc` does not know it.
    pub fn for_targets<T: AsRef<str>>(
        &self,
        targets: impl IntoIterator<Item = T>,
    ) -> Result<Vec<TargetBuild>, BuildError> {
        let fault = |target: &str, message: &str, help: &str| {
            Diagnostic::new(Place::Name(format!("target {target:?}")), message).with_help(help.to_owned())
        };
        let Some(out_dir) = &self.out_dir else {
            let place = Place::Name(".for_targets(…)".to_owned());
            let help = "choose one with .out_dir(…); each target gets a directory in it".to_owned();
            return Err(Diagnostic::new(place, "there is no output directory").with_help(help).into());
        };
        let mut seen = HashSet::new();
        let mut diagnostics = Vec::new();
        let mut builds = Vec::new();
        for target in targets {
            let target = target.as_ref();
            let Some(dir) = target_directory(target) else {
                diagnostics.push(fault(target, "is not the name of a target", "such as x86_64-unknown-linux-gnu"));
                continue;
            };
            if !seen.insert(dir.to_owned()) {
                diagnostics.push(fault(target, "is listed twice", "remove one of them"));
                continue;
            }
            match target_cfg(target) {
                Ok(cfg) => {
                    let mut build = self.clone().out_dir(out_dir.join(dir)).target_cfg(cfg.lines());
                    if self.cache_dir.is_none() && default_cache_dir().is_none() {
                        // Otherwise each target would have a cache of its own.
                        build = build.cache_dir(out_dir.join(HIDDEN_CACHE));
                    }
                    builds.push(TargetBuild { target: target.to_owned(), build });
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        BuildError::check(diagnostics)?;
        Ok(builds)
    }
}

/// Returns the name of the directory for the packs of a target: the triple, or the name of the file with its specification. `None` if
/// that is not a name.
#[doc(hidden)]
pub fn target_directory(target: &str) -> Option<&str> {
    let is_file = Path::new(target).extension().is_some_and(|extension| extension == "json");
    let name = if is_file { Path::new(target).file_stem().and_then(OsStr::to_str)? } else { target };
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_name = !name.starts_with(['.', '-']) && !name.is_empty() && name.chars().all(is_allowed);
    is_name.then_some(name)
}

/// Returns what `rustc --print cfg` prints for a target.
///
/// # Errors
/// If `rustc` cannot be run or does not know the target.
#[doc(hidden)]
pub fn target_cfg(target: &str) -> Result<String, Diagnostic> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let place = || Place::Name(format!("target {target:?}"));
    let output = Command::new(rustc).args(["--print", "cfg", "--target", target]).output();
    let output = output.map_err(|e| Diagnostic::new(place(), format!("cannot run `rustc --print cfg`: {e}")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        // The first line says why; the rest repeats the help.
        let why = stderr.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let message = format!("rustc does not know it: {why}");
        let help = "`rustc --print target-list` lists all".to_owned();
        return Err(Diagnostic::new(place(), message).with_help(help));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_have_the_names_of_targets() {
        for (target, expected) in [
            ("aarch64-linux-android", Some("aarch64-linux-android")),
            ("thumbv8m.main-none-eabi", Some("thumbv8m.main-none-eabi")),
            ("targets/console.json", Some("console")),
            ("", None),
            ("../up", None),
            ("..", None),
            ("-h", None),
            ("a/b", None),
            ("a b", None),
        ] {
            assert_eq!(target_directory(target), expected, "{target}");
        }
    }
}
