//! A pack → everything that is wrong with it: each chunk by itself, then what chunks, index and directory say of
//! each other.
//!
//! A problem is what some reader would stumble over; a note is what cannot be checked here, or only looks odd.

use std::collections::{BTreeMap, HashMap, HashSet};

use rres_format::chunk::directory::DirectoryEntry;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::link::LinkView;
use rres_format::chunk::model::ModelView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::TextView;
use rres_format::chunk::vertex::VertexView;
use rres_format::chunk::wave::WaveView;
use rres_format::chunk::{PayloadView, directory::DirectoryView};
use rres_format::index::IndexView;
use rres_format::{AssetKind, ChunkView, Cipher, Decompressor, FourCc, Header, PackView, ResourceId, normalize_path};
use rres_runtime::{Font, Model, Pack};

use crate::output::shown;
use crate::pack_file::PackFile;

/// What a check found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) problems: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Chunks read.
    pub(crate) chunks: usize,
    /// Bytes that they decoded to.
    pub(crate) decoded: u64,
}

impl Findings {
    fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }
}

/// Checks a pack. Takes the time of decoding all of it.
pub(crate) fn check(pack: &PackFile) -> Findings {
    let mut findings = Findings::default();
    let view = pack.view();
    let chunks = walk(view, &mut findings);
    let mut sealed: BTreeMap<Cipher, usize> = BTreeMap::new();
    let mut decompressor = Decompressor::default();
    for chunk in &chunks {
        let place = || format!("{} chunk of {} at offset {}", chunk.info.kind, chunk.info.id, chunk.offset);
        if let Err(error) = chunk.verify() {
            findings.problem(error.to_string());
            continue;
        }
        if chunk.info.cipher != Cipher::NONE {
            *sealed.entry(chunk.info.cipher).or_default() += 1;
            continue;
        }
        match payload(chunk, &mut decompressor) {
            Ok(bytes) => findings.decoded += bytes,
            Err(error) => findings.problem(format!("{}: {error}", place())),
        }
        if chunk.info.kind == FourCc::LINK && chunk.info.is_plain() && chunk.stored.last() != Some(&0) {
            findings.notes.push(format!("{}: no NUL after the path, past which C readers then read", place()));
        }
        if chunk.info.kind.description().is_none() {
            findings.notes.push(format!("{}: of a kind that rres v1.0 does not know", place()));
        }
    }
    for (cipher, count) in sealed {
        findings
            .notes
            .push(format!("chunks sealed with {cipher}, whose CRC is right but which were not opened: {count}"));
    }
    chains(&chunks, &mut findings);
    resources(view, &chunks, &mut findings);
    if let Some(damage) = pack.damage()
        && !findings.problems.iter().any(|problem| problem.contains(damage))
    {
        findings.problem(damage);
    }
    if let Some(pack) = pack.pack() {
        composed(pack, &mut findings);
    }
    findings
}

/// The chunks in file order, the directory among them.
fn walk<'a>(view: PackView<'a>, findings: &mut Findings) -> Vec<ChunkView<'a>> {
    let counted = view.header().chunk_count;
    let mut chunks = Vec::new();
    let mut whole = true;
    for chunk in view.chunks() {
        match chunk {
            Ok(chunk) => chunks.push(chunk),
            Err(error) => {
                findings.problem(format!("chunk {} of {counted}: {error}", chunks.len()));
                whole = false;
            }
        }
    }
    findings.chunks = chunks.len();
    if !whole {
        return chunks;
    }
    if chunks.len() < usize::from(counted) {
        findings.problem(format!("the header counts {counted} chunks, {} are there", chunks.len()));
    }
    // What follows the counted chunks may be the directory, and nothing else.
    let mut end = chunks.last().map_or(Header::SIZE as u64, ChunkView::end);
    let rest = u32::try_from(end).ok().and_then(|end| view.chunk_at(end).ok());
    if let Some(directory) = rest.filter(|chunk| chunk.info.kind == FourCc::CDIR) {
        end = directory.end();
        chunks.push(directory);
        findings.chunks += 1;
    }
    let len = view.bytes().len() as u64;
    if end < len {
        findings.problem(format!("{} bytes from offset {end} on belong to no counted chunk", len - end));
    }
    chunks
}

