//! Pack assembly: padding, order, offsets, index, directory.
//!
//! Chunks arrive encoded; the builder decides where they stand and writes heads, never touching stored bytes. So a
//! pack is made at the speed of copying, and the same chunks give the same pack on every machine.
//!
//! Alignment: a chunk whose head stands at 12 (mod 16) and has four properties starts its data at a multiple of 16.
//! Plain and zstd chunks are stored with trailing bytes that keep the next head there; where another compression
//! breaks the rhythm, a NULL chunk restores it before the next plain chunk.

mod stream;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::asset_kind::AssetKind;
use crate::chunk::directory::{DirectoryEntry, directory_block};
use crate::codec::{
    cipher::Cipher,
    compress::{Compression, Compressor},
};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::id::ResourceId;
use crate::index::{EntrySpec, GroupSpec, IndexBuilder, Meta};
use crate::info::ChunkInfo;
use crate::limits::{DATA_ALIGNMENT, MAX_CHUNKS, MAX_PACK_SIZE};
use crate::read::ChunkView;

pub use self::stream::PackStream;

const HEAD: u64 = ChunkInfo::SIZE as u64;

/// Where heads stand, modulo [`DATA_ALIGNMENT`]: head and five `u32` end at a multiple of it.
const HEAD_PHASE: u64 = (DATA_ALIGNMENT * 4 - HEAD - 20) % DATA_ALIGNMENT;

/// One encoded chunk, ready to be placed.
#[derive(Clone, Debug)]
pub struct StoredChunk<'a> {
    /// The head; id and next offset are filled in when the chunk is placed.
    info: ChunkInfo,
    stored: Cow<'a, [u8]>,
    /// Whether the next chunk of the resource is linked to this one.
    linked: bool,
}

impl<'a> StoredChunk<'a> {
    /// Compresses `block` where that pays, and pads it.
    ///
    /// It pays where at least a 16th of the block and 32 bytes are saved: less is not worth losing the chunk's use
    /// in place. Links stay plain: C readers unpack only chunks of exactly four properties.
    ///
    /// # Errors
    /// As [`Compressor::compress`]; [`Error::LimitExceeded`] where the block has 4 GiB or more,
    /// [`Error::Inconsistent`] for kinds that no resource has: those that rres reserves without saying what they hold,
    /// padding, index and directory.
    pub fn encode(
        kind: FourCc,
        block: &[u8],
        compression: Compression,
        compressor: &mut Compressor,
    ) -> Result<StoredChunk<'static>> {
        let size = |len: usize| {
            u32::try_from(len).ok().filter(|len| *len <= u32::MAX - 64).ok_or(Error::LimitExceeded {
                what: "the size of a chunk",
                value: len as u64,
                limit: u64::from(u32::MAX) - 64,
                help: "split the asset, or keep it outside the pack with kind = \"link\"",
            })
        };
        let why = match kind {
            FourCc::PFNT | FourCc::PMSH => Some("is reserved by rres, which gives it no layout"),
            FourCc::NULL | FourCc::INDX | FourCc::CDIR => Some("is written by the pack builder, not by resources"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(Error::inconsistent("chunk kind", format!("{kind} {why}")));
        }
        let base_size = size(block.len())?;
        let packed = match compression {
            Compression::NONE => None,
            _ if kind == FourCc::LINK => None,
            other => Some(compressor.compress(other, block)?),
        };
        let most = block.len().saturating_sub((block.len() / 16).max(32));
        let (compression, mut stored) = match packed {
            Some(packed) if packed.len() <= most => (compression, packed),
            _ => (Compression::NONE, block.to_vec()),
        };
        pad(compression, &mut stored);
        let info = ChunkInfo {
            kind,
            id: ResourceId::NONE,
            compression,
            cipher: Cipher::NONE,
            flags: 0,
            packed_size: size(stored.len())?,
            base_size,
            next_offset: 0,
            reserved: 0,
            crc32: crc32fast::hash(&stored),
        };
        Ok(StoredChunk { info, stored: Cow::Owned(stored), linked: true })
    }

    /// A chunk as it stands in another pack, with all its fields; known and unknown kinds, codecs and ciphers alike.
    pub fn copied(chunk: ChunkView<'a>) -> Self {
        Self { info: chunk.info, stored: Cow::Borrowed(chunk.stored), linked: chunk.info.next_offset != 0 }
    }

    /// Ends the chain here: the next chunk of the resource is not linked to this one, so that C readers, which
    /// follow links, do not meet it.
    #[must_use]
    pub fn unlinked(mut self) -> Self {
        self.linked = false;
        self
    }

    /// The head; its id and next offset have no meaning yet.
    pub fn info(&self) -> &ChunkInfo {
        &self.info
    }

