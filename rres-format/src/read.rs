//! The borrowed view of a pack: every offset and size is checked here before it is used.
//!
//! Nothing is copied and nothing is read ahead: parsing looks at the header and, where there is one, at the head of
//! our front index. Packs of other programs have no index; they are walked chunk by chunk, as `rres.h` does.

use std::borrow::Cow;

use crate::chunk::PayloadView;
use crate::chunk::directory::DirectoryView;
use crate::codec::{
    cipher::Cipher,
    compress::{Compression, Decompressor, pieces},
};
use crate::error::{Error, Result};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::id::ResourceId;
use crate::index::{IndexLayout, IndexView};
use crate::info::ChunkInfo;
use crate::limits::Limits;
use crate::wire::slice;

/// What parsing found out about a pack; may be kept beside the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLayout {
    header: Header,
    /// The front index and the size of its block.
    index: Option<(IndexLayout, u32)>,
    limits: Limits,
}

impl PackLayout {
    /// As [`PackView::parse_with`].
    ///
    /// # Errors
    /// As [`PackView::parse`].
    pub fn parse(bytes: &[u8], limits: Limits) -> Result<Self> {
        let header = Header::parse(bytes)?;
        let mut layout = Self { header, index: None, limits };
        // A truncated first chunk is the business of whoever walks the chunks.
        if let Ok(first) = layout.view(bytes).chunk_at(Header::SIZE as u32)
            && first.info.kind == FourCc::INDX
        {
            let block = first.plain_block()?;
            layout.index = Some((IndexLayout::parse(block)?, block.len() as u32));
        }
        Ok(layout)
    }

    /// The pack with this layout. `bytes` must be those it was parsed from; others give wrong answers or errors,
    /// never a panic.
    #[inline]
    pub fn view<'a>(&self, bytes: &'a [u8]) -> PackView<'a> {
        PackView { bytes, layout: *self }
    }
}

/// A pack in memory or mapped.
#[derive(Clone, Copy, Debug)]
pub struct PackView<'a> {
    bytes: &'a [u8],
    layout: PackLayout,
}

