//! One pack: mapped, copied or in memory, ours or another program's.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_format::index::{Entry, EntrySpec, IndexBuilder, IndexLayout, IndexView, Meta};
use rres_format::{AssetKind, ChunkView, FourCc, Limits, PackLayout, PackView, Resource, ResourceId, StoredChunk};

use super::decode::decode;
use crate::asset::{Asset, Chunk, Chunks, Loaded};
use crate::data::{Backing, Data};
use crate::error::{Error, ErrorKind, Result};
use crate::map::Map;

/// When stored bytes are compared with their CRC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    /// Before the first use of each asset.
    #[default]
    Once,
    /// Before every use.
    Always,
    /// Never: for packs whose bytes are checked in another way.
    Off,
}

/// How a pack is opened.
///
/// ```no_run
/// use rres_runtime::{PackOptions, Verify};
///
/// let pack = PackOptions::default().verify(Verify::Always).open("game.rres")?;
/// # Ok::<(), rres_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PackOptions {
    /// When stored bytes are compared with their CRC.
    pub verify: Verify,
    /// Caps on what the pack may make us allocate.
    pub limits: Limits,
}

impl PackOptions {
    /// The same options with another CRC policy.
    #[must_use]
    pub fn verify(mut self, verify: Verify) -> Self {
        self.verify = verify;
        self
    }

    /// The same options with other caps.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// [`Pack::open`] with these options.
    ///
    /// # Errors
    /// As there.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Pack> {
        let path = path.as_ref();
        let map = Map::open(path).map_err(|e| Error::io(path, e))?;
        Pack::new(Backing::Map(map), Some(path.to_owned()), self)
    }

    /// [`Pack::read`] with these options.
    ///
    /// # Errors
    /// As there.
    pub fn read(self, path: impl AsRef<Path>) -> Result<Pack> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        Pack::new(Backing::Owned(bytes.into()), Some(path.to_owned()), self)
    }

    /// [`Pack::from_bytes`] with these options.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(self, bytes: impl Into<Box<[u8]>>) -> Result<Pack> {
        Pack::new(Backing::Owned(bytes.into()), None, self)
    }

    /// [`Pack::from_static`] with these options.
    ///
    /// # Errors
    /// As there.
    pub fn from_static(self, bytes: &'static [u8]) -> Result<Pack> {
        Pack::new(Backing::Static(bytes), None, self)
    }
}

/// One `.rres` file. Opening ours takes constant time; packs of other programs are scanned once.
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
    data: Data,
    layout: PackLayout,
    index: PackIndex,
    verify: Verify,
    /// One bit per slot: its chunks have been checked.
    verified: Box<[AtomicU64]>,
    file: Option<PathBuf>,
}

/// Our index is part of the pack; for other packs one is made.
enum PackIndex {
    Own,
    Scanned { block: Vec<u8>, layout: IndexLayout },
}

/// What a pack says of one resource.
#[derive(Clone, Copy, Debug)]
pub struct PackEntry<'a> {
    /// The resource.
    pub id: ResourceId,
    /// Its path, empty where the pack does not say.
    pub path: &'a str,
    /// What it is to a game; `None` for a kind of a later version.
    pub kind: Option<AssetKind>,
    /// Bytes that it takes in the pack.
    pub stored_size: u32,
    /// Bytes of its chunks before compression.
    pub base_size: u32,
}

