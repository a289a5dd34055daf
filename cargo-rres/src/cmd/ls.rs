//! `cargo rres ls`: the resources of a pack, one per line, and what each kind takes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::listing::{Item, Listing};
use crate::output::{Output, Style, Table, size};
use crate::pack_file::PackFile;

/// List the resources of a pack, and of the further packs of its set
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The .rres file, ours or another program's
    pack: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// What to sort by
    #[arg(long, value_enum, default_value_t)]
    sort: Sort,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Sort {
    /// Path; resources without one come last, by id
    #[default]
    Path,
    /// Stored size, the largest first
    Size,
    /// Kind, then path
    Kind,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (packs, missing) = PackFile::open_set(&args.pack)?;
    let mut problems = Vec::new();
    let mut items: Vec<(usize, Item<'_>)> = Vec::new();
    for (number, pack) in packs.iter().enumerate() {
        let listing = Listing::new(pack);
        problems.extend(listing.problems.into_iter().map(|problem| format!("{}: {problem}", pack.name())));
        items.extend(listing.items.into_iter().map(|item| (number, item)));
    }
    problems.extend(missing.map(|failure| failure.to_string()));
    let by_path = |item: &Item<'_>| (item.path.is_empty(), item.path.clone(), item.id);
    match args.sort {
        Sort::Path => items.sort_by_key(|(_, item)| by_path(item)),
        Sort::Size => items.sort_by_key(|(_, item)| (u64::MAX - item.stored, by_path(item))),
        Sort::Kind => items.sort_by_key(|(_, item)| (item.kind_name(), by_path(item))),
    }
    match args.json {
        true => out.json(&as_json(&packs, &items, &problems))?,
        false => print(&items, out)?,
    }
    for problem in &problems {
        out.problem(problem)?;
    }
    Ok(if problems.is_empty() { Outcome::Fine } else { Outcome::Problems })
}

/// Count, stored and decoded bytes of each kind.
fn totals<'i>(items: impl Iterator<Item = &'i Item<'i>>) -> BTreeMap<String, (u64, u64, u64)> {
    let mut totals = BTreeMap::new();
    for item in items {
        let (count, stored, decoded) = totals.entry(item.kind_name()).or_insert((0, 0, 0));
        (*count, *stored, *decoded) = (*count + 1, *stored + item.stored, *decoded + item.decoded);
    }
    totals
}

fn print(items: &[(usize, Item<'_>)], out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&["PATH", "ID", "KIND", ">STORED", ">DECODED", "COMPRESSION"]);
    for (_, item) in items {
        let path = if item.path.is_empty() { "-".to_owned() } else { item.name() };
        let (stored, decoded) = (size(item.stored), size(item.decoded));
        table.row([path, item.id.to_string(), item.kind_name(), stored, decoded, item.encoding()]);
    }
    table.print(out)?;
    out.line("")?;
    let mut table = Table::new(&["KIND", ">COUNT", ">STORED", ">DECODED"]);
    let (mut count, mut stored, mut decoded) = (0, 0, 0);
    for (kind, total) in totals(items.iter().map(|(_, item)| item)) {
        (count, stored, decoded) = (count + total.0, stored + total.1, decoded + total.2);
        table.row([kind, total.0.to_string(), size(total.1), size(total.2)]);
    }
    table.row(["all".to_owned(), count.to_string(), size(stored), size(decoded)]);
    let lines = table.lines();
    for (i, line) in lines.iter().enumerate() {
        let line = if i == 0 || i + 1 == lines.len() { out.style(Style::Bold, line) } else { line.clone() };
        out.line(line)?;
    }
    Ok(())
}

fn as_json(packs: &[PackFile], items: &[(usize, Item<'_>)], problems: &[String]) -> Value {
    let resource = |(pack, item): &(usize, Item<'_>)| {
        let mut value = item_json(item);
        value["pack"] = json!(packs[*pack].name());
        value
    };
    let totals: serde_json::Map<String, Value> = totals(items.iter().map(|(_, item)| item))
        .into_iter()
        .map(|(kind, (count, stored, decoded))| (kind, json!({ "count": count, "stored": stored, "decoded": decoded })))
        .collect();
    json!({
        "packs": packs.iter().map(PackFile::name).collect::<Vec<_>>(),
        "resources": items.iter().map(resource).collect::<Vec<_>>(),
        "totals": totals,
        "problems": problems,
    })
}

/// What `ls` and `info` say of a resource; ids as strings, since they are names and not quantities.
pub(crate) fn item_json(item: &Item<'_>) -> Value {
    json!({
        "path": Some(&item.path).filter(|path| !path.is_empty()),
        "id": item.id.to_string(),
        "kind": item.kind_name(),
        "stored": item.stored,
        "decoded": item.decoded,
        "compression": item.encoding(),
        "chunks": item.chunks.len(),
        "offset": item.chunks.first().map(|chunk| chunk.offset),
    })
}
