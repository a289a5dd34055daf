//! What `rustc` says about a target.

use std::env;
use std::process::Command;

use crate::exit::Failure;

/// The option that chooses a target.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TargetArgs {
    /// Target triple whose rules under `[target]` in assets.toml apply [default: that of the last build, else this machine]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

impl TargetArgs {
    /// Returns `build` for the target, if the option chooses one.
    pub(crate) fn configure(&self, build: rres_build::Build) -> Result<rres_build::Build, Failure> {
        match &self.target {
            Some(target) => Ok(build.target_cfg(target_cfg(target)?.lines())),
            None => Ok(build),
        }
    }
}

/// Returns what `rustc --print cfg` prints for a target.
fn target_cfg(target: &str) -> Result<String, Failure> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "cfg", "--target", target]).output();
    let output = output.map_err(|e| Failure::Usage(format!("cannot run `rustc --print cfg`: {e}")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::Usage(format!("rustc does not know the target \"{target}\": {}", stderr.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
