//! `cargo rres srsc extract`: writes a database as files of common formats, or the bytes of its records.

mod files;
mod models;
mod names;
mod write;

use std::path::PathBuf;

use rres_import_srsc::Error;
use serde_json::{Value, json};

use super::opened::{Opened, Order32, SourceArgs, print_warnings, records};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};
pub(super) use files::{Content, OutFile, Plan};
pub(super) use write::write;

/// Write the contents of an archive or a database as files
///
/// Textures become .png, sounds .wav, models .glb, texts .txt, music its RIFF files; classes, sequences, animations and what models have besides triangles
/// become .json. database.json lists every record with its fields. Models need the textures of other databases, which are written to
/// `dependencies`. If anything is damaged, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc extract Common.db -o tree
  cargo rres srsc extract Common.db -o sounds sound
  cargo rres srsc extract Common.mod -o bsp --raw model-bsp")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Write only these: types such as texture or 0x0040, or records such as texture:7
    #[arg(value_name = "RECORD")]
    records: Vec<String>,
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Write the bytes of the records as they are in the archives
    #[arg(long)]
    raw: bool,
    /// Order of the bytes of pixels with 32 bits [default: bgra if they have alpha, with a warning, and rgba otherwise]
    #[arg(long, value_enum, value_name = "ORDER")]
    order_32: Option<Order32>,
    /// Write the rest if something is damaged
    #[arg(long)]
    keep_going: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selectors = Selector::parse_all(&args.records)?;
    let mut opened = args.source.open()?;
    let Opened { databases, checks } = &mut opened;
    let chosen = Selector::choose(&selectors, records(databases))?;
    let mut plan = if args.raw {
        Plan::raw(&chosen)
    } else {
        Plan::new(databases, checks, &chosen, args.order_32.map(Into::into))
    };
    let is_written = plan.errors.is_empty() || args.keep_going;
    if is_written && !args.raw && selectors.is_empty() {
        plan.list_records(databases, checks);
    }
    if is_written {
        write(&args.out, &plan.files, args.force)?;
    }
    report(&mut opened, &plan, is_written.then_some(&args.out), args.json, out)
}

/// Prints what was written, and what could not be read.
fn report(
    opened: &mut Opened,
    plan: &Plan,
    written: Option<&PathBuf>,
    is_json: bool,
    out: &mut Output,
) -> Result<Outcome, Failure> {
    let more = opened.checks.more_warnings();
    let warnings = super::check::distinct(opened.checks.take_warnings());
    let written: Vec<&OutFile> = plan.files.iter().filter(|_| written.is_some()).collect();
    if is_json {
        let of = |list: &[Error]| -> Vec<Value> { list.iter().map(Opened::error_json).collect() };
        let file = |file: &&OutFile| json!({ "path": file.path, "size": file.bytes.len(), "kind": file.content.name(), "id": file.at.map(|at| rres_import_srsc::json::id(at.key.id)) });
        out.json(json!({
            "files": written.iter().map(file).collect::<Vec<_>>(),
            "errors": of(&plan.errors),
            "warnings": of(&warnings),
        }))?;
        return Ok(Outcome::of(plan.errors.is_empty()));
    }
    for file in &written {
        out.line(escape_terminal(&file.path))?;
    }
    print_warnings(&warnings, more, out)?;
    for error in &plan.errors {
        out.error(&error.to_string())?;
    }
    out.line(format!("{} written", count(written.len(), "file")))?;
    if written.is_empty() && !plan.errors.is_empty() {
        out.line("nothing is written because of errors; --keep-going writes the rest")?;
    }
    Ok(Outcome::of(plan.errors.is_empty()))
}
