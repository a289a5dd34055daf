//! The option that has machines of a farm import for a build.

use rres_engine::Build;

use crate::exit::Failure;

/// The option that chooses a farm.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FarmArgs {
    /// Address of a farm of the Remote Execution API that imports besides this machine: grpc://HOST:PORT/INSTANCE, or grpcs://…
    #[arg(long, value_name = "ADDRESS")]
    remote_execute: Option<String>,
}

impl FarmArgs {
    /// Returns `build` with the farm, if the option chooses one.
    pub(crate) fn configure(&self, build: Build) -> Result<Build, Failure> {
        match &self.remote_execute {
            Some(address) => with_farm(build, address),
            None => Ok(build),
        }
    }
}

#[cfg(feature = "remote-cache-grpc")]
fn with_farm(build: Build, address: &str) -> Result<Build, Failure> {
    let command = std::env::current_exe()
        .map_err(|e| Failure::Usage(format!("cannot find the executable of this command, which the farm runs: {e}")))?;
    let farm = rres_remote_cache::ImportFarm::open(address, command);
    Ok(build.farm(std::sync::Arc::new(farm.map_err(Failure::Usage)?)))
}

#[cfg(not(feature = "remote-cache-grpc"))]
fn with_farm(_: Build, _: &str) -> Result<Build, Failure> {
    let install = "cargo install cargo-rres --features remote-cache-grpc";
    Err(Failure::Usage(format!("this command is compiled without the feature `remote-cache-grpc`: {install}")))
}