impl Pack {
    /// Maps a pack.
    ///
    /// The file must not be changed in place or cut while the pack lives; replacing it by a rename is fine. A cut
    /// file makes an access fail with a bus error, which ends the process. Use [`Self::read`] where that cannot be
    /// promised.
    ///
    /// # Errors
    /// Where the file cannot be mapped or is no pack.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        PackOptions::default().open(path)
    }

    /// Reads a copy of a pack.
    ///
    /// # Errors
    /// Where the file cannot be read or is no pack.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        PackOptions::default().read(path)
    }

    /// A pack in memory.
    ///
    /// # Errors
    /// Where the bytes are no pack.
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Result<Self> {
        PackOptions::default().from_bytes(bytes)
    }

    /// A pack in the program, as `include_bytes!` gives it.
    ///
    /// # Errors
    /// Where the bytes are no pack.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        PackOptions::default().from_static(bytes)
    }

    fn new(backing: Backing, file: Option<PathBuf>, options: PackOptions) -> Result<Self> {
        let data = Data::new(backing);
        let parse = || {
            let layout = PackLayout::parse(&data, options.limits)?;
            let view = layout.view(&data);
            let (index, count) = match view.index() {
                Some(index) => (PackIndex::Own, index.len()),
                None => {
                    let builder = scan(view)?;
                    let block = builder.block()?;
                    let layout = IndexLayout::parse(&block)?;
                    (PackIndex::Scanned { block, layout }, builder.entries.len())
                }
            };
            Ok((layout, index, count))
        };
        let (layout, index, count) = parse().map_err(|e: Error| e.in_file(|| file.clone()))?;
        let verified = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { data, layout, index, verify: options.verify, verified, file })
    }

    /// The bytes and chunks of the pack.
    pub fn view(&self) -> PackView<'_> {
        self.layout.view(&self.data)
    }

    /// The index: ours, or the one that the scan made.
    pub(crate) fn index(&self) -> IndexView<'_> {
        match &self.index {
            PackIndex::Own => self.view().index().expect("the index was parsed when the pack was opened"),
            PackIndex::Scanned { block, layout } => layout.view(block),
        }
    }

    /// The file that the pack was opened from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The resources, by id. Entries that the index describes wrongly are passed over.
    pub fn entries(&self) -> impl Iterator<Item = PackEntry<'_>> {
        self.index().entries().filter_map(|entry| {
            let entry = entry.ok()?;
            Some(PackEntry {
                id: entry.id,
                path: entry.path,
                kind: entry.kind,
                stored_size: entry.stored_size,
                base_size: entry.base_size,
            })
        })
    }

    /// The id of exactly this path.
    pub fn find(&self, path: &str) -> Option<ResourceId> {
        let index = self.index();
        index.find_path(path).and_then(|slot| index.id(slot))
    }

    /// Loads an asset, without a store's sharing.
    ///
    /// # Errors
    /// Where no resource has the id, it is of another kind, or its bytes are damaged.
    pub fn load<T: Asset>(&self, id: ResourceId) -> Result<T> {
        let slot = self.index().find(id).ok_or_else(|| Error::new(ErrorKind::NotFound(id)))?;
        T::from_loaded(self.load_slot(slot)?)
    }

    /// Reads the chunks of the entry at `slot`.
    pub(crate) fn load_slot(&self, slot: u32) -> Result<Loaded<'_>> {
        let index = self.index();
        let entry = index.entry(slot)?;
        let load = || -> Result<Loaded<'_>> {
            Ok(Loaded {
                id: entry.id,
                path: entry.path,
                kind: entry.kind,
                base_size: entry.base_size,
                chunks: self.read_chunks(slot, self.chunks_of(&entry)?)?,
                meta: index.meta(slot)?.to_meta(),
                dependencies: index.dependencies(slot)?.collect(),
            })
        };
        load().map_err(|e| self.named(e, &entry))
    }

    /// The first chunk of a kind of the entry at `slot`, without comparing it with its CRC where it is plain.
    pub(crate) fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk> {
        let entry = self.index().entry(slot)?;
        let open = || open_chunk(&self.data, self.chunks_of(&entry)?, kind);
        open().map_err(|e| self.named(e, &entry))
    }

    /// Compares the chunks of the entry at `slot` with their CRCs.
    pub(crate) fn verify_slot(&self, slot: u32) -> Result<()> {
        let entry = self.index().entry(slot)?;
        let verify = || self.chunks_of(&entry)?.try_for_each(|chunk| Ok(chunk?.verify()?));
        verify().map_err(|e| self.named(e, &entry))
    }

    fn chunks_of(&self, entry: &Entry<'_>) -> Result<impl Iterator<Item = rres_format::Result<ChunkView<'_>>>> {
        let view = self.view();
        let (run, chain) = match &self.index {
            PackIndex::Own => (Some(view.run(view.first_chunk(entry.offset, entry.id)?, entry.chunk_count)), None),
            PackIndex::Scanned { .. } => (None, Some(view.chain(view.chunk_at(entry.offset)?))),
        };
        Ok(run.into_iter().flatten().chain(chain.into_iter().flatten()))
    }

    fn named(&self, error: Error, entry: &Entry<'_>) -> Error {
        error.of_asset(|| format!("\"{}\" ({})", entry.path, entry.id)).in_file(|| self.file.clone())
    }

    fn read_chunks<'a>(
        &self,
        slot: u32,
        chunks: impl Iterator<Item = rres_format::Result<ChunkView<'a>>>,
    ) -> Result<Chunks> {
        let (word, bit) = (&self.verified[slot as usize / 64], 1 << (slot % 64));
        let verify = match self.verify {
            Verify::Off => false,
            Verify::Always => true,
            Verify::Once => word.load(Ordering::Relaxed) & bit == 0,
        };
        let mut out = Chunks::default();
        for chunk in chunks {
            let chunk = chunk?;
            if verify {
                chunk.verify()?;
            }
            out.push(read_chunk(&self.data, chunk)?);
        }
        if verify {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(out)
    }
}

