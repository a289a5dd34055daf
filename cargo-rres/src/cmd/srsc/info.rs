//! `cargo rres srsc info`: a summary of a database, or everything about one record.

use std::collections::BTreeMap;

use rres_build::ByteSize;
use rres_import_srsc::json as typed;
use serde_json::{Value, json};

use super::opened::{Opened, SourceArgs, records, type_name};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table, escape_terminal};

/// Show a summary of an archive or a database, or everything about one record
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc info Common.db
  cargo rres srsc info Common.db texture:7
  cargo rres srsc info Common.odb class:0x0030")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// The record: TYPE:ID, such as texture:7 or 0x0102:0x0030
    record: Option<String>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selector = args.record.as_deref().map(Selector::parse).transpose()?;
    let mut opened = args.source.open()?;
    match selector {
        None => summary(args, &opened, out),
        Some(selector) => record(args, &selector, &mut opened, out),
    }
}

fn summary(args: &Args, opened: &Opened, out: &mut Output) -> Result<Outcome, Failure> {
    let root = opened.databases.root();
    let mut kinds: BTreeMap<u16, (String, usize, u64)> = BTreeMap::new();
    for view in root.records() {
        let total = kinds.entry(view.key().kind.0).or_insert_with(|| (type_name(&view), 0, 0));
        total.1 += 1;
        total.2 += u64::from(view.entry().size);
    }
    if args.json {
        let archive = |archive: rres_import_srsc::Archive<'_>| json!({ "file": archive.file(), "version": format!("0x{:04x}", archive.version()), "record_count": archive.len() });
        let kind = |(number, (name, count, size)): (&u16, &(String, usize, u64))| json!({ "type": format!("0x{number:04x}"), "kind": name, "count": count, "size": size });
        let dependency = |named: &rres_import_srsc::Dependency| json!({ "index": named.index, "path": named.path });
        out.json(json!({
            "file": root.file(),
            "archives": root.archives().map(archive).collect::<Vec<_>>(),
            "dependencies": root.definition().dependencies.iter().map(dependency).collect::<Vec<_>>(),
            "types": kinds.iter().map(kind).collect::<Vec<_>>(),
            "warnings": opened.warnings_json(),
        }))?;
        return Ok(Outcome::Success);
    }
    out.line(escape_terminal(root.file()))?;
    for archive in root.archives() {
        out.line(format!("  {}, version 0x{:04x}", escape_terminal(archive.file()), archive.version()))?;
    }
    for named in &root.definition().dependencies {
        out.line(format!("  depends on {}: {}", named.index, escape_terminal(&named.path)))?;
    }
    out.line("")?;
    let mut table =
        Table::new(&[Column::left("TYPE"), Column::left("KIND"), Column::right("COUNT"), Column::right("SIZE")]);
    for (number, (name, count, size)) in kinds {
        table.row([format!("0x{number:04x}"), name, count.to_string(), ByteSize(size).to_string()]);
    }
    table.print(out)?;
    opened.warn(out)?;
    Ok(Outcome::Success)
}

fn record(args: &Args, selector: &Selector, opened: &mut Opened, out: &mut Output) -> Result<Outcome, Failure> {
    let Opened { databases, checks } = opened;
    let (at, view) = selector.find(records(databases))?;
    let contents = view.parse(checks).map(|record| typed::record(&record));
    let groups = databases.group_path(at, checks);
    let (links, errors) = typed::links(databases, at, checks);
    let mut value = typed::entry(&view);
    value["groups"] = json!(groups.as_ref().ok());
    value["contents"] = contents.as_ref().ok().cloned().unwrap_or(Value::Null);
    value["links"] = links;
    let errors: Vec<_> = contents.err().into_iter().chain(groups.err()).chain(errors).collect();
    if args.json {
        value["errors"] = errors.iter().map(Opened::error_json).collect();
        value["warnings"] = opened.warnings_json().into();
        out.json(value)?;
        return Ok(Outcome::of(errors.is_empty()));
    }
    print("", &value, out)?;
    opened.report(&errors, out)
}

/// Prints a value as lines of `path: value`. Long lists end after a few elements.
fn print(path: &str, value: &Value, out: &mut Output) -> Result<(), Failure> {
    const SHOWN: usize = 32;
    match value {
        Value::Null => Ok(()),
        Value::Object(members) => {
            let separator = if path.is_empty() { "" } else { "." };
            members.iter().try_for_each(|(name, value)| print(&format!("{path}{separator}{name}"), value, out))
        }
        Value::Array(list) if list.iter().all(|value| !value.is_object() && !value.is_array()) => {
            let mut text: Vec<String> = list.iter().take(SHOWN).map(plain).collect();
            if list.len() > SHOWN {
                text.push(format!("… ({} in all)", list.len()));
            }
            Ok(out.line(format!("{path}: {}", text.join(", ")))?)
        }
        Value::Array(list) => {
            for (number, value) in list.iter().enumerate().take(SHOWN) {
                print(&format!("{path}[{number}]"), value, out)?;
            }
            if list.len() > SHOWN {
                out.line(format!("{path}: {} in all; --json has them", list.len()))?;
            }
            Ok(())
        }
        value => Ok(out.line(format!("{path}: {}", plain(value)))?),
    }
}

fn plain(value: &Value) -> String {
    escape_terminal(&value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
