//! `cargo rres sources`: files that are kept in a store instead of the repository, by a list that is in the repository.

mod files;
mod pull;
mod push;
mod status;
mod store;

use std::path::{Path, PathBuf};

use rres_engine::SourceList;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Keep large source files in object storage, and a list of them in the repository
///
/// The list, assets.sources, is beside the assets directory. If a listed file is missing, a build says so; it needs no store.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres sources push --store s3://bucket/sources levels textures
                                             sends these folders, and lists their files
  cargo rres sources push                    sends what has changed since
  cargo rres sources pull                    fetches what is missing
  cargo rres sources pull 'levels/3/**'      … of one level
  cargo rres sources status                  what is missing, and what has changed")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Push(push::Args),
    Pull(pull::Args),
    Status(status::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Command::Push(args) => push::run(args, out),
        Command::Pull(args) => pull::run(args, out),
        Command::Status(args) => status::run(args, out),
    }
}

/// The option that chooses the assets directory.
#[derive(Debug, clap::Args)]
struct DirectoryArgs {
    /// Assets directory
    #[arg(short, long, value_name = "DIR", default_value = "assets")]
    assets: PathBuf,
}

impl DirectoryArgs {
    fn dir(&self) -> Result<PathBuf, Failure> {
        match self.assets.is_dir() {
            true => Ok(self.assets.clone()),
            false => {
                Err(Failure::Usage(format!("{}: no such directory; name one with --assets", self.assets.display())))
            }
        }
    }

    /// The list, which must exist.
    fn list(&self) -> Result<SourceList, Failure> {
        read(&self.assets)?.ok_or_else(|| {
            let file = SourceList::path_for(&self.assets);
            let text =
                format!("{} does not exist; `cargo rres sources push --store ADDRESS PATH` begins it", file.display());
            Failure::Usage(text)
        })
    }
}

fn read(assets: &Path) -> Result<Option<SourceList>, Failure> {
    SourceList::read(assets).map_err(|fault| Failure::Fault(fault.to_string()))
}
