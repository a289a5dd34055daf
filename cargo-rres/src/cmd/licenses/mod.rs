//! `cargo rres licenses`: who made the assets, and under which licence.

mod ledger;
mod spdx;
pub(crate) mod text;

pub(crate) use ledger::Ledger;

use serde_json::{Value, json};

use crate::asset_builds::BuildArgs;
use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};

/// List who made the assets, and under which licence
///
/// What a file's licence is comes from rules in assets.toml, from a file beside it whose name ends with `.license`, from a tag in a
/// text, or from a REUSE.toml.
#[derive(Debug, clap::Args)]
#[command(
    visible_alias = "licences",
    after_help = "\
Examples:
  cargo rres licenses                        by work: authors, licence, files
  cargo rres licenses --check                for CI: no file without a licence
  cargo rres licenses --credits > CREDITS.txt
  cargo rres licenses --spdx > assets.spdx.json"
)]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    /// Exit with code 1 if a file has no licence, or one that is unknown or not allowed
    #[arg(long)]
    check: bool,
    /// Print the credits as a text, with the licences that the project keeps in LICENSES
    #[arg(long, conflicts_with_all = ["json", "spdx"])]
    credits: bool,
    /// Print a document of SPDX 2.3 as JSON
    #[arg(long, conflicts_with = "json")]
    spdx: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let builds = args.builds.find(out)?.builds;
    let ledger = Ledger::of(builds)?;
    if args.spdx {
        write_json(&spdx::document(&ledger)?, out)?;
    } else if args.credits {
        out.line(text::credits(&ledger, &ledger.credits()).trim_end())?;
    } else if args.json {
        out.json(to_json(&ledger))?;
    } else {
        print(&ledger, out)?;
    }
    for diagnostic in &ledger.diagnostics {
        out.error(&Diagnostic::from(diagnostic).to_string())?;
    }
    if !ledger.diagnostics.is_empty() {
        return Ok(Outcome::Faults);
    }
    let is_ok = ledger.unlicensed().next().is_none() && ledger.faults().next().is_none();
    if args.check && !is_ok && (args.spdx || args.credits) {
        out.error("files have no licence, or one that is unknown or not allowed; `cargo rres licenses` names them")?;
    }
    Ok(Outcome::of(is_ok || !args.check))
}

/// The most files that a work names.
const MOST_FILES: usize = 3;

fn print(ledger: &Ledger, out: &mut Output) -> Result<(), Failure> {
    for credit in ledger.credits() {
        let title = text::line(&credit.terms);
        match title.is_empty() {
            true => out.styled_line(Style::Bad, "no licence")?,
            false => out.styled_line(Style::Bold, &escape_terminal(&title))?,
        }
        // What nobody has stated is to be seen in full.
        let most = if credit.terms.license.is_none() { usize::MAX } else { MOST_FILES };
        for file in credit.files.iter().take(most) {
            out.line(format!("  {}", escape_terminal(file)))?;
        }
        if credit.files.len() > most {
            out.line(format!("  and {} more", credit.files.len() - most))?;
        }
    }
    for (path, fault) in ledger.faults() {
        out.line(format!("{}  {}: {}", out.style(Style::Bad, "fault"), escape_terminal(path), escape_terminal(fault)))?;
    }
    let mut parts: Vec<String> = ledger
        .by_license()
        .into_iter()
        .map(|(license, files)| format!("{} {files}", escape_terminal(&license)))
        .collect();
    let unlicensed = ledger.without_license().count();
    if unlicensed > 0 {
        parts.push(format!("none {unlicensed}"));
    }
    out.line(format!("{}: {}", count(ledger.sources.len(), "file"), parts.join(", ")))?;
    Ok(())
}

fn to_json(ledger: &Ledger) -> Value {
    let file = |source: &ledger::Source| {
        let terms = &source.licensed.terms;
        json!({
            "path": source.licensed.path,
            "source": source.licensed.source,
            "license": terms.license,
            "authors": terms.authors,
            "copyright": terms.copyright,
            "origin": terms.source,
            "attribution": terms.attribution,
            "stated_in": source.stated_in(),
            "fault": source.licensed.fault,
        })
    };
    let by_license =
        ledger.by_license().into_iter().map(|(license, files)| json!({ "license": license, "file_count": files }));
    let diagnostics = ledger.diagnostics.iter().map(|diagnostic| Diagnostic::from(diagnostic).to_string());
    json!({
        "ok": ledger.diagnostics.is_empty() && ledger.unlicensed().next().is_none() && ledger.faults().next().is_none(),
        "diagnostics": diagnostics.collect::<Vec<_>>(),
        "licenses": by_license.collect::<Vec<_>>(),
        "unlicensed_count": ledger.without_license().count(),
        "files": ledger.sources.iter().map(file).collect::<Vec<_>>(),
    })
}

/// Writes JSON whose shape a standard prescribes.
fn write_json(document: &Value, out: &mut Output) -> Result<(), Failure> {
    Ok(out.line(format!("{document:#}"))?)
}