/// Decodes a chunk and checks it as what it says it is; the bytes of its block.
fn payload(chunk: &ChunkView<'_>, decompressor: &mut Decompressor) -> rres_format::Result<u64> {
    let block = chunk.decode(decompressor)?;
    let parse = |payload: PayloadView<'_>| -> rres_format::Result<()> {
        match chunk.info.kind {
            FourCc::RAWD => RawView::parse(payload).map(drop),
            FourCc::TEXT => TextView::parse(payload)?.decode().map(drop),
            FourCc::IMGE => ImageView::parse(payload).map(drop),
            FourCc::WAVE => WaveView::parse(payload).map(drop),
            FourCc::VRTX => VertexView::parse(payload).map(drop),
            FourCc::FNTG => GlyphsView::parse(payload).map(drop),
            FourCc::LINK => LinkView::parse(payload).map(drop),
            FourCc::MODL => ModelView::parse(payload).map(drop),
            FourCc::CDIR => DirectoryView::parse(payload)?.entries().try_for_each(|entry| entry.map(drop)),
            _ => Ok(()),
        }
    };
    match chunk.info.kind {
        // Padding holds nothing; whether kinds of others have properties is theirs to say.
        FourCc::NULL => {}
        kind if kind.description().is_none() => {}
        FourCc::INDX => IndexView::parse(&block.clone().into_bytes()).map(drop)?,
        _ => parse(block.view()?)?,
    }
    Ok(chunk.info.base_size.into())
}

/// Every link must lead to the head of a chunk, and no chain may close on itself.
fn chains(chunks: &[ChunkView<'_>], findings: &mut Findings) {
    let by_offset: HashMap<u32, usize> = chunks.iter().enumerate().map(|(i, chunk)| (chunk.offset, i)).collect();
    let next = |i: usize| match chunks[i].info.next_offset {
        0 => None,
        offset => by_offset.get(&offset).copied(),
    };
    for chunk in chunks {
        let to = chunk.info.next_offset;
        if to != 0 && !by_offset.contains_key(&to) {
            findings.problem(format!(
                "chunk of {} at offset {} links to offset {to}, where no chunk starts",
                chunk.info.id, chunk.offset
            ));
        }
    }
    // The number of the walk that met a chunk first: a walk that meets itself has closed a loop.
    let mut met = vec![0usize; chunks.len()];
    for start in 0..chunks.len() {
        let mut at = Some(start);
        while let Some(i) = at {
            if met[i] == start + 1 {
                let offset = chunks[i].offset;
                findings.problem(format!("the chain from the chunk at offset {offset} comes back to it"));
            }
            if met[i] != 0 {
                break;
            }
            met[i] = start + 1;
            at = next(i);
        }
    }
}

/// What index and directory say, against the chunks and each other.
fn resources(view: PackView<'_>, chunks: &[ChunkView<'_>], findings: &mut Findings) {
    let entries = directory(view, chunks, findings);
    match view.index() {
        Some(index) if index.is_dev() => {
            findings.notes.push("a dev index: its entries lead into the import cache, which is not checked".to_owned());
        }
        Some(index) => indexed(view, index, chunks, &entries, findings),
        None => unindexed(chunks, findings),
    }
}

