//! `cargo rres srsc ls`: lists the records of an archive or a database.

use rres_build::ByteSize;
use rres_import_srsc::json::{entry, id, name};
use serde_json::{Value, json};

use super::opened::{Opened, SourceArgs, records, type_name};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table, count};

/// List the records of an archive, or of all archives of a database
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc ls Common.db
  cargo rres srsc ls Common.txd texture
  cargo rres srsc ls Dragon.rrc --json | jq .records")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// List only these: types such as texture or 0x0040, or records such as texture:7
    #[arg(value_name = "RECORD")]
    records: Vec<String>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selectors = Selector::parse_all(&args.records)?;
    let opened = args.source.open()?;
    let chosen = Selector::choose(&selectors, records(&opened.databases))?;
    if args.json {
        let records: Vec<Value> = chosen.iter().map(|(_, view)| entry(view)).collect();
        let warnings = opened.warnings_json();
        out.json(json!({ "file": opened.databases.root().file(), "records": records, "warnings": warnings }))?;
        return Ok(Outcome::Success);
    }
    let mut table = Table::new(&[
        Column::left("FILE"),
        Column::left("TYPE"),
        Column::left("ID"),
        Column::left("GROUP"),
        Column::right("SIZE"),
        Column::left("KIND"),
        Column::left("NAME"),
    ]);
    let shown = |number: u16| if number == 0 { "-".to_owned() } else { id(number) };
    let mut size = 0;
    for (_, view) in &chosen {
        let entry = view.entry();
        size += u64::from(entry.size);
        table.row([
            view.file().to_owned(),
            entry.key.kind.to_string(),
            shown(entry.key.id),
            shown(entry.group),
            ByteSize(entry.size.into()).to_string(),
            type_name(view),
            name(view).unwrap_or_default(),
        ]);
    }
    table.print(out)?;
    out.line(format!("{}, {}", count(chosen.len(), "record"), ByteSize(size)))?;
    opened.warn(out)?;
    Ok(Outcome::Success)
}

impl Opened {
    /// Prints what could not be read, and returns whether all could.
    pub(super) fn report(&self, errors: &[rres_import_srsc::Error], out: &mut Output) -> Result<Outcome, Failure> {
        self.warn(out)?;
        for error in errors {
            out.error(&error.to_string())?;
        }
        Ok(Outcome::of(errors.is_empty()))
    }
}
