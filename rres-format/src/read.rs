//! A borrowed view of a pack. It checks every offset and size before it uses them.
//!
//! It copies nothing and reads nothing in advance: parsing only reads the file header and the header of our front
//! index. Packs of other programs have no front index, so lookups walk their chunks, as `rres.h` does.

use crate::bytes::slice;
use crate::chunk::PayloadView;
use crate::chunk::directory::DirectoryView;
use crate::chunk_view::ChunkView;
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::id::ResourceId;
use crate::index::{Entry, IndexLayout, IndexView};
use crate::info::ChunkInfo;
use crate::patch::PatchView;
use crate::reader_limits::Limits;

/// The result of parsing a pack. It does not borrow the bytes, so it can be stored next to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLayout {
    header: Header,
    /// The front index and the size of its block.
    index: Option<(IndexLayout, u32)>,
    limits: Limits,
}

impl PackLayout {
    /// Parses the file header and the header of the front index, in constant time.
    ///
    /// # Errors
    /// As [`PackView::parse`].
    pub fn parse(bytes: &[u8], limits: Limits) -> Result<Self> {
        let header = Header::parse(bytes)?;
        let mut layout = Self { header, index: None, limits };
        match layout.view(bytes).chunk_at(Header::SIZE as u32) {
            Ok(first) if first.info.kind == FourCc::INDX => {
                let block = first.plain_block()?;
                layout.index = Some((IndexLayout::parse(block)?, block.len() as u32));
            }
            // A truncated first chunk is an error of `PackView::chunks`, not of parsing.
            Err(_) if bytes[Header::SIZE..].starts_with(&FourCc::INDX.0) => {}
            // Without its index the pack would still load, but without its metadata.
            _ => {
                if let Some(offset) = misplaced_index(bytes) {
                    return Err(Error::MisplacedIndex { offset });
                }
            }
        }
        Ok(layout)
    }

    /// Parses the file header only, as if the pack had no front index: to list the chunks of a pack whose index is damaged.
    ///
    /// # Errors
    /// As [`Header::parse`].
    pub fn parse_without_index(bytes: &[u8], limits: Limits) -> Result<Self> {
        Ok(Self { header: Header::parse(bytes)?, index: None, limits })
    }

    /// Returns the pack with this layout. `bytes` must be the bytes that the layout was parsed from; with others,
    /// lookups return wrong results or errors but do not panic.
    #[inline]
    pub fn view<'a>(&self, bytes: &'a [u8]) -> PackView<'a> {
        PackView { front: bytes, bytes, start: 0, layout: *self }
    }

    /// Returns a view of a part of the pack with this layout: of `bytes`, which are at the file offset `start`. `front` are the
    /// first bytes of the pack, at least to the end of its front index.
    ///
    /// Offsets count from the start of the pack, as in other views; a chunk that is not within `bytes` is [`Error::Truncated`].
    ///
    /// ```
    /// use rres_format::{Compression, FourCc, Limits, PackBuilder, PackLayout, Resource, ResourceId, StoredChunk, chunk};
    ///
    /// let block = chunk::raw::raw_block(".bin", b"bytes");
    /// let stored = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default())?;
    /// let mut pack = PackBuilder::new();
    /// pack.push(Resource::new("a.bin", vec![stored]));
    /// let pack = pack.to_vec()?;
    ///
    /// // What a program knows that has read the front of a pack, and then one resource.
    /// let layout = PackLayout::parse(&pack, Limits::DEFAULT)?;
    /// let index = layout.view(&pack).index().unwrap();
    /// let place = index.stored_range(0)?;
    /// let (start, end) = (place.offset as usize, (place.offset + place.size) as usize);
    /// let part = layout.view_part(&pack[..start], &pack[start..end], place.offset);
    /// assert!(part.find(ResourceId::from_path("a.bin"))?.unwrap().stored.starts_with(&block));
    /// # Ok::<(), rres_format::Error>(())
    /// ```
    #[inline]
    pub fn view_part<'a>(&self, front: &'a [u8], bytes: &'a [u8], start: u32) -> PackView<'a> {
        PackView { front, bytes, start, layout: *self }
    }
}

