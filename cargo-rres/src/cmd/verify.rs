//! `cargo rres verify`: everything that is wrong with a pack.

use std::path::PathBuf;

use serde_json::json;

use crate::check::{Findings, check};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, size};
use crate::pack_file::PackFile;

/// Check a pack, and the further packs of its set: every CRC, every chunk decoded, index and directory against both
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The .rres file, ours or another program's
    pack: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (packs, missing) = PackFile::open_set(&args.pack)?;
    let mut found: Vec<(String, Findings)> = packs.iter().map(|pack| (pack.name(), check(pack))).collect();
    if let Some(missing) = missing {
        found[0].1.problems.push(missing.to_string());
    }
    let set_hash = |pack: &PackFile| pack.view().index().map(|index| index.set_hash());
    for (pack, (_, findings)) in packs.iter().zip(&mut found) {
        if set_hash(pack) != set_hash(&packs[0]) {
            findings.problems.push(format!("is not of the same set as {}", packs[0].name()));
        }
    }
    let problems: usize = found.iter().map(|(_, findings)| findings.problems.len()).sum();
    if args.json {
        let pack = |(name, findings): &(String, Findings)| {
            let Findings { problems, notes, chunks, decoded } = findings;
            json!({ "pack": name, "chunks": chunks, "decoded": decoded, "problems": problems, "notes": notes })
        };
        out.json(&json!({ "ok": problems == 0, "packs": found.iter().map(pack).collect::<Vec<_>>() }))?;
    } else {
        for (name, findings) in &found {
            print(name, findings, out)?;
        }
    }
    Ok(if problems == 0 { Outcome::Fine } else { Outcome::Problems })
}

fn print(name: &str, findings: &Findings, out: &mut Output) -> Result<(), Failure> {
    for problem in &findings.problems {
        let line = format!("{} {name}: {problem}", out.style(Style::Bad, "problem:"));
        out.line(line)?;
    }
    for note in &findings.notes {
        let line = format!("{} {name}: {note}", out.style(Style::Bold, "note:"));
        out.line(line)?;
    }
    let verdict = match findings.problems.len() {
        0 => out.style(Style::Good, "ok"),
        1 => out.style(Style::Bad, "1 problem"),
        n => out.style(Style::Bad, &format!("{n} problems")),
    };
    let (chunks, decoded) = (findings.chunks, size(findings.decoded));
    let plural = if chunks == 1 { "" } else { "s" };
    out.line(format!("{name}: {verdict}; {chunks} chunk{plural} read, {decoded} decoded"))?;
    Ok(())
}