    /// The stored bytes.
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }
}

/// Appends the trailing bytes that keep the next head in phase.
fn pad(compression: Compression, stored: &mut Vec<u8>) {
    let missing = stored.len().next_multiple_of(DATA_ALIGNMENT as usize) - stored.len();
    match compression {
        Compression::NONE => stored.resize(stored.len() + missing, 0),
        Compression::ZSTD if missing > 0 => {
            // A skippable frame: magic number, size, that many bytes (RFC 8878, 3.1.2).
            let frame = if missing < 8 { missing + DATA_ALIGNMENT as usize } else { missing };
            stored.extend_from_slice(&0x184d_2a50u32.to_le_bytes());
            stored.extend_from_slice(&(frame as u32 - 8).to_le_bytes());
            stored.resize(stored.len() + frame - 8, 0);
        }
        _ => {}
    }
}

/// A resource to be packed.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// Its path, the name in the directory.
    pub path: String,
    /// Its id.
    pub id: ResourceId,
    /// What it is to a game.
    pub kind: AssetKind,
    /// Its chunks, in order.
    pub chunks: Vec<StoredChunk<'a>>,
    /// What rres has no field for.
    pub meta: Meta,
    /// Resources that it needs.
    pub dependencies: Vec<ResourceId>,
}

impl<'a> Resource<'a> {
    /// A resource with the id that its path gives, of the kind that its first chunk suggests.
    pub fn new(path: impl Into<String>, chunks: Vec<StoredChunk<'a>>) -> Self {
        let path = path.into();
        let kind = match chunks.first().map(|chunk| chunk.info.kind) {
            Some(FourCc::TEXT) => AssetKind::Text,
            Some(FourCc::IMGE) => AssetKind::Image,
            Some(FourCc::WAVE) => AssetKind::Sound,
            Some(FourCc::FNTG) => AssetKind::Font,
            Some(FourCc::VRTX | FourCc::MODL) => AssetKind::Model,
            Some(FourCc::LINK) => AssetKind::Link,
            _ => AssetKind::Raw,
        };
        Self { id: ResourceId::from_path(&path), path, kind, chunks, meta: Meta::default(), dependencies: Vec::new() }
    }

    /// The same resource with another id.
    #[must_use]
    pub fn with_id(mut self, id: ResourceId) -> Self {
        self.id = id;
        self
    }

    /// The same resource as another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: AssetKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same resource with other records.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Bytes that the resource takes in a pack, heads included.
    pub fn stored_size(&self) -> u64 {
        self.chunks.iter().map(|chunk| HEAD + chunk.stored.len() as u64).sum()
    }

    /// Bytes of its blocks before compression.
    pub fn base_size(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum()
    }
}

/// Lays out and writes one pack.
#[derive(Debug)]
pub struct PackBuilder<'a> {
    resources: Vec<Resource<'a>>,
    groups: Vec<GroupSpec>,
    set_hash: [u8; 16],
    further_packs: u32,
    reserved: u32,
    directory: bool,
    lead: Lead,
}

/// What stands before the first resource.
#[derive(Debug)]
enum Lead {
    Nothing,
    Index,
    Chunk(FourCc, Vec<u8>),
}

impl Default for PackBuilder<'_> {
    fn default() -> Self {
        Self {
            resources: Vec::new(),
            groups: Vec::new(),
            set_hash: [0; 16],
            further_packs: 0,
            reserved: 0,
            directory: true,
            lead: Lead::Index,
        }
    }
}

/// What stands where.
struct Layout {
    header: Header,
    /// The chunk before the first resource: head and padded block.
    lead: Option<(ChunkInfo, Vec<u8>)>,
    /// For each chunk, in order: bytes of the NULL chunk before it (0 for none), offset of its own head.
    places: Vec<(u64, u32)>,
    /// For each resource, in order: offset of its first head, bytes from there on.
    resources: Vec<(u32, u32)>,
    directory: Vec<u8>,
}

impl<'a> PackBuilder<'a> {
    /// An empty pack with index and directory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the pack gets a central directory. Default: yes.
    #[must_use]
    pub fn directory(mut self, yes: bool) -> Self {
        self.directory = yes;
        self
    }

    /// Whether the pack gets our front index. Default: yes.
    #[must_use]
    pub fn index(mut self, yes: bool) -> Self {
        self.lead = if yes { Lead::Index } else { Lead::Nothing };
        self
    }

    /// Another chunk in the place of the index, plain and with id 0.
    #[must_use]
    pub fn lead(mut self, kind: FourCc, block: Vec<u8>) -> Self {
        self.lead = Lead::Chunk(kind, block);
        self
    }

