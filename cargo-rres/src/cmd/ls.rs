//! `cargo rres ls`: lists the resources of a pack, one per line, and the totals of each kind.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;

use rres_packs::finding::Finding;
use rres_packs::{GroupTotal, OpenedPack, PackSet, Resource, Selection, group_totals, pack_set};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table, count};
use crate::pack_args::{Need, PackArgs};

/// List the resources of a pack
///
/// Lists the resources of the additional packs of its set, too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres ls                              what this package has built last
  cargo rres ls --sort size out/game.rres    the largest first
  cargo rres ls --sort vram                  what takes most video memory first
  cargo rres ls \"ui/**/*.png\" sound          of these paths and folders only
  cargo rres ls --json | jq .totals          for scripts")]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    pack: Option<OsString>,
    /// List only these: paths, folders, ids, or globs such as "ui/**/*.png"
    #[arg(value_name = "PATH")]
    names: Vec<String>,
    #[command(flatten)]
    packs: PackArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
    /// Sort by path, by stored size or by video memory with the largest first, or by kind
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    sort: Sort,
    /// Show the columns of rrespacker, too: number in the pack, raw, encryption, linked
    #[arg(short, long)]
    wide: bool,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Sort {
    // Resources without a path come last, by id.
    #[default]
    Path,
    Size,
    Vram,
    // Within a kind, by path.
    Kind,
}

/// A resource and the pack that contains it.
struct Row<'a> {
    pack: &'a OpenedPack,
    resource: Resource<'a>,
    /// `None` if it is not known.
    video_memory: Option<u64>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &args.names, Need::List, out)?;
    let sets = args.packs.opener()?.read_sets(&paths)?;
    let selection = Selection::parse(&names)?;
    let lists = pack_set::resource_lists(&sets);
    selection.check_used(&lists)?;
    let findings = pack_set::findings(&sets, &lists);
    let groups = group_totals(&sets, &lists);
    let mut rows = Vec::new();
    for (pack, list) in pack_set::packs(&sets).zip(lists) {
        let selected = list.resources.into_iter().filter(|resource| selection.contains(resource));
        rows.extend(selected.map(|resource| Row { pack, video_memory: resource.video_memory(), resource }));
    }
    sort(&mut rows, args.sort);
    if args.json {
        let mut json = to_json(&sets, &rows, &findings);
        json["groups"] = groups.iter().map(group_json).collect();
        out.json(json)?;
    } else {
        print(&rows, args.wide, out)?;
        if names.is_empty() && !groups.is_empty() {
            print_groups(&groups, out)?;
        }
    }
    for (pack, finding) in &findings {
        out.finding(&pack.name(), finding)?;
    }
    Ok(Outcome::of(findings.is_empty()))
}

fn sort(rows: &mut [Row<'_>], by: Sort) {
    rows.sort_by(|one, other| {
        let (a, b) = (&one.resource, &other.resource);
        let first = match by {
            Sort::Path => std::cmp::Ordering::Equal,
            Sort::Size => b.stored_size.cmp(&a.stored_size),
            Sort::Vram => other.video_memory.cmp(&one.video_memory),
            Sort::Kind => a.kind_name().cmp(&b.kind_name()),
        };
        first.then_with(|| a.path_order().cmp(&b.path_order()))
    });
}

/// The number and the sizes of several resources.
#[derive(Clone, Copy, Default)]
struct Total {
    count: usize,
    stored_size: u64,
    decoded_size: u64,
    /// Of those whose video memory is known; `None` if it is known of none.
    video_memory: Option<u64>,
}

impl Total {
    fn add(&mut self, Row { resource, video_memory, .. }: &Row<'_>) {
        self.count += 1;
        if let Some(bytes) = video_memory {
            self.video_memory = Some(self.video_memory.unwrap_or_default().saturating_add(*bytes));
        }
        self.stored_size += resource.stored_size;
        self.decoded_size += resource.decoded_size;
    }

    fn cells(self, kind: &str) -> [String; 5] {
        let [stored, decoded] = [self.stored_size, self.decoded_size].map(|size| ByteSize(size).to_string());
        [kind.to_owned(), self.count.to_string(), stored, decoded, video_memory(self.video_memory)]
    }
}

/// Returns the total of each kind.
fn totals(rows: &[Row<'_>]) -> BTreeMap<String, Total> {
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    for row in rows {
        totals.entry(row.resource.kind_name()).or_default().add(row);
    }
    totals
}

fn print(rows: &[Row<'_>], is_wide: bool, out: &mut Output) -> Result<(), Failure> {
    if is_wide {
        print_wide(rows, out)?
    } else {
        print_narrow(rows, out)?
    }
    let mut all = Total::default();
    rows.iter().for_each(|row| all.add(row));
    out.line("")?;
    let mut table = Table::new(&[
        Column::left("KIND"),
        Column::right("COUNT"),
        Column::right("STORED"),
        Column::right("DECODED"),
        Column::right("VRAM"),
    ]);
    for (kind, total) in totals(rows) {
        table.row(total.cells(&kind));
    }
    table.row(all.cells("all"));
    table.print_with_total(out)?;
    let number = AssetCount::of(rows.iter().map(|row| &row.resource));
    if number.sub_assets > 0 {
        out.line(format!("\n{number}"))?;
    }
    Ok(())
}

/// What each group takes together with what its members need.
fn print_groups(groups: &[GroupTotal], out: &mut Output) -> Result<(), Failure> {
    out.line("")?;
    let mut table =
        Table::new(&[Column::left("GROUP"), Column::right("COUNT"), Column::right("STORED"), Column::right("VRAM")]);
    for of in groups {
        let stored = ByteSize(of.stored_size).to_string();
        table.row([of.name.clone(), of.count.to_string(), stored, video_memory(of.video_memory)]);
    }
    table.print(out)?;
    Ok(())
}

/// Returns the JSON fields of a group that `ls` and `report` have in common.
pub(crate) fn group_json(of: &GroupTotal) -> Value {
    let GroupTotal { name, count, stored_size, video_memory } = of;
    json!({ "name": name, "count": count, "stored_size": stored_size, "video_memory": video_memory })
}

/// The number of assets as a build counts them: what comes from inside a file is a part of that asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AssetCount {
    pub(crate) assets: usize,
    pub(crate) sub_assets: usize,
}

impl AssetCount {
    pub(crate) fn of<'a>(resources: impl Iterator<Item = &'a Resource<'a>>) -> Self {
        resources.fold(Self::default(), |Self { assets, sub_assets }, resource| match resource.is_sub_asset() {
            true => Self { assets, sub_assets: sub_assets + 1 },
            false => Self { assets: assets + 1, sub_assets },
        })
    }
}

impl fmt::Display for AssetCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (assets, sub_assets) = (count(self.assets, "asset"), count(self.sub_assets, "sub-asset"));
        match (self.assets, self.sub_assets) {
            (_, 0) => f.write_str(&assets),
            (0, _) => f.write_str(&sub_assets),
            _ => write!(f, "{assets} and {sub_assets}"),
        }
    }
}

