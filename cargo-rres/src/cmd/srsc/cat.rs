//! `cargo rres srsc cat`: prints a text, or the bytes of any record.

use rres_import_srsc::{Checks, Record};

use super::opened::{SourceArgs, records};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Print a text as UTF-8, a RIFF file, or the bytes of any record
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc cat Dragon.rrc hidden-text:1
  cargo rres srsc cat Common.mod model-bsp:0x0010 --raw > bsp.bin")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// The record: TYPE:ID, such as hidden-text:1 or 0x0401:0x0002
    record: String,
    /// Print the bytes of the record as they are in the archive
    #[arg(long)]
    raw: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selector = Selector::parse(&args.record)?;
    let opened = args.source.open()?;
    let (_, view) = selector.find(records(&opened.databases))?;
    if args.raw {
        out.bytes(view.body())?;
        return Ok(Outcome::Success);
    }
    let mut checks = Checks::default();
    match view.parse(&mut checks).map_err(|error| Failure::Fault(error.to_string()))? {
        Record::HiddenText(text) | Record::Text(text) | Record::Group(text) => out.bytes(text.decode().as_bytes())?,
        Record::Riff(bytes) => out.bytes(&bytes)?,
        _ => {
            let why = "it is not a text; --raw prints its bytes, and `cargo rres srsc info` what they mean";
            return Err(Failure::Usage(format!("cannot print {}: {why}", view.key())));
        }
    }
    Ok(Outcome::Success)
}
