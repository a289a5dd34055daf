//! The summary of a pack: what it contains, and what its bytes are used for.

use std::collections::BTreeMap;

use rres_format::index::{GroupView, IndexView};
use rres_format::signature::content_len;
use rres_format::{FourCc, Header, PackView};
use rres_packs::finding::Finding;
use rres_packs::{OpenedPack, ResourceList};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use super::print_facts;
use crate::exit::Failure;
use crate::output::{Column, Output, Style, Table, bar, count, escape_terminal};

/// The width of the longest bar in characters.
const BAR_WIDTH: usize = 40;

/// The summary of a pack.
pub(super) struct PackInfo<'a> {
    pack: &'a OpenedPack,
    pub(super) list: ResourceList<'a>,
    /// The number of names in the central directory, or `None` without a readable directory.
    directory_len: Option<usize>,
    /// The number of resources with an encrypted chunk.
    encrypted_count: usize,
    parts: Vec<Part>,
}

/// Bytes of the file with a common use, such as images, the front index or padding.
struct Part {
    name: String,
    size: u64,
}

impl<'a> PackInfo<'a> {
    pub(super) fn new(pack: &'a OpenedPack) -> Self {
        let list = ResourceList::new(pack);
        Self {
            pack,
            directory_len: pack.view().directory().ok().flatten().map(|directory| directory.len()),
            encrypted_count: list.resources.iter().filter(|resource| !resource.ciphers().is_empty()).count(),
            parts: parts(pack.view(), &list),
            list,
        }
    }

    fn size(&self) -> u64 {
        self.pack.view().bytes().len() as u64
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "pack": self.pack.name(),
            "importer": self.pack.foreign().map(|foreign| &foreign.importer),
            "size": self.size(),
            "format_version": Header::VERSION,
            "chunk_count": self.pack.view().header().chunk_count,
            "resource_count": self.list.resources.len(),
            "encrypted_count": self.encrypted_count,
            "directory_entry_count": self.directory_len,
            "index": self.pack.view().index().map(index_json),
            "parts": self.parts.iter().map(|Part { name, size }| json!({ "name": name, "size": size })).collect::<Vec<_>>(),
            "findings": self.list.findings.iter().map(Finding::to_json).collect::<Vec<_>>(),
        })
    }

    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        out.styled_line(Style::Bold, &escape_terminal(&self.pack.name()))?;
        print_facts(&self.facts(), out)?;
        out.line("")?;
        self.print_parts(out)
    }

    /// Returns the number of chunks, as `cargo rres verify` counts them, and which are no assets.
    fn chunks(&self) -> String {
        let view = self.pack.view();
        let kinds: Vec<FourCc> = view.chunks().map_while(Result::ok).map(|chunk| chunk.info.kind).collect();
        let has = |kind| kinds.contains(&kind);
        // Most programs do not count the directory in the header of the file.
        let is_beyond = !has(FourCc::CDIR) && matches!(view.directory(), Ok(Some(_)));
        let total = view.chunks().count() + usize::from(is_beyond);
        let others: Vec<&str> = [(has(FourCc::INDX), "the index"), (has(FourCc::CDIR) || is_beyond, "the directory")]
            .into_iter()
            .filter_map(|(is_there, name)| is_there.then_some(name))
            .collect();
        if others.is_empty() { total.to_string() } else { format!("{total}, with {}", others.join(" and ")) }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("size", ByteSize(self.size()).to_string()),
            ("format", format!("rres, file version {}", Header::VERSION)),
            ("chunks", self.chunks()),
            ("resources", self.list.resources.len().to_string()),
        ];
        let counted = usize::from(self.pack.view().header().chunk_count);
        let found = self.pack.view().chunks().count();
        // Most programs do not count the directory.
        if !(counted..=counted + 1).contains(&found) {
            facts.push(("header", format!("counts {}", count(counted, "chunk"))));
        }
        if let Some(foreign) = self.pack.foreign() {
            facts.push(("imported by", foreign.importer.clone()));
        }
        if self.encrypted_count > 0 {
            facts.push(("encrypted", count(self.encrypted_count, "resource")));
        }
        facts.push(("directory", self.directory_len.map_or("none".to_owned(), |len| count(len, "name"))));
        match self.pack.view().index() {
            None => facts.push(("index", "none, as in packs of other programs".to_owned())),
            Some(index) => facts.extend(index_facts(index)),
        }
        facts
    }

    /// Prints one bar per part, the largest first.
    fn print_parts(&self, out: &mut Output) -> Result<(), Failure> {
        let share = |size: u64, of: u64| size as f64 / of.max(1) as f64;
        let mut table = Table::new(&[Column::left("BYTES"), Column::right("SIZE"), Column::right("SHARE")]);
        for Part { name, size } in &self.parts {
            let percent = share(*size, self.size()) * 100.0;
            table.row([name.clone(), ByteSize(*size).to_string(), format!("{percent:.1} %")]);
        }
        let largest = self.parts.first().map_or(0, |part| part.size);
        let lines = table.lines();
        out.styled_line(Style::Bold, &lines[0])?;
        for (line, Part { size, .. }) in lines[1..].iter().zip(&self.parts) {
            let bar = out.style(Style::Bar, &bar(share(*size, largest), BAR_WIDTH));
            out.line(format!("{line}  {bar}"))?;
        }
        Ok(())
    }
}

