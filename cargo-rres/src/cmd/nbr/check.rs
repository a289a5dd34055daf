//! `cargo rres nbr check`: what is wrong with files, and what is read by a rule.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::files;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Report what is wrong with .nbr files
///
/// Warnings name what Nikola's tool is known to write wrong; docs/nbr.md has the rule by which it is read. Exits with code 1 if a file is
/// damaged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, and directories whose .nbr files are checked, with those of the directories inside them
    #[arg(required = true)]
    path: Vec<PathBuf>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let found = files::find(&args.path)?;
    let (mut rows, mut faults, mut warnings): (Vec<Value>, usize, usize) = (Vec::new(), 0, 0);
    for found in &found {
        let bytes = found.bytes()?;
        let shown = found.shown();
        let result = rres_import_nbr::read(&bytes);
        match &result {
            Ok(file) => {
                warnings += file.warnings.len();
                for warning in &file.warnings {
                    out.warn(&escape_terminal(&format!("{shown}: {warning}")))?;
                }
            }
            Err(error) => {
                faults += 1;
                out.error(&escape_terminal(&format!("{shown}: {error}")))?;
            }
        }
        let remark =
            |position: usize, field: &str, text: String| json!({ "offset": position, "field": field, "message": text });
        rows.push(json!({
            "file": found.file.display().to_string(),
            "ok": result.is_ok(),
            "error": result.as_ref().err().map(|e| remark(e.position(), e.field(), e.to_string())),
            "warnings": result.iter().flat_map(|file| &file.warnings).map(|w| remark(w.position(), w.field(), w.to_string())).collect::<Vec<_>>(),
        }));
    }
    if args.json {
        out.json(json!({ "ok": faults == 0, "files": rows }))?;
    } else {
        let (files, damaged) = (count(found.len(), "file"), if faults == 0 { "none" } else { &faults.to_string() });
        out.line(format!("{files} checked: {damaged} damaged, {}", count(warnings, "warning")))?;
    }
    Ok(Outcome::of(faults == 0))
}
