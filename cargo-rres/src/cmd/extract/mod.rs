//! `cargo rres extract`: writes the resources of a pack as a tree of files.
//!
//! `rres_packs::extract` writes them; this prints what became of each.

mod listing;

use std::ffi::OsString;
use std::path::PathBuf;

use rres_packs::extract::{Options, extract};
use rres_packs::{Selection, pack_set};

use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};
use crate::pack_args::{Need, PackArgs};

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
    let options = Options {
        out: args.out.clone(),
        force: args.force,
        mips: args.mips,
        decode_blocks: args.decode_blocks,
        follow_links: args.follow_links.clone(),
        metadata: args.metadata,
    };
    let extracted = extract(&sets, lists, &selection, &options)?;
    if args.json {
        listing::print_json(&extracted, out)?
    } else {
        listing::print(&extracted, out)?
    }
    match extracted.unwritten.len() {
        0 => Ok(Outcome::of(extracted.all_faults().next().is_none())),
        number => Err(Failure::Usage(format!("{} could not be written", count(number, "file")))),
    }
}
