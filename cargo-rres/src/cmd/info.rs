//! `cargo rres info`: a pack as a whole, or everything about one resource.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rres_format::{ChunkView, Cipher, Decompressor, FourCc, Header, PackView};
use serde_json::{Value, json};

use crate::cmd::ls::item_json;
use crate::describe;
use crate::exit::{Failure, Outcome};
use crate::listing::{Item, Listing, find_in_set};
use crate::output::{Output, Style, Table, bar, shown, size};
use crate::pack_file::PackFile;

/// Tell about a pack, or about one resource: chunks, properties, dependencies, groups
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The .rres file, ours or another program's
    pack: PathBuf,
    /// The path of a resource, or its id: 0x1f0188ce
    resource: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Characters of the longest bar.
const BAR: usize = 40;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.resource {
        None => whole(args, out),
        Some(name) => {
            let (packs, _) = PackFile::open_set(&args.pack)?;
            let listings: Vec<Listing<'_>> = packs.iter().map(Listing::new).collect();
            let (number, item) = find_in_set(&listings, &packs, name)?;
            resource(&packs[number], item, args.json, out)
        }
    }
}

/// Bytes of the file by what they are for; they add up to its length.
fn parts(view: PackView<'_>, listing: &Listing<'_>) -> BTreeMap<String, u64> {
    let mut parts: BTreeMap<String, u64> = BTreeMap::new();
    parts.insert("file header".to_owned(), Header::SIZE as u64);
    if view.index().is_none_or(|index| !index.is_dev()) {
        for item in &listing.items {
            *parts.entry(item.kind_name()).or_default() += item.stored;
        }
    }
    for chunk in view.chunks().map_while(Result::ok) {
        let part = match chunk.info.kind {
            FourCc::INDX => "front index",
            FourCc::CDIR => "central directory",
            FourCc::NULL => "padding",
            _ => continue,
        };
        *parts.entry(part.to_owned()).or_default() += chunk.end() - u64::from(chunk.offset);
    }
    // Most programs do not count the directory among the chunks.
    let known: u64 = parts.values().sum();
    let rest = (view.bytes().len() as u64).saturating_sub(known);
    if rest > 0 {
        let is_directory = !parts.contains_key("central directory") && matches!(view.directory(), Ok(Some(_)));
        let part = if is_directory { "central directory" } else { "not accounted for" };
        *parts.entry(part.to_owned()).or_default() += rest;
    }
    parts
}

fn whole(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let pack = PackFile::open(&args.pack)?;
    let view = pack.view();
    let listing = Listing::new(&pack);
    let header = view.header();
    let directory = match view.directory() {
        Ok(directory) => directory.map(|directory| directory.len()),
        Err(_) => None,
    };
    let sealed = listing.items.iter().filter(|i| i.chunks.iter().any(|c| c.info.cipher != Cipher::NONE)).count();
    let parts = parts(view, &listing);
    if args.json {
        let index = view.index().map(|index| {
            let groups: Vec<Value> = index
                .groups()
                .filter_map(Result::ok)
                .map(|group| json!({ "name": group.name, "members": group.slots().len() }))
                .collect();
            json!({
                "resources": index.len(),
                "further_packs": index.further_packs(),
                "set_hash": hex(&index.set_hash()),
                "dev_index": index.is_dev(),
                "groups": groups,
            })
        });
        out.json(&json!({
            "pack": pack.name(),
            "size": view.bytes().len(),
            "version": Header::VERSION,
            "chunks": header.chunk_count,
            "resources": listing.items.len(),
            "sealed": sealed,
            "index": index,
            "directory": directory,
            "bytes": parts,
            "problems": listing.problems,
        }))?;
    } else {
        let title = out.style(Style::Bold, &pack.name());
        out.line(title)?;
        let mut facts = vec![
            ("size", size(view.bytes().len() as u64)),
            ("format", format!("rres, file version {}", Header::VERSION)),
            ("chunks", header.chunk_count.to_string()),
            ("resources", listing.items.len().to_string()),
        ];
        if sealed > 0 {
            facts.push(("sealed", format!("{sealed} resources")));
        }
        facts.push(("directory", directory.map_or("none".to_owned(), |len| format!("{len} names"))));
        match view.index() {
            None => facts.push(("index", "none: written by another program, or with the index off".to_owned())),
            Some(index) => {
                let what = if index.is_dev() { "dev index of loose files" } else { "front index" };
                facts.push(("index", format!("{what}, {} resources", index.len())));
                facts.push(("set", hex(&index.set_hash())));
                if index.further_packs() > 0 {
                    facts.push(("further packs", index.further_packs().to_string()));
                }
                for group in index.groups().filter_map(Result::ok) {
                    facts.push(("group", format!("{}, {} resources", shown(group.name), group.slots().len())));
                }
            }
        }
        print_facts(&facts, out)?;
        out.line("")?;
        print_parts(&parts, view.bytes().len() as u64, out)?;
    }
    for problem in &listing.problems {
        out.problem(&format!("{}: {problem}", pack.name()))?;
    }
    Ok(if listing.problems.is_empty() { Outcome::Fine } else { Outcome::Problems })
}

fn print_facts(facts: &[(&str, String)], out: &mut Output) -> Result<(), Failure> {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in facts {
        let name = out.style(Style::Dim, &format!("{name:width$}"));
        out.line(format!("  {name}  {value}"))?;
    }
    Ok(())
}

