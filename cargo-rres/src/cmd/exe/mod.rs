//! `cargo rres exe`: packs in executables.

mod destination;
mod embed;

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
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Embed(args) => embed::run(args, out),
    }
}
