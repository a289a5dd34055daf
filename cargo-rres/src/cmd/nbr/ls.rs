//! `cargo rres nbr ls`: lists files with their types.

use std::path::PathBuf;

use rres_build::ByteSize;
use serde_json::{Value, json};

use super::{describe, files};
use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table, escape_terminal};

/// List .nbr files with their types
///
/// Exits with code 1 if a file is damaged; the others are listed all the same.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, and directories whose .nbr files are listed, with those of the directories inside them
    #[arg(required = true)]
    path: Vec<PathBuf>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut table = Table::new(&[
        Column::left("FILE"),
        Column::left("TYPE"),
        Column::left("VERSION"),
        Column::right("SIZE"),
        Column::left("CONTENTS"),
    ]);
    let (mut rows, mut faults): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    for found in files::find(&args.path)? {
        let bytes = found.bytes()?;
        let path = found.file.display().to_string();
        let (of, version, contents) = match found.parse(&bytes) {
            Ok(file) => {
                let header = file.header;
                (Some(header.resource_type.name()), Some(header.version.to_string()), describe::summary(&file.resource))
            }
            Err(fault) => {
                faults.push(fault);
                (None, None, "damaged".to_owned())
            }
        };
        if args.json {
            rows.push(json!({
                "file": path,
                "type": of,
                "version": version,
                "size": bytes.len(),
                "contents": of.map(|_| contents),
            }));
        } else {
            let dash = || "-".to_owned();
            let size = ByteSize(bytes.len() as u64).to_string();
            table.row([path, of.map_or_else(dash, str::to_owned), version.unwrap_or_else(dash), size, contents]);
        }
    }
    if args.json {
        out.json(json!({ "files": rows, "faults": faults }))?;
    } else {
        table.print(out)?;
    }
    for fault in &faults {
        out.error(&escape_terminal(fault))?;
    }
    Ok(Outcome::of(faults.is_empty()))
}