    /// The hash of the set, which generated constants carry too.
    #[must_use]
    pub fn set_hash(mut self, hash: [u8; 16]) -> Self {
        self.set_hash = hash;
        self
    }

    /// How many packs belong to the set beside this one, which is its first. Default: none.
    #[must_use]
    pub fn further_packs(mut self, count: u32) -> Self {
        self.further_packs = count;
        self
    }

    /// The reserved field of the header, for repacking a file that uses it. Default: 0.
    #[must_use]
    pub fn reserved(mut self, value: u32) -> Self {
        self.reserved = value;
        self
    }

    /// Adds a resource; resources stand in the pack in the order in which they were added.
    pub fn push(&mut self, resource: Resource<'a>) {
        self.resources.push(resource);
    }

    /// Adds a group.
    pub fn push_group(&mut self, group: GroupSpec) {
        self.groups.push(group);
    }

    /// Where each resource will stand: the offset of its first chunk's head, and the bytes from there to the end of
    /// its last chunk.
    ///
    /// # Errors
    /// As [`Self::to_vec`].
    pub fn places(&self) -> Result<Vec<(u32, u32)>> {
        Ok(self.layout()?.resources)
    }

    /// The whole pack in memory.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] beyond 65,535 chunks or 4 GiB, [`Error::DuplicateId`], [`Error::ReservedId`],
    /// [`Error::Inconsistent`] for a name that the directory cannot hold, or a resource without chunks.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let layout = self.layout()?;
        let mut out = Vec::new();
        self.write_layout(&layout, &mut out).expect("writing to memory does not fail");
        Ok(out)
    }

    /// Writes the pack front to back; nothing is written where it cannot be laid out.
    ///
    /// # Errors
    /// As [`Self::to_vec`], wrapped as [`io::ErrorKind::InvalidInput`]; those of `out`.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let layout = self.layout().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        self.write_layout(&layout, &mut out)
    }

    fn layout(&self) -> Result<Layout> {
        let mut index = self.index_builder();
        // Checks ids, and tells the length of the index, which does not depend on offsets.
        let index_len = index.block()?.len();
        let lead_len = match &self.lead {
            Lead::Nothing => None,
            Lead::Index => Some(index_len as u64),
            Lead::Chunk(_, block) => Some(block.len() as u64),
        };
        let mut at = Header::SIZE as u64;
        let mut chunk_count = 0u64;
        if let Some(len) = lead_len {
            at += HEAD + in_phase(at + HEAD, len);
            chunk_count += 1;
        }
        let mut places = Vec::new();
        for (resource, entry) in self.resources.iter().zip(&mut index.entries) {
            let mut first = None;
            for chunk in &resource.chunks {
                let filler = filler(at, chunk);
                chunk_count += 1 + u64::from(filler > 0);
                at += filler;
                let offset = u32::try_from(at).map_err(|_| too_large(at))?;
                first.get_or_insert(offset);
                places.push((filler, offset));
                at += HEAD + chunk.stored.len() as u64;
            }
            entry.offset = first.ok_or_else(|| {
                Error::inconsistent("pack", format!("{} has no chunks, expected at least one", resource.path))
            })?;
            entry.stored_size = u32::try_from(at - u64::from(entry.offset)).map_err(|_| too_large(at))?;
        }
        if chunk_count > MAX_CHUNKS as u64 {
            return Err(too_many(chunk_count));
        }
        let (directory, directory_offset) = self.directory_at(&index.entries, &mut at)?;
        if at > MAX_PACK_SIZE {
            return Err(too_large(at));
        }
        let header = Header { chunk_count: chunk_count as u16, directory_offset, reserved: self.reserved };
        let lead = self.lead_chunk(&index)?;
        let resources = index.entries.iter().map(|entry| (entry.offset, entry.stored_size)).collect();
        Ok(Layout { header, lead, places, resources, directory })
    }

    /// The index, with what is known before anything is placed.
    fn index_builder(&self) -> IndexBuilder {
        IndexBuilder {
            entries: self.resources.iter().map(entry_spec).collect(),
            groups: self.groups.clone(),
            blobs: Vec::new(),
            set_hash: self.set_hash,
            further_packs: self.further_packs,
        }
    }

    /// The directory that stands at `at`, which moves behind it, and its offset in the header.
    fn directory_at(&self, entries: &[EntrySpec], at: &mut u64) -> Result<(Vec<u8>, u32)> {
        if !self.directory || self.resources.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let mut named: Vec<_> = (self.resources.iter().zip(entries))
            .map(|(resource, entry)| DirectoryEntry {
                id: resource.id,
                offset: entry.offset,
                name: resource.path.as_bytes(),
            })
            .collect();
        let directory = directory_block(&mut named)?;
        let offset = u32::try_from(*at - Header::SIZE as u64).map_err(|_| too_large(*at))?;
        *at += HEAD + directory.len() as u64;
        Ok((directory, offset))
    }

    /// Head and padded block of what stands before the first resource.
    fn lead_chunk(&self, index: &IndexBuilder) -> Result<Option<(ChunkInfo, Vec<u8>)>> {
        let (kind, mut block) = match &self.lead {
            Lead::Nothing => return Ok(None),
            Lead::Index => (FourCc::INDX, index.block()?),
            Lead::Chunk(kind, block) => (*kind, block.clone()),
        };
        let base_size = block.len() as u32;
        block.resize(in_phase(Header::SIZE as u64 + HEAD, base_size.into()) as usize, 0);
        Ok(Some((own_chunk(kind, &block, base_size), block)))
    }

    fn write_layout(&self, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
        layout.write_start(out)?;
        let mut places = layout.places.as_slice();
        for resource in &self.resources {
            let (own, rest) = places.split_at(resource.chunks.len());
            write_chunks(out, resource.id, &resource.chunks, own)?;
            places = rest;
        }
        layout.write_end(out)
    }
}