fn index_json(index: IndexView<'_>) -> Value {
    let group = |group: GroupView<'_>| json!({ "name": group.name, "resource_count": group.slots().len() });
    json!({
        "resource_count": index.len(),
        "additional_pack_count": index.additional_packs(),
        "set_hash": hex(&index.set_hash()),
        "is_dev": index.is_dev(),
        "groups": index.groups().filter_map(Result::ok).map(group).collect::<Vec<_>>(),
    })
}

fn index_facts(index: IndexView<'_>) -> Vec<(&'static str, String)> {
    let kind = if index.is_dev() { "dev index" } else { "front index" };
    let mut facts =
        vec![("index", format!("{kind}, {}", count(index.len(), "resource"))), ("set", hex(&index.set_hash()))];
    if index.additional_packs() > 0 {
        facts.push(("additional packs", index.additional_packs().to_string()));
    }
    for group in index.groups().filter_map(Result::ok) {
        facts.push(("group", format!("{}, {}", group.name, count(group.slots().len(), "resource"))));
    }
    facts
}

/// Returns the parts of the file, the largest first. Their sizes add up to the size of the file.
fn parts(view: PackView<'_>, list: &ResourceList<'_>) -> Vec<Part> {
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |name: &str, size: u64| *sizes.entry(name.to_owned()).or_default() += size;
    add("file header", Header::SIZE as u64);
    // A dev index contains the sizes of blobs in other files.
    if view.index().is_none_or(|index| !index.is_dev()) {
        list.resources.iter().for_each(|resource| add(&resource.kind_name(), resource.stored_size));
    }
    let mut has_directory = false;
    for chunk in view.chunks().map_while(Result::ok) {
        let name = match chunk.info.kind {
            FourCc::INDX => "front index",
            FourCc::CDIR => "central directory",
            FourCc::PTCH => "patch",
            FourCc::NULL => "padding",
            _ => continue,
        };
        has_directory |= chunk.info.kind == FourCc::CDIR;
        add(name, chunk.end() - u64::from(chunk.offset));
    }
    let signature = content_len(view.bytes()).map_or(0, |content| view.bytes().len() - content);
    if signature > 0 {
        *sizes.entry("signature".to_owned()).or_default() += signature as u64;
    }
    let known: u64 = sizes.values().sum();
    let rest = (view.bytes().len() as u64).saturating_sub(known);
    if rest > 0 {
        // Most programs do not count the directory among the chunks.
        let is_directory = !has_directory && matches!(view.directory(), Ok(Some(_)));
        let name = if is_directory { "central directory" } else { "unaccounted" };
        *sizes.entry(name.to_owned()).or_default() += rest;
    }
    let mut parts: Vec<Part> = sizes.into_iter().map(|(name, size)| Part { name, size }).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.size));
    parts
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
