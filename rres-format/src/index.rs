//! INDX (ours): the front index. What is where, found without parsing.
//!
//! The first chunk of a pack that we write, plain, with id 0; C readers skip it. A *dev index* is the same chunk in a
//! file of its own, whose entries lead into blobs (packs that hold what one source file became) instead of this file.
//!
//! Properties: layout version (1), entry count, number of further packs of the set. The data starts at file offset 64
//! and is little-endian; section offsets count from its start:
//!
//! | part | bytes | contents |
//! |---|---|---|
//! | head | 80 | 16 × `u32` (below), 16 bytes of set hash |
//! | buckets | 4 × (2^bits + 1) | index of the first id whose top `bits` bits are at least the bucket's number |
//! | ids | 4 each | resource ids, ascending; an id's place is its *slot* |
//! | entries | 40 each | by slot, see [`Entry`] |
//! | aliases | 8 each | CRC-32 of the path, slot; ascending; resources whose id is not that CRC |
//! | groups | 16 each | name offset, name size, first number, count of numbers; ascending by name |
//! | numbers | 4 each | members of groups (slots) and dependencies of entries (ids) |
//! | blobs | 32 each | content hashes; dev index only |
//! | strings | | UTF-8 names |
//! | meta | | records, see [`Meta`] |
//!
//! The 16 numbers of the head: bucket bits; offsets of buckets, ids, entries; offset and count of aliases, groups,
//! numbers; offset and count of blobs; offset and size of strings; offset of meta. Meta runs to the end of the data.

mod build;
mod meta;

pub use build::{EntrySpec, GroupSpec, IndexBuilder};
pub use meta::{Meta, MetaKey, MetaView};

use crate::asset_kind::AssetKind;
use crate::chunk::PayloadView;
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{slice, u16_at, u32_at};

const VERSION: u32 = 1;
const HEAD_SIZE: usize = 80;
const ENTRY_SIZE: usize = 40;

/// Where a resource is and what it is, as stored in 40 bytes:
/// offset, stored size, base size, name offset (`u32`); name size (`u16`); kind, flags (`u8`); chunks, meta size
/// (`u16`); meta offset, first dependency (`u32`); dependencies, reserved (`u16`); blob (`u32`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The resource.
    pub id: ResourceId,
    /// File offset of its first chunk's head: in this pack, or in the blob.
    pub offset: u32,
    /// Bytes from there to the end of its last chunk.
    pub stored_size: u32,
    /// Bytes of all its blocks before compression; saturates at 4 GiB.
    pub base_size: u32,
    /// Number of its chunks, padding not counted.
    pub chunk_count: u16,
    /// What it is to a game, or `None` for a number of a later version.
    pub kind: Option<AssetKind>,
    /// Which blob it is in; meaningful in a dev index.
    pub blob: u32,
    /// Its path, `/`-separated.
    pub path: &'a str,
}

/// A group: resources that are loaded and dropped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupView<'a> {
    /// Its name.
    pub name: &'a str,
    members: &'a [u8],
}

impl<'a> GroupView<'a> {
    /// The slots of its members, in path order. Each must still be looked up with [`IndexView::entry`].
    pub fn slots(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.members.chunks_exact(4).map(|raw| u32_at(raw, 0))
    }
}

/// Where the sections of an index lie. Checked once; may be kept beside the bytes it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLayout {
    /// Where the data starts in the block.
    data_offset: u32,
    count: u32,
    further_packs: u32,
    bucket_bits: u32,
    buckets: u32,
    ids: u32,
    entries: u32,
    aliases: (u32, u32),
    groups: (u32, u32),
    numbers: (u32, u32),
    blobs: (u32, u32),
    strings: (u32, u32),
    meta: u32,
}

