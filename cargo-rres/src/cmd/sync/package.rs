//! The package whose lock file is updated: its directory, and the directories that Cargo builds it in.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::exit::Failure;

/// Returns the directory of a manifest, or of the nearest manifest in the current directory or above it.
pub(super) fn root(manifest: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(manifest) = manifest {
        let dir = manifest.parent().filter(|_| manifest.is_file());
        let dir = dir.ok_or_else(|| Failure::Usage(format!("no such manifest: {}", manifest.display())))?;
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        return std::path::absolute(dir).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", dir.display())));
    }
    let current = env::current_dir().map_err(|e| Failure::Usage(format!("cannot find the current directory: {e}")))?;
    let root = current.ancestors().find(|dir| dir.join("Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        let current = current.display();
        Failure::Usage(format!("no Cargo.toml in {current} or above it; change to a package, or pass --manifest-path"))
    })
}

/// Returns the directories that Cargo builds the package in `root` in.
pub(super) fn build_directories(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version=1"]).current_dir(root);
    let output = command.output().map_err(|e| Failure::Usage(format!("cannot run `cargo metadata`: {e}")))?;
    let metadata: Value = match serde_json::from_slice(&output.stdout) {
        Ok(metadata) if output.status.success() => metadata,
        _ => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::Usage(format!("`cargo metadata` failed: {}", stderr.trim())));
        }
    };
    // With the setting `build.build-dir`, the output of build scripts is outside the target directory.
    let mut directories: Vec<PathBuf> = ["build_directory", "target_directory"]
        .iter()
        .filter_map(|key| Some(PathBuf::from(metadata[*key].as_str()?)))
        .collect();
    directories.dedup();
    Ok(directories)
}
