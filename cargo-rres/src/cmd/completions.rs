//! `cargo rres completions`: prints a script that completes the command in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Print a script that completes the command in a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cargo-rres", &mut script);
    out.bytes(&script)?;
    Ok(Outcome::Success)
}
