//! `cargo rres exe remove`: writes an executable without the packs that were appended to it.

use std::path::PathBuf;

use rres_packs::executable;

use super::destination::Destination;
use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Remove the packs that were appended to an executable
///
/// The result is the program as it was before, byte for byte.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The executable
    exe: PathBuf,
    #[command(flatten)]
    destination: Destination,
    /// Remove the signature of a program for Windows, too; otherwise a signed program is refused
    #[arg(long)]
    strip_signature: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let new = args.destination.of(&args.exe)?;
    for warning in executable::remove(&args.exe, &new, args.strip_signature)? {
        out.warn(&warning)?;
    }
    out.line(format!("{}: without packs", new.display()))?;
    Ok(Outcome::Success)
}
