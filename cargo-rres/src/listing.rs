//! A pack → its resources: through our front index, or by walking the chunks of other programs' packs.
//!
//! What cannot be read is told and passed over, so that a damaged pack still lists whatever is left of it.

use std::collections::{HashMap, HashSet};

use rres_format::{AssetKind, ChunkView, Cipher, Compression, FourCc, PackView, ResourceId, normalize_path};

use crate::exit::Failure;
use crate::pack_file::PackFile;

/// Bytes of a chunk's head.
const HEAD: u64 = rres_format::ChunkInfo::SIZE as u64;

/// The resources of a pack, by path, then by id.
pub(crate) struct Listing<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// What was met on the way that is wrong.
    pub(crate) problems: Vec<String>,
}

/// One resource.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) id: ResourceId,
    /// Empty where the pack does not say.
    pub(crate) path: String,
    pub(crate) kind: Option<AssetKind>,
    /// Empty in a dev index, whose entries lead elsewhere.
    pub(crate) chunks: Vec<ChunkView<'a>>,
    /// Its place in the front index.
    pub(crate) slot: Option<u32>,
    /// Bytes in the pack, heads included.
    pub(crate) stored: u64,
    /// Bytes of the blocks before compression.
    pub(crate) decoded: u64,
}

impl Item<'_> {
    /// The word for what it is: ours, else the chunk's own.
    pub(crate) fn kind_name(&self) -> String {
        match (self.kind, self.chunks.first()) {
            (Some(kind), _) => kind.name().to_owned(),
            (None, Some(chunk)) => chunk.info.kind.to_string(),
            (None, None) => "unknown".to_owned(),
        }
    }

    /// How to call it in a message or a table: the path, else the id.
    pub(crate) fn name(&self) -> String {
        match self.path.is_empty() {
            true => self.id.to_string(),
            false => crate::output::shown(&self.path),
        }
    }

    /// Its compressions, and what it is sealed with.
    pub(crate) fn encoding(&self) -> String {
        let mut compressions: Vec<Compression> = Vec::new();
        let mut ciphers: Vec<Cipher> = Vec::new();
        for chunk in &self.chunks {
            if !compressions.contains(&chunk.info.compression) {
                compressions.push(chunk.info.compression);
            }
            if chunk.info.cipher != Cipher::NONE && !ciphers.contains(&chunk.info.cipher) {
                ciphers.push(chunk.info.cipher);
            }
        }
        let mut text = compressions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        for cipher in ciphers {
            text += &format!(", sealed with {cipher}");
        }
        text
    }
}

impl<'a> Listing<'a> {
    pub(crate) fn new(pack: &'a PackFile) -> Self {
        let view = pack.view();
        let mut problems: Vec<String> = pack.damage().map(str::to_owned).into_iter().collect();
        let mut items = match view.index() {
            Some(index) => indexed(view, index, &mut problems),
            None => walked(view, &mut problems),
        };
        items.sort_by(|a, b| (a.path.is_empty(), &a.path, a.id).cmp(&(b.path.is_empty(), &b.path, b.id)));
        Self { items, problems }
    }

    /// The resource with a path, in any spelling of its separators, or with an id such as `0x1f0188ce`.
    pub(crate) fn find(&self, name: &str) -> Option<&Item<'a>> {
        let by_path = |path: &str| self.items.iter().find(|item| item.path == path);
        let normal = || normalize_path(name).ok().and_then(|path| by_path(&path));
        by_path(name).or_else(normal).or_else(|| {
            let id = u32::from_str_radix(name.strip_prefix("0x")?, 16).ok()?;
            self.items.iter().find(|item| item.id.0 == id)
        })
    }
}

/// The resource `name` of a set of packs, with the number of its pack.
pub(crate) fn find_in_set<'a, 'l>(
    listings: &'l [Listing<'a>],
    packs: &[PackFile],
    name: &str,
) -> Result<(usize, &'l Item<'a>), Failure> {
    let found = listings.iter().enumerate().find_map(|(i, listing)| Some((i, listing.find(name)?)));
    found.ok_or_else(|| {
        let wanted = crate::output::shown(name);
        let mut text = format!("{}: no resource has the path or id \"{wanted}\"", packs[0].name());
        let paths = listings.iter().flat_map(|listing| &listing.items).filter(|item| !item.path.is_empty());
        match paths.max_by_key(|item| alike(&item.path, name)).filter(|item| alike(&item.path, name) * 2 > name.len()) {
            Some(item) => text += &format!("; \"{}\" is there", item.name()),
            None => text += "; `cargo rres ls` lists what is there",
        }
        Failure::Call(text)
    })
}

