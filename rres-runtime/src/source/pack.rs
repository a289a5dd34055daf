//! One pack: mapped, read or in memory, written by `rres-build` or by another program.

mod outline;
pub(super) mod set;
mod siblings;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rres_format::chunk::image::ImageProps;
use rres_format::index::{Entry, IndexLayout, IndexView};
use rres_format::patch::PatchView;
use rres_format::signature::content_len;
use rres_format::{ChunkView, FourCc, Header, Limits, PackLayout, PackView, ResourceId};

use self::siblings::RecentBlocks;
use super::Source;
use super::chunks::find_chunk;
use super::content::{Content, Part, PartSource};
use super::info::AssetInfo;
use super::levels::{self, LevelLimit};
use super::options::{CrcPolicy, PackOptions};
use super::scan::{scan, scan_own};
use super::signature::Signed;
use super::unseal::PackKeys;
use crate::asset::{Asset, from_resource};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::id::find_as_typed;
use crate::map::Map;
use crate::resource::{Chunk, Chunks, LoadedResource};
use crate::trace;

/// One `.rres` file.
///
/// A pack of `rres-build` opens in constant time; a pack of another program is scanned once when it is opened.
///
/// ```no_run
/// use rres_runtime::{Image, Pack, ResourceId};
///
/// let pack = Pack::open("game.rres")?;
/// for entry in pack.entries() {
///     println!("{} {:?}", entry.path, entry.kind);
/// }
/// let image: Image = pack.load(ResourceId::from_path("ui/button.png"))?;
/// # Ok::<(), rres_runtime::Error>(())
/// ```
pub struct Pack {
    content: Content,
    layout: PackLayout,
    index: PackIndex,
    crc_policy: CrcPolicy,
    limits: Limits,
    keys: PackKeys,
    recent: RecentBlocks,
    pub(super) signed: Signed,
    /// One bit per slot: whether its chunks were compared with their CRCs, or with their hashes.
    verified: Box<[AtomicU64]>,
    index_checked: OnceLock<rres_format::Result<()>>,
    /// Why the front index in the pack is not used.
    index_damage: Option<rres_format::Error>,
    file: Option<PathBuf>,
}

enum PackIndex {
    /// The front index in the pack.
    Own,
    /// The index that [`scan`] made.
    Scanned { block: Vec<u8>, layout: IndexLayout },
}