/// One bar per part, the largest first.
fn print_parts(parts: &BTreeMap<String, u64>, total: u64, out: &mut Output) -> Result<(), Failure> {
    let mut order: Vec<_> = parts.iter().collect();
    order.sort_by_key(|(name, bytes)| (u64::MAX - **bytes, name.as_str()));
    let largest = order.first().map_or(1, |(_, bytes)| **bytes).max(1);
    let mut table = Table::new(&["BYTES", ">SIZE", ">SHARE"]);
    for (name, bytes) in &order {
        let share = **bytes as f64 * 100.0 / total.max(1) as f64;
        table.row([(*name).clone(), size(**bytes), format!("{share:.1} %")]);
    }
    for (i, line) in table.lines().iter().enumerate() {
        let line = match i {
            0 => out.style(Style::Bold, line),
            i => format!("{line}  {}", out.style(Style::Bar, &bar(*order[i - 1].1 as f64 / largest as f64, BAR))),
        };
        out.line(line)?;
    }
    Ok(())
}

fn resource(pack: &PackFile, item: &Item<'_>, as_json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let index = pack.view().index();
    let path_of = |id| {
        let entry = index.and_then(|index| index.entry(index.find(id)?).ok());
        entry.map_or_else(|| format!("{id}"), |entry| entry.path.to_owned())
    };
    let (mut records, mut dependencies, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    if let (Some(index), Some(slot)) = (index, item.slot) {
        records = index.meta(slot).map(describe::records).unwrap_or_default();
        dependencies = index.dependencies(slot).map(|ids| ids.map(path_of).collect()).unwrap_or_default();
        let has_it = |group: &rres_format::index::GroupView<'_>| group.slots().any(|member| member == slot);
        groups = index.groups().filter_map(Result::ok).filter(has_it).map(|group| group.name.to_owned()).collect();
    }
    let mut decompressor = Decompressor::default();
    let mut fine = true;
    let mut chunks = Vec::new();
    for chunk in &item.chunks {
        let properties = chunk.verify().and_then(|()| describe::properties(chunk, &mut decompressor));
        // That a chunk is sealed is no fault of it.
        fine &= properties.is_ok() || chunk.info.cipher != Cipher::NONE;
        chunks.push((chunk, properties));
    }
    if as_json {
        let mut value = item_json(item);
        value["pack"] = json!(pack.name());
        let records = records.iter().map(|(name, value)| (describe::key(name), value.clone()));
        value["meta"] = records.collect::<serde_json::Map<_, _>>().into();
        value["dependencies"] = json!(dependencies);
        value["groups"] = json!(groups);
        value["chunks"] = chunks.iter().map(|(chunk, properties)| chunk_json(chunk, properties)).collect();
        out.json(&value)?;
    } else {
        let title = out.style(Style::Bold, &item.name());
        out.line(title)?;
        let list = |names: &[String]| names.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ");
        let mut facts = vec![
            ("id", item.id.to_string()),
            ("kind", item.kind_name()),
            ("pack", pack.name()),
            ("stored", size(item.stored)),
            ("decoded", size(item.decoded)),
        ];
        let records: Vec<String> =
            records.iter().map(|(name, value)| format!("{name} {}", describe::plain(value))).collect();
        for (name, text) in
            [("meta", records.join(", ")), ("dependencies", list(&dependencies)), ("groups", list(&groups))]
        {
            if !text.is_empty() {
                facts.push((name, text));
            }
        }
        print_facts(&facts, out)?;
        for (number, (chunk, properties)) in chunks.iter().enumerate() {
            print_chunk(number, chunk, properties, out)?;
        }
    }
    Ok(if fine { Outcome::Fine } else { Outcome::Problems })
}

fn print_chunk(
    number: usize,
    chunk: &ChunkView<'_>,
    properties: &rres_format::Result<describe::Facts>,
    out: &mut Output,
) -> Result<(), Failure> {
    let info = &chunk.info;
    let kind = info.kind.description().unwrap_or("of a kind that rres v1.0 does not know");
    out.line("")?;
    let title = out.style(Style::Bold, &format!("chunk {number}: {}, {kind}", info.kind));
    out.line(title)?;
    let mut facts = vec![
        ("offset", chunk.offset.to_string()),
        ("stored", size(info.packed_size.into())),
        ("decoded", size(info.base_size.into())),
        ("compression", info.compression.to_string()),
        ("cipher", info.cipher.to_string()),
    ];
    if info.next_offset != 0 {
        facts.push(("linked to", info.next_offset.to_string()));
    }
    match properties {
        Ok(properties) => facts.extend(properties.iter().map(|(name, value)| (*name, describe::plain(value)))),
        Err(error) => facts.push(("not read", error.to_string())),
    }
    print_facts(&facts, out)
}

fn chunk_json(chunk: &ChunkView<'_>, properties: &rres_format::Result<describe::Facts>) -> Value {
    let info = &chunk.info;
    let mut value = json!({
        "kind": info.kind.to_string(),
        "offset": chunk.offset,
        "compression": info.compression.to_string(),
        "cipher": info.cipher.to_string(),
        "stored": info.packed_size,
        "decoded": info.base_size,
        "linked_to": Some(info.next_offset).filter(|next| *next != 0),
        "crc32": format!("{:08x}", info.crc32),
    });
    match properties {
        Ok(facts) => {
            let facts = facts.iter().map(|(name, value)| (describe::key(name), value.clone()));
            value["properties"] = Value::Object(facts.collect());
        }
        Err(error) => value["not_read"] = json!(error.to_string()),
    }
    value
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
