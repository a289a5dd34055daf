//! `cargo rres advise`: tries settings on all assets, and says what each would save.

mod advice;
mod files;
mod goal;
mod measure;
mod search;
mod trials;

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rres_packs::atomic_write;
use rres_settings::{ByteSize, SETTINGS_FILE};
use serde_json::{Value, json};
use toml_edit::DocumentMut;

use advice::{Advice, chosen};
use files::Measured;
use goal::Goal;
use measure::Subject;

use crate::asset_builds::{AssetBuild, BuildArgs};
use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::{Column, Output, Table, count};

/// Try settings on the assets, and say what each would save
///
/// Builds packs with the settings, from the import cache if they have been tried before, and compares the files of each folder. Then it tries the
/// best of them together. Nothing is changed without --apply.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres advise                          what saves at least 5 % of the files of a folder
  cargo rres advise --goal vram              what saves video memory
  cargo rres advise --apply                  adds the rules that lose nothing to assets.toml
  cargo rres advise --assets assets --json")]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    key: KeyArgs,
    /// What to save
    #[arg(long, value_name = "GOAL", value_enum, default_value_t)]
    goal: Goal,
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
        let subject = Subject::new(build, keys.clone())?;
        let before = subject.measure(&[])?;
        let all = search::search(&subject, &before, args.goal, out)?;
        // Measured again, as a build with these rules does it.
        let total = |may_lose| -> Result<u64, Failure> {
            let rules: Vec<_> = chosen(&all, args.goal, may_lose).iter().map(|of| (&of.files, &of.candidate)).collect();
            let measured = if rules.is_empty() { before.clone() } else { subject.measure(&rules)? };
            Ok(measured.values().map(|measured| args.goal.of(measured)).sum())
        };
        let totals = Totals {
            now: before.values().map(|measured| args.goal.of(measured)).sum(),
            without_loss: total(false)?,
            best: total(true)?,
        };
        let applied = if args.apply { apply(&dir, args, &chosen(&all, args.goal, args.lossy), out)? } else { 0 };
        if !args.json {
            print(&all, &totals, args, applied, out)?;
        }
        reports.push(json!({
            "assets": dir,
            "goal": args.goal.name(),
            "stored_size": before.values().map(|measured| measured.stored).sum::<u64>(),
            "advice": all.iter().map(to_json).collect::<Vec<_>>(),
            "applied_count": applied,
        }));
    }
    if args.json {
        out.json(json!({ "builds": reports }))?;
    }
    Ok(Outcome::Success)
}

/// What all assets take of a goal.
struct Totals {
    now: u64,
    /// With the best rules that lose nothing.
    without_loss: u64,
    /// With the best rules.
    best: u64,
}

/// Appends rules to the settings file of a directory, and returns their number.
fn apply(dir: &Path, args: &Args, chosen: &[&Advice], out: &mut Output) -> Result<usize, Failure> {
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
            let keys = advice.keys().replace('\n', ", ");
            out.warn(&format!("{SETTINGS_FILE} has several rules for {glob}; add `{keys}` to one"))?;
            continue;
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let (saved, of) = (advice.saved(args.goal), args.goal.of(&advice.before));
        let (saved, of, unit) = (amount(args.goal, saved), amount(args.goal, of), args.goal.unit());
        text += &format!("\n# `cargo rres advise`: saves {saved} of {of} {unit}.\n{rule}");
        applied += 1;
    }
    parse(&text)?;
    if applied > 0 {
        atomic_write::replace(&file, text.as_bytes())
            .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
    }
    Ok(applied)
}

fn print(all: &[Advice], totals: &Totals, args: &Args, applied: usize, out: &mut Output) -> Result<(), Failure> {
    let goal = args.goal;
    let now = format!("{} {}", amount(goal, totals.now), goal.unit());
    if all.is_empty() {
        out.line(format!("{now}; no setting that was tried saves {} % of a folder", goal.least_percent()))?;
        return Ok(());
    }
    let others: Vec<Goal> = Goal::COLUMNS.into_iter().filter(|other| *other != goal).collect();
    let mut columns = vec![Column::right("SAVES"), Column::right("OF")];
    columns.extend(others.iter().map(|other| Column::right(other.column())));
    columns.extend([Column::left("LOSES"), Column::left("RULE")]);
    let mut table = Table::new(&columns);
    for advice in all {
        let (saved, of) = (advice.saved(goal), goal.of(&advice.before));
        let mut row = vec![amount(goal, saved), format!("{} ({:.0} %)", amount(goal, of), percent(saved, of))];
        row.extend(others.iter().map(|other| times(other.of(&advice.before), other.of(&advice.after))));
        row.push(loss(advice));
        row.push(format!("[\"{}\"] {}", advice.glob(), advice.keys().replace('\n', ", ")));
        table.row(row);
    }
    table.print(out)?;
    let less = |then: u64| {
        let saved = totals.now.saturating_sub(then);
        format!("{} ({:.0} %)", amount(goal, saved), percent(saved, totals.now))
    };
    let (without_loss, best) = (less(totals.without_loss), less(totals.best));
    out.line(format!("{now}; without loss {without_loss} less, with the best of all {best} less"))?;
    if applied > 0 {
        out.line(format!("{} added to {SETTINGS_FILE}", count(applied, "rule")))?;
    } else if args.apply && !args.lossy && chosen(all, goal, false).is_empty() {
        out.line(format!("nothing added to {SETTINGS_FILE}: each of these loses something; --lossy adds them too"))?;
    } else if args.apply {
        out.line(format!("nothing added to {SETTINGS_FILE}"))?;
    } else {
        out.line("--apply adds the rules that lose nothing, and with --lossy those that save most")?;
    }
    Ok(())
}

/// What a rule loses, with the quality of the worst picture that it makes blocks of.
fn loss(advice: &Advice) -> String {
    let Some(mut loss) = advice.loss() else { return "nothing".to_owned() };
    if let (Some(psnr), Some(ssim), true) = (advice.after.psnr, advice.after.ssim, advice.candidate.makes_blocks()) {
        loss += &format!(", {psnr:.1} dB, SSIM {ssim:.3}");
    }
    loss
}

/// Bytes, a time, or a number.
fn amount(goal: Goal, of: u64) -> String {
    match goal {
        Goal::Load => format!("{:.1} ms", of as f64 / 1e6),
        Goal::Size | Goal::Memory | Goal::Vram => ByteSize(of).to_string(),
        Goal::Textures => of.to_string(),
    }
}

fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// How many times as much.
fn times(before: u64, after: u64) -> String {
    if before > 0 { format!("×{:.2}", after as f64 / before as f64) } else { "–".to_owned() }
}

fn to_json(advice: &Advice) -> Value {
    let Advice { before, after, .. } = advice;
    let seconds = |time: Duration| (time.as_secs_f64() * 1e7).round() / 1e7;
    let measured = |of: &Measured| json!({ "stored_size": of.stored, "decoded_size": of.decoded, "video_memory": of.video, "load_seconds": seconds(of.load), "texture_count": of.textures });
    json!({
        "glob": advice.glob(),
        "keys": advice.keys(),
        "asset_count": before.assets,
        "saved_size": before.stored as i64 - after.stored as i64,
        "loss": advice.loss(),
        "psnr": after.psnr,
        "ssim": after.ssim,
        "before": measured(before),
        "after": measured(after),
    })
}
