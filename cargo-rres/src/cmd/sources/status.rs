//! `cargo rres sources status`: which listed files are missing, and which have changed.

use serde_json::json;

use super::DirectoryArgs;
use super::files::{Files, Standing, standings};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};

/// Show which listed files are missing on this machine, and which have changed
///
/// Exits with code 1 if there are any.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    directory: DirectoryArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let list = args.directory.list()?;
    let standings = standings(&Files::of(&args.directory.dir()?), &list, |_| true)?;
    let paths = |is: fn(&Standing) -> bool| -> Vec<&str> {
        standings.iter().filter(|listed| is(&listed.standing)).map(|listed| listed.path).collect()
    };
    let missing = paths(|standing| *standing == Standing::Missing);
    let changed = paths(|standing| matches!(standing, Standing::Changed(_)));
    let is_ok = missing.is_empty() && changed.is_empty();
    if args.json {
        let count = list.files.len();
        out.json(
            json!({ "ok": is_ok, "store": list.store, "file_count": count, "missing": missing, "changed": changed }),
        )?;
        return Ok(Outcome::of(is_ok));
    }
    for (what, paths) in [("missing", &missing), ("changed", &changed)] {
        for path in paths {
            out.line(format!("{what}  {}", escape_terminal(path)))?;
        }
    }
    let verdict = match is_ok {
        true => out.style(Style::Good, "ok"),
        false => out.style(Style::Bad, &format!("{} missing, {} changed", missing.len(), changed.len())),
    };
    out.line(format!("{verdict}; {} in {}", count(list.files.len(), "file"), escape_terminal(&list.store)))?;
    Ok(Outcome::of(is_ok))
}