impl IndexLayout {
    /// Checks that every section lies in the block; takes constant time.
    ///
    /// # Errors
    /// [`Error::Truncated`]; [`Error::Inconsistent`] for another layout version.
    pub fn parse(block: &[u8]) -> Result<Self> {
        let payload = PayloadView::parse(block)?;
        let [version, count, further_packs] = payload.first_props()?;
        if version != VERSION {
            return Err(Error::inconsistent("front index", format!("layout version {version}, expected {VERSION}")));
        }
        let data = payload.data();
        let head = slice(data, "front index head", 0, HEAD_SIZE as u64)?;
        let field = |i: usize| u32_at(head, i * 4);
        let bucket_bits = field(0);
        if !(1..=24).contains(&bucket_bits) {
            return Err(Error::inconsistent("front index", format!("{bucket_bits} bucket bits, expected 1 to 24")));
        }
        let layout = Self {
            data_offset: payload.data_offset() as u32,
            count,
            further_packs,
            bucket_bits,
            buckets: field(1),
            ids: field(2),
            entries: field(3),
            aliases: (field(4), field(5)),
            groups: (field(6), field(7)),
            numbers: (field(8), field(9)),
            blobs: (field(10), field(11)),
            strings: (field(12), field(13)),
            meta: field(14),
        };
        for (what, offset, count, size) in [
            ("index buckets", layout.buckets, (1 << bucket_bits) + 1, 4),
            ("index ids", layout.ids, count, 4),
            ("index entries", layout.entries, count, ENTRY_SIZE as u64),
            ("index aliases", layout.aliases.0, layout.aliases.1, 8),
            ("index groups", layout.groups.0, layout.groups.1, 16),
            ("index numbers", layout.numbers.0, layout.numbers.1, 4),
            ("index blobs", layout.blobs.0, layout.blobs.1, 32),
            ("index strings", layout.strings.0, layout.strings.1, 1),
            ("index meta", layout.meta, 0, 1),
        ] {
            slice(data, what, offset.into(), u64::from(count) * size)?;
        }
        Ok(layout)
    }

    /// The index with this layout. `block` must be the one it was parsed from; another gives wrong answers or
    /// errors, never a panic.
    pub fn view<'a>(&self, block: &'a [u8]) -> IndexView<'a> {
        IndexView { layout: *self, data: block.get(self.data_offset as usize..).unwrap_or_default() }
    }
}

/// A borrowed front index. Sections are checked when it is parsed, entries when they are asked for.
#[derive(Clone, Copy, Debug)]
pub struct IndexView<'a> {
    layout: IndexLayout,
    data: &'a [u8],
}

impl<'a> IndexView<'a> {
    /// As [`IndexLayout::parse`].
    ///
    /// # Errors
    /// As [`IndexLayout::parse`].
    pub fn parse(block: &'a [u8]) -> Result<Self> {
        Ok(IndexLayout::parse(block)?.view(block))
    }