/// Returns the offset of the block of a front index that no chunk header leads to: of a pack whose first header is damaged, or whose
/// first bytes have moved.
fn misplaced_index(bytes: &[u8]) -> Option<u64> {
    // The least offset of the index of a pack that another program has put into its own as the data of its first chunk.
    const END: usize = Header::SIZE + ChunkInfo::SIZE + 4 + Header::SIZE + ChunkInfo::SIZE;
    let is_index = |at: &usize| bytes.get(*at..).is_some_and(IndexLayout::has_header);
    (Header::SIZE..END).find(is_index).map(|at| at as u64)
}

/// A pack in memory, possibly memory-mapped, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct PackView<'a> {
    /// What begins with the file header and the front index.
    front: &'a [u8],
    bytes: &'a [u8],
    /// The file offset of `bytes`.
    start: u32,
    layout: PackLayout,
}

impl<'a> PackView<'a> {
    /// Parses a pack with the default limits: checks its file header and the header of its front index, in constant
    /// time.
    ///
    /// # Errors
    /// As [`Header::parse`] and [`IndexView::parse`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_with(bytes, Limits::DEFAULT)
    }

    /// Parses a pack with other limits; see [`Self::parse`].
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_with(bytes: &'a [u8], limits: Limits) -> Result<Self> {
        Ok(PackLayout::parse(bytes, limits)?.view(bytes))
    }

    /// Parses a pack as if it had no front index; see [`PackLayout::parse_without_index`].
    ///
    /// # Errors
    /// As [`Header::parse`].
    pub fn parse_without_index(bytes: &'a [u8]) -> Result<Self> {
        Ok(PackLayout::parse_without_index(bytes, Limits::DEFAULT)?.view(bytes))
    }

    /// Returns the file header.
    pub fn header(&self) -> Header {
        self.layout.header
    }

    /// Returns the bytes of the pack, or of the part that the view is of.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the file offset of [`Self::bytes`]: 0, unless the view is of a part.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Returns our front index, or `None` for packs of other programs.
    #[inline]
    pub fn index(&self) -> Option<IndexView<'a>> {
        const BLOCK: usize = Header::SIZE + ChunkInfo::SIZE;
        let (layout, len) = self.layout.index?;
        Some(layout.view(self.front.get(BLOCK..BLOCK + len as usize)?))
    }

    /// Compares the whole front index with its CRC. This takes time that grows with the index, so opening a pack does not do
    /// it.
    ///
    /// # Errors
    /// [`Error::DamagedIndex`] if they differ, and [`Error::Inconsistent`] if its chunk header has values where zeros belong.
    pub fn check_index(&self) -> Result<()> {
        if self.layout.index.is_none() {
            return Ok(());
        }
        let chunk = self.chunk_at(Header::SIZE as u32)?;
        let ChunkInfo { id, flags, next_offset, reserved, .. } = chunk.info;
        if (id, flags, next_offset, reserved) != (ResourceId::NONE, 0, 0, 0) {
            let detail = "its chunk header has an id, flags, a link or a reserved value, expected zeros";
            return Err(Error::inconsistent("front index", detail));
        }
        match chunk.verify() {
            Err(Error::CrcMismatch { stored, computed, .. }) => {
                Err(Error::DamagedIndex { part: "it".to_owned(), stored, computed })
            }
            checked => checked,
        }
    }

    /// Returns `len` bytes at file offset `offset`.
    #[inline]
    fn slice(&self, what: &'static str, offset: u64, len: u64) -> Result<&'a [u8]> {
        let start = u64::from(self.start);
        let found = offset.checked_sub(start).and_then(|at| slice(self.bytes, what, at, len).ok());
        found.ok_or_else(|| {
            let available = if offset < start { 0 } else { (start + self.bytes.len() as u64).saturating_sub(offset) };
            Error::Truncated { what, offset, needed: len, available }
        })
    }

    /// Returns the chunk whose header is at file offset `offset`.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the header or the stored bytes do not fit the file.
    pub fn chunk_at(&self, offset: u32) -> Result<ChunkView<'a>> {
        let header = self.slice("chunk header", offset.into(), ChunkInfo::SIZE as u64)?;
        let header: &[u8; ChunkInfo::SIZE] = header.try_into().expect("the slice has that length");
        let info = ChunkInfo::from_bytes(header);
        let stored = u64::from(offset) + ChunkInfo::SIZE as u64;
        let stored = self.slice("stored bytes of a chunk", stored, info.packed_size.into())?;
        // A part need not have the sibling of the chunk.
        let pack = if self.start == 0 { self.bytes } else { &[] };
        Ok(ChunkView::new(info, offset, stored, self.layout.limits, pack))
    }

    /// Returns the chunks in file order: as many as the file header counts, or fewer if the file ends earlier.
    ///
    /// The iterator includes padding and the front index, and the directory if the header counts it. An error is the
    /// last item, because the position of the next chunk is then unknown.
    pub fn chunks(&self) -> Chunks<'a> {
        Chunks { pack: *self, offset: Header::SIZE as u64, left: self.layout.header.chunk_count }
    }

    /// Returns the first chunk of a resource, or `None` if the pack does not contain it.
    ///
    /// This is one search in the front index. Without an index, it walks the chunk headers and returns the first match,
    /// as `rres.h` does.
    ///
    /// # Errors
    /// [`Error::Truncated`] if a chunk on the way does not fit the file, and [`Error::Inconsistent`] if the index
    /// refers to a chunk of another resource.
    pub fn find(&self, id: ResourceId) -> Result<Option<ChunkView<'a>>> {
        if let Some(index) = self.index() {
            return index.find(id).map(|slot| self.first_chunk_of(&index.entry(slot)?)).transpose();
        }
        for chunk in self.chunks() {
            let chunk = chunk?;
            if chunk.info.id == id && chunk.is_resource() {
                return Ok(Some(chunk));
            }
        }
        Ok(None)
    }

    /// Returns chunk `number`, counted from 0, of a resource, or `None` if the pack does not contain it.
    ///
    /// # Errors
    /// As [`Self::find`] and [`Self::resource_chunks`].
    pub fn find_nth(&self, id: ResourceId, number: u16) -> Result<Option<ChunkView<'a>>> {
        let Some(first) = self.find(id)? else { return Ok(None) };
        let Some(index) = self.index() else { return self.chain(first).nth(number.into()).transpose() };
        let slot = index.find(id).expect("the resource was found in the index");
        self.resource_chunks(first, index.entry(slot)?.chunk_count).nth(number.into()).transpose()
    }

    /// Returns the chunk at `offset`, which must belong to the resource `id`.
    ///
    /// # Errors
    /// [`Error::Truncated`] if it does not fit the file, and [`Error::Inconsistent`] if it belongs to another resource.
    pub fn first_chunk(&self, offset: u32, id: ResourceId) -> Result<ChunkView<'a>> {
        let chunk = self.chunk_at(offset)?;
        if chunk.info.id != id {
            let detail = format!("expected a chunk of {id} at offset {offset}, found a chunk of {}", chunk.info.id);
            return Err(Error::inconsistent("front index", detail));
        }
        Ok(chunk)
    }

    /// Returns the first chunk of the resource of an entry of the front index. If the resource shares the chunks of another
    /// one, the headers of those contain the other one's id.
    ///
    /// # Errors
    /// [`Error::Truncated`] if it does not fit the file, and [`Error::Inconsistent`] if it belongs to another resource than
    /// the entry says.
    pub fn first_chunk_of(&self, entry: &Entry<'_>) -> Result<ChunkView<'a>> {
        if !entry.is_shared {
            return self.first_chunk(entry.offset, entry.id);
        }
        let chunk = self.chunk_at(entry.offset)?;
        let owner = self.index().and_then(|index| index.entry(index.find(chunk.info.id)?).ok());
        let place = |entry: &Entry<'_>| (entry.offset, entry.stored_size, entry.chunk_count);
        if owner.is_none_or(|owner| owner.is_shared || place(&owner) != place(entry)) {
            let (id, offset, found) = (entry.id, entry.offset, chunk.info.id);
            let detail = format!(
                "expected the chunks that {id} shares with another resource at offset {offset}, found a chunk of {found}"
            );
            return Err(Error::inconsistent("front index", detail));
        }
        Ok(chunk)
    }

    /// Compares the entry at `slot` of the front index, and the headers of its chunks, with the CRC in the entry. Damage
    /// there is damage that the CRC of no chunk covers. Packs of other programs have no such CRC.
    ///
    /// # Errors
    /// [`Error::DamagedIndex`] if they differ, and the errors of [`Self::first_chunk_of`] and [`Self::resource_chunks`].
    pub fn check_entry(&self, slot: u32) -> Result<()> {
        let Some(index) = self.index() else { return Ok(()) };
        let entry = index.entry(slot)?;
        index.check(slot, self.headers_crc(self.first_chunk_of(&entry)?, entry.chunk_count)?)
    }

    /// Returns the CRC-32 of the headers of [`Self::resource_chunks`]. The headers contain the CRCs of the stored bytes, so this number
    /// stands for everything in the chunks.
    ///
    /// # Errors
    /// As [`Self::resource_chunks`].
    pub fn headers_crc(&self, first: ChunkView<'a>, count: u16) -> Result<u32> {
        let mut headers = crc32fast::Hasher::new();
        for chunk in self.resource_chunks(first, count) {
            headers.update(self.slice("chunk header", chunk?.offset.into(), ChunkInfo::SIZE as u64)?);
        }
        Ok(headers.finalize())
    }

    /// Returns `first` and the chunks that it links to, directly and indirectly. A bad link is an error and the last
    /// item.
    pub fn chain(&self, first: ChunkView<'a>) -> Chain<'a> {
        // A chain without a loop contains each chunk at most once. The header may not count the directory.
        let left = u32::from(self.layout.header.chunk_count) + 1;
        Chain { pack: *self, next: Some(Ok(first)), left, mark: first.offset, until_mark: 1, stride: 1 }
    }

    /// Returns the `count` chunks of a resource in a pack with a front index: `first` and the chunks after it, without
    /// padding.
    ///
    /// A chunk of another resource, or the end of the pack, is an error and the last item.
    pub fn resource_chunks(
        &self,
        first: ChunkView<'a>,
        count: u16,
    ) -> impl Iterator<Item = Result<ChunkView<'a>>> + use<'a> {
        let id = first.info.id;
        let mut chunks = Chunks { pack: *self, offset: first.offset.into(), left: u16::MAX };
        let mut left = count;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let chunk = chunks.find(|chunk| !matches!(chunk, Ok(chunk) if chunk.info.kind == FourCc::NULL));
            let found = match chunk {
                Some(Ok(chunk)) if chunk.info.id == id => return Some(Ok(chunk)),
                Some(Err(error)) => {
                    left = 0;
                    return Some(Err(error));
                }
                Some(Ok(other)) => format!("a chunk of {} at offset {}", other.info.id, other.offset),
                None => "the end of the pack".to_owned(),
            };
            let number = count - std::mem::take(&mut left);
            let detail = format!("expected chunk {number} of {count} of {id}, found {found}");
            Some(Err(Error::inconsistent("chunks of a resource", detail)))
        })
    }

    /// Returns what the pack says about itself as a patch, after checking its CRC; `None` if it is not a patch.
    ///
    /// # Errors
    /// [`Error::WrongKind`] and [`Error::CrcMismatch`] if that is damaged; otherwise as [`PatchView::parse`].
    pub fn patch(&self) -> Result<Option<PatchView<'a>>> {
        if self.index().is_none_or(|index| !index.is_patch()) {
            return Ok(None);
        }
        // It is the chunk after the front index.
        let end = self.chunk_at(Header::SIZE as u32)?.end();
        let chunk = self.chunk_at(u32::try_from(end).unwrap_or(u32::MAX))?;
        if chunk.info.kind != FourCc::PTCH {
            return Err(Error::WrongKind { expected: FourCc::PTCH, found: chunk.info.kind });
        }
        chunk.verify()?;
        PatchView::parse(PayloadView::parse(chunk.plain_block()?)?).map(Some)
    }

    /// Returns the central directory after checking its CRC, or `None` if the pack has none.
    ///
    /// The offset in the file header counts from the end of the header in files of the C tools, and from the start of
    /// the file in the specification. This method accepts both.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if neither offset has a directory, [`Error::CrcMismatch`] if it is damaged;
    /// otherwise as [`DirectoryView::parse`].
    pub fn directory(&self) -> Result<Option<DirectoryView<'a>>> {
        let offset = self.layout.header.directory_offset;
        if offset == 0 {
            return Ok(None);
        }
        let candidates = [u64::from(offset) + Header::SIZE as u64, offset.into()];
        let found = candidates.into_iter().find_map(|at| {
            let chunk = self.chunk_at(u32::try_from(at).ok()?).ok()?;
            (chunk.info.kind == FourCc::CDIR).then_some(chunk)
        });
        let chunk = found.ok_or_else(|| {
            let [relative, absolute] = candidates;
            let detail = format!("expected a CDIR chunk at offset {relative} or {absolute}, found none");
            Error::inconsistent("central directory", detail)
        })?;
        chunk.verify()?;
        DirectoryView::parse(PayloadView::parse(chunk.plain_block()?)?).map(Some)
    }
}

