//! `cargo rres advise`: tries settings on all assets, and says what each would save.

mod advice;
mod measure;
mod trials;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rres_packs::atomic_write;
use rres_settings::{ByteSize, SETTINGS_FILE};
use serde_json::{Value, json};
use toml_edit::DocumentMut;

use advice::{Advice, advice, chosen};
use measure::{Measured, measure};
use trials::TRIALS;

use crate::asset_builds::{AssetBuild, BuildArgs};
use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::{Column, Output, Table, count, escape_terminal};

/// Try settings on the assets, and say what each would save
///
/// Builds the pack once for each setting, from the import cache if it has been tried before, and compares the files of each folder. Nothing
/// is changed without --apply.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres advise                          what saves at least 5 % of the files of a folder
  cargo rres advise --apply                  adds the rules that lose nothing to assets.toml
  cargo rres advise --assets assets --json")]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    key: KeyArgs,
    /// Add the rules that lose nothing to assets.toml, the best one for each folder
    #[arg(long)]
    apply: bool,
    /// With --apply, add rules that lose something, too, if they save more
    #[arg(long, requires = "apply")]
    lossy: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let keys = args.key.load()?;
    let mut reports = Vec::new();
    for AssetBuild { dir, build } in args.builds.find(out)?.builds {
        let failed = |error: rres_settings::diagnostic::BuildError| Failure::Fault(error.to_string());
        let planned = build.clone().plan().map_err(failed)?;
        let sources: HashMap<String, String> = planned.into_iter().map(|asset| (asset.path, asset.source)).collect();
        let scratch =
            tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let before = measure(build.clone(), &scratch.path().join("now"), keys.as_ref(), &sources)?;
        let mut tried = Vec::new();
        for (number, trial) in TRIALS.iter().enumerate() {
            if !before.values().any(|measured| trial.suits(measured.kind)) {
                continue;
            }
            let into = scratch.path().join(number.to_string());
            match measure(build.clone().rule("**", trial.set), &into, keys.as_ref(), &sources) {
                Ok(measured) => tried.push((trial, measured)),
                // Such as blocks for a reader that has none.
                Err(failure) => {
                    let failure = failure.to_string();
                    let why = failure.lines().next().unwrap_or_default();
                    out.warn(&format!("`{}` was not tried: {}", trial.keys, escape_terminal(why)))?;
                }
            }
            // Each is a whole pack.
            let _ = fs::remove_dir_all(into);
        }
        let all = advice(&before, tried);
        let applied = if args.apply { apply(&dir, &chosen(&all, args.lossy), out)? } else { 0 };
        let total = before.values().map(|measured| measured.stored).sum();
        if !args.json {
            print(&all, total, args, applied, out)?;
        }
        reports.push(json!({
            "assets": dir,
            "stored_size": total,
            "advice": all.iter().map(to_json).collect::<Vec<_>>(),
            "applied_count": applied,
        }));
    }
    if args.json {
        out.json(json!({ "builds": reports }))?;
    }
    Ok(Outcome::Success)
}

/// Appends rules to the settings file of a directory, and returns their number.
fn apply(dir: &Path, chosen: &[&Advice], out: &mut Output) -> Result<usize, Failure> {
    let file = dir.join(SETTINGS_FILE);
    let mut text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::Usage(format!("cannot read {}: {error}", file.display()))),
    };
    let parse = |text: &str| {
        text.parse::<DocumentMut>().map_err(|e| Failure::Fault(format!("{} is not TOML: {e}", file.display())))
    };
    let mut applied = 0;
    for advice in chosen {
        let Some(rule) = advice.rule(&parse(&text)?) else {
            let glob = advice.glob();
            out.warn(&format!("{SETTINGS_FILE} has several rules for {glob}; add `{}` to one", advice.trial.keys))?;
            continue;
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let saved = format!("{} of {}", ByteSize(advice.saved()), ByteSize(advice.before.stored));
        text += &format!("\n# `cargo rres advise`: saves {saved}.\n{rule}");
        applied += 1;
    }
    parse(&text)?;
    if applied > 0 {
        atomic_write::replace(&file, text.as_bytes())
            .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
    }
    Ok(applied)
}

fn print(all: &[Advice], total: u64, args: &Args, applied: usize, out: &mut Output) -> Result<(), Failure> {
    if all.is_empty() {
        out.line(format!("{} stored; no setting that was tried saves 5 % of a folder", ByteSize(total)))?;
        return Ok(());
    }
    let mut table = Table::new(&[
        Column::right("SAVES"),
        Column::right("OF"),
        Column::right("LOAD"),
        Column::right("MEMORY"),
        Column::right("VRAM"),
        Column::left("LOSES"),
        Column::left("RULE"),
    ]);
    for advice in all {
        let Advice { before, after, trial, .. } = advice;
        let loss = match (trial.loss, after.psnr) {
            (Some(_), Some(psnr)) => format!("blocks, {psnr:.1} dB"),
            (loss, _) => loss.unwrap_or("nothing").to_owned(),
        };
        table.row([
            ByteSize(advice.saved()).to_string(),
            format!("{} ({:.0} %)", ByteSize(before.stored), 100.0 * advice.saved() as f64 / before.stored as f64),
            times(before.load.as_secs_f64(), after.load.as_secs_f64()),
            times(before.decoded as f64, after.decoded as f64),
            times(before.video as f64, after.video as f64),
            loss,
            format!("[\"{}\"] {}", advice.glob(), trial.keys),
        ]);
    }
    table.print(out)?;
    let sum = |may_lose| chosen(all, may_lose).iter().map(|advice| advice.saved()).sum::<u64>();
    let of = |bytes: u64| format!("{} ({:.0} %)", ByteSize(bytes), 100.0 * bytes as f64 / total.max(1) as f64);
    out.line(format!(
        "{} stored; without loss {} less, with the best of all {} less",
        ByteSize(total),
        of(sum(false)),
        of(sum(true))
    ))?;
    if applied > 0 {
        out.line(format!("{} added to {SETTINGS_FILE}", count(applied, "rule")))?;
    } else if args.apply {
        out.line(format!("nothing added to {SETTINGS_FILE}: each of these loses something; --lossy adds them too"))?;
    } else {
        out.line("--apply adds the rules that lose nothing, and with --lossy those that save most")?;
    }
    Ok(())
}

/// How many times as much.
fn times(before: f64, after: f64) -> String {
    if before > 0.0 { format!("×{:.2}", after / before) } else { "–".to_owned() }
}

fn to_json(advice: &Advice) -> Value {
    let Advice { before, after, trial, .. } = advice;
    let seconds = |time: Duration| (time.as_secs_f64() * 1e7).round() / 1e7;
    let measured = |of: &Measured| json!({ "stored_size": of.stored, "decoded_size": of.decoded, "video_memory": of.video, "load_seconds": seconds(of.load) });
    json!({
        "glob": advice.glob(),
        "keys": trial.keys,
        "asset_count": before.assets,
        "saved_size": advice.saved(),
        "loss": trial.loss,
        "psnr": after.psnr,
        "before": measured(before),
        "after": measured(after),
    })
}
