//! The targets that a build is for.

use rres_engine::{Build, target_cfg};

use crate::exit::Failure;

/// The option that chooses a target.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TargetArgs {
    /// Target triple whose rules under `[target]` in assets.toml apply [default: the last build's, else this machine]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

/// The option that chooses one or more targets.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TargetsArgs {
    /// Target triple whose rules under `[target]` in assets.toml apply, and whose files are packed; may be given several times, and
    /// then each target has a folder of its own [default: the last build's, else this machine]
    #[arg(long = "target", value_name = "TRIPLE")]
    targets: Vec<String>,
}

impl TargetArgs {
    /// Returns `build` for the target, if the option chooses one.
    pub(crate) fn configure(&self, build: Build) -> Result<Build, Failure> {
        match &self.target {
            Some(target) => for_target(build, target),
            None => Ok(build),
        }
    }
}

impl TargetsArgs {
    /// Returns `build` for the target, if the option chooses one only.
    pub(crate) fn configure(&self, build: Build) -> Result<Build, Failure> {
        match &self.targets[..] {
            [target] => for_target(build, target),
            _ => Ok(build),
        }
    }

    /// The targets, if there are several.
    pub(crate) fn several(&self) -> &[String] {
        if self.targets.len() > 1 { &self.targets } else { &[] }
    }
}

fn for_target(build: Build, target: &str) -> Result<Build, Failure> {
    let cfg = target_cfg(target).map_err(|diagnostic| Failure::Usage(diagnostic.to_string()))?;
    Ok(build.target_cfg(cfg.lines()))
}
