//! Where assets come from, in order: overlays (patches, mods, DLC), the latest first, then the game's own packs.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::index::IndexView;
use rres_format::{AssetKind, FourCc, ResourceId};

use crate::asset::{Chunk, Loaded};
use crate::error::{Error, ErrorKind, Result};
use crate::id::AnyId;
use crate::source::loose::Loose;
use crate::source::pack::Pack;

/// One place of chunks.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Pack(Arc<Pack>),
    Loose(Arc<Loose>),
}

impl Source {
    pub(crate) fn index(&self) -> IndexView<'_> {
        match self {
            Self::Pack(pack) => pack.index(),
            Self::Loose(loose) => loose.index(),
        }
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Pack(pack) => pack.file(),
            Self::Loose(loose) => loose.file(),
        }
    }

    pub(crate) fn load_slot(&self, slot: u32) -> Result<Loaded<'_>> {
        match self {
            Self::Pack(pack) => pack.load_slot(slot),
            Self::Loose(loose) => loose.load_slot(slot),
        }
    }

    /// The first chunk of a kind at `slot`; where it is plain, its bytes are not touched, hence not verified.
    pub(crate) fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk> {
        match self {
            Self::Pack(pack) => pack.open_slot(slot, kind),
            Self::Loose(loose) => loose.open_slot(slot, kind),
        }
    }

    /// Compares what is stored at `slot` with its CRC.
    pub(crate) fn verify_slot(&self, slot: u32) -> Result<()> {
        match self {
            Self::Pack(pack) => pack.verify_slot(slot),
            Self::Loose(loose) => loose.verify_slot(slot),
        }
    }
}

/// Names one mounted overlay, to remove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MountId(u32);

/// Packs that were mounted together.
#[derive(Clone, Debug)]
struct Mount {
    id: MountId,
    name: String,
    sources: Vec<Source>,
}

/// The order in which a store looks for assets, at one moment. Print it to see the order.
///
/// ```text
/// 1. mods/hd: 12 assets, replaces 12
/// 2. game: 74 assets
/// ```
#[derive(Clone, Debug)]
pub struct Mounts {
    /// The one found first comes first; the game's own is last and always there.
    list: Vec<Mount>,
    next: u32,
}

/// What is known of an asset without loading it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The asset.
    pub id: AnyId,
    /// Its path.
    pub path: &'a str,
    /// What it is; `None` for a kind of a later version.
    pub kind: Option<AssetKind>,
    /// Bytes that it takes in the pack or the import cache.
    pub stored_size: u32,
    /// Bytes of its chunks before compression.
    pub base_size: u32,
}

impl Mounts {
    /// The game's own sources: a pack and its further packs, or loose files.
    pub(crate) fn new(sources: Vec<Source>) -> Self {
        let name = sources.first().map_or_else(|| "nothing".to_owned(), name_of);
        Self { list: vec![Mount { id: MountId(0), name, sources }], next: 1 }
    }

    pub(crate) fn base(&self) -> &[Source] {
        self.list.last().map_or(&[], |mount| &mount.sources)
    }

    /// The same order with another base: what hot reload has imported.
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    pub(crate) fn with_base(&self, sources: Vec<Source>) -> Self {
        let mut mounts = self.clone();
        if let Some(base) = mounts.list.last_mut() {
            base.sources = sources;
        }
        mounts
    }

    /// The same order with an overlay on top.
    pub(crate) fn with(&self, packs: Vec<Pack>) -> Result<(Self, MountId)> {
        let sources: Vec<Source> = packs.into_iter().map(|pack| Source::Pack(Arc::new(pack))).collect();
        let name = sources.first().map_or_else(String::new, name_of);
        for entry in sources.iter().flat_map(|source| source.index().entries()) {
            let entry = entry?;
            let Some((source, slot)) = self.locate(entry.id, 0) else { continue };
            let below = source.index().entry(slot)?;
            let same_path = below.path == entry.path || below.path.is_empty() || entry.path.is_empty();
            if below.kind != entry.kind || !same_path {
                let what = |kind: Option<AssetKind>| kind.map_or("of a later version", AssetKind::name);
                let detail = format!(
                    "\"{}\" ({}) would replace \"{}\" ({}); an overlay replaces an asset only with one of the same path \
                     and kind",
                    entry.path,
                    what(entry.kind),
                    below.path,
                    what(below.kind)
                );
                let file = sources.first().and_then(Source::file).map(Path::to_owned);
                return Err(Error::new(ErrorKind::Overlay(detail)).in_file(|| file));
            }
        }
        let mut mounts = self.clone();
        let id = MountId(self.next);
        mounts.next += 1;
        mounts.list.insert(0, Mount { id, name, sources });
        Ok((mounts, id))
    }

