//! `cargo rres exe`: packs in executables.

mod destination;
mod embed;
mod extract;
mod info;
mod remove;

use rres_packs::executable::MARKER;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Put packs into an executable, list them, or take them out again
///
/// The packs are appended to the program, which finds them when it calls `assets::open()`. docs/executables.md tells what other
/// tools do to such a program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres exe embed target/release/game            the packs of the last release build; writes dist/game
  cargo rres exe embed game game.rres dlc.rres -o out/game
  cargo rres exe info dist/game
  cargo rres exe extract dist/game -o packs
  cargo rres exe remove dist/game -o game")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Embed(embed::Args),
    Info(info::Args),
    Extract(extract::Args),
    Remove(remove::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Embed(args) => embed::run(args, out),
        Action::Info(args) => info::run(args, out),
        Action::Extract(args) => extract::run(args, out),
        Action::Remove(args) => remove::run(args, out),
    }
}

/// The option for files that are not packs.
#[derive(Debug, clap::Args)]
struct LegacyArgs {
    /// Read the layout that tutorials teach: a marker, an index of name hashes, and files. MARKER is the text whose ELF hash is
    /// the marker [default: "game data"]
    #[arg(long, value_name = "MARKER", num_args = 0..=1, require_equals = true, default_missing_value = MARKER)]
    legacy: Option<String>,
}
