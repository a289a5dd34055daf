//! `cargo rres extract`: writes the resources of a pack as a tree of files.
//!
//! Raw files, texts and sounds in their source form are written byte for byte. Pixels become `.qoi` files and samples
//! `.wav` files: the same picture or sound, but not the source file. Other resources are reported as skipped.

mod contents;
mod plan;
mod wav;

use std::path::{Path, PathBuf};

use crate::atomic_write;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};
use crate::pack_set::PackSet;
use contents::{Contents, ContentsError};
use plan::{Extraction, Plan};

/// Write the resources of a pack as files
///
/// Raw files, texts and sounds in their source form are written byte for byte, images as .qoi and other sounds as .wav.
/// Fonts, models, links and encrypted resources are skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too
    pack: PathBuf,
    /// Directory to write to; created if it does not exist
    dir: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let set = PackSet::open(&args.pack)?;
    let Plan { files, mut skipped, mut faults } = Plan::new(&set, &args.dir);
    if !args.force {
        refuse_to_replace(&files)?;
    }
    // Everything is written before the list is printed: the reader of the list may stop reading.
    let mut written = Vec::new();
    for extraction in &files {
        let name = extraction.resource.name();
        match Contents::of(extraction) {
            Ok(contents) => {
                write(extraction, &contents, args.force)?;
                written.push((&extraction.file, contents.conversion));
            }
            Err(ContentsError::Unsupported(why)) => skipped.push(format!("{name}: {why}")),
            Err(ContentsError::Damaged(why)) => faults.push(format!("{name}: {why}")),
        }
    }
    for (file, conversion) in &written {
        print_written(file, conversion.as_deref(), out)?;
    }
    for text in &skipped {
        out.warn(&format!("skipped {text}"))?;
    }
    for fault in &faults {
        out.error(fault)?;
    }
    let skipped = count(skipped.len() + faults.len(), "resource");
    out.line(format!("{} written, {skipped} skipped", count(written.len(), "file")))?;
    Ok(Outcome::of(faults.is_empty()))
}

fn write(extraction: &Extraction<'_>, contents: &Contents<'_>, force: bool) -> Result<(), Failure> {
    let write = if force { atomic_write::replace } else { atomic_write::create };
    write(&extraction.file, &contents.bytes)
        .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", extraction.file.display())))
}

fn print_written(file: &Path, conversion: Option<&str>, out: &mut Output) -> Result<(), Failure> {
    let file = escape_terminal(&file.display().to_string());
    let conversion = conversion.map(|conversion| out.style(Style::Dim, &format!("  ({conversion})")));
    out.line(file + &conversion.unwrap_or_default())?;
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
