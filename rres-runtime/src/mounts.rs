//! The order of sources: overlays (patches, mods, DLC) come first, the most recently mounted one before the others,
//! then the game's own packs.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use crate::error::{Error, ErrorKind, Result};
use crate::id::find_as_typed;
use crate::source::{AssetInfo, Pack, Patch, Source};

/// Identifies one mounted overlay; see [`crate::Store::unmount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MountId(u32);

/// Packs that were mounted together.
#[derive(Clone, Debug)]
struct Mount {
    id: MountId,
    name: String,
    sources: Vec<Source>,
}

impl Mount {
    /// Returns the patch, if the mount is one.
    fn patch(&self) -> Option<&Patch> {
        self.sources.first().and_then(Source::patch)
    }

    /// Whether the mount removes an asset from those below it.
    fn removes(&self, id: ResourceId) -> bool {
        self.patch().is_some_and(|patch| patch.removes(id))
    }
}

/// The mounted packs at one moment, in the search order of the store. Print it to see the order.
///
/// ```text
/// 1. mods/hd: 12 assets, replaces 12
/// 2. game: 74 assets
/// ```
#[derive(Clone, Debug)]
pub struct Mounts {
    /// In search order. The last one is the base, the game's own sources, and always exists.
    list: Vec<Mount>,
    next_id: u32,
}

impl Mounts {
    /// Returns whether no pack is read in parts.
    pub(crate) fn are_whole(&self) -> bool {
        self.sources().all(|source| source.parts().is_none())
    }

    /// Creates the mounts without overlays. `sources` are the game's own: a pack and its additional packs, or a dev
    /// index.
    pub(crate) fn new(sources: Vec<Source>) -> Self {
        let name = sources.first().map_or_else(|| "nothing".to_owned(), name_of);
        Self { list: vec![Mount { id: MountId(0), name, sources }], next_id: 1 }
    }

    /// Returns the game's own sources.
    pub(crate) fn base(&self) -> &[Source] {
        self.list.last().map_or(&[], |mount| &mount.sources)
    }

    /// Returns the same order with other sources as the base, after a hot reload.
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    pub(crate) fn with_base(&self, sources: Vec<Source>) -> Self {
        let mut mounts = self.clone();
        if let Some(base) = mounts.list.last_mut() {
            base.sources = sources;
        }
        mounts
    }

    /// Returns the same order with an overlay on top. Patches go directly over the game's own packs and earlier patches,
    /// because they only fit those. An overlay whose index is damaged is an error: an asset that it lacks would silently be the one
    /// below it.
    pub(crate) fn with(&self, packs: Vec<Pack>) -> Result<(Self, MountId)> {
        packs.iter().try_for_each(Pack::check_index)?;
        let (patches, packs): (Vec<Pack>, Vec<Pack>) = packs.into_iter().partition(Pack::is_patch);
        let mut mounts = self.clone();
        let id = MountId(mounts.next_id);
        mounts.next_id += 1;
        for patch in patches {
            mounts.insert_patch(id, patch)?;
        }
        if !packs.is_empty() {
            mounts.insert_overlay(id, packs)?;
        }
        Ok((mounts, id))
    }

    fn insert_patch(&mut self, id: MountId, pack: Pack) -> Result<()> {
        let at = self.patches_start();
        let file = pack.file().map(Path::to_owned);
        let below = self.list[at..].iter().flat_map(|mount| mount.sources.iter().cloned()).collect();
        let patch = Source::Patch(Arc::new(Patch::new(pack, below)));
        let mut state = self.base().iter().filter_map(Source::identity).collect::<Vec<_>>();
        for patch in self.list[at..].iter().rev().filter_map(Mount::patch).chain(patch.patch()) {
            state = patch.advance(&state).ok_or_else(|| {
                // What the patch should fit: the patch before it, or the game's own pack.
                let below = self.list[at..].iter().find_map(|mount| mount.sources.first()?.file());
                Error::new(ErrorKind::PatchMismatch { below: below.map(Into::into) }).with_file(file.as_deref())
            })?;
        }
        self.list.insert(at, Mount { id, name: name_of(&patch), sources: vec![patch] });
        Ok(())
    }

    /// Returns where the patches begin in the list, or the base if there are none.
    fn patches_start(&self) -> usize {
        let patches = self.list.iter().rev().skip(1).take_while(|mount| mount.patch().is_some()).count();
        self.list.len().saturating_sub(1 + patches)
    }

    fn insert_overlay(&mut self, id: MountId, packs: Vec<Pack>) -> Result<()> {
        let sources: Vec<Source> = packs.into_iter().map(|pack| Source::Pack(Arc::new(pack))).collect();
        let name = sources.first().map_or_else(String::new, name_of);
        for entry in sources.iter().flat_map(|source| source.index().entries()) {
            let entry = entry?;
            let Some((source, slot)) = self.locate(entry.id, Slot(0)) else { continue };
            let below = source.index().entry(slot)?;
            let same_path = below.path == entry.path || below.path.is_empty() || entry.path.is_empty();
            if below.kind != entry.kind || !same_path {
                let (existing, existing_kind) = (below.path.to_owned(), below.kind);
                let conflict = ErrorKind::OverlayConflict { kind: entry.kind, existing, existing_kind };
                let file = sources.first().and_then(Source::file);
                return Err(Error::new(conflict).with_asset(entry.path, entry.id).with_file(file));
            }
        }
        self.list.insert(0, Mount { id, name, sources });
        Ok(())
    }

