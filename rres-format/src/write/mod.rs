//! Writing of packs: order, padding, offsets, front index, directory.
//!
//! The builder takes encoded chunks, assigns their positions and writes their headers. It never changes stored bytes,
//! so writing a pack is as fast as copying, and the same chunks give the same pack on every machine.
//!
//! Alignment: if a chunk has four properties and its header starts at 12 (mod 16), its data starts at a multiple of 16.
//! Plain and zstd chunks end with padding that keeps the next header aligned. After a chunk of another compression, a
//! NULL chunk restores the alignment before the next plain chunk.

mod chunk;
mod cursor;
mod large;
mod resource;
mod stored;
mod stream;

use std::collections::HashMap;
use std::io::{self, Write};

use crate::chunk::directory::{DirectoryEntry, directory_block};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::id::ResourceId;
use crate::index::{EntrySpec, GroupSpec, IndexBuilder, PlacedResource, StoredRange};
use crate::info::{ChunkInfo, headers_crc};
use crate::limits::DATA_ALIGNMENT;

pub use self::chunk::StoredChunk;
use self::cursor::{CHUNK_HEADER, Cursor, Placement, aligned_len, too_large};
pub use self::large::LargeBlock;
pub use self::resource::Resource;
pub use self::stored::StoredSource;
pub use self::stream::PackStream;

/// Builds one pack.
#[derive(Debug)]
pub struct PackBuilder<'a> {
    resources: Vec<Resource<'a>>,
    groups: Vec<GroupSpec>,
    set_hash: [u8; 16],
    additional_packs: u32,
    reserved: u32,
    directory: bool,
    leading: Leading,
    /// The block of the chunk that makes the pack a patch.
    patch: Option<Vec<u8>>,
}

/// The chunk before the first resource.
#[derive(Debug)]
enum Leading {
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
            additional_packs: 0,
            reserved: 0,
            directory: true,
            leading: Leading::Index,
            patch: None,
        }
    }
}

/// The positions of everything in a pack, and the parts that the builder generates.
struct Layout {
    header: Header,
    /// The chunks before the first resource: headers and padded blocks.
    leading: Vec<(ChunkInfo, Vec<u8>)>,
    /// The position of each chunk, in order.
    placements: Vec<Placement>,
    /// The place of each resource, in order.
    resources: Vec<PlacedResource>,
    /// The block of the directory; empty for none.
    directory: Vec<u8>,
}

impl<'a> PackBuilder<'a> {
    /// Returns a builder of a pack with a front index and a directory, but no resources.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the pack has a central directory. Default: yes.
    #[must_use]
    pub fn directory(mut self, yes: bool) -> Self {
        self.directory = yes;
        self
    }

    /// Sets whether the pack has our front index. Default: yes.
    #[must_use]
    pub fn index(mut self, yes: bool) -> Self {
        self.leading = if yes { Leading::Index } else { Leading::Nothing };
        self
    }

    /// Replaces the front index by another chunk with this kind and block, plain and with id 0.
    #[must_use]
    pub fn leading_chunk(mut self, kind: FourCc, block: Vec<u8>) -> Self {
        self.leading = Leading::Chunk(kind, block);
        self
    }

    /// Makes the pack a patch; `block` is the block of a [`crate::patch::PatchSpec`].
    #[must_use]
    pub fn patch(mut self, block: Vec<u8>) -> Self {
        self.patch = Some(block);
        self
    }

    /// Sets the hash of the paths, ids and kinds of all assets, which generated constants contain as well. Default:
    /// zeros.
    #[must_use]
    pub fn set_hash(mut self, hash: [u8; 16]) -> Self {
        self.set_hash = hash;
        self
    }

    /// Sets the number of additional packs in the pack set. Only the first pack of a set needs it. Default: 0.
    #[must_use]
    pub fn additional_packs(mut self, count: u32) -> Self {
        self.additional_packs = count;
        self
    }

    /// Sets the reserved field of the file header, for repacking a file that uses it. Default: 0.
    #[must_use]
    pub fn reserved(mut self, value: u32) -> Self {
        self.reserved = value;
        self
    }

    /// Adds a resource. The pack contains the resources in the order of these calls.
    pub fn push(&mut self, resource: Resource<'a>) {
        self.resources.push(resource);
    }

    /// Adds a group to the front index.
    pub fn push_group(&mut self, group: GroupSpec) {
        self.groups.push(group);
    }

    /// Returns the bytes that each resource takes in the pack, in the order of [`Self::push`].
    ///
    /// # Errors
    /// As [`Self::to_vec`].
    pub fn places(&self) -> Result<Vec<PlacedResource>> {
        Ok(self.layout()?.resources)
    }