    /// The same order without an overlay; `None` where it is not there.
    pub(crate) fn without(&self, id: MountId) -> Option<Self> {
        let at = self.list.iter().position(|mount| mount.id == id)?;
        // The base is no overlay.
        if at + 1 == self.list.len() {
            return None;
        }
        let mut mounts = self.clone();
        mounts.list.remove(at);
        Some(mounts)
    }

    /// The assets of one mount.
    pub(crate) fn ids_of(&self, id: MountId) -> HashSet<ResourceId> {
        let of = self.list.iter().filter(|mount| mount.id == id).flat_map(|mount| &mount.sources);
        of.flat_map(|source| source.index().entries().filter_map(|entry| Some(entry.ok()?.id))).collect()
    }

    /// The source and the slot of an asset. `hint` is where the base had it when the constant was made.
    pub(crate) fn locate(&self, id: ResourceId, hint: u32) -> Option<(&Source, u32)> {
        let (base, overlays) = self.list.split_last()?;
        let find = |mount: &'_ Mount| -> Option<(usize, u32)> {
            mount.sources.iter().enumerate().find_map(|(i, source)| Some((i, source.index().find(id)?)))
        };
        for overlay in overlays {
            if let Some((i, slot)) = find(overlay) {
                return Some((&overlay.sources[i], slot));
            }
        }
        let (pack, slot) = match base.sources.len() {
            1 => (0, hint),
            _ => (hint as usize >> 16, hint & 0xffff),
        };
        if let Some(source) = base.sources.get(pack)
            && source.index().id(slot) == Some(id)
        {
            return Some((source, slot));
        }
        let (i, slot) = find(base)?;
        Some((&base.sources[i], slot))
    }

    /// The entry of an asset.
    pub fn entry(&self, id: ResourceId) -> Option<Entry<'_>> {
        let (source, slot) = self.locate(id, 0)?;
        entry(source.index(), slot)
    }

    /// The asset with exactly this path.
    pub fn find(&self, path: &str) -> Option<Entry<'_>> {
        let mut sources = self.list.iter().flat_map(|mount| &mount.sources);
        sources.find_map(|source| {
            let index = source.index();
            entry(index, index.find_path(path)?)
        })
    }

    /// Every asset, each once, as the order finds it.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut seen = HashSet::new();
        let several = self.list.iter().map(|mount| mount.sources.len()).sum::<usize>() > 1;
        let sources = self.list.iter().flat_map(|mount| &mount.sources);
        let entries = sources.flat_map(|source| {
            let index = source.index();
            (0..index.len() as u32).filter_map(move |slot| entry(index, slot))
        });
        entries.filter(move |entry| !several || seen.insert(entry.id.resource()))
    }

    /// Names of the groups that hold an asset, as the settings of the game's own packs say.
    pub(crate) fn groups_of(&self, id: ResourceId) -> Vec<String> {
        let mut names = Vec::new();
        for source in self.base() {
            let index = source.index();
            let Some(slot) = index.find(id) else { continue };
            let groups = index.groups().filter_map(|group| group.ok());
            names.extend(groups.filter(|group| group.slots().any(|s| s == slot)).map(|group| group.name.to_owned()));
        }
        names
    }
}

impl fmt::Display for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mount) in self.list.iter().enumerate() {
            let ids: Vec<ResourceId> = self.ids_of(mount.id).into_iter().collect();
            let below = Self { list: self.list[i + 1..].to_vec(), next: 0 };
            let replaced = ids.iter().filter(|id| below.locate(**id, 0).is_some()).count();
            let s = if ids.len() == 1 { "" } else { "s" };
            write!(f, "{}. {}: {} asset{s}", i + 1, mount.name, ids.len())?;
            if replaced > 0 {
                write!(f, ", replaces {replaced}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn name_of(source: &Source) -> String {
    match source.file() {
        Some(file) => file.with_extension("").display().to_string(),
        None => "a pack in memory".to_owned(),
    }
}

fn entry(index: IndexView<'_>, slot: u32) -> Option<Entry<'_>> {
    let entry = index.entry(slot).ok()?;
    let kind = entry.kind.map_or(0, |kind| kind as u8);
    Some(Entry {
        id: AnyId::new(entry.id.0, slot, kind),
        path: entry.path,
        kind: entry.kind,
        stored_size: entry.stored_size,
        base_size: entry.base_size,
    })
}

/// The pack files of a folder, by name: what a game mounts from its folder of mods.
///
/// # Errors
/// Where the folder cannot be read; one that is not there is empty.
pub fn packs_in(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let folder = folder.as_ref();
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| Error::io(folder, e))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|e| Error::io(folder, e))?.path();
        if file.extension().is_some_and(|extension| extension == "rres") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
