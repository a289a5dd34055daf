//! `cargo rres man`: writes the manual pages of the command.

use std::path::PathBuf;

use rres_packs::atomic_write;

use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};

/// Write the manual pages of the command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Directory to write to, created if it does not exist, such as ~/.local/share/man/man1
    dir: PathBuf,
}

/// Writes a page for `command`, the whole command line, and each of its subcommands.
pub(crate) fn run(args: &Args, command: clap::Command, out: &mut Output) -> Result<Outcome, Failure> {
    let mut command = command.name("cargo-rres").bin_name("cargo-rres").disable_help_subcommand(true);
    command.build();
    let mut open = vec![(command, "cargo-rres".to_owned())];
    while let Some((command, name)) = open.pop() {
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        open.extend(shown.map(|sub| (sub.clone(), format!("{name}-{}", sub.get_name()))));
        let file = args.dir.join(format!("{name}.1"));
        let mut page = Vec::new();
        // Writing to memory never fails.
        clap_mangen::Man::new(command).title(name).render(&mut page)?;
        atomic_write::replace(&file, &page)
            .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
        out.line(escape_terminal(&file.display().to_string()))?;
    }
    Ok(Outcome::Success)
}
