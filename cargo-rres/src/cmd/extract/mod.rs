//! `cargo rres extract`: writes the resources of a pack as a tree of files.
//!
//! Raw files, texts and sounds in their source form are written byte for byte. Pixels become `.png` files and samples
//! `.wav` files: the same picture or sound, but not the source file. Other resources are reported as skipped.

mod contents;
mod plan;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::atomic_write;
use crate::exit::{Failure, Outcome};
use crate::export::{Contents, ExportError};
use crate::output::{Output, Style, count, escape_terminal};
use crate::pack_args::{Need, PackArgs};
use crate::pack_set::{self, PackSet};
use crate::selection::Selection;
use contents::contents;
use plan::{Extraction, Plan};

/// Write the resources of a pack as files
///
/// Raw files, texts and sounds in their source form are written byte for byte, images as .png and other sounds as .wav.
/// Fonts, models, links and encrypted resources are skipped.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres extract -o tree                 everything that this package has built last
  cargo rres extract game.rres \"ui/*.png\" text -o tree")]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    pack: Option<OsString>,
    /// Write only these: paths, folders, ids, or globs such as "ui/**/*.png"
    #[arg(value_name = "PATH")]
    names: Vec<String>,
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    packs: PackArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &args.names, Need::Bytes, out)?;
    let sets = PackSet::open_all(&paths)?;
    let selection = Selection::parse(&names)?;
    let lists = pack_set::resource_lists(&sets);
    selection.check_used(&lists)?;
    let Plan { files, mut skipped, mut faults } = Plan::new(&sets, lists, &selection, &args.out);
    if !args.force {
        refuse_to_replace(&files)?;
    }
    // Everything is written before the list is printed.
    let (mut written, mut unwritten) = (Vec::new(), Vec::new());
    for extraction in &files {
        let name = extraction.resource.name();
        match contents(extraction) {
            Ok(contents) => match write(extraction, &contents, args.force) {
                Ok(()) => written.push((extraction, contents.conversion)),
                Err(error) => unwritten.push(format!("cannot write {}: {error}", extraction.file.display())),
            },
            Err(ExportError::Unsupported(why)) => skipped.push(format!("{name}: {why}")),
            Err(ExportError::Damaged(why)) => faults.push(format!("{name}: {why}")),
        }
    }
    for (extraction, conversion) in &written {
        print_written(extraction, conversion.as_deref(), out)?;
    }
    for text in &skipped {
        out.warn(&format!("skipped {text}"))?;
    }
    for fault in faults.iter().chain(&unwritten) {
        out.error(fault)?;
    }
    let skipped = count(skipped.len() + faults.len(), "resource");
    out.line(format!("{} written, {skipped} skipped", count(written.len(), "file")))?;
    match unwritten.len() {
        0 => Ok(Outcome::of(faults.is_empty())),
        number => Err(Failure::Usage(format!("{} could not be written", count(number, "file")))),
    }
}

fn write(extraction: &Extraction<'_>, contents: &Contents<'_>, force: bool) -> io::Result<()> {
    let write = if force { atomic_write::replace } else { atomic_write::create };
    write(&extraction.file, &contents.bytes)
}

fn print_written(extraction: &Extraction<'_>, conversion: Option<&str>, out: &mut Output) -> Result<(), Failure> {
    let Extraction { file, renamed, .. } = extraction;
    let renamed =
        renamed.as_ref().map(|name| format!("renamed: no file on Windows can be called {}", escape_terminal(name)));
    let notes: Vec<String> = conversion.map(str::to_owned).into_iter().chain(renamed).collect();
    let file = escape_terminal(&file.display().to_string());
    let notes =
        if notes.is_empty() { String::new() } else { out.style(Style::Dim, &format!("  ({})", notes.join("; "))) };
    out.line(file + &notes)?;
    Ok(())
}

/// Fails before anything is written if a file would be replaced: a mixture of two trees is of no use to anyone.
fn refuse_to_replace(files: &[Extraction<'_>]) -> Result<(), Failure> {
    let existing: Vec<_> = files.iter().filter(|extraction| extraction.file.symlink_metadata().is_ok()).collect();
    let Some(first) = existing.first() else { return Ok(()) };
    let more = match existing.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", count(more, "other file")),
    };
    Err(Failure::Usage(format!(
        "{}{more} would be replaced; choose another directory, or pass --force",
        first.file.display()
    )))
}
