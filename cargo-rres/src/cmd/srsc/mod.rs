//! `cargo rres srsc`: shows, checks and extracts SRSC archives and databases, and turns them into assets directories.
//!
//! `rres-import-srsc` reads the files. Each subcommand is a file or a folder here; they share the opened database (`opened`), the choice of
//! records (`selector`).

mod cat;
mod check;
mod extract;
mod import;
mod info;
mod ls;
mod opened;
mod schema;
mod selector;
mod tree;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Read SRSC archives and databases, the resources of the Riot engine
///
/// A database is a .db file and the archives of the same name beside it: .mod, .adb, .ssd, .odb, .sdb and .txd. Files such as .rrc and .lvl are
/// archives by themselves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc ls Common.db                     the records of all archives
  cargo rres srsc extract Common.db -o tree        pictures, sounds, models, classes
  cargo rres srsc import Common.db -o assets       the same as an assets directory
  cargo rres pack assets -o common.rres")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Ls(ls::Args),
    Tree(tree::Args),
    Info(info::Args),
    Cat(cat::Args),
    Extract(extract::Args),
    Import(import::Args),
    Check(check::Args),
    Schema(schema::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Command::Ls(args) => ls::run(args, out),
        Command::Tree(args) => tree::run(args, out),
        Command::Info(args) => info::run(args, out),
        Command::Cat(args) => cat::run(args, out),
        Command::Extract(args) => extract::run(args, out),
        Command::Import(args) => import::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Schema(args) => schema::run(args, out),
    }
}
