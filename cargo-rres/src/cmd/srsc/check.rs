//! `cargo rres srsc check`: reads everything that a database contains.

use rres_import_srsc::json as typed;
use rres_import_srsc::{Checks, Databases, Error, Limits, Location, Record, RecordType, RecordView};
use serde_json::{Value, json};

use super::opened::{Opened, SourceArgs, print_warnings, records};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};

/// Check that everything in an archive or a database can be read
///
/// Reads every record, decodes every picture and sound, and follows every reference.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc check Common.db
  cargo rres srsc check Common.db --strict --json")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut opened = args.source.open()?;
    let Opened { databases, checks } = &mut opened;
    let all = records(databases);
    let mut errors = Vec::new();
    for (at, view) in &all {
        errors.extend(check(databases, checks, *at, view));
    }
    let record_count = all.len();
    // A record is read again for each question about it.
    errors.dedup();
    let more = opened.checks.more_warnings();
    let warnings = distinct(opened.checks.take_warnings());
    let ok = errors.is_empty();
    if args.json {
        let of = |list: &[Error]| -> Vec<Value> { list.iter().map(Opened::error_json).collect() };
        out.json(json!({ "ok": ok, "record_count": record_count, "errors": of(&errors), "warnings": of(&warnings) }))?;
        return Ok(Outcome::of(ok));
    }
    print_warnings(&warnings, more, out)?;
    for error in &errors {
        out.error(&error.to_string())?;
    }
    let found = if ok { "ok".to_owned() } else { count(errors.len(), "error") };
    out.line(format!("{}: {found}; {} read", args.source.file.display(), count(record_count, "record")))?;
    Ok(Outcome::of(ok))
}

/// Leaves out what was found before.
pub(super) fn distinct(list: Vec<Error>) -> Vec<Error> {
    let mut kept: Vec<Error> = Vec::new();
    for error in list {
        if !kept.contains(&error) {
            kept.push(error);
        }
    }
    kept
}

/// Reads a record, and returns what is wrong with it.
fn check(databases: &Databases, checks: &mut Checks, at: Location, view: &RecordView<'_>) -> Vec<Error> {
    let record = match view.parse(checks) {
        Ok(record) => record,
        Err(error) => return vec![error],
    };
    let mut errors = Vec::new();
    if let Record::Sound(sound) = record
        && let Err(fault) = sound.pcm(&Limits::default())
    {
        errors.push(view.error(fault));
    }
    if at.key.kind == RecordType::TEXTURE {
        errors.extend(databases.picture_of(at.database, view, None, checks).err());
    }
    errors.extend(databases.root().group_path(view, checks).err());
    errors.extend(typed::links(databases, at, checks).1);
    errors
}
