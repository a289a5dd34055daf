//! A pack → a tree of files that a build makes the same assets of.
//!
//! Raw files, texts and sounds in their source form are written byte for byte. What the pack contains in another form becomes a
//! file of a common format ([`rres_export`]): the same picture, sound or model, but not the source file. `plan` decides which
//! files there will be before `write` makes any of them.

mod contents;
mod extracted;
mod fonts;
mod image_links;
mod images;
mod links;
mod models;
mod names;
mod plan;
mod settings;
mod write;

use std::path::PathBuf;
use std::{fs, io};

pub use extracted::Extracted;
pub use names::portable_path;
use plan::Plan;
pub use plan::{Embedded, Extraction, Renamed, Skipped};
use rres_protocol::files::local_path;
pub use settings::replacement_settings;
pub use write::Written;

use crate::atomic_write;
use crate::error::{Error, Result};
use crate::pack_set::PackSet;
use crate::resource_list::ResourceList;
use crate::selection::Selection;
use crate::text::count;

/// What files are written, and the directory for them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The directory to write to; created if it does not exist.
    pub out: PathBuf,
    /// Whether existing files are replaced. Otherwise nothing is written if a file exists.
    pub force: bool,
    /// Whether the smaller mip levels of `.png` files are written, too: `a.mip1.png`.
    pub mips: bool,
    /// Whether the blocks of BC1 to BC7 are decoded to `.png`, instead of written as `.dds`.
    pub decode_blocks: bool,
    /// The directory of the files that links lead to, which are copied. Links are skipped if there is none.
    pub follow_links: Option<PathBuf>,
    /// Whether to write `assets.toml`, with the settings that the files cannot hold.
    pub metadata: bool,
}

/// Writes the chosen resources of pack sets as files. `lists` are the [`resource_lists`](crate::pack_set::resource_lists) of the
/// sets. What could not be written is in the result.
///
/// # Errors
/// [`Error::Unavailable`] if a file would be replaced, or if the pack itself contains `assets.toml`. Then nothing is written.
pub fn extract<'a>(
    sets: &'a [PackSet],
    lists: Vec<ResourceList<'a>>,
    selection: &Selection,
    options: &Options,
) -> Result<Extracted<'a>> {
    let plan = Plan::new(sets, lists, selection, options);
    let mut files: Vec<PathBuf> = plan
        .files
        .iter()
        .flat_map(|extraction| &extraction.files)
        .map(|file| options.out.join(local_path(file)))
        .collect();
    let settings = options.metadata.then(|| settings_file(&plan, options)).transpose()?;
    files.extend(settings.clone());
    if !options.force {
        refuse_to_replace(&files)?;
    }
    let cannot_create = |e: io::Error| Error::Unavailable(format!("cannot create {}: {e}", options.out.display()));
    if !files.is_empty() {
        fs::create_dir_all(&options.out).map_err(cannot_create)?;
    }
    // Everything is written before anything is reported.
    let results = write::write_all(&plan.files, options);
    let mut extracted = Extracted::new(plan, results, options);
    if let Some(file) = settings {
        let write = if options.force { atomic_write::replace } else { atomic_write::create };
        let text = settings::settings(&extracted.extractions);
        extracted.set_settings(&file, write(&file, text.as_bytes()));
    }
    Ok(extracted)
}

/// Returns the path of the file with settings.
fn settings_file(plan: &Plan<'_>, options: &Options) -> Result<PathBuf, Error> {
    let file = options.out.join(settings::FILE);
    let mut files = plan.files.iter().flat_map(|extraction| &extraction.files);
    if files.any(|name| name.eq_ignore_ascii_case(settings::FILE)) {
        return Err(Error::Unavailable(format!(
            "the pack contains a file {}, which --metadata would write; choose what to extract, or leave out --metadata",
            settings::FILE
        )));
    }
    Ok(file)
}

/// Fails before anything is written if a file would be replaced: a mixture of two trees is of no use to anyone.
pub fn refuse_to_replace(files: &[PathBuf]) -> Result<(), Error> {
    let existing: Vec<_> = files.iter().filter(|file| file.symlink_metadata().is_ok()).collect();
    let Some(first) = existing.first() else { return Ok(()) };
    let more = match existing.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", count(more, "other file")),
    };
    Err(Error::Unavailable(format!(
        "{}{more} would be replaced; choose another directory, or pass --force",
        first.display()
    )))
}
