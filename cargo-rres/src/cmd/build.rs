//! `cargo rres build`: what `build.rs` does, without Cargo. The engine is that of `rres-build`.

use std::path::PathBuf;

use rres_build::{PackMode, Report};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Output, Table, size};
use crate::watch::{Counts, Watch};

/// Build the pack of an assets directory, and the Rust module with its constants
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The assets directory
    dir: PathBuf,
    /// The directory that gets the pack and the module; it is made where it is not there
    #[arg(short, long, value_name = "OUT_DIR")]
    out: PathBuf,
    /// Write the index of loose files that debug builds read, in place of the pack
    #[arg(long)]
    debug: bool,
    /// The name of the pack, without extension; default: that of assets.toml, else `assets`
    #[arg(long)]
    name: Option<String>,
    /// How many assets are imported at once; default: the number of processors
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List the ten assets that took longest
    #[arg(short, long)]
    verbose: bool,
}

/// How many of the slowest assets are listed.
const SLOWEST: usize = 10;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    if !args.dir.is_dir() {
        let what = if args.dir.exists() { "it is no directory" } else { "no such directory" };
        return Err(Failure::Call(format!("cannot build {}: {what}", args.dir.display())));
    }
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).map_err(|e| Failure::Call(format!("cannot find {}: {e}", path.display())))
    };
    let mut build = rres_build::import(absolute(&args.dir)?)
        .out_dir(absolute(&args.out)?)
        .debug(args.debug)
        .pack(PackMode::Release);
    if let Some(name) = &args.name {
        build = build.name(name);
    }
    if let Some(jobs) = args.jobs {
        build = build.threads(jobs.into());
    }
    let watch = Watch::start();
    let built = build.progress(watch.listener()).build();
    let last = watch.stop();
    match built {
        Ok(report) if args.json => out.json(&as_json(&report))?,
        Ok(report) => print(&report, args.verbose, out)?,
        Err(errors) => {
            if args.json {
                let problem = |problem: &rres_build::Problem| json!({ "place": problem.place(), "message": problem.message(), "help": problem.help_text() });
                out.json(&json!({
                    "problems": errors.problems().iter().map(problem).collect::<Vec<_>>(),
                    "discovered": last.assets,
                    "cached": last.cached,
                    "imported": last.imported,
                    "failed": last.failed,
                }))?;
            }
            for problem in errors.problems() {
                out.problem(&problem.to_string())?;
            }
            if last.failed > 0 {
                let Counts { assets, cached, imported, failed, .. } = last;
                out.problem(&format!("{failed} of {assets} assets failed; {cached} cached, {imported} imported"))?;
            }
            return Ok(Outcome::Problems);
        }
    }
    Ok(Outcome::Fine)
}

fn print(report: &Report, verbose: bool, out: &mut Output) -> Result<(), Failure> {
    if verbose {
        let mut table = Table::new(&["SLOWEST", "KIND", ">TOOK", ">SOURCE", ">STORED", "CONTENTS"]);
        for asset in report.slowest(SLOWEST) {
            let took =
                format!("{:.1} ms{}", asset.took.as_secs_f64() * 1e3, if asset.cached { ", cached" } else { "" });
            let (source, stored) = (size(asset.source_size), size(asset.stored_size));
            table.row([asset.path.clone(), asset.kind.to_string(), took, source, stored, asset.summary.clone()]);
        }
        table.print(out)?;
        out.line("")?;
    }
    out.line(report.to_string())?;
    for file in report.packs.iter().chain(&report.dev_index).chain([&report.module]) {
        out.line(format!("  {}", file.display()))?;
    }
    Ok(())
}

fn as_json(report: &Report) -> Value {
    let asset = |asset: &rres_build::AssetReport| {
        json!({
            "path": asset.path,
            "kind": asset.kind.name(),
            "summary": asset.summary,
            "cached": asset.cached,
            "source": asset.source_size,
            "stored": asset.stored_size,
            "seconds": asset.took.as_secs_f64(),
        })
    };
    let rres_build::Phases { import, pack, generate, .. } = report.phases;
    json!({
        "assets": report.assets.iter().map(asset).collect::<Vec<_>>(),
        "discovered": report.discovered(),
        "failed": 0,
        "source_size": report.source_size(),
        "slowest": report.slowest(SLOWEST).iter().map(|asset| &asset.path).collect::<Vec<_>>(),
        "cached": report.cached(),
        "imported": report.imported(),
        "packs": report.packs.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "pack_size": report.pack_size,
        "dev_index": report.dev_index.as_ref().map(|file| file.display().to_string()),
        "module": report.module.display().to_string(),
        "seconds": { "import": import.as_secs_f64(), "pack": pack.as_secs_f64(), "generate": generate.as_secs_f64() },
    })
}