    /// Returns the offset of the first resource: the end of the file header and the front index.
    ///
    /// # Errors
    /// As [`Self::to_vec`], for the ids and paths.
    pub fn front_size(&self) -> Result<u64> {
        Ok(Cursor::new(&self.leading_lens(&self.index_builder())?).at)
    }

    /// Returns the bytes of the pack.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for more than 65,535 chunks or a size of 4 GiB or more, [`Error::DuplicateId`],
    /// [`Error::ReservedId`], and [`Error::Inconsistent`] if the directory cannot store a name, a resource has no
    /// chunks, or stored bytes that are elsewhere cannot be read.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let layout = self.layout()?;
        // A list that grew would take twice the memory. The directory follows the last resource, after padding.
        let ends = layout.resources.iter().map(|placed| placed.range.offset as usize + placed.range.size as usize);
        let mut out = Vec::with_capacity(ends.max().unwrap_or_default() + layout.directory.len() + 64);
        // Writing to memory does not fail, but copying from elsewhere may.
        self.write_layout(&layout, &mut out).map_err(|e| Error::inconsistent("chunk", e.to_string()))?;
        Ok(out)
    }

    /// Writes the pack to `out` from its start to its end, and flushes it. If the pack cannot be built, nothing is written.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] with the errors of [`Self::to_vec`]; errors of `out`.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let layout = self.layout().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        self.write_layout(&layout, &mut out)?;
        // A buffer that is dropped loses the error of its last bytes.
        out.flush()
    }

    fn layout(&self) -> Result<Layout> {
        let mut index = self.index_builder();
        // Checks the ids, also for a pack without an index.
        index.block()?;
        let mut cursor = Cursor::new(&self.leading_lens(&index)?);
        let mut placements = Vec::new();
        let mut shared = Vec::new();
        for ((number, resource), entry) in (0..).zip(&self.resources).zip(&mut index.entries) {
            let first = placements.len();
            if let Some(owner) = resource.shares {
                shared.push((number, owner));
                continue;
            }
            for chunk in &resource.chunks {
                placements.push(cursor.place(chunk)?);
            }
            let own = &placements[first..];
            let Some(first) = own.first() else {
                let detail = format!("{} has no chunks, expected at least one", resource.path);
                return Err(Error::inconsistent("pack", detail));
            };
            (entry.offset, entry.stored_size) = (first.offset, cursor.size_since(first.offset)?);
            entry.headers_crc = headers_crc(&headers(resource.id, &resource.chunks, own));
        }
        for (number, owner) in shared {
            share(&mut index.entries, number, owner)?;
        }
        let (directory, directory_offset) = self.directory_at(&index.entries, &mut cursor)?;
        cursor.check()?;
        let header = Header { chunk_count: cursor.chunk_count as u16, directory_offset, reserved: self.reserved };
        let leading = self.encode_leading_chunks(&index)?;
        let place = |entry: &EntrySpec| PlacedResource {
            range: StoredRange { offset: entry.offset, size: entry.stored_size },
            headers_crc: entry.headers_crc,
        };
        let resources = index.entries.iter().map(place).collect();
        Ok(Layout { header, leading, placements, resources, directory })
    }

    /// Returns the lengths of the blocks of the leading chunks, which do not depend on offsets.
    fn leading_lens(&self, index: &IndexBuilder) -> Result<Vec<u64>> {
        let first = match &self.leading {
            Leading::Nothing => None,
            Leading::Index => Some(index.block()?.len()),
            Leading::Chunk(_, block) => Some(block.len()),
        };
        let patch = self.patch.as_ref().map(Vec::len);
        Ok(first.into_iter().chain(patch).map(|len| len as u64).collect())
    }

    /// Returns the index; its entries have no offsets yet.
    fn index_builder(&self) -> IndexBuilder {
        IndexBuilder {
            entries: self.resources.iter().map(Resource::entry).collect(),
            groups: self.groups.clone(),
            blobs: Vec::new(),
            set_hash: self.set_hash,
            additional_packs: self.additional_packs,
            is_patch: self.patch.is_some(),
        }
    }

    /// Returns the block of the directory, placed at the cursor, and its offset as the file header stores it.
    fn directory_at(&self, entries: &[EntrySpec], cursor: &mut Cursor) -> Result<(Vec<u8>, u32)> {
        if !self.directory || self.resources.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let own = |entry: &&EntrySpec| !entry.is_shared;
        let owners: HashMap<u32, ResourceId> =
            entries.iter().filter(own).map(|entry| (entry.offset, entry.id)).collect();
        let mut named: Vec<_> = (self.resources.iter().zip(entries))
            .map(|(resource, entry)| DirectoryEntry {
                // The id in the chunk headers. C programs look for the chunks by this id.
                id: owners.get(&entry.offset).copied().unwrap_or(resource.id),
                offset: entry.offset,
                name: resource.path.as_bytes(),
            })
            .collect();
        let directory = directory_block(&mut named)?;
        let offset = u32::try_from(cursor.at - Header::SIZE as u64).map_err(|_| too_large(cursor.at))?;
        cursor.at += CHUNK_HEADER + directory.len() as u64;
        Ok((directory, offset))
    }

    /// Returns the headers and the padded blocks of the leading chunks.
    fn encode_leading_chunks(&self, index: &IndexBuilder) -> Result<Vec<(ChunkInfo, Vec<u8>)>> {
        let first = match &self.leading {
            Leading::Nothing => None,
            Leading::Index => Some((FourCc::INDX, index.block()?)),
            Leading::Chunk(kind, block) => Some((*kind, block.clone())),
        };
        let patch = self.patch.as_ref().map(|block| (FourCc::PTCH, block.clone()));
        let mut at = Header::SIZE as u64;
        let encode = |(kind, mut block): (FourCc, Vec<u8>)| {
            let base_size = block.len() as u32;
            block.resize(aligned_len(at + CHUNK_HEADER, base_size.into()) as usize, 0);
            at += CHUNK_HEADER + block.len() as u64;
            (ChunkInfo::without_id(kind, &block, base_size), block)
        };
        Ok(first.into_iter().chain(patch).map(encode).collect())
    }

    fn write_layout(&self, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
        layout.write_start(out)?;
        let mut placements = layout.placements.as_slice();
        for resource in &self.resources {
            let (own, rest) = placements.split_at(resource.chunks.len());
            write_chunks(out, resource.id, &resource.chunks, own)?;
            placements = rest;
        }
        layout.write_end(out)
    }
}

