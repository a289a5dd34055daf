//! `cargo rres srsc raw`: writes the bytes of records, also of those that become no asset.

use std::collections::HashSet;
use std::path::PathBuf;

use rres_import_srsc::json::id;
use rres_packs::atomic_write;
use rres_packs::extract::{portable_path, refuse_to_replace};

use super::opened::{SourceArgs, records, type_name};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Write the bytes of records as they are in the archives
///
/// Each record becomes ARCHIVE/TYPE-ID.bin. `cargo rres extract` writes what builds make of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc raw Common.mod model-bsp -o bsp
  cargo rres srsc raw Dragon.rrc hidden-text:1 -o text")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Write only these: types such as texture or 0x0040, or records such as texture:7
    #[arg(value_name = "RECORD")]
    records: Vec<String>,
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selectors = Selector::parse_all(&args.records)?;
    let opened = args.source.open()?;
    let chosen = Selector::choose(&selectors, records(&opened.databases))?;
    let mut taken: HashSet<String> = HashSet::new();
    let mut files = Vec::with_capacity(chosen.len());
    for (at, view) in &chosen {
        let archive = view.file().replace(['/', '\\'], "_");
        let stem = portable_path(&format!("{archive}/{}-{}", type_name(view).replace(' ', "-"), id(at.key.id)));
        // Several records may have one type and id.
        let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!(".{number}")));
        let mut names = numbers.map(|number| format!("{stem}{number}.bin"));
        let name = names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default();
        files.push((name, view.body()));
    }
    if !args.force {
        refuse_to_replace(&files.iter().map(|(name, _)| args.out.join(name)).collect::<Vec<_>>())?;
    }
    let write = if args.force { atomic_write::replace } else { atomic_write::create };
    for (name, bytes) in &files {
        let file = args.out.join(name);
        write(&file, bytes).map_err(|error| Failure::Usage(format!("cannot write {}: {error}", file.display())))?;
        out.line(escape_terminal(name))?;
    }
    out.line(format!("{} written", count(files.len(), "file")))?;
    opened.warn(out)?;
    Ok(Outcome::Success)
}
