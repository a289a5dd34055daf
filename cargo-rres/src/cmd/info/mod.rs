//! `cargo rres info`: a summary of a pack, or everything about one resource.

mod pack;
mod resource;

use std::path::PathBuf;

use crate::exit::{Failure, Outcome};
use crate::opened_pack::OpenedPack;
use crate::output::{Output, Style, escape_terminal};
use crate::pack_set::PackSet;
use pack::PackInfo;
use resource::ResourceInfo;

/// Show a summary of a pack, or everything about one resource
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too
    pack: PathBuf,
    /// Path of a resource, or its id such as 0x1f0188ce
    resource: Option<String>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.resource {
        None => run_pack(args, out),
        Some(name) => run_resource(args, name, out),
    }
}

fn run_pack(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let pack = OpenedPack::open(&args.pack)?;
    let info = PackInfo::new(&pack);
    if args.json {
        out.json(info.to_json())?;
    } else {
        info.print(out)?;
    }
    for finding in &info.list.findings {
        finding.report(&pack.name(), out)?;
    }
    Ok(Outcome::of(info.list.findings.is_empty()))
}

fn run_resource(args: &Args, name: &str, out: &mut Output) -> Result<Outcome, Failure> {
    let set = PackSet::open(&args.pack)?;
    let lists = set.resource_lists();
    let (pack, resource) = set.find(&lists, name)?;
    let info = ResourceInfo::new(pack, resource);
    if args.json {
        out.json(info.to_json())?;
    } else {
        info.print(out)?;
    }
    Ok(Outcome::of(info.is_readable()))
}

/// Prints names and values in two columns, indented.
fn print_facts(facts: &[(&str, String)], out: &mut Output) -> Result<(), Failure> {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in facts {
        let name = out.style(Style::Dim, &format!("{name:width$}"));
        out.line(format!("  {name}  {}", escape_terminal(value)))?;
    }
    Ok(())
}