impl Layout {
    /// Writes everything before the first resource.
    fn write_start(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.header.to_bytes())?;
        for (info, block) in &self.leading {
            out.write_all(&info.to_bytes())?;
            out.write_all(block)?;
        }
        Ok(())
    }

    /// Writes everything after the last resource.
    fn write_end(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.directory.is_empty() {
            let size = self.directory.len() as u32;
            out.write_all(&ChunkInfo::without_id(FourCc::CDIR, &self.directory, size).to_bytes())?;
            out.write_all(&self.directory)?;
        }
        Ok(())
    }
}

/// Writes the chunks of one resource, each preceded by its padding.
fn write_chunks(
    out: &mut impl Write,
    id: ResourceId,
    chunks: &[StoredChunk<'_>],
    placements: &[Placement],
) -> io::Result<()> {
    for ((chunk, placement), header) in chunks.iter().zip(placements).zip(headers(id, chunks, placements)) {
        if let Some(zeros) = placement.padding.checked_sub(CHUNK_HEADER) {
            let zeros = &[0; DATA_ALIGNMENT as usize][..zeros as usize];
            out.write_all(&ChunkInfo::without_id(FourCc::NULL, zeros, zeros.len() as u32).to_bytes())?;
            out.write_all(zeros)?;
        }
        out.write_all(&header.to_bytes())?;
        chunk.write_stored(&mut *out)?;
    }
    Ok(())
}

/// Returns the headers of the chunks of one resource.
fn headers(id: ResourceId, chunks: &[StoredChunk<'_>], placements: &[Placement]) -> Vec<ChunkInfo> {
    let next_offsets = placements.iter().skip(1).map(|next| next.offset).chain([0]);
    let header = |(chunk, next): (&StoredChunk<'_>, u32)| {
        let next_offset = if chunk.linked { next } else { 0 };
        ChunkInfo { id, next_offset, ..chunk.info }
    };
    chunks.iter().zip(next_offsets).map(header).collect()
}

/// Lets an entry refer to the chunks of an earlier one.
fn share(entries: &mut [EntrySpec], number: usize, owner: ResourceId) -> Result<()> {
    let (earlier, rest) = entries.split_at_mut(number);
    let entry = &mut rest[0];
    let Some(owner) = earlier.iter().find(|entry| entry.id == owner && !entry.is_shared) else {
        let detail =
            format!("{} shares the chunks of {owner}, which is not an earlier resource with chunks", entry.path);
        return Err(Error::inconsistent("pack", detail));
    };
    let EntrySpec { offset, stored_size, base_size, chunk_count, headers_crc, .. } = *owner;
    (entry.offset, entry.stored_size, entry.base_size) = (offset, stored_size, base_size);
    (entry.chunk_count, entry.headers_crc) = (chunk_count, headers_crc);
    entry.is_shared = true;
    Ok(())
}