impl<'a> PackView<'a> {
    /// Checks the header and the head of the front index, in constant time.
    ///
    /// # Errors
    /// As [`Header::parse`] and [`IndexView::parse`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_with(bytes, Limits::DEFAULT)
    }

    /// As [`Self::parse`], with other limits.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_with(bytes: &'a [u8], limits: Limits) -> Result<Self> {
        Ok(PackLayout::parse(bytes, limits)?.view(bytes))
    }

    /// The file header.
    pub fn header(&self) -> Header {
        self.layout.header
    }

    /// All bytes of the pack.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Our front index, or `None` in packs of other programs.
    #[inline]
    pub fn index(&self) -> Option<IndexView<'a>> {
        const BLOCK: usize = Header::SIZE + ChunkInfo::SIZE;
        let (layout, len) = self.layout.index?;
        Some(layout.view(self.bytes.get(BLOCK..BLOCK + len as usize)?))
    }

    /// The chunk whose head stands at `offset`.
    ///
    /// # Errors
    /// [`Error::Truncated`] where head or stored bytes do not fit the file.
    pub fn chunk_at(&self, offset: u32) -> Result<ChunkView<'a>> {
        let head = slice(self.bytes, "chunk head", offset.into(), ChunkInfo::SIZE as u64)?;
        let head: &[u8; ChunkInfo::SIZE] = head.try_into().expect("the slice has that length");
        let info = ChunkInfo::from_bytes(head);
        let stored = u64::from(offset) + ChunkInfo::SIZE as u64;
        let stored = slice(self.bytes, "stored bytes of a chunk", stored, info.packed_size.into())?;
        Ok(ChunkView { info, offset, stored, limits: self.layout.limits })
    }

    /// The chunks in file order: as many as the header counts, fewer where the file ends before.
    ///
    /// Every kind is yielded, padding and index too; the directory only in files that count it. After an error the
    /// walk is over, since nothing says where the next chunk starts.
    pub fn chunks(&self) -> Chunks<'a> {
        Chunks { pack: *self, offset: Header::SIZE as u64, left: self.layout.header.chunk_count }
    }

    /// The first chunk of a resource, or `None`.
    ///
    /// One search in the index; without an index a walk over the heads, where the first match wins as in `rres.h`.
    ///
    /// # Errors
    /// [`Error::Truncated`] for damage met on the way, [`Error::Inconsistent`] where the index leads to a chunk of
    /// another resource.
    pub fn find(&self, id: ResourceId) -> Result<Option<ChunkView<'a>>> {
        if let Some(index) = self.index() {
            return index.find(id).map(|slot| self.first_chunk(index.entry(slot)?.offset, id)).transpose();
        }
        for chunk in self.chunks() {
            let chunk = chunk?;
            if chunk.info.id == id && chunk.is_resource() {
                return Ok(Some(chunk));
            }
        }
        Ok(None)
    }

    /// The chunk at `offset`, which must belong to `id`.
    ///
    /// # Errors
    /// [`Error::Truncated`]; [`Error::Inconsistent`] where it belongs to another resource.
    pub fn first_chunk(&self, offset: u32, id: ResourceId) -> Result<ChunkView<'a>> {
        let chunk = self.chunk_at(offset)?;
        if chunk.info.id != id {
            let detail = format!("leads to offset {offset} for resource {id}, where {} stands", chunk.info.id);
            return Err(Error::inconsistent("front index", detail));
        }
        Ok(chunk)
    }

    /// `first` and the chunks linked to it.
    pub fn chain(&self, first: ChunkView<'a>) -> Chain<'a> {
        // A chain without a loop meets each chunk once; the directory may be uncounted.
        let left = u32::from(self.layout.header.chunk_count) + 1;
        Chain { pack: *self, next: Some(Ok(first)), left, mark: first.offset, until_mark: 1, stride: 1 }
    }

    /// `first` and the `count - 1` chunks adjacent to it, padding left out: a resource of a pack with an index.
    ///
    /// A chunk of another resource, or the end of the file, before the count is reached is an error and the last item.
    pub fn run(&self, first: ChunkView<'a>, count: u16) -> impl Iterator<Item = Result<ChunkView<'a>>> + use<'a> {
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
            let place = count - std::mem::take(&mut left);
            let detail = format!("chunk {place} of {count} of resource {id} should follow, found {found}");
            Some(Err(Error::inconsistent("adjacent chunks", detail)))
        })
    }

    /// The central directory, or `None` where the pack has none. Its CRC is checked.
    ///
    /// The offset in the header counts from the header's end in files of the C tools; the specification says from
    /// the start of the file. Whichever leads to a directory is taken.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] where neither leads to one, [`Error::CrcMismatch`], or as [`DirectoryView::parse`].
    pub fn directory(&self) -> Result<Option<DirectoryView<'a>>> {
        let offset = self.layout.header.directory_offset;
        if offset == 0 {
            return Ok(None);
        }
        let relative = offset.checked_add(Header::SIZE as u32);
        let found = relative.into_iter().chain([offset]).find_map(|at| {
            let chunk = self.chunk_at(at).ok()?;
            (chunk.info.kind == FourCc::CDIR).then_some(chunk)
        });
        let chunk = found.ok_or_else(|| {
            let detail = format!("the header puts it {offset} bytes after itself, where none stands");
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
        if self.offset == self.pack.bytes.len() as u64 {
            return None;
        }
        let offset = u32::try_from(self.offset).map_err(|_| Error::LimitExceeded {
            what: "the offset of a chunk",
            value: self.offset,
            limit: u32::MAX.into(),
            help: "rres packs end at 4 GiB",
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

/// A chunk and those linked to it; see [`PackView::chain`].
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    pack: PackView<'a>,
    next: Option<Result<ChunkView<'a>>>,
    left: u32,
    /// Brent's loop detection: an offset met before, moved on after 1, 2, 4, 8 … chunks. A loop is noticed within
    /// three rounds, whatever number of chunks the header claims.
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
            _ => Some(self.pack.chunk_at(next).map_err(|_| bad("is no whole chunk"))),
        };
        self.until_mark -= 1;
        if self.until_mark == 0 {
            // At most 65,536 chunks are met, so the doubling cannot overflow.
            (self.mark, self.stride) = (next, self.stride * 2);
            self.until_mark = self.stride;
        }
        Some(Ok(chunk))
    }
}

/// One chunk: its head and its stored bytes.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    /// The head.
    pub info: ChunkInfo,
    /// File offset of the head.
    pub offset: u32,
    /// The bytes as stored: packed, sealed, padded.
    pub stored: &'a [u8],
    limits: Limits,
}

impl<'a> ChunkView<'a> {
    /// File offset of the first byte after the chunk.
    pub fn end(&self) -> u64 {
        u64::from(self.offset) + ChunkInfo::SIZE as u64 + self.stored.len() as u64
    }

    /// Whether the chunk belongs to some resource: neither padding, index nor directory.
    pub fn is_resource(&self) -> bool {
        !matches!(self.info.kind, FourCc::NULL | FourCc::INDX | FourCc::CDIR)
    }

    /// Compares the stored bytes with their CRC.
    ///
    /// # Errors
    /// [`Error::CrcMismatch`].
    pub fn verify(&self) -> Result<()> {
        let computed = crc32fast::hash(self.stored);
        match self.info.crc32 {
            stored if stored == computed => Ok(()),
            stored => Err(Error::CrcMismatch { id: self.info.id, offset: self.offset.into(), stored, computed }),
        }
    }