    /// Item `i` of `size` bytes of a section with `count` items.
    #[inline]
    fn item(&self, (section, count): (u32, u32), i: u32, size: usize) -> Option<&'a [u8]> {
        if i >= count {
            return None;
        }
        let at = section as usize + i as usize * size;
        self.data.get(at..at + size)
    }

    fn number(&self, section: (u32, u32), i: u32) -> Option<u32> {
        self.item(section, i, 4).map(|raw| u32_at(raw, 0))
    }

    /// Number of resources.
    pub fn len(&self) -> usize {
        self.layout.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.layout.count == 0
    }

    /// How many packs belong to this one's set beside it; see `docs/format.md`.
    pub fn further_packs(&self) -> u32 {
        self.layout.further_packs
    }

    /// Hash of what is in the set: paths, ids and kinds. Constants generated with one set carry the same hash.
    pub fn set_hash(&self) -> [u8; 16] {
        let hash = self.data.get(64..HEAD_SIZE).and_then(|raw| raw.try_into().ok());
        hash.unwrap_or_default()
    }

    /// The id at `slot`, or `None` beyond the last.
    #[inline]
    pub fn id(&self, slot: u32) -> Option<ResourceId> {
        self.number((self.layout.ids, self.layout.count), slot).map(ResourceId)
    }

    /// The slot of `id`: `hint` where that is right, else by search.
    #[inline]
    pub fn find_with_hint(&self, id: ResourceId, hint: u32) -> Option<u32> {
        if self.id(hint) == Some(id) { Some(hint) } else { self.find(id) }
    }

    /// The slot of `id`: the top bits choose a bucket, which holds one id on average.
    #[inline]
    pub fn find(&self, id: ResourceId) -> Option<u32> {
        let bucket = (id.0 >> (32 - self.layout.bucket_bits)) as usize;
        let at = self.layout.buckets as usize + bucket * 4;
        let bounds = self.data.get(at..at + 8)?;
        let (start, end) = (u32_at(bounds, 0), u32_at(bounds, 4).min(self.layout.count));
        // Damaged bounds may stand the wrong way round; `end` lies within the ids, which were checked.
        let start = start.min(end);
        let ids = self.layout.ids as usize;
        let bucket = self.data.get(ids + start as usize * 4..ids + end as usize * 4)?;
        // A bucket of checksums holds an id or two. Ids chosen by hand may share all their top bits, and are searched.
        const WALKED: usize = 32 * 4;
        let place = match bucket.len() {
            0..=WALKED => bucket.chunks_exact(4).position(|raw| u32_at(raw, 0) == id.0)?,
            _ => bucket.as_chunks::<4>().0.binary_search_by_key(&id.0, |raw| u32::from_le_bytes(*raw)).ok()?,
        };
        Some(start + place as u32)
    }

    /// The slot of `path`: by the id it gives, else among the resources with another id.
    pub fn find_path(&self, path: &str) -> Option<u32> {
        let id = ResourceId::from_path(path);
        // Bytes suffice to compare: what equals a `str` is UTF-8.
        let is_it = |slot: &u32| {
            let name = self.raw_entry(*slot).and_then(|raw| self.name(raw));
            name.is_ok_and(|name| name == path.as_bytes())
        };
        self.find(id).filter(is_it).or_else(|| {
            let alias = |i: u32| self.item(self.layout.aliases, i, 8).map(|raw| (u32_at(raw, 0), u32_at(raw, 4)));
            let (mut low, mut high) = (0, self.layout.aliases.1);
            while low < high {
                let middle = low + (high - low) / 2;
                if alias(middle)?.0 < id.0 { low = middle + 1 } else { high = middle }
            }
            (low..).map_while(alias).take_while(|alias| alias.0 == id.0).map(|alias| alias.1).find(is_it)
        })
    }

    #[inline]
    fn raw_entry(&self, slot: u32) -> Result<&'a [u8]> {
        self.item((self.layout.entries, self.layout.count), slot, ENTRY_SIZE).ok_or(Error::Truncated {
            what: "index entry",
            offset: u64::from(slot) * ENTRY_SIZE as u64,
            needed: ENTRY_SIZE as u64,
            available: 0,
        })
    }

    /// `len` bytes from `offset` of the section that starts at `start` and ends at `end`.
    fn part(&self, what: &'static str, start: u32, end: u64, offset: u64, len: u64) -> Result<&'a [u8]> {
        let end = (end as usize).min(self.data.len());
        let section = self.data.get(start as usize..end).unwrap_or_default();
        slice(section, what, offset, len)
    }

    /// The entry at `slot`. Offsets into the pack are the caller's to check, with [`crate::PackView::first_chunk`].
    ///
    /// # Errors
    /// [`Error::Truncated`] beyond the last, or where its path lies outside the names; [`Error::Inconsistent`]
    /// where its path is not UTF-8.
    pub fn entry(&self, slot: u32) -> Result<Entry<'a>> {
        let raw = self.raw_entry(slot)?;
        let id = self.id(slot).unwrap_or_default();
        Ok(Entry {
            id,
            offset: u32_at(raw, 0),
            stored_size: u32_at(raw, 4),
            base_size: u32_at(raw, 8),
            path: self.string(u32_at(raw, 12), u16_at(raw, 16).into())?,
            kind: AssetKind::from_number(raw[18]),
            chunk_count: u16_at(raw, 20),
            blob: u32_at(raw, 36),
        })
    }

    /// Where the resource at `slot` is: offset of its first chunk's head and bytes from there to the end of its last.
    /// The offset is the caller's to check, with [`crate::PackView::first_chunk`].
    ///
    /// # Errors
    /// [`Error::Truncated`] beyond the last.
    #[inline]
    pub fn place(&self, slot: u32) -> Result<(u32, u32)> {
        let raw = self.raw_entry(slot)?;
        Ok((u32_at(raw, 0), u32_at(raw, 4)))
    }

    /// All entries, by slot.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Result<Entry<'a>>> + use<'a> {
        let index = *self;
        (0..self.len() as u32).map(move |slot| index.entry(slot))
    }

    /// What rres has no field for, of the entry at `slot`.
    ///
    /// # Errors
    /// [`Error::Truncated`].
    pub fn meta(&self, slot: u32) -> Result<MetaView<'a>> {
        let raw = self.raw_entry(slot)?;
        let (offset, len) = (u32_at(raw, 24).into(), u16_at(raw, 22).into());
        self.part("entry meta", self.layout.meta, u64::MAX, offset, len).map(MetaView::new)
    }

    /// The resources that the entry at `slot` needs.
    ///
    /// # Errors
    /// [`Error::Truncated`].
    pub fn dependencies(&self, slot: u32) -> Result<impl ExactSizeIterator<Item = ResourceId> + use<'a>> {
        let raw = self.raw_entry(slot)?;
        let ids = self.number_range(u32_at(raw, 28), u16_at(raw, 32).into())?;
        Ok(ids.chunks_exact(4).map(|raw| ResourceId(u32_at(raw, 0))))
    }

    fn number_range(&self, first: u32, count: u32) -> Result<&'a [u8]> {
        let (start, total) = self.layout.numbers;
        let end = u64::from(start) + u64::from(total) * 4;
        self.part("index numbers", start, end, u64::from(first) * 4, u64::from(count) * 4)
    }

    fn string_bytes(&self, offset: u32, len: u32) -> Result<&'a [u8]> {
        let (start, total) = self.layout.strings;
        let end = u64::from(start) + u64::from(total);
        self.part("index string", start, end, offset.into(), len.into())
    }

    /// The name of an entry, not checked to be UTF-8.
    fn name(&self, raw_entry: &[u8]) -> Result<&'a [u8]> {
        self.string_bytes(u32_at(raw_entry, 12), u16_at(raw_entry, 16).into())
    }

    fn string(&self, offset: u32, len: u32) -> Result<&'a str> {
        let bytes = self.string_bytes(offset, len)?;
        core::str::from_utf8(bytes).map_err(|_| Error::inconsistent("front index", "a name is not UTF-8"))
    }

    /// The groups, ascending by name.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = Result<GroupView<'a>>> + use<'a> {
        let index = *self;
        (0..self.layout.groups.1).map(move |i| {
            let raw = index
                .item(index.layout.groups, i, 16)
                .ok_or_else(|| Error::inconsistent("front index", "a group lies outside it"))?;
            Ok(GroupView {
                name: index.string(u32_at(raw, 0), u32_at(raw, 4))?,
                members: index.number_range(u32_at(raw, 8), u32_at(raw, 12))?,
            })
        })
    }

    /// The content hash of blob `number`, or `None` where there is no such blob.
    pub fn blob(&self, number: u32) -> Option<[u8; 32]> {
        self.item(self.layout.blobs, number, 32)?.try_into().ok()
    }

    /// Whether the entries lead into blobs.
    pub fn is_dev(&self) -> bool {
        self.layout.blobs.1 > 0
    }
}

#[cfg(test)]
mod tests;