impl Pack {
    /// Maps this pack alone. [`PackOptions::open_store`] opens the additional packs of its set and its patches, too.
    ///
    /// The file must not be changed in place or truncated while the pack lives; replacing it by a rename is fine.
    /// Reading beyond the end of a truncated file ends the process with a bus error. If you cannot rule that out, use
    /// [`PackOptions::read`]. [`PackOptions`] also opens packs in memory and in the executable.
    ///
    /// # Errors
    /// If the file cannot be mapped or is not a pack.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        PackOptions::default().open(path)
    }

    pub(crate) fn new(backing: Backing, file: Option<PathBuf>, options: &PackOptions) -> Result<Self> {
        Self::of(Content::Whole(AssetBytes::new(backing)), file, options)
    }

    pub(crate) fn of(content: Content, file: Option<PathBuf>, options: &PackOptions) -> Result<Self> {
        let _span = trace::opening(file.as_deref());
        let keys = options.keys.for_pack();
        let parse = || {
            let data = content.front();
            let (layout, index_damage) = layout_of(data, options)?;
            let view = layout.view(data);
            // Before anything else is read.
            #[cfg(feature = "signed")]
            let signed = Signed::open(options.signature, view, content.end())?;
            #[cfg(not(feature = "signed"))]
            let signed = Signed;
            let (index, count) = match view.index() {
                Some(index) => (PackIndex::Own, index.len()),
                None => {
                    let builder = if index_damage.is_some() { scan_own(view) } else { scan(view) }?;
                    let block = builder.block()?;
                    let layout = IndexLayout::parse(&block)?;
                    (PackIndex::Scanned { block, layout }, builder.entries.len())
                }
            };
            // A damaged description is found now and not in the middle of a game.
            view.patch()?;
            // So is a wrong key.
            keys.check(view)?;
            Ok((layout, index_damage, signed, index, count))
        };
        let (layout, index_damage, signed, index, count) = parse().map_err(|e: Error| e.with_file(file.as_deref()))?;
        let verified = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let PackOptions { crc_policy, limits, .. } = *options;
        let index_checked = OnceLock::new();
        let recent = RecentBlocks::default();
        Ok(Self {
            content,
            layout,
            index,
            crc_policy,
            limits,
            keys,
            recent,
            signed,
            verified,
            index_checked,
            index_damage,
            file,
        })
    }

    /// Returns a view of the bytes and chunks of the pack, for tools. Of a pack whose parts are fetched, it has the front index alone.
    pub fn view(&self) -> PackView<'_> {
        self.layout.view(self.content.front())
    }

    /// Returns a part of the pack that has the resource at `slot`.
    fn part(&self, slot: u32) -> Result<Part<'_>> {
        self.content.at(slot)
    }

    /// Returns the view of a part.
    fn view_of<'a>(&'a self, part: &'a Part<'_>) -> PackView<'a> {
        part.view(&self.layout, self.content.front())
    }

    /// Returns what fetches the parts of the pack; `None` if all of them are here.
    pub(crate) fn parts(&self) -> Option<&Arc<dyn PartSource>> {
        self.content.parts()
    }

    /// Returns the front index, or the index that the scan made.
    pub(crate) fn index(&self) -> IndexView<'_> {
        match &self.index {
            PackIndex::Own => self.view().index().expect("the index was parsed when the pack was opened"),
            PackIndex::Scanned { block, layout } => layout.view(block),
        }
    }

    /// Returns what the pack replaces and removes as a patch; `None` if it is not a patch.
    pub(crate) fn patch(&self) -> Option<PatchView<'_>> {
        self.view().patch().ok().flatten()
    }

    /// Whether the pack is a patch for certain packs, which `cargo rres patch` has written.
    pub fn is_patch(&self) -> bool {
        self.patch().is_some()
    }

    /// Returns what identifies the pack to a patch: the CRC-32 of its front index, and its size without a signature. `None` for packs of other
    /// programs.
    pub(super) fn identity(&self) -> Option<(u32, u64)> {
        let checksum = self.checksum()?;
        // A signature does not make another pack of it.
        // The size of a pack whose parts are fetched is not known.
        let Content::Whole(data) = &self.content else { return None };
        Some((checksum, content_len(data).unwrap_or(data.len()) as u64))
    }

    /// Returns the CRC-32 of the front index; `None` for packs of other programs.
    pub(super) fn checksum(&self) -> Option<u32> {
        self.view().index()?;
        Some(self.view().chunk_at(Header::SIZE as u32).ok()?.info.crc32)
    }

    /// Returns why the front index of the pack is not used; see [`PackOptions::recover_index`].
    pub fn index_damage(&self) -> Option<Error> {
        self.index_damage.clone().map(|e| Error::from(e).with_file(self.file()))
    }

    /// Compares the whole front index with its CRC, once. Opening a pack does not do that, so that it takes constant time; mounting an
    /// overlay does, and so does everything that lists assets or finds them by their paths: a damaged path would be another path there.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn check_index(&self) -> Result<()> {
        if self.crc_policy == CrcPolicy::Off {
            return Ok(());
        }
        let checked = self.index_checked.get_or_init(|| self.view().check_index());
        checked.clone().map_err(|e| Error::from(e).with_file(self.file()))
    }

    /// Refuses a pack of `rres-build` that lacks its end, such as one that was not downloaded as a whole. The directory is
    /// the last chunk, so this takes constant time.
    pub(crate) fn check_end(&self) -> Result<()> {
        let offset = u64::from(self.view().header().directory_offset);
        if self.parts().is_some() || offset == 0 || matches!(self.index, PackIndex::Scanned { .. }) {
            return Ok(());
        }
        // See `PackView::directory` for the two meanings of the offset.
        let at = |offset: u64| self.view().chunk_at(u32::try_from(offset).unwrap_or(u32::MAX));
        match at(offset + Header::SIZE as u64) {
            Err(error) if !at(offset).is_ok_and(|chunk| chunk.info.kind == FourCc::CDIR) => {
                Err(Error::from(error).with_file(self.file()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the file that the pack was opened from; `None` for a pack in memory.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether the index names the right assets: it is compared with its CRC, once. An index that was made from the chunks has none.
    fn is_listable(&self) -> bool {
        matches!(self.index, PackIndex::Scanned { .. }) || self.check_index().is_ok()
    }

    /// Returns the resources, ordered by id. There are none if the index is damaged, which [`Self::check_index`] says.
    pub fn entries(&self) -> impl Iterator<Item = AssetInfo<'_>> {
        self.is_listable().then(|| AssetInfo::all(self.index())).into_iter().flatten()
    }

    /// Returns the id of the resource with this path; see [`crate::Store::find`]. `None`, too, if the index is damaged, which
    /// [`Self::check_index`] says.
    pub fn find(&self, path: &str) -> Option<ResourceId> {
        let index = Some(self.index()).filter(|_| self.is_listable())?;
        find_as_typed(path, |path| index.find_path(path)).and_then(|slot| index.id(slot))
    }

    /// Loads an asset, by an id of any type. Unlike [`crate::Store::load`], this loads it anew with each call.
    ///
    /// # Errors
    /// If no resource has the id, it is of another kind, or its bytes are damaged.
    pub fn load<T: Asset>(&self, id: impl Into<ResourceId>) -> Result<T> {
        let id = id.into();
        let not_found =
            || Error::new(ErrorKind::NotFound { id, elsewhere: None }).with_asset("", id).with_file(self.file());
        let Some(slot) = self.index().find(id) else {
            self.check_index()?;
            return Err(not_found());
        };
        from_resource(&self.load_slot(slot, &[], None)?)
    }

    /// Reads the resource at `slot`. `below` are the sources that have the bases of deltas, in search order, and `edge` limits the levels of an image.
    pub(super) fn load_slot(&self, slot: u32, below: &[Source], edge: Option<u32>) -> Result<LoadedResource<'_>> {
        let index = self.index();
        let entry = index.entry(slot)?;
        let load = || -> Result<LoadedResource<'_>> {
            let meta = index.meta(slot)?.to_meta();
            let (chunks, whole_image) = self.read_chunks(slot, &entry, below, LevelLimit::of(edge, &entry, &meta))?;
            Ok(LoadedResource {
                id: entry.id,
                path: entry.path,
                kind: entry.kind,
                base_size: if whole_image.is_some() { 0 } else { entry.base_size },
                chunks,
                whole_image,
                meta,
                dependencies: index.dependencies(slot)?.collect(),
                limits: self.limits,
                must_be_signed: self.signed.is_required(),
            })
        };
        load().map_err(|e| self.with_asset(e, &entry))
    }

    /// Tells the system that the resources at these slots are read soon, so that it reads them from the disk at once and
    /// not page by page.
    pub(super) fn prefetch(&self, slots: &[u32]) {
        /// Reading so much that nobody asked for is cheaper than another request.
        const GAP: u64 = 128 << 10;
        if self.parts().is_some() {
            return;
        }
        let index = self.index();
        let stored = slots.iter().filter_map(|slot| index.stored_range(*slot).ok());
        let mut ranges: Vec<Range<u64>> =
            stored.map(|stored| stored.offset.into()..u64::from(stored.offset) + u64::from(stored.size)).collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup_by(|next, last| {
            let joins = next.start <= last.end + GAP;
            if joins {
                last.end = last.end.max(next.end);
            }
            joins
        });
        ranges.into_iter().for_each(|range| self.content.front().will_need(range));
    }

    /// Reads chunk `number` of the resource at `slot`, if there is one.
    pub(super) fn read_nth(&self, slot: u32, number: u16, below: &[Source]) -> Result<Option<Chunk>> {
        let entry = self.index().entry(slot)?;
        let read = || -> Result<Option<Chunk>> {
            let part = self.part(slot)?;
            let view = self.view_of(&part);
            self.check_signature(view, slot)?;
            self.check_entry(view, slot)?;
            let Some(chunk) = self.chunks_of(view, &entry)?.nth(number.into()).transpose()? else { return Ok(None) };
            chunk.verify()?;
            self.read_chunk(&part, chunk, number, below).map(Some)
        };
        read().map_err(|e| self.with_asset(e, &entry))
    }

    pub(super) fn open_slot(&self, slot: u32, kind: FourCc, below: &[Source]) -> Result<Chunk> {
        let entry = self.index().entry(slot)?;
        let open = || {
            let part = self.part(slot)?;
            let view = self.view_of(&part);
            self.check_signature(view, slot)?;
            if self.crc_policy != CrcPolicy::Off {
                self.check_entry(view, slot)?;
            }
            let (number, chunk) = find_chunk(self.chunks_of(view, &entry)?, kind)?;
            self.read_chunk(&part, chunk, number, below)
        };
        open().map_err(|e| self.with_asset(e, &entry))
    }

    /// Returns the properties of the image at `slot`, without its pixels if they can be left out; `None` if it is none.
    pub(super) fn image_props(&self, slot: u32, below: &[Source]) -> Result<Option<ImageProps>> {
        let entry = self.index().entry(slot)?;
        let read = || {
            let part = self.part(slot)?;
            let view = self.view_of(&part);
            self.check_signature(view, slot)?;
            self.check_entry(view, slot)?;
            let first = self.chunks_of(view, &entry)?.next().transpose()?;
            let meta = self.index().meta(slot)?.to_meta();
            levels::image_props(first, &meta, |chunk| self.read_chunk(&part, chunk, 0, below))
        };
        read().map_err(|e| self.with_asset(e, &entry))
    }

    pub(super) fn verify_slot(&self, slot: u32) -> Result<()> {
        let entry = self.index().entry(slot)?;
        let verify = || {
            let part = self.part(slot)?;
            let view = self.view_of(&part);
            self.check_signature(view, slot)?;
            self.check_entry(view, slot)?;
            self.chunks_of(view, &entry)?.try_for_each(|chunk| Ok(chunk?.verify()?))
        };
        verify().map_err(|e| self.with_asset(e, &entry))
    }

    /// Checks that the resource at `slot` has the bytes that were signed, unless that is known. Packs that were scanned were
    /// checked as a whole.
    fn check_signature(&self, view: PackView<'_>, slot: u32) -> Result<()> {
        // What was dropped and read again from a server may be something else.
        let is_read_once = !matches!(self.content, Content::Parts { .. });
        let is_known = is_read_once && self.crc_policy != CrcPolicy::Always && self.is_verified(slot);
        if !self.signed.checks() || matches!(self.index, PackIndex::Scanned { .. }) || is_known {
            return Ok(());
        }
        self.signed.check(view, self.index().stored_range(slot)?)?;
        if self.signed.replaces_crc() {
            self.set_verified(slot);
        }
        Ok(())
    }

    /// Whether the chunks of the resource at `slot` were compared with their CRCs or their hashes.
    fn is_verified(&self, slot: u32) -> bool {
        self.verified[slot as usize / 64].load(Ordering::Relaxed) & 1 << (slot % 64) != 0
    }

    fn set_verified(&self, slot: u32) {
        self.verified[slot as usize / 64].fetch_or(1 << (slot % 64), Ordering::Relaxed);
    }

    /// Compares the entry at `slot` and the headers of its chunks with the CRC in the entry.
    fn check_entry(&self, view: PackView<'_>, slot: u32) -> Result<()> {
        match self.index {
            PackIndex::Own => Ok(view.check_entry(slot)?),
            // The entry was made from the headers.
            PackIndex::Scanned { .. } => Ok(()),
        }
    }

    fn chunks_of<'a>(
        &self,
        view: PackView<'a>,
        entry: &Entry<'_>,
    ) -> Result<impl Iterator<Item = rres_format::Result<ChunkView<'a>>> + use<'a>> {
        let (run, chain) = match &self.index {
            PackIndex::Own => (Some(view.resource_chunks(view.first_chunk_of(entry)?, entry.chunk_count)), None),
            PackIndex::Scanned { .. } if self.index_damage.is_some() => {
                (Some(view.resource_chunks(view.chunk_at(entry.offset)?, entry.chunk_count)), None)
            }
            PackIndex::Scanned { .. } => (None, Some(view.chain(view.chunk_at(entry.offset)?))),
        };
        Ok(run.into_iter().flatten().chain(chain.into_iter().flatten()))
    }

    fn with_asset(&self, error: Error, entry: &Entry<'_>) -> Error {
        error.with_asset(entry.path, entry.id).with_file(self.file())
    }

    /// Reads the chunks of an entry. Returns the properties of an image of which a limit has left out levels, too.
    fn read_chunks(
        &self,
        slot: u32,
        entry: &Entry<'_>,
        below: &[Source],
        limit: Option<LevelLimit>,
    ) -> Result<(Chunks, Option<ImageProps>)> {
        let part = self.part(slot)?;
        let view = self.view_of(&part);
        self.check_signature(view, slot)?;
        let verify = match self.crc_policy {
            CrcPolicy::Off => false,
            // The same bytes were hashed just now.
            CrcPolicy::Always if self.signed.replaces_crc() => false,
            CrcPolicy::Always => true,
            CrcPolicy::Once => !self.is_verified(slot),
        };
        if verify {
            self.check_entry(view, slot)?;
        }
        let (mut out, mut whole_image) = (Chunks::default(), None);
        for (number, chunk) in (0..).zip(self.chunks_of(view, entry)?) {
            let chunk = chunk?;
            if verify {
                chunk.verify()?;
            }
            let whole = || self.read_chunk(&part, chunk, number, below);
            out.push(match limit {
                None => whole()?,
                Some(limit) => {
                    let (read, props) = levels::read(chunk, limit, whole)?;
                    whole_image = props;
                    read
                }
            });
        }
        if verify {
            self.set_verified(slot);
        }
        Ok((out, whole_image))
    }
}

