//! The packs of an assets directory as a release build would write them now, in a temporary directory.
//!
//! Packs contain no times and no hashes of their sources, so this is how one is compared with the sources: the same engine makes
//! it again, mostly from the import cache. The build script does it if there is one, because only it knows the rules in `build.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use rres_format::seal::Keys;
use rres_protocol::files::STRIP_VARIABLE;
use tempfile::TempDir;

use crate::built_packs;
use crate::exit::Failure;
use crate::key;
use crate::serving_script::ServingScript;

/// Packs in a temporary directory, which is removed with this value.
#[derive(Debug)]
pub(crate) struct FreshPacks {
    /// The first packs of their sets.
    pub(crate) packs: Vec<PathBuf>,
    /// The directories and files that the build script asks Cargo to watch, the assets directories among them.
    watched: Vec<PathBuf>,
    _dir: TempDir,
}

impl FreshPacks {
    /// Runs a build script. Its packs go to the disk of the build, because they may be large.
    ///
    /// # Errors
    /// [`Failure::Fault`] if the script fails, with what it reports.
    pub(crate) fn by_script(script: &ServingScript) -> Result<Self, Failure> {
        Self::run(script, None)
    }

    /// Runs a build script that leaves out the assets whose ids are in a list.
    ///
    /// # Errors
    /// As [`Self::by_script`].
    pub(crate) fn by_script_without(script: &ServingScript, list: &Path) -> Result<Self, Failure> {
        Self::run(script, Some(list))
    }

    fn run(script: &ServingScript, left_out: Option<&Path>) -> Result<Self, Failure> {
        let out_dir = script.out_dir();
        let parent = out_dir.parent().unwrap_or(&out_dir);
        let dir = temporary_directory(tempfile::Builder::new().prefix("rres-check").tempdir_in(parent))?;
        let mut command = script.release_command(dir.path());
        match left_out {
            Some(list) => command.env(STRIP_VARIABLE, list),
            None => command.env_remove(STRIP_VARIABLE),
        };
        let output = command.output();
        let output = output
            .map_err(|e| Failure::Fault(format!("cannot run the build script {}: {e}", script.file.display())))?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        let directives = |key: &str| -> Vec<&str> {
            let prefixes = [format!("cargo::{key}="), format!("cargo:{key}=")];
            let of = |line| prefixes.iter().find_map(|prefix| str::strip_prefix(line, prefix.as_str()));
            stdout.lines().filter_map(of).collect()
        };
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let text = [directives("error").join("\n").as_str(), stderr.trim()].join("\n");
            return Err(Failure::Fault(format!("the assets do not build:\n{}", text.trim())));
        }
        let watched = directives("rerun-if-changed").into_iter().map(PathBuf::from).collect();
        Ok(Self { packs: packs_in(dir.path()), watched, _dir: dir })
    }

    /// Builds the directory `assets` by the rules in its `assets.toml` alone.
    ///
    /// # Errors
    /// [`Failure::Fault`] if the build fails.
    pub(crate) fn by_settings(assets: &Path, keys: Option<&Keys>) -> Result<Self, Failure> {
        let dir = temporary_directory(tempfile::tempdir())?;
        let assets = std::path::absolute(assets);
        let assets = assets.map_err(|e| Failure::Usage(format!("cannot find the assets directory: {e}")))?;
        let build = key::for_build(rres_build::import(&assets), keys).out_dir(dir.path()).debug(false);
        build.build().map_err(|error| Failure::Fault(format!("the assets do not build:\n{error}")))?;
        Ok(Self { packs: packs_in(dir.path()), watched: vec![assets], _dir: dir })
    }

    /// Whether the packs were made from the files in `assets`.
    pub(crate) fn are_of(&self, assets: &Path) -> bool {
        let Ok(assets) = fs::canonicalize(assets) else { return false };
        self.watched.iter().any(|watched| fs::canonicalize(watched).is_ok_and(|watched| watched == assets))
    }

    /// Returns the file at an asset path in the assets directories, if it exists.
    pub(crate) fn source(&self, path: &str) -> Option<PathBuf> {
        self.watched.iter().map(|dir| dir.join(path)).find(|file| file.is_file())
    }

    /// Returns the pack with the file name of `pack`, or the only one.
    pub(crate) fn like(&self, pack: &Path) -> Option<&Path> {
        let same = self.packs.iter().find(|fresh| fresh.file_name() == pack.file_name());
        let only = self.packs.first().filter(|_| self.packs.len() == 1);
        same.or(only).map(PathBuf::as_path)
    }
}

fn temporary_directory(created: std::io::Result<TempDir>) -> Result<TempDir, Failure> {
    created.map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))
}

fn packs_in(dir: &Path) -> Vec<PathBuf> {
    built_packs::files_in(dir).into_iter().filter(|file| !file.is_dev_index).map(|file| file.path).collect()
}