fn directory<'a>(view: PackView<'a>, chunks: &[ChunkView<'a>], findings: &mut Findings) -> Vec<DirectoryEntry<'a>> {
    let directory = match view.directory() {
        Ok(Some(directory)) => directory,
        Ok(None) => return Vec::new(),
        Err(error) => {
            let text = error.to_string();
            if !findings.problems.contains(&text) {
                findings.problem(text);
            }
            return Vec::new();
        }
    };
    let heads: HashMap<u32, ResourceId> = chunks.iter().map(|chunk| (chunk.offset, chunk.info.id)).collect();
    let mut names = HashSet::new();
    let mut entries = Vec::new();
    // A damaged entry was met when the directory was read as a chunk.
    for entry in directory.entries().map_while(Result::ok) {
        let name = shown(&String::from_utf8_lossy(entry.name));
        if !names.insert(entry.name) {
            findings.problem(format!("directory: \"{name}\" is there twice"));
        }
        match heads.get(&entry.offset) {
            Some(id) if *id == entry.id => {}
            Some(id) => findings.problem(format!(
                "directory: \"{name}\" ({}) leads to offset {}, where {id} stands",
                entry.id, entry.offset
            )),
            None => findings.problem(format!(
                "directory: \"{name}\" ({}) leads to offset {}, where no chunk starts",
                entry.id, entry.offset
            )),
        }
        let path = std::str::from_utf8(entry.name).map(normalize_path);
        if !matches!(path, Ok(Ok(_))) {
            findings.notes.push(format!("directory: \"{name}\" is no asset path: it cannot be extracted under it"));
        }
        entries.push(entry);
    }
    entries
}

fn indexed(
    view: PackView<'_>,
    index: IndexView<'_>,
    chunks: &[ChunkView<'_>],
    directory: &[DirectoryEntry<'_>],
    findings: &mut Findings,
) {
    let mut owned = HashSet::new();
    let mut paths = HashSet::new();
    for slot in 0..index.len() as u32 {
        let entry = match index.entry(slot) {
            Ok(entry) => entry,
            Err(error) => {
                findings.problem(format!("index entry {slot}: {error}"));
                continue;
            }
        };
        let name = format!("index: \"{}\" ({})", shown(entry.path), entry.id);
        if index.find(entry.id) != Some(slot) || index.find_path(entry.path) != Some(slot) {
            findings.problem(format!("{name} cannot be found by its id or by its path"));
        }
        paths.insert((entry.path.as_bytes(), entry.id));
        if entry.kind.is_none() {
            findings.notes.push(format!("{name} is of a kind that this version does not know"));
        }
        if let Err(error) = index.meta(slot).map(drop).and_then(|()| index.dependencies(slot).map(drop)) {
            findings.problem(format!("{name}: {error}"));
        }
        let first = view.first_chunk(entry.offset, entry.id);
        let run = first.and_then(|first| view.run(first, entry.chunk_count).collect::<rres_format::Result<Vec<_>>>());
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                findings.problem(format!("{name}: {error}"));
                continue;
            }
        };
        if run.len() != usize::from(entry.chunk_count) || run.iter().any(|chunk| chunk.info.id != entry.id) {
            let own = run.iter().take_while(|chunk| chunk.info.id == entry.id).count();
            findings.problem(format!("{name} promises {} adjacent chunks, {own} are there", entry.chunk_count));
        }
        let end = run.last().map_or(0, ChunkView::end);
        let promised = u64::from(entry.offset) + u64::from(entry.stored_size);
        if end != promised {
            findings.problem(format!("{name} promises to end at offset {promised}, its chunks end at {end}"));
        }
        owned.extend(run.iter().map(|chunk| chunk.offset));
    }
    for group in index.groups() {
        match group {
            Ok(group) => {
                let count = group.slots().filter(|slot| *slot as usize >= index.len()).count();
                if count > 0 {
                    findings.problem(format!("group \"{}\" has {count} members that are not there", shown(group.name)));
                }
            }
            Err(error) => findings.problem(format!("a group of the index: {error}")),
        }
    }
    for chunk in chunks.iter().filter(|chunk| chunk.is_resource() && !owned.contains(&chunk.offset)) {
        findings.problem(format!("chunk of {} at offset {} is not in the index", chunk.info.id, chunk.offset));
    }
    if view.header().directory_offset != 0 {
        let listed: HashSet<_> = directory.iter().map(|entry| (entry.name, entry.id)).collect();
        let mut differences: Vec<_> = paths.symmetric_difference(&listed).collect();
        differences.sort();
        for (path, id) in differences {
            let (there, missing) =
                if paths.contains(&(*path, *id)) { ("index", "directory") } else { ("directory", "index") };
            let path = shown(&String::from_utf8_lossy(path));
            findings.problem(format!("\"{path}\" ({id}) is in the {there}, but not in the {missing}"));
        }
    }
}

fn unindexed(chunks: &[ChunkView<'_>], findings: &mut Findings) {
    let linked: HashSet<u32> = chunks.iter().map(|chunk| chunk.info.next_offset).collect();
    let mut first: HashMap<ResourceId, u32> = HashMap::new();
    let mut before = ResourceId::NONE;
    for chunk in chunks.iter().filter(|chunk| chunk.is_resource()) {
        let (id, offset) = (chunk.info.id, chunk.offset);
        let continues = std::mem::replace(&mut before, id) == id;
        if linked.contains(&offset) {
            continue;
        }
        if id == ResourceId::NONE {
            findings.problem(format!("chunk at offset {offset} has the id 0, which means \"not found\""));
        } else if let Some(first) = first.get(&id) {
            let text = format!("{id} stands at offset {first} and again at {offset}, where nobody finds it");
            match continues {
                // So our builds keep what C readers are not to meet: the structure of models, further font sizes.
                true => findings.notes.push(format!("{text} without a front index")),
                false => findings.problem(format!("{text}: readers take the first")),
            }
        } else {
            first.insert(id, offset);
        }
    }
}

/// Fonts and models, whose chunks must fit each other.
fn composed(pack: &Pack, findings: &mut Findings) {
    if pack.view().index().is_some_and(|index| index.is_dev()) {
        return;
    }
    for entry in pack.entries() {
        let made = match entry.kind {
            Some(AssetKind::Font) => pack.load::<Font>(entry.id).map(drop),
            Some(AssetKind::Model) => pack.load::<Model>(entry.id).map(drop),
            _ => continue,
        };
        // What is wrong with one of its chunks alone was said there.
        if let Err(error) = made
            && !matches!(error.kind(), rres_runtime::ErrorKind::Format(e) if !matches!(e, rres_format::Error::Inconsistent { .. }))
        {
            findings.problem(error.to_string());
        }
    }
}
