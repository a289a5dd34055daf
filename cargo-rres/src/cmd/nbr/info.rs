//! `cargo rres nbr info`: everything about files but their pixels, vertices, keys and samples.

use std::path::PathBuf;

use rres_build::ByteSize;
use serde_json::{Value, json};

use super::{describe, files};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};

/// Show what is in .nbr files: sizes, materials, joints, characters
///
/// Exits with code 1 if a file is damaged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, and directories whose .nbr files are shown, with those of the directories inside them
    #[arg(required = true)]
    path: Vec<PathBuf>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (mut rows, mut faults): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    for found in files::find(&args.path)? {
        let bytes = found.bytes()?;
        let file = match found.parse(&bytes) {
            Ok(file) => file,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        let (of, version, facts) = (file.header.resource_type, file.header.version, describe::facts(&file.resource));
        let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
        if args.json {
            rows.push(json!({
                "file": found.file.display().to_string(),
                "type": of.name(),
                "version": version.to_string(),
                "size": bytes.len(),
                of.name(): facts,
                "warnings": warnings,
            }));
            continue;
        }
        let size = ByteSize(bytes.len() as u64);
        out.line(format!("{}: {of}, version {version}, {size}", found.shown()))?;
        for (name, value) in facts.as_object().into_iter().flatten() {
            print(name, value, out)?;
        }
        for warning in warnings {
            out.line(format!("  warning: {}", escape_terminal(&warning)))?;
        }
    }
    if args.json {
        out.json(json!({ "files": rows, "faults": faults }))?;
    }
    for fault in &faults {
        out.error(&escape_terminal(fault))?;
    }
    Ok(Outcome::of(faults.is_empty()))
}

/// Prints a fact: a value on a line, a list of objects with a line for each.
fn print(name: &str, value: &Value, out: &mut Output) -> Result<(), Failure> {
    let label = name.replace('_', " ");
    match value.as_array() {
        Some(list) if list.iter().any(Value::is_object) => {
            for (number, member) in list.iter().enumerate() {
                let facts = member.as_object().into_iter().flatten();
                let facts: Vec<String> =
                    facts.map(|(name, value)| format!("{} {}", name.replace('_', " "), shown(value))).collect();
                out.line(format!("  {label}[{number}]: {}", facts.join(", ")))?;
            }
        }
        _ => out.line(format!("  {label}: {}", shown(value)))?,
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Array(list) => list.iter().map(shown).collect::<Vec<_>>().join(" "),
        Value::String(text) => format!("\"{}\"", escape_terminal(text)),
        other => other.to_string(),
    }
}