    /// Returns the same order with other packs in the place of an overlay, the new mount, and the assets that differ.
    pub(crate) fn replaced(&self, id: MountId, packs: Vec<Pack>) -> Result<(Self, MountId, HashSet<ResourceId>)> {
        let place = self.list.iter().position(|mount| mount.id == id);
        let (mut mounts, new) = self.without(id).unwrap_or_else(|| self.clone()).with(packs)?;
        // `with` puts an overlay over all others.
        if let Some(place) = place.filter(|place| *place < self.patches_start())
            && mounts.list.first().is_some_and(|mount| mount.id == new && mount.patch().is_none())
        {
            mounts.list[..=place].rotate_left(1);
        }
        let mut changed = self.ids_of(id);
        changed.extend(mounts.ids_of(new));
        changed.retain(|id| {
            let (before, after) = (self.locate(*id, Slot(0)), mounts.locate(*id, Slot(0)));
            let Some((after, after_slot)) = after else { return false };
            before.is_none_or(|(before, slot)| !before.is_alike(slot, after, after_slot))
        });
        Ok((mounts, new, changed))
    }

    /// Returns the same order without an overlay; `None` if it is not mounted, or a later patch was made for it.
    pub(crate) fn without(&self, id: MountId) -> Option<Self> {
        let (base, overlays) = self.list.split_last()?;
        let patches = &overlays[self.patches_start()..];
        // The patches of this mount must be the last ones.
        let is_needed = patches.iter().skip_while(|mount| mount.id == id).any(|mount| mount.id == id);
        if base.id == id || is_needed || !overlays.iter().any(|mount| mount.id == id) {
            return None;
        }
        let mut mounts = self.clone();
        mounts.list.retain(|mount| mount.id != id);
        Some(mounts)
    }

    /// Returns a source with another set of assets than the hash says: the last patch, or any of the game's own.
    pub(crate) fn other_set(&self, set_hash: [u8; 16]) -> Option<&Source> {
        let last = self.list[self.patches_start()..].first().filter(|mount| mount.patch().is_some());
        let sources = last.map_or(self.base(), |mount| &mount.sources);
        // The index that a damaged one was replaced by does not know the set.
        let is_other = |source: &&Source| source.index().set_hash() != set_hash && source.index_damage().is_none();
        sources.iter().find(is_other)
    }

    /// Returns the assets that one mount contains or removes.
    pub(crate) fn ids_of(&self, id: MountId) -> HashSet<ResourceId> {
        let mounts = || self.list.iter().filter(|mount| mount.id == id);
        let removed = mounts().filter_map(Mount::patch).flat_map(|patch| patch.removed().iter().copied());
        mounts().flat_map(contents).chain(removed).collect()
    }

