//! `cargo rres diff`: what changed between two packs, and what an update from one to the other costs.

mod download;
mod markdown;

use std::borrow::Cow;
use std::path::PathBuf;

use rres_packs::compare::{Change, Item, Row, Side, compare};
use rres_packs::progress::{Progress, ProgressMeter};
use rres_packs::staleness::changed_groups;
use rres_packs::{OpenedPack, describe, patching};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::{Column, Output, Style, Table, escape_terminal};
use crate::progress_bar::ProgressBar;

/// Show what changed between two packs
///
/// Lists the resources that were added, removed, moved or changed, how they changed, and what an update costs: in a store that
/// keeps files as blocks of 1 MiB, such as Steam's, and as a patch. Compares the packs of whole sets, and two dev indexes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres diff 1.0/game.rres 1.1/game.rres
  cargo rres diff --markdown main/game.rres game.rres > comment.md
  cargo rres diff --exit-code old.rres new.rres > /dev/null || echo changed")]
pub(crate) struct Args {
    /// Path to the old pack; packs written by other programs work, too
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// Path to the new pack
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Exit with code 1 if the packs differ, as git diff does
    #[arg(long)]
    exit_code: bool,
    /// Do not compute how large an update is
    #[arg(long)]
    no_update: bool,
    #[command(flatten)]
    key: KeyArgs,
    /// Print a comment for a merge request, in Markdown: what has changed, the largest first
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// What differs between two packs.
struct Differences<'i, 's> {
    rows: Vec<Row<'i, 's>>,
    /// The names of groups that have other members, or that only one of them has.
    groups: Vec<String>,
}

impl Differences<'_, '_> {
    fn is_none(&self) -> bool {
        self.groups.is_empty() && self.rows.iter().all(|row| row.change == Change::Same)
    }
}

/// What an update costs, in bytes.
struct Update {
    fixed: download::Missing,
    moved: u64,
    /// The size of a patch without deltas and of one with deltas; `None` if there can be no patch.
    patches: Option<(u64, u64)>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let opener = args.key.opener()?;
    let sets = [opener.open_set(&args.old)?, opener.open_set(&args.new)?];
    let [old, new] = [Side::new(&sets[0])?, Side::new(&sets[1])?];
    if old.is_dev_index != new.is_dev_index {
        let (dev, pack) = if old.is_dev_index { (&old, &new) } else { (&new, &old) };
        let (dev, pack) = (dev.packs[0].name(), pack.packs[0].name());
        let text = format!(
            "cannot compare {dev}, the dev index of a debug build, with {pack}, a pack: a dev index contains no assets"
        );
        return Err(Failure::Usage(text));
    }
    let bar = ProgressBar::start();
    let meter = bar.meter();
    start(&meter, &new);
    let mut done = None;
    let rows = compare(&old, &new, |item| {
        meter.next(done.replace(item.resource.decoded_size), &item.resource.name());
    });
    let update = match old.is_dev_index || args.no_update {
        true => Ok(None),
        false => update(&old, &new, &meter).map(Some),
    };
    bar.stop();
    let update = update?;
    let groups = changed_groups(&sets[0], &sets[1]).into_iter().map(|group| group.name).collect();
    let differences = Differences { rows, groups };
    match (args.json, args.markdown) {
        (true, _) => out.json(to_json(&old, &new, &differences, update.as_ref()))?,
        (_, true) => out.bytes(markdown::markdown(&old, &new, &differences, update.as_ref()).as_bytes())?,
        _ => print(&old, &new, &differences, update.as_ref(), out)?,
    }
    Ok(Outcome::of(differences.is_none() || !args.exit_code))
}

fn start(meter: &ProgressMeter, side: &Side<'_>) {
    let bytes = side.items.iter().map(|item| item.resource.decoded_size).sum();
    meter.set(Progress { noun: "assets", count: side.items.len(), bytes, ..Progress::default() });
}

fn update(old: &Side<'_>, new: &Side<'_>, meter: &ProgressMeter) -> Result<Update, Failure> {
    old.check_chunks().and_then(|()| new.check_chunks())?;
    let (before, after) = (old.files(), new.files());
    let patches = match old.has_index && new.has_index {
        true => {
            let size = |deltas| {
                start(meter, new);
                let size = patching::make(old, new, deltas, meter)?.size();
                size.map_err(|e| Failure::Fault(format!("no patch can be made: {e}")))
            };
            Some((size(false)?, size(true)?))
        }
        false => None,
    };
    Ok(Update {
        fixed: download::in_fixed_blocks(&before, &after),
        moved: download::in_moved_blocks(&before, &after),
        patches,
    })
}

/// The number of rows of a change, and their bytes on both sides.
fn total(rows: &[Row<'_, '_>], change: Change) -> (usize, u64, u64) {
    let of = |row: &Row<'_, '_>| [row.old, row.new].map(|item| item.map_or(0, |item| item.resource.stored_size));
    let mut total = (0, 0, 0);
    for [before, after] in rows.iter().filter(|row| row.change == change).map(of) {
        total = (total.0 + 1, total.1 + before, total.2 + after);
    }
    total
}

fn print(
    old: &Side<'_>,
    new: &Side<'_>,
    Differences { rows, groups }: &Differences<'_, '_>,
    update: Option<&Update>,
    out: &mut Output,
) -> Result<(), Failure> {
    if rows.iter().any(|row| row.change != Change::Same) {
        print_rows(rows, out)?;
        out.line("")?;
    }
    if !groups.is_empty() {
        out.line(format!("groups with other members: {}", escape_terminal(&groups.join(", "))))?;
        out.line("")?;
    }
    let mut table =
        Table::new(&[Column::left("TOTAL"), Column::right("COUNT"), Column::right("BEFORE"), Column::right("AFTER")]);
    for change in Change::ALL {
        let (count, before, after) = total(rows, change);
        let [before, after] = [before, after].map(|size| ByteSize(size).to_string());
        table.row([change.name().to_owned(), count.to_string(), before, after]);
    }
    let [before, after] = [old, new].map(|side| ByteSize(side.size()).to_string());
    table.row(["files".to_owned(), String::new(), before, after]);
    table.print_with_total(out)?;
    let Some(Update { fixed, moved, patches }) = update else { return Ok(()) };
    out.line("")?;
    let mut table = Table::new(&[Column::left("UPDATE"), Column::right("SIZE"), Column::right("SHARE")]);
    let mut row = |name: String, bytes: u64| {
        let share = bytes as f64 / new.size().max(1) as f64 * 100.0;
        table.row([name, ByteSize(bytes).to_string(), format!("{share:.1} %")]);
    };
    row(format!("store, fixed blocks of 1 MiB: {} of {}", fixed.blocks, fixed.all_blocks), fixed.bytes);
    row("store, blocks of 1 MiB found where they moved".to_owned(), *moved);
    if let Some((whole, deltas)) = patches {
        row("patch with whole assets".to_owned(), *whole);
        row("patch with deltas".to_owned(), *deltas);
    }
    table.print(out)?;
    Ok(())
}

fn print_rows(rows: &[Row<'_, '_>], out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        Column::left("CHANGE"),
        Column::left("PATH"),
        Column::right("BEFORE"),
        Column::right("AFTER"),
        Column::left("HOW"),
    ]);
    let mut styles = Vec::new();
    for row in rows.iter().filter(|row| row.change != Change::Same) {
        let size = |item: Option<&Item<'_>>| {
            item.map_or_else(|| "-".to_owned(), |item| ByteSize(item.resource.stored_size).to_string())
        };
        table.row([row.change.name().to_owned(), path_of(row), size(row.old), size(row.new), how(row)]);
        styles.push(match row.change {
            Change::Added => Some(Style::Good),
            Change::Removed => Some(Style::Bad),
            _ => None,
        });
    }
    for (number, line) in table.lines().iter().enumerate() {
        match number.checked_sub(1).map(|row| styles[row]) {
            None => out.styled_line(Style::Bold, line)?,
            Some(Some(style)) => out.styled_line(style, line)?,
            Some(None) => out.line(line)?,
        }
    }
    Ok(())
}