/// The chunks of a pack in file order; see [`PackView::chunks`].
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    pack: PackView<'a>,
    offset: u64,
    left: u16,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<ChunkView<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let left = self.left.checked_sub(1)?;
        if self.offset == u64::from(self.pack.start) + self.pack.bytes.len() as u64 {
            return None;
        }
        let offset = u32::try_from(self.offset).map_err(|_| Error::LimitExceeded {
            what: "the offset of a chunk",
            value: self.offset,
            limit: u32::MAX.into(),
            help: "the file is too large for an rres pack",
        });
        let chunk = offset.and_then(|offset| self.pack.chunk_at(offset));
        match &chunk {
            Ok(chunk) => {
                self.left = left;
                self.offset = chunk.end();
            }
            Err(_) => self.left = 0,
        }
        Some(chunk)
    }
}

/// A chunk and the chunks that it links to; see [`PackView::chain`].
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    pack: PackView<'a>,
    next: Option<Result<ChunkView<'a>>>,
    left: u32,
    /// Brent's loop detection: the offset of an earlier chunk, replaced after 1, 2, 4, 8, … chunks. It detects a loop
    /// within three rounds, however many chunks the file header claims.
    mark: u32,
    until_mark: u32,
    stride: u32,
}

impl<'a> Iterator for Chain<'a> {
    type Item = Result<ChunkView<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunk = match self.next.take()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        self.left -= 1;
        let next = chunk.info.next_offset;
        let bad = |why| Error::BadChain { offset: chunk.offset.into(), next, why };
        self.next = match next {
            0 => None,
            _ if next == self.mark => Some(Err(bad("closes a loop"))),
            _ if self.left == 0 => Some(Err(bad("makes the chain longer than the pack"))),
            _ if (next as usize) < Header::SIZE => Some(Err(bad("is inside the file header"))),
            _ => Some(self.pack.chunk_at(next).map_err(|_| bad("is not the start of a complete chunk"))),
        };
        self.until_mark -= 1;
        if self.until_mark == 0 {
            // A chain has at most 65,536 chunks, so the doubling cannot overflow.
            (self.mark, self.stride) = (next, self.stride * 2);
            self.until_mark = self.stride;
        }
        Some(Ok(chunk))
    }
}