impl PackOptions {
    /// Maps a pack like [`Pack::open`], with these options.
    ///
    /// # Errors
    /// As [`Pack::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Pack> {
        let path = path.as_ref();
        let map = Map::open(path).map_err(|e| Error::io(path, e))?;
        Pack::new(Backing::Map(map), Some(path.to_owned()), self)
    }

    /// Reads a pack into memory.
    ///
    /// # Errors
    /// If the file cannot be read or is not a pack.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Pack> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        Pack::new(Backing::Owned(bytes.into()), Some(path.to_owned()), self)
    }

    /// Opens a pack in memory.
    ///
    /// # Errors
    /// If the bytes are not a pack.
    pub fn from_bytes(&self, bytes: impl Into<Box<[u8]>>) -> Result<Pack> {
        Pack::new(Backing::Owned(bytes.into()), None, self)
    }

    /// Opens a pack that is part of the program, as `include_bytes!` returns it.
    ///
    /// # Errors
    /// If the bytes are not a pack.
    pub fn from_static(&self, bytes: &'static [u8]) -> Result<Pack> {
        Pack::new(Backing::Static(bytes), None, self)
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack")
            .field("file", &self.file)
            .field("bytes", &self.content.front().len())
            .field("resources", &self.index().len())
            .finish_non_exhaustive()
    }
}

/// Parses a pack. If its options ask for that, a damaged front index is not used, and returned as the error that it is.
fn layout_of(bytes: &[u8], options: &PackOptions) -> Result<(PackLayout, Option<rres_format::Error>)> {
    let parsed = PackLayout::parse(bytes, options.limits);
    if !options.recovers {
        return Ok((parsed?, None));
    }
    match parsed.and_then(|layout| layout.view(bytes).check_index().map(|()| layout)) {
        Ok(layout) => Ok((layout, None)),
        // Other errors are about the file header, or about a pack that this version does not read.
        Err(error) => {
            let layout = PackLayout::parse_without_index(bytes, options.limits)?;
            // Without its index, a patch does not know what it replaces and removes.
            let is_patch = layout.view(bytes).chunks().flatten().any(|chunk| chunk.info.kind == FourCc::PTCH);
            if is_patch { Err(error.into()) } else { Ok((layout, Some(error))) }
        }
    }
}