    /// Finds the source of an asset and its slot in that source's index. `hint` is the slot in the base that the
    /// constant of the asset was generated with.
    pub(crate) fn locate(&self, id: ResourceId, hint: Slot) -> Option<(&Source, u32)> {
        let (base, overlays) = self.list.split_last()?;
        let find = |mount: &'_ Mount| -> Option<(usize, u32)> {
            mount.sources.iter().enumerate().find_map(|(i, source)| Some((i, source.index().find(id)?)))
        };
        for overlay in overlays {
            if let Some((i, slot)) = find(overlay) {
                return Some((&overlay.sources[i], slot));
            }
            if overlay.removes(id) {
                return None;
            }
        }
        let (pack, slot) = hint.resolve(base.sources.len());
        if let Some(source) = base.sources.get(pack)
            && source.index().id(slot) == Some(id)
        {
            return Some((source, slot));
        }
        let (i, slot) = find(base)?;
        Some((&base.sources[i], slot))
    }

    /// Whether an asset is in an overlay that is not a patch.
    #[cfg(feature = "fingerprint-c")]
    pub(crate) fn is_from_overlay(&self, id: ResourceId) -> bool {
        let mut sources = self.list[..self.patches_start()].iter().flat_map(|mount| &mount.sources);
        sources.any(|source| source.index().find(id).is_some())
    }

    /// Returns all sources, in search order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.list.iter().flat_map(|mount| &mount.sources)
    }

    /// Returns the checksums of the game's own packs, ascending: the CRC-32 of each front index. Packs with other assets have others, but for
    /// chance. A debug build that reads loose files has none.
    pub fn checksums(&self) -> Vec<u32> {
        let mut checksums: Vec<u32> = self.base().iter().filter_map(Source::checksum).collect();
        checksums.sort_unstable();
        checksums
    }

    /// Compares the indexes of all sources with their CRCs, once each.
    pub(crate) fn check_indexes(&self) -> Result<()> {
        self.list.iter().flat_map(|mount| &mount.sources).try_for_each(Source::check_index)
    }

    /// Returns what is known of an asset without loading it.
    pub fn entry(&self, id: ResourceId) -> Option<AssetInfo<'_>> {
        let (source, slot) = self.locate(id, Slot(0))?;
        AssetInfo::at(source.index(), slot)
    }

    /// Returns what is known of the asset with this path; see [`crate::Store::find`].
    pub fn find(&self, path: &str) -> Option<AssetInfo<'_>> {
        find_as_typed(path, |path| {
            let mut sources = (self.list.iter().enumerate())
                .flat_map(|(depth, mount)| mount.sources.iter().map(move |source| (depth, source)));
            sources.find_map(|(depth, source)| {
                let index = source.listed()?;
                let found = AssetInfo::at(index, index.find_path(path)?)?;
                let is_removed = self.list[..depth].iter().any(|mount| mount.removes(found.id.resource()));
                (!is_removed).then_some(found)
            })
        })
    }

    /// Returns every asset once: of assets with the same id, the one that the store would load.
    ///
    /// A pack whose index is damaged lists nothing, because it could list others: [`Self::warnings`] says so.
    pub fn entries(&self) -> impl Iterator<Item = AssetInfo<'_>> {
        let mut seen = HashSet::new();
        let several = self.list.iter().map(|mount| mount.sources.len()).sum::<usize>() > 1;
        let removes = |depth: usize, id| self.list[..depth].iter().any(|mount| mount.removes(id));
        let sources = (self.list.iter().enumerate())
            .flat_map(|(depth, mount)| mount.sources.iter().map(move |source| (depth, source)));
        let entries = sources.flat_map(|(depth, source)| {
            source.listed().into_iter().flat_map(AssetInfo::all).map(move |entry| (depth, entry))
        });
        let visible = entries.filter(move |(depth, entry)| {
            let id = entry.id.resource();
            !several || !removes(*depth, id) && seen.insert(id)
        });
        visible.map(|(_, entry)| entry)
    }

    /// Returns the warnings of all packs, in search order: [`Pack::check_index`], [`Pack::index_damage`], and `Pack::signature_warning`.
    /// The first call takes time that grows with the indexes.
    pub fn warnings(&self) -> impl Iterator<Item = Error> + '_ {
        self.sources().flat_map(|source| source.check_index().err().into_iter().chain(source.warnings()))
    }

    /// Returns the names of the groups that each asset is in, as of [`Self::each_group`].
    pub(crate) fn groups(&self) -> HashMap<ResourceId, Vec<String>> {
        let mut groups: HashMap<ResourceId, Vec<String>> = HashMap::new();
        self.each_group(|name, members| {
            members.into_iter().for_each(|id| groups.entry(id).or_default().push(name.clone()));
        });
        groups.values_mut().for_each(|names| names.sort());
        groups
    }

    /// Visits the groups with their members; one may be in several packs. They come from the game's own packs, and from patches in the
    /// place of the packs that they were made from.
    pub(crate) fn each_group(&self, mut visit: impl FnMut(String, Vec<ResourceId>)) {
        let mut newer: Vec<&Patch> = Vec::new();
        for mount in &self.list[self.patches_start()..] {
            for source in &mount.sources {
                if newer.iter().any(|patch| patch.replaces(source)) {
                    continue;
                }
                source.groups().into_iter().for_each(|(name, members)| visit(name, members));
            }
            newer.extend(mount.patch());
        }
    }
}

impl fmt::Display for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mount) in self.list.iter().enumerate() {
            let ids: HashSet<ResourceId> = contents(mount).collect();
            let below = Self { list: self.list[i + 1..].to_vec(), next_id: 0 };
            let replaced = ids.iter().filter(|id| below.locate(**id, Slot(0)).is_some()).count();
            let s = if ids.len() == 1 { "" } else { "s" };
            write!(f, "{}. {}: {} asset{s}", i + 1, mount.name, ids.len())?;
            if replaced > 0 {
                write!(f, ", replaces {replaced}")?;
            }
            let removed = mount.patch().map_or(0, |patch| patch.removed().len());
            if removed > 0 {
                write!(f, ", removes {removed}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Returns the assets in the packs of a mount.
fn contents(mount: &Mount) -> impl Iterator<Item = ResourceId> + '_ {
    let sources = mount.sources.iter();
    sources.flat_map(|source| source.index().entries().filter_map(|entry| Some(entry.ok()?.id)))
}

fn name_of(source: &Source) -> String {
    match source.file() {
        Some(file) => file.with_extension("").display().to_string(),
        None => "a pack in memory".to_owned(),
    }
}

/// Lists the packs in a folder, ordered by name: what a game mounts from its folder of mods.
///
/// # Errors
/// If the folder cannot be read. A folder that does not exist counts as empty.
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
