//! `cargo rres completions`: prints a script that completes the command in a shell.

use clap_complete::Shell;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Print a script that completes the command in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres completions bash > ~/.local/share/bash-completion/completions/cargo-rres
  cargo rres completions fish > ~/.config/fish/completions/cargo-rres.fish")]
pub(crate) struct Args {
    /// Shell to complete in
    shell: Shell,
}

/// Prints the script for `command`, the whole command line.
pub(crate) fn run(args: &Args, mut command: clap::Command, out: &mut Output) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "cargo-rres", &mut script);
    out.bytes(&script)?;
    Ok(Outcome::Success)
}
