//! `cargo rres srsc`: what SRSC archives and databases have besides assets: groups, records, classes. `ls`, `extract` and other commands read the
//! assets, by way of the importer of builds.
//!
//! `rres-import-srsc` reads the files. Each subcommand is a file here; they share the opened database (`opened`), the choice of
//! records (`selector`).

mod opened;
mod raw;
mod schema;
mod selector;
mod tree;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Show the records of SRSC archives and databases, the resources of the Riot engine
///
/// `cargo rres ls`, `info`, `cat`, `extract` and `verify` read the assets in such files, and builds import them.
///
/// A database is a .db file and the archives of the same name beside it: .mod, .adb, .ssd, .odb, .sdb and .txd. Files such as .rrc and .lvl are
/// archives by themselves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc tree Common.db                   groups, as in the editor
  cargo rres srsc raw Common.mod model-bsp -o bsp  the bytes of records
  cargo rres srsc schema Common.odb                Rust types of classes
  cargo rres extract Common.db -o tree             pictures, sounds, models, classes")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Tree(tree::Args),
    Raw(raw::Args),
    Schema(schema::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Command::Tree(args) => tree::run(args, out),
        Command::Raw(args) => raw::run(args, out),
        Command::Schema(args) => schema::run(args, out),
    }
}