/// Bytes that two names share at their start and their end, for suggestions only.
fn alike(a: &str, b: &str) -> usize {
    let start = a.bytes().zip(b.bytes()).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let rest = a.len().min(b.len()) - start;
    start + a.bytes().rev().zip(b.bytes().rev()).take(rest).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count()
}

fn indexed<'a>(
    view: PackView<'a>,
    index: rres_format::index::IndexView<'a>,
    problems: &mut Vec<String>,
) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    for (slot, entry) in index.entries().enumerate() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                problems.push(format!("entry {slot} of the index: {error}"));
                continue;
            }
        };
        let mut item = Item {
            id: entry.id,
            path: entry.path.to_owned(),
            kind: entry.kind,
            chunks: Vec::new(),
            slot: Some(slot as u32),
            stored: entry.stored_size.into(),
            decoded: entry.base_size.into(),
        };
        if !index.is_dev() {
            let first = view.first_chunk(entry.offset, entry.id);
            let chunks = first.and_then(|first| view.run(first, entry.chunk_count).collect());
            match chunks {
                Ok(chunks) => {
                    item.chunks = chunks;
                    (item.stored, item.decoded) = sizes(&item.chunks);
                }
                Err(error) => problems.push(format!("{}: {error}", item.name())),
            }
        }
        items.push(item);
    }
    items
}

fn walked<'a>(view: PackView<'a>, problems: &mut Vec<String>) -> Vec<Item<'a>> {
    let mut paths: HashMap<ResourceId, String> = HashMap::new();
    match view.directory() {
        Ok(Some(directory)) => {
            for entry in directory.entries() {
                match entry {
                    Ok(entry) => {
                        let name = || String::from_utf8_lossy(entry.name).into_owned();
                        paths.entry(entry.id).or_insert_with(name);
                    }
                    Err(error) => problems.push(format!("central directory: {error}")),
                }
            }
        }
        Ok(None) => {}
        Err(error) => problems.push(error.to_string()),
    }
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut followers = HashSet::new();
    for chunk in view.chunks() {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                problems.push(error.to_string());
                break;
            }
        };
        if !chunk.is_resource() || followers.contains(&chunk.offset) {
            continue;
        }
        let mut chunks: Vec<ChunkView<'_>> = Vec::new();
        for member in view.chain(chunk) {
            match member {
                Ok(member) => chunks.push(member),
                Err(error) => {
                    problems.push(error.to_string());
                    break;
                }
            }
        }
        followers.extend(chunks.iter().map(|member| member.offset));
        let (stored, decoded) = sizes(&chunks);
        items.push(Item {
            id: chunk.info.id,
            path: paths.get(&chunk.info.id).cloned().unwrap_or_default(),
            kind: kind_of(chunk.info.kind),
            chunks,
            slot: None,
            stored,
            decoded,
        });
    }
    // Opening such a pack fails on the same damage that the walk met.
    problems.sort();
    problems.dedup();
    items
}

/// What a resource is, by its first chunk.
fn kind_of(first: FourCc) -> Option<AssetKind> {
    Some(match first {
        FourCc::RAWD => AssetKind::Raw,
        FourCc::TEXT => AssetKind::Text,
        FourCc::IMGE => AssetKind::Image,
        FourCc::WAVE => AssetKind::Sound,
        FourCc::FNTG => AssetKind::Font,
        FourCc::VRTX | FourCc::MODL => AssetKind::Model,
        FourCc::LINK => AssetKind::Link,
        _ => return None,
    })
}

fn sizes(chunks: &[ChunkView<'_>]) -> (u64, u64) {
    let stored = chunks.iter().map(|chunk| HEAD + chunk.stored.len() as u64).sum();
    (stored, chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum())
}