    /// Size of the block after decoding, in bytes, checked against the stored size and the limits.
    ///
    /// # Errors
    /// [`Error::UnsupportedCipher`] for sealed chunks, [`Error::UnsupportedCompression`], [`Error::LimitExceeded`],
    /// [`Error::Decompress`] or [`Error::Truncated`] where the stored bytes cannot become that many.
    pub fn block_size(&self) -> Result<usize> {
        let info = &self.info;
        if info.cipher != Cipher::NONE {
            return Err(Error::UnsupportedCipher(info.cipher));
        }
        if !info.compression.is_enabled() {
            return Err(Error::UnsupportedCompression(info.compression));
        }
        if info.is_plain() {
            slice(self.stored, "the block of a plain chunk", 0, info.base_size.into())?;
        } else if u64::from(info.base_size) > self.limits.max_decoded {
            return Err(Error::LimitExceeded {
                what: "the decoded size of a chunk",
                value: info.base_size.into(),
                limit: self.limits.max_decoded,
                help: "raise the reader's limit if the pack is trusted",
            });
        }
        Decompressor::check_expansion(info.compression, info.packed_size, info.base_size)?;
        Ok(info.base_size as usize)
    }

    /// The block of a plain chunk, in place.
    ///
    /// # Errors
    /// [`Error::Truncated`]; [`Error::Inconsistent`] where the chunk is compressed or sealed.
    pub fn plain_block(&self) -> Result<&'a [u8]> {
        if !self.info.is_plain() {
            let ChunkInfo { kind, compression, cipher, .. } = self.info;
            let detail = format!("compression {compression}, cipher {cipher}; expected none");
            return Err(match kind {
                FourCc::INDX => Error::inconsistent("front index", detail),
                FourCc::CDIR => Error::inconsistent("central directory", detail),
                _ => Error::inconsistent("plain chunk", detail),
            });
        }
        let size = self.block_size()?;
        Ok(&self.stored[..size])
    }

    /// Decodes the block into all of `out`, which must have [`Self::block_size`] bytes.
    ///
    /// # Errors
    /// As [`Self::block_size`] and [`Decompressor::decompress`]; [`Error::Inconsistent`] where `out` has another size.
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        let size = self.block_size()?;
        if out.len() != size {
            let detail = format!("has {} bytes, the block {size}", out.len());
            return Err(Error::inconsistent("the buffer to decode into", detail));
        }
        decompressor.decompress(self.info.compression, self.stored, out)
    }

    /// The block: borrowed where the chunk is plain, else decoded. The CRC is not checked here, see
    /// [`Self::verify`].
    ///
    /// # Errors
    /// As [`Self::decode_into`].
    pub fn decode(&self, decompressor: &mut Decompressor) -> Result<Decoded<'a>> {
        if self.info.compression == Compression::NONE {
            return Ok(Decoded(Cow::Borrowed(&self.stored[..self.block_size()?])));
        }
        let size = self.block_size()?;
        decompressor.decompress_to_vec(self.info.compression, self.stored, size).map(|block| Decoded(Cow::Owned(block)))
    }

    /// The pieces of the block that can be decoded each by itself, for several threads: the frames of a zstd chunk that
    /// we wrote. Together they make up the block. Empty where the block is of one piece.
    ///
    /// # Errors
    /// As [`Self::block_size`].
    pub fn pieces(&self) -> Result<Vec<Piece<'a>>> {
        let compression = self.info.compression;
        let pieces = pieces(compression, self.stored, self.block_size()?).unwrap_or_default();
        Ok(pieces.into_iter().map(|(packed, size)| Piece { compression, packed, size }).collect())
    }
}

/// A piece of a block that can be decoded by itself; see [`ChunkView::pieces`].
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    compression: Compression,
    packed: &'a [u8],
    size: usize,
}

impl Piece<'_> {
    /// Bytes of the block that it becomes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Decodes it into all of `out`, which must have [`Self::size`] bytes.
    ///
    /// # Errors
    /// As [`Decompressor::decompress`].
    pub fn decode_into(&self, decompressor: &mut Decompressor, out: &mut [u8]) -> Result<()> {
        decompressor.decompress(self.compression, self.packed, out)
    }
}

/// A decoded block.
#[derive(Clone, Debug)]
pub struct Decoded<'a>(Cow<'a, [u8]>);

impl<'a> Decoded<'a> {
    /// The block, split into properties and data.
    ///
    /// # Errors
    /// As [`PayloadView::parse`].
    pub fn view(&self) -> Result<PayloadView<'_>> {
        PayloadView::parse(&self.0)
    }

    /// The bytes of the block.
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        self.0
    }
}
