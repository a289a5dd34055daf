//! `cargo rres exe embed`: appends packs to an executable.

use std::path::PathBuf;

use rres_packs::executable::{self, EmbedOptions};
use rres_settings::ByteSize;

use super::destination::Destination;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};
use crate::pack_args::{Need, PackArgs};

/// Append packs to an executable
///
/// Writes a copy of the executable with the packs in it. Packs that it had before are replaced. `assets::open()` of the program
/// finds the packs by their file names, so the names have to be those that the build gave them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The executable
    exe: PathBuf,
    /// Packs, each with the additional packs of its set [default: what this package has built last]
    #[arg(value_name = "PACK")]
    pack: Vec<PathBuf>,
    #[command(flatten)]
    destination: Destination,
    /// Remove the signature of a program for Windows, which is refused otherwise; sign again after embedding
    #[arg(long)]
    strip_signature: bool,
    /// Embed even where the result may not work: into a program for macOS, or below what another tool has appended
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    packs: PackArgs,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let new = args.destination.of(&args.exe)?;
    let first_packs = match args.pack.as_slice() {
        [] => args.packs.choose(None, &[], Need::Bytes, out)?.0,
        packs => packs.to_vec(),
    };
    let mut packs = Vec::new();
    for first in &first_packs {
        packs.extend(executable::packs_of_set(first)?);
    }
    let options = EmbedOptions { strip_signature: args.strip_signature, force: args.force };
    let embedded = executable::embed(&args.exe, &packs, &new, options)?;
    for warning in &embedded.warnings {
        out.warn(warning)?;
    }
    let attachment = &embedded.attachment;
    let replaced = if embedded.replaced { ", in place of the packs that it had" } else { "" };
    out.line(format!("{}: {}{replaced}", new.display(), ByteSize(attachment.end)))?;
    out.line(format!("  program  {}", ByteSize(attachment.host_len)))?;
    for pack in &attachment.packs {
        out.line(format!("  {}  {}", escape_terminal(&pack.name), ByteSize(pack.len)))?;
    }
    Ok(Outcome::Success)
}