fn print_narrow(rows: &[Row<'_>], out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        Column::left("PATH"),
        Column::left("ID"),
        Column::left("KIND"),
        Column::right("STORED"),
        Column::right("DECODED"),
        Column::right("VRAM"),
        Column::left("COMPRESSION"),
    ]);
    for Row { resource, video_memory: uploaded, .. } in rows {
        let [path, stored, decoded] = path_and_sizes(resource);
        let (id, kind) = (resource.id.to_string(), resource.kind_name());
        table.row([path, id, kind, stored, decoded, video_memory(*uploaded), resource.encoding()]);
    }
    table.print(out)?;
    Ok(())
}

fn print_wide(rows: &[Row<'_>], out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        Column::right("NUM"),
        Column::left("PATH"),
        Column::left("ID"),
        Column::left("KIND"),
        Column::left("RAW"),
        Column::right("STORED"),
        Column::right("DECODED"),
        Column::right("VRAM"),
        Column::left("COMPRESSION"),
        Column::left("ENCRYPTION"),
        Column::left("LINKED"),
    ]);
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    for Row { resource, video_memory: uploaded, .. } in rows {
        let [path, stored, decoded] = path_and_sizes(resource);
        table.row([
            resource.number.to_string(),
            path,
            resource.id.to_string(),
            resource.kind_name(),
            yes(resource.is_raw()),
            stored,
            decoded,
            video_memory(*uploaded),
            resource.same_as.as_ref().map_or_else(|| resource.compression_names(), |_| resource.encoding()),
            resource.cipher_names(),
            yes(resource.is_link()),
        ]);
    }
    table.print(out)?;
    Ok(())
}

/// Video memory in a table: `-` for none and for what is not known.
pub(crate) fn video_memory(bytes: Option<u64>) -> String {
    bytes.filter(|bytes| *bytes > 0).map_or_else(|| "-".to_owned(), |bytes| ByteSize(bytes).to_string())
}

fn path_and_sizes(resource: &Resource<'_>) -> [String; 3] {
    let path = resource.shown_path().map_or_else(|| "-".to_owned(), Cow::into_owned);
    let [stored, decoded] = [resource.stored_size, resource.decoded_size].map(|size| ByteSize(size).to_string());
    [path, stored, decoded]
}

fn to_json(sets: &[PackSet], rows: &[Row<'_>], findings: &[(&OpenedPack, Finding)]) -> Value {
    let in_pack = |pack: &OpenedPack, mut json: Value| {
        json["pack"] = json!(pack.name());
        json
    };
    let resource = |Row { pack, resource, .. }: &Row<'_>| in_pack(pack, resource_json(resource));
    let finding = |(pack, finding): &(&OpenedPack, Finding)| in_pack(pack, finding.to_json());
    let totals = totals(rows).into_iter().map(|(kind, total)| {
        let Total { count, stored_size, decoded_size, video_memory } = total;
        let total = json!({
            "count": count,
            "stored_size": stored_size,
            "decoded_size": decoded_size,
            "video_memory": video_memory,
        });
        (kind, total)
    });
    let AssetCount { assets, sub_assets } = AssetCount::of(rows.iter().map(|row| &row.resource));
    json!({
        "packs": pack_set::packs(sets).map(OpenedPack::name).collect::<Vec<_>>(),
        "resources": rows.iter().map(resource).collect::<Vec<_>>(),
        "totals": totals.collect::<serde_json::Map<_, _>>(),
        "asset_count": assets,
        "sub_asset_count": sub_assets,
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

/// Returns the JSON fields of a resource that `ls` and `info` have in common.
pub(crate) fn resource_json(resource: &Resource<'_>) -> Value {
    json!({
        "path": resource.shown_path(),
        // A string: ids are names, not quantities.
        "id": resource.id.to_string(),
        "kind": resource.kind_name(),
        "same_as": resource.same_as,
        "number": resource.number,
        "is_raw": resource.is_raw(),
        "is_link": resource.is_link(),
        "stored_size": resource.stored_size,
        "decoded_size": resource.decoded_size,
        "video_memory": resource.video_memory(),
        "compressions": resource.compressions().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "ciphers": resource.ciphers().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "chunk_count": resource.chunks.len(),
        "offset": resource.chunks.first().map(|chunk| chunk.offset),
    })
}
