//! `cargo rres build-script`: does the work of a build script that is compiled without importers, which starts this command.
//! `rres-build` has both sides.

use std::path::PathBuf;
use std::process::ExitCode;

/// Do the work of a build script that uses rres-build with the feature `tool`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with the options of the build, which is removed
    options: PathBuf,
}

pub(crate) fn run(args: &Args) -> ExitCode {
    rres_engine::host_build_script(&args.options, &rres_build::importers())
}
