//! `cargo rres cat`: prints a raw file, a text or a sound in its source form.

use std::ffi::OsString;

use rres_format::Error;
use rres_packs::pack_set;

use crate::exit::{Failure, Outcome};
use crate::output::Output;
use crate::pack_args::{Need, PackArgs};

/// Print the source bytes of a raw file, a text, or a sound in its source form
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres cat text/credits.txt
  cargo rres cat out/game.rres data/table.bin > table.bin")]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    #[arg(required = true)]
    pack: Option<OsString>,
    /// Path of the resource, or its id such as 0x1f0188ce
    resource: Option<String>,
    #[command(flatten)]
    packs: PackArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), args.resource.as_slice(), Need::Bytes, out)?;
    let [name] = &names[..] else {
        return Err(Failure::Usage("expected the path of one resource after the pack".to_owned()));
    };
    let sets = args.packs.opener()?.read_sets(&paths)?;
    let lists = pack_set::resource_lists(&sets);
    let (pack, resource) = pack_set::find(&sets, &lists, name)?;
    let name = resource.name();
    if pack.is_dev_index() {
        let why = "in a dev index, which contains no bytes of assets; build a pack without --debug";
        return Err(Failure::Usage(format!("cannot print {name}: it is {why}")));
    }
    let bytes = resource.source_bytes().map_err(|e| match e {
        Error::NeedsKey(_) => Failure::Usage(format!("cannot print {name}: {e} (--key-env, --key-file)")),
        e => Failure::Fault(format!("{name}: {e}")),
    })?;
    let bytes = bytes.ok_or_else(|| {
        let kind = resource.kind_name();
        Failure::Usage(format!(
            "cannot print {name}: the pack contains the {kind} in a processed form; use `cargo rres extract`"
        ))
    })?;
    out.bytes(&bytes)?;
    Ok(Outcome::Success)
}