/// The block of a chunk of `pack`: a piece of the pack where it is plain, else decoded into its final allocation.
pub(crate) fn read_chunk(pack: &Data, chunk: ChunkView<'_>) -> Result<Chunk> {
    let block = match chunk.info.is_plain() {
        true => pack.keep(chunk.plain_block()?),
        false => Data::new(decode(chunk)?),
    };
    Ok(Chunk { kind: chunk.info.kind, block })
}

/// The block of the first chunk of a kind. Where it is plain its bytes are not touched; else it is verified and decoded.
pub(crate) fn open_chunk<'a>(
    pack: &Data,
    mut chunks: impl Iterator<Item = rres_format::Result<ChunkView<'a>>>,
    kind: FourCc,
) -> Result<Chunk> {
    let is_it = |chunk: &rres_format::Result<ChunkView<'_>>| chunk.as_ref().map_or(true, |c| c.info.kind == kind);
    let chunk = chunks.find(is_it).ok_or_else(|| Error::new(ErrorKind::MissingChunk(kind)))??;
    if !chunk.info.is_plain() {
        chunk.verify()?;
    }
    read_chunk(pack, chunk)
}

/// The index of a pack that has none: one entry per id, where the first chunk wins as in `rres.h`, with the path
/// that the directory gives it.
fn scan(view: PackView<'_>) -> Result<IndexBuilder> {
    let mut index = IndexBuilder::default();
    let mut seen = HashSet::new();
    // A pack without directory, or with a damaged one, still loads by id.
    let mut paths = std::collections::HashMap::new();
    if let Ok(Some(directory)) = view.directory() {
        for entry in directory.entries().map_while(|entry| entry.ok()) {
            paths.entry(entry.id).or_insert_with(|| String::from_utf8_lossy(entry.name).into_owned());
        }
    }
    for chunk in view.chunks() {
        let chunk = chunk?;
        if !chunk.is_resource() || chunk.info.id == ResourceId::NONE || !seen.insert(chunk.info.id) {
            continue;
        }
        // Followers of a chain may have ids of their own, but are no resources of their own.
        let mut members: Vec<StoredChunk<'_>> = Vec::new();
        let mut size = 0u64;
        for member in view.chain(chunk).map_while(|member| member.ok()) {
            seen.insert(member.info.id);
            size += u64::from(member.info.packed_size);
            members.push(StoredChunk::copied(member));
        }
        let path = paths.remove(&chunk.info.id).unwrap_or_default();
        let resource = Resource::new(path, members);
        index.entries.push(EntrySpec {
            id: chunk.info.id,
            kind: resource.kind,
            offset: chunk.offset,
            stored_size: u32::try_from(size).unwrap_or(u32::MAX),
            base_size: u32::try_from(resource.base_size()).unwrap_or(u32::MAX),
            chunk_count: u16::try_from(resource.chunks.len()).unwrap_or(u16::MAX),
            path: resource.path,
            meta: Meta::default(),
            dependencies: Vec::new(),
            blob: 0,
        });
    }
    Ok(index)
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack")
            .field("file", &self.file)
            .field("bytes", &self.data.len())
            .field("resources", &self.index().len())
            .finish_non_exhaustive()
    }
}

/// The chunk of a resource with a kind, or an error that names it.
pub(crate) fn chunk_of_kind(chunks: &[Chunk], kind: FourCc) -> Result<&Chunk> {
    chunks.iter().find(|chunk| chunk.kind == kind).ok_or_else(|| Error::new(ErrorKind::MissingChunk(kind)))
}

/// A pack and its further packs, `name.1.rres` and so on, in order.
pub(crate) fn open_set(first: &Path, options: PackOptions) -> Result<Vec<Arc<Pack>>> {
    let pack = options.open(first)?;
    let further = pack.index().further_packs();
    let mut packs = vec![Arc::new(pack)];
    for number in 1..=further {
        let path = first.with_extension(format!("{number}.rres"));
        packs.push(Arc::new(options.open(path)?));
    }
    Ok(packs)
}
