//! `cargo rres verify`: reports everything that is wrong with a pack, and with `--against` whether it matches its sources.

mod against;
mod srsc;

use std::ffi::OsString;
use std::path::PathBuf;

use against::Comparison;
use rres_format::signature::PublicKey;
use rres_packs::check::{CheckOptions, Report, check};
use rres_packs::finding::Finding;
use rres_packs::progress::Progress;
use rres_packs::{OpenedPack, PackSet, pack_set};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::key;
use crate::output::style_of;
use crate::output::{Output, Style, count, escape_terminal};
use crate::pack_args::{Need, PackArgs};
use crate::progress_bar::ProgressBar;
use crate::signing_key;

/// Check a pack for damage and contradictions
///
/// Checks every CRC, decodes every chunk, and compares the front index and the central directory with the chunks. Checks
/// the additional packs of the set, too. With --against, imports the sources again and names every asset that is stale,
/// missing or extra in the pack. With --key, the packs must be signed. With --compat, C programs must be able to load everything.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres verify                                       what this package has built last
  cargo rres verify dist/lantern/lantern.rres             a pack that will be shipped
  cargo rres verify --release --against assets            does the release pack contain the newest assets?
  cargo rres verify --compat raylib game.rres             would a C program load all of it?")]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    pack: Option<OsString>,
    #[command(flatten)]
    packs: PackArgs,
    /// Assets directory that the pack must match, by content and not by times
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
    /// Public key that every pack must be signed with, as `keygen` prints it, or the file that `keygen` has written; name several to
    /// accept any of them
    #[arg(long, value_name = "PUBLIC", value_parser = signing_key::public)]
    key: Vec<PublicKey>,
    /// Also name what this reader would not load, and why: raylib is `rres.h` with `rres-raylib.h`
    #[arg(long, value_name = "READER", hide_possible_values = true)]
    compat: Option<CompatReader>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// Another reader that a pack is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CompatReader {
    /// The C library: `rres.h` and `rres-raylib.h`.
    Raylib,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &[], Need::Bytes, out)?;
    if let [name, ..] = &names[..] {
        return Err(Failure::Usage(format!("{} is not a pack", escape_terminal(name))));
    }
    let keys = args.packs.key().load()?;
    let sets = key::opener().keys(keys.clone()).read_sets(&paths)?;
    let bar = ProgressBar::start();
    let (count, bytes) = size(&sets);
    bar.meter().set(Progress { noun: "chunks", count, bytes, ..Progress::default() });
    let options = CheckOptions { signed_with: &args.key, raylib: args.compat == Some(CompatReader::Raylib) };
    let mut reports: Vec<Report> = sets.iter().flat_map(|set| check(set, options, &bar.meter())).collect();
    for (pack, report) in pack_set::packs(&sets).zip(&mut reports) {
        srsc::check(pack, &mut report.findings);
    }
    bar.stop();
    let comparisons = match &args.against {
        Some(assets) => Some(against::compare(&sets, &paths, assets, keys.as_ref(), out)?),
        None => None,
    };
    let matches = comparisons.iter().flatten().all(Comparison::matches);
    let is_ok = matches && reports.iter().all(|report| report.error_count() == 0);
    let named = pack_set::packs(&sets).map(|pack| pack.name()).zip(&reports);
    if args.json {
        let packs: Vec<Value> = named.map(|(name, report)| report_json(&name, report)).collect();
        let differences: Vec<Value> = comparisons.iter().flatten().flat_map(Comparison::to_json).collect();
        let against = args.against.as_ref().map(|dir| dir.display().to_string());
        out.json(json!({ "ok": is_ok, "packs": packs, "against": against, "differences": differences }))?;
    } else {
        for (name, report) in named {
            print(&escape_terminal(&name), report, out)?;
        }
        comparisons.iter().flatten().try_for_each(|comparison| comparison.print(out))?;
    }
    Ok(Outcome::of(is_ok))
}

/// Returns the number of chunks in the packs, and the bytes of the packs.
fn size(sets: &[PackSet]) -> (usize, u64) {
    let packs = || pack_set::packs(sets).map(OpenedPack::view);
    (packs().map(|pack| pack.chunks().count()).sum(), packs().map(|pack| pack.bytes().len() as u64).sum())
}

fn report_json(name: &str, report: &Report) -> Value {
    json!({
        "pack": name,
        "chunk_count": report.chunk_count,
        "decoded_size": report.decoded_size,
        "findings": report.findings.iter().map(Finding::to_json).collect::<Vec<_>>(),
    })
}

fn print(name: &str, report: &Report, out: &mut Output) -> Result<(), Failure> {
    for finding in &report.findings {
        let label = out.style(style_of(finding), &finding.label());
        out.line(format!("{label} {name}: {finding}"))?;
    }
    let verdict = match report.error_count() {
        0 => out.style(Style::Good, "ok"),
        errors => out.style(Style::Bad, &count(errors, "error")),
    };
    let (chunks, decoded) = (count(report.chunk_count, "chunk"), ByteSize(report.decoded_size));
    out.line(format!("{name}: {verdict}; {chunks} read, {decoded} decoded"))?;
    Ok(())
}
