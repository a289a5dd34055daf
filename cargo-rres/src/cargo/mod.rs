//! Cargo as this command uses it: the packages of a workspace, the messages of a build, and the directories that it builds into.
//!
//! Only this module and those in it start Cargo and rustc.

pub(crate) mod build_directory;
mod graph;
mod message;
mod package;
mod target_cfg;

pub(crate) use graph::{Crate, Graph};
pub(crate) use message::{BuildMessage, run_build};
pub(crate) use package::{Package, PackageArgs, Target, build_directories, root};
pub(crate) use target_cfg::{TargetArgs, TargetsArgs};

use std::env;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::exit::Failure;

/// Returns Cargo's command, to be run in `dir`.
pub(crate) fn command(dir: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(dir);
    command
}

/// Returns what `cargo metadata` reports about the workspace of the manifest in `root`.
fn metadata(root: &Path, arguments: &[String]) -> Result<Value, Failure> {
    let mut command = command(root);
    command.args(["metadata", "--format-version=1"]).args(arguments);
    let output = command.output().map_err(|e| Failure::Usage(format!("cannot run `cargo metadata`: {e}")))?;
    match serde_json::from_slice(&output.stdout) {
        Ok(metadata) if output.status.success() => Ok(metadata),
        _ => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            Err(Failure::Usage(format!("`cargo metadata` failed: {}", stderr.trim())))
        }
    }
}