/// The path of a resource, or its id if the pack has no paths.
fn name_of(item: &Item<'_>) -> String {
    item.resource.shown_path().map_or_else(|| item.resource.id.to_string(), Cow::into_owned)
}

/// The path of what has changed, with the path before if it has moved.
fn path_of(row: &Row<'_, '_>) -> String {
    match (row.old, row.new) {
        (Some(old), Some(new)) if row.change == Change::Moved => format!("{} → {}", name_of(old), name_of(new)),
        _ => name_of(row.item()),
    }
}

/// Returns how a resource changed, in words: `pixels; width 16 → 32`.
fn how(row: &Row<'_, '_>) -> String {
    let properties = row.difference.properties.iter();
    let properties: Vec<String> = properties
        .map(|(name, before, after)| format!("{name} {} → {}", describe::to_text(before), describe::to_text(after)))
        .collect();
    let what: Vec<&str> =
        row.difference.what.iter().copied().filter(|what| *what != "properties" || properties.is_empty()).collect();
    [what.join(", "), properties.join(", ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn to_json(old: &Side<'_>, new: &Side<'_>, differences: &Differences<'_, '_>, update: Option<&Update>) -> Value {
    let Differences { rows, groups } = differences;
    let side = |side: &Side<'_>| {
        let packs: Vec<String> = side.packs.iter().map(OpenedPack::name).collect();
        json!({ "packs": packs, "size": side.size(), "resource_count": side.items.len() })
    };
    let property =
        |(name, before, after): &(String, Value, Value)| json!({ "name": name, "before": before, "after": after });
    let row = |row: &Row<'_, '_>| {
        let of = |item: Option<&Item<'_>>| {
            item.map(|item| json!({ "id": item.resource.id.to_string(), "stored_size": item.resource.stored_size }))
        };
        let moved_from = row.old.filter(|_| row.change == Change::Moved).and_then(|old| old.resource.shown_path());
        json!({
            "change": row.change.name(),
            "path": row.item().resource.shown_path(),
            "kind": row.item().resource.kind_name(),
            "from": moved_from,
            "before": of(row.old),
            "after": of(row.new),
            "what": row.difference.what,
            "properties": row.difference.properties.iter().map(property).collect::<Vec<_>>(),
        })
    };
    let changes: Vec<Value> = rows.iter().filter(|row| row.change != Change::Same).map(row).collect();
    let totals = Change::ALL.into_iter().map(|change| {
        let (count, before, after) = total(rows, change);
        (change.name().to_owned(), json!({ "count": count, "before_size": before, "after_size": after }))
    });
    let update = update.map(|Update { fixed, moved, patches }| {
        json!({
            "fixed_blocks_size": fixed.bytes,
            "fixed_block_count": fixed.blocks,
            "block_count": fixed.all_blocks,
            "moved_blocks_size": moved,
            "patch_size": patches.map(|(whole, _)| whole),
            "delta_patch_size": patches.map(|(_, deltas)| deltas),
        })
    });
    json!({
        "equal": differences.is_none(),
        "old": side(old),
        "new": side(new),
        "changes": changes,
        "changed_groups": groups,
        "totals": totals.collect::<serde_json::Map<_, _>>(),
        "update": update,
    })
}
