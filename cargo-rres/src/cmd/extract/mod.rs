//! `cargo rres extract`: writes the resources of a pack as a tree of files.
//!
//! Raw files, texts and sounds in their source form are written byte for byte. What the pack contains in another form
//! becomes a file of a common format (`crate::export`): the same picture, sound or model, but not the source file.
//! `plan` decides which files there will be before `write` makes any of them.

mod contents;
mod fonts;
mod image_links;
mod images;
mod links;
mod listing;
mod models;
mod names;
mod plan;
mod settings;
mod write;

use std::ffi::OsString;
use std::path::PathBuf;

use listing::Listing;
use rres_packs::Selection;
use rres_packs::atomic_write;
use rres_packs::pack_set;

use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};
use crate::pack_args::{Need, PackArgs};
pub(crate) use names::portable_path;
use plan::Plan;

const EXAMPLES: &str = "\
Examples:
  cargo rres extract -o tree                      all that this package has built last
  cargo rres extract game.rres -o tree            all of a pack
  cargo rres extract game.rres \"ui/**/*.png\" music -o parts
  cargo rres extract game.rres -o tree --metadata && cargo rres build tree -o again.rres";

/// Write the resources of a pack as files
///
/// Raw files, texts and sounds in their source form are written byte for byte. Images become .png, or .hdr, .dds, .ktx2 or .ktx if
/// .png cannot hold their pixels; sprites .png, cut out of their atlas; other sounds .wav; models .glb or .gltf; fonts a .png and a .json for each size. The
/// extension is appended to the name, unless the name has it: cat.jpg becomes cat.jpg.png. Links and encrypted resources
/// are skipped.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
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
    /// Write the smaller mip levels of .png files, too: a.mip1.png, a.mip2.png, ...
    #[arg(long)]
    mips: bool,
    /// Decode the blocks of BC1 to BC7 to .png, instead of writing .dds
    #[arg(long)]
    decode_blocks: bool,
    /// Copy the files that links lead to from this directory; the links must not lead out of it
    #[arg(long, value_name = "DIR")]
    follow_links: Option<PathBuf>,
    /// Write assets.toml, with the settings that the files cannot hold: filters, gains, ids, groups
    #[arg(long)]
    metadata: bool,
    #[command(flatten)]
    packs: PackArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &args.names, Need::Bytes, out)?;
    let sets = args.packs.opener()?.read_sets(&paths)?;
    let selection = Selection::parse(&names)?;
    let lists = pack_set::resource_lists(&sets);
    selection.check_used(&lists)?;
    let plan = Plan::new(&sets, lists, &selection, args);
    let mut files: Vec<PathBuf> =
        plan.files.iter().flat_map(|extraction| &extraction.files).map(|file| args.out.join(file)).collect();
    let settings = args.metadata.then(|| settings_file(&plan, args)).transpose()?;
    files.extend(settings.clone());
    if !args.force {
        refuse_to_replace(&files)?;
    }
    // Everything is written before the list is printed.
    let results = write::write_all(&plan.files, args);
    let mut listing = Listing::new(plan, results, args);
    if let Some(file) = settings {
        let write = if args.force { atomic_write::replace } else { atomic_write::create };
        let text = settings::settings(&listing.extractions);
        listing.settings(&file, write(&file, text.as_bytes()));
    }
    if args.json {
        listing.print_json(out)?
    } else {
        listing.print(out)?
    }
    match listing.unwritten.len() {
        0 => Ok(Outcome::of(listing.faults().next().is_none())),
        number => Err(Failure::Usage(format!("{} could not be written", count(number, "file")))),
    }
}

/// Returns the path of the file with settings.
fn settings_file(plan: &Plan<'_>, args: &Args) -> Result<PathBuf, Failure> {
    let file = args.out.join(settings::FILE);
    let mut files = plan.files.iter().flat_map(|extraction| &extraction.files);
    if files.any(|name| name.eq_ignore_ascii_case(settings::FILE)) {
        return Err(Failure::Usage(format!(
            "the pack contains a file {}, which --metadata would write; choose what to extract, or leave out --metadata",
            settings::FILE
        )));
    }
    Ok(file)
}

/// Fails before anything is written if a file would be replaced: a mixture of two trees is of no use to anyone.
pub(crate) fn refuse_to_replace(files: &[PathBuf]) -> Result<(), Failure> {
    let existing: Vec<_> = files.iter().filter(|file| file.symlink_metadata().is_ok()).collect();
    let Some(first) = existing.first() else { return Ok(()) };
    let more = match existing.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", count(more, "other file")),
    };
    Err(Failure::Usage(format!(
        "{}{more} would be replaced; choose another directory, or pass --force",
        first.display()
    )))
}