impl Layout {
    /// What stands before the first resource.
    fn write_start(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.header.to_bytes())?;
        if let Some((info, block)) = &self.lead {
            out.write_all(&info.to_bytes())?;
            out.write_all(block)?;
        }
        Ok(())
    }

    /// What stands behind the last resource.
    fn write_end(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.directory.is_empty() {
            let size = self.directory.len() as u32;
            out.write_all(&own_chunk(FourCc::CDIR, &self.directory, size).to_bytes())?;
            out.write_all(&self.directory)?;
        }
        Ok(())
    }
}

/// Writes the chunks of one resource to their places.
fn write_chunks(
    out: &mut impl Write,
    id: ResourceId,
    chunks: &[StoredChunk<'_>],
    places: &[(u64, u32)],
) -> io::Result<()> {
    for (i, (chunk, (filler, _))) in chunks.iter().zip(places).enumerate() {
        if let Some(zeros) = filler.checked_sub(HEAD) {
            let zeros = &[0; DATA_ALIGNMENT as usize][..zeros as usize];
            out.write_all(&own_chunk(FourCc::NULL, zeros, zeros.len() as u32).to_bytes())?;
            out.write_all(zeros)?;
        }
        let next_offset = match places.get(i + 1) {
            Some((_, offset)) if chunk.linked => *offset,
            _ => 0,
        };
        out.write_all(&ChunkInfo { id, next_offset, ..chunk.info }.to_bytes())?;
        out.write_all(&chunk.stored)?;
    }
    Ok(())
}

/// Bytes of the NULL chunk that a chunk needs before it at `at`; 0 for none.
fn filler(at: u64, chunk: &StoredChunk<'_>) -> u64 {
    let out_of_phase = at % DATA_ALIGNMENT != HEAD_PHASE;
    match out_of_phase && chunk.info.is_plain() && chunk.info.kind != FourCc::LINK {
        true => HEAD + in_phase(at + HEAD, 0),
        false => 0,
    }
}

fn too_many(chunks: u64) -> Error {
    Error::LimitExceeded {
        what: "the number of chunks in the pack",
        value: chunks,
        limit: MAX_CHUNKS as u64,
        help: "split the pack",
    }
}

fn too_large(size: u64) -> Error {
    Error::LimitExceeded {
        what: "the size of the pack in bytes",
        value: size,
        limit: MAX_PACK_SIZE,
        help: "split the pack",
    }
}

/// The smallest length from `len` on that puts what follows `at` + length in phase for a head.
fn in_phase(at: u64, len: u64) -> u64 {
    let end = (at + len) % DATA_ALIGNMENT;
    len + (DATA_ALIGNMENT + HEAD_PHASE - end) % DATA_ALIGNMENT
}

fn own_chunk(kind: FourCc, stored: &[u8], base_size: u32) -> ChunkInfo {
    ChunkInfo {
        kind,
        id: ResourceId::NONE,
        compression: Compression::NONE,
        cipher: Cipher::NONE,
        flags: 0,
        packed_size: stored.len() as u32,
        base_size,
        next_offset: 0,
        reserved: 0,
        crc32: crc32fast::hash(stored),
    }
}

fn entry_spec(resource: &Resource<'_>) -> EntrySpec {
    EntrySpec {
        id: resource.id,
        path: resource.path.clone(),
        kind: resource.kind,
        offset: 0,
        stored_size: 0,
        base_size: u32::try_from(resource.base_size()).unwrap_or(u32::MAX),
        chunk_count: resource.chunks.len() as u16,
        meta: resource.meta.clone(),
        dependencies: resource.dependencies.clone(),
        blob: 0,
    }
}
