//! `cargo rres info`: a summary of a pack, or everything about one resource.

mod pack;
mod resource;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use pack::PackInfo;
use rres_packs::pack_set;

use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, escape_terminal};
use crate::pack_args::{Need, PackArgs};
pub(super) use resource::ResourceInfo;

/// Show a summary of a pack, or everything about one resource
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres info                            what the bytes of the pack are used for
  cargo rres info ui/button.png              everything about one resource
  cargo rres info out/game.rres 0x03634a2e")]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    pack: Option<OsString>,
    /// Path of a resource, or its id such as 0x1f0188ce
    resource: Option<String>,
    #[command(flatten)]
    packs: PackArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), args.resource.as_slice(), Need::List, out)?;
    match (&paths[..], &names[..]) {
        (_, [name]) => run_resource(args, &paths, name, out),
        ([path], []) => run_pack(args, path, out),
        (_, []) => {
            let names: Vec<String> =
                paths.iter().filter_map(|path| Some(path.file_name()?.display().to_string())).collect();
            Err(Failure::Usage(format!("this package has several packs; name one of them: {}", names.join(", "))))
        }
        _ => Err(Failure::Usage(format!("{} is not a pack", args.pack.as_deref().unwrap_or_default().display()))),
    }
}

fn run_pack(args: &Args, path: &Path, out: &mut Output) -> Result<Outcome, Failure> {
    let pack = args.packs.opener()?.read(path)?;
    let info = PackInfo::new(&pack);
    if args.json {
        out.json(info.to_json())?;
    } else {
        info.print(out)?;
    }
    for finding in &info.list.findings {
        out.finding(&pack.name(), finding)?;
    }
    Ok(Outcome::of(info.list.findings.is_empty()))
}

fn run_resource(args: &Args, paths: &[PathBuf], name: &str, out: &mut Output) -> Result<Outcome, Failure> {
    let sets = args.packs.opener()?.read_sets(paths)?;
    let lists = pack_set::resource_lists(&sets);
    let (pack, resource) = pack_set::find(&sets, &lists, name)?;
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
