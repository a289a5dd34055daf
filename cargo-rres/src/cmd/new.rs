//! `cargo rres new`: a package by `cargo new`, with a first asset and a program that shows it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::init::{self, Choices};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};

/// Create a package with a first asset
///
/// Runs `cargo new`, which creates the package and its repository, and then does what `cargo rres init` does, and
/// writes an asset and a program that prints it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres new my-game && cd my-game && cargo run
  cargo rres new my-assets --lib             a library that exports the assets to several programs")]
pub(crate) struct Args {
    /// Directory of the package, which is created; its name is the name of the package
    path: PathBuf,
    /// Create a library that exports the assets
    #[arg(long)]
    lib: bool,
    /// Name of the package [default: the directory's]
    #[arg(long)]
    name: Option<String>,
    /// Version control of the new package, as of `cargo new`: git, hg, pijul, fossil or none
    #[arg(long, value_name = "VCS")]
    vcs: Option<String>,
    #[command(flatten)]
    choices: Choices,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    // Cargo would say the same, and advise `cargo init`.
    if args.path.exists() {
        let text = "exists; choose another directory, or run `cargo rres init` in it if it is a package";
        return Err(Failure::Usage(format!("{} {text}", args.path.display())));
    }
    // Before anything is created.
    args.choices.checkout()?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["new", "--quiet"]).args(args.lib.then_some("--lib"));
    for (option, value) in [("--name", &args.name), ("--vcs", &args.vcs)] {
        command.args(value.iter().flat_map(|value| [option, value]));
    }
    let output = command.arg("--").arg(&args.path).output();
    let output = output.map_err(|e| Failure::Usage(format!("cannot run `cargo new`: {e}")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let said = said.trim().trim_start_matches("error: ");
        return Err(Failure::Usage(format!("`cargo new` failed: {said}")));
    }
    if !said.trim().is_empty() {
        out.warn(said.trim().trim_start_matches("warning: "))?;
    }
    let shown = escape_terminal(&args.path.display().to_string());
    out.line(format!("created  {shown}"))?;
    init::init_new(&args.path, &args.choices, out)?;
    let run = if args.lib { "cargo test" } else { "cargo run" };
    out.line(format!("\nTo see it: cd {shown} && {run}"))?;
    Ok(Outcome::Success)
}
