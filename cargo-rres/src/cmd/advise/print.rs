//! What advice looks like: as a table, and as JSON.

use std::time::Duration;

use rres_settings::{ByteSize, SETTINGS_FILE, toml_string};
use serde_json::{Value, json};

use super::advice::{Advice, chosen};
use super::files::Measured;
use super::goal::Goal;
use super::{Args, Found};
use crate::exit::Failure;
use crate::output::{Column, Output, Table, count};

/// Prints a table of the advice, and what all of it saves.
pub(super) fn print(found: &Found, has_title: bool, args: &Args, out: &mut Output) -> Result<(), Failure> {
    let Found { dir, advice: all, totals, applied, .. } = found;
    let goal = args.goal;
    if has_title {
        out.line(format!("{}:", dir.display()))?;
    }
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
        row.push(format!("[{}] {}", toml_string(&advice.glob), advice.keys().replace('\n', ", ")));
        table.row(row);
    }
    table.print(out)?;
    let less = |then: u64| {
        let saved = totals.now.saturating_sub(then);
        format!("{} ({:.0} %)", amount(goal, saved), percent(saved, totals.now))
    };
    let (without_loss, best) = (less(totals.without_loss), less(totals.best));
    out.line(format!("{now}; without loss {without_loss} less, with the best of all {best} less"))?;
    if *applied > 0 {
        out.line(format!("{} added to {SETTINGS_FILE}", count(*applied, "rule")))?;
    } else if args.apply && !args.lossy && chosen(all, goal, false).is_empty() {
        out.line(format!(
            "nothing added to {SETTINGS_FILE}: each of these loses something; --lossy adds the best of them"
        ))?;
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
pub(super) fn amount(goal: Goal, of: u64) -> String {
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

/// What was found, as `--json` prints it.
pub(super) fn json(found: &Found, goal: Goal) -> Value {
    json!({
        "assets": found.dir.display().to_string(),
        "goal": goal.name(),
        "stored_size": found.before.values().map(|measured| measured.stored).sum::<u64>(),
        "advice": found.advice.iter().map(to_json).collect::<Vec<_>>(),
        "applied_count": found.applied,
    })
}

fn to_json(advice: &Advice) -> Value {
    let Advice { before, after, .. } = advice;
    let seconds = |time: Duration| (time.as_secs_f64() * 1e7).round() / 1e7;
    let measured = |of: &Measured| json!({ "stored_size": of.stored, "decoded_size": of.decoded, "video_memory": of.video, "load_seconds": seconds(of.load), "texture_count": of.textures });
    json!({
        "glob": advice.glob,
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
