//! INDX (ours): the front index, which finds resources by id, slot or path without parsing the pack.
//!
//! It is the first chunk of a pack, plain and with id 0; C readers skip it. A *dev index* is a file that contains only
//! this chunk. Its entries refer to blobs (packs with the imported form of one source file) instead of chunks in the
//! same file.
//!
//! Properties: layout version (1), number of entries, number of additional packs in the pack set. The data starts at
//! file offset 64 and is little-endian. Section offsets count from the start of the data:
//!
//! | section | bytes | contents |
//! |---|---|---|
//! | header | 88 | 16 × `u32` (below), 16 bytes of set hash, flags (1: the pack is a patch), CRC-32 of the properties and the header before it |
//! | buckets | 4 × (2^bits + 1) | slot of the first id whose top `bits` bits are at least the bucket's number |
//! | entries | 44 each | ascending by id (below); the position of an entry is its *slot* |
//! | blobs of entries | 4 each | the number of the blob of each entry, in a dev index only |
//! | aliases | 8 each | CRC-32 of the path and slot of the resources whose id is not that CRC-32; ascending |
//! | groups | 16 each | name offset, name size, first member in the pool, member count; ascending by name |
//! | `u32` pool | 4 each | members of groups (slots) and dependencies of entries (ids) |
//! | blobs | 32 each | content hashes, in a dev index only |
//! | strings | | paths and names of groups, UTF-8 |
//! | metadata | | records, see [`Meta`] |
//!
//! The 16 numbers of the header: bucket bits; offsets of buckets, entries and blobs of entries; offset and count of
//! aliases, groups, pool and blobs; offset and size of strings and of metadata, which extends to the end of
//! the data.
//!
//! An entry: id, offset, stored size, base size, path offset, metadata offset, first dependency in the pool (`u32`); path
//! size, metadata size, dependency count, chunk count (`u16`); kind, flags (`u8`; 1: it shares the chunks of another
//! entry); reserved (`u16`); CRC-32, see [`IndexView::check`].

mod builder;
mod layout;
mod meta;
mod shape;

pub use builder::{EntrySpec, GroupSpec, IndexBuilder};
pub use layout::{IndexLayout, LAYOUT_VERSION};
pub use meta::{ColorSpace, Filter, GlyphForm, Meta, MetaKey, MetaView, Playback, Wrap};
pub use shape::ImageShape;

use crate::asset_kind::AssetKind;
use crate::bytes::{slice, u32_at};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::Wire;
use layout::{AliasRecord, BlobRecord, EntryRecord, GroupRecord, PATCH, SHARED, Section, blob_crc, entry_crc};

/// One entry: the position and the properties of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Id of the resource.
    pub id: ResourceId,
    /// File offset of the header of its first chunk: in this pack, or in the blob.
    pub offset: u32,
    /// Number of bytes from there to the end of its last chunk.
    pub stored_size: u32,
    /// Total size of its blocks before compression, in bytes; [`u32::MAX`] if it is larger.
    pub base_size: u32,
    /// Number of its chunks, not counting padding.
    pub chunk_count: u16,
    /// Whether it shares the chunks of another entry; see [`crate::PackView::first_chunk_of`].
    pub is_shared: bool,
    /// Asset kind, or `None` if it was written by a newer version.
    pub kind: Option<AssetKind>,
    /// Number of the blob that contains it, in a dev index; 0 in a pack.
    pub blob: u32,
    /// Path of the resource, `/`-separated.
    pub path: &'a str,
}

/// The bytes of one resource in a pack or blob, chunk headers included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredRange {
    /// File offset of the header of its first chunk.
    pub offset: u32,
    /// Number of bytes from there to the end of its last chunk.
    pub size: u32,
}

/// Where a resource is in a pack or blob, and what stands for its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacedResource {
    /// Its bytes.
    pub range: StoredRange,
    /// CRC-32 of the headers of its chunks; see [`crate::PackView::headers_crc`].
    pub headers_crc: u32,
}

/// A group: resources that are loaded and dropped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupView<'a> {
    /// Name of the group.
    pub name: &'a str,
    members: &'a [u8],
}

impl<'a> GroupView<'a> {
    /// Returns the slots of its members in stored order, which is by path in packs of `rres-build`. The slots are not
    /// checked; [`IndexView::entry`] fails for a slot that does not exist.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.members.chunks_exact(4).map(|raw| u32_at(raw, 0))
    }
}

/// A borrowed front index. Parsing checks its sections; lookups check the entries.
#[derive(Clone, Copy, Debug)]
pub struct IndexView<'a> {
    layout: IndexLayout,
    data: &'a [u8],
}

impl<'a> IndexView<'a> {
    /// Parses the block of an index; takes constant time.
    ///
    /// # Errors
    /// As [`IndexLayout::parse`].
    pub fn parse(block: &'a [u8]) -> Result<Self> {
        Ok(IndexLayout::parse(block)?.view(block))
    }

    /// Returns item `i` of a section, or `None` if the section has no such item.
    #[inline]
    fn item<T: Wire>(&self, section: Section, i: u32) -> Option<T> {
        if i >= section.count {
            return None;
        }
        let at = section.offset as usize + i as usize * T::SIZE;
        Some(T::get(self.data.get(at..at + T::SIZE)?))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.layout.count as usize
    }

    /// Whether the index has no entries.
    pub fn is_empty(&self) -> bool {
        self.layout.count == 0
    }

    /// Returns the number of additional packs in the pack set; 0 in the additional packs themselves.
    pub fn additional_packs(&self) -> u32 {
        self.layout.additional_packs
    }

    /// Returns the hash of the paths, ids and kinds of all assets in the set. Constants from the same build contain the
    /// same hash.
    pub fn set_hash(&self) -> [u8; 16] {
        self.layout.header.set_hash
    }

    /// Returns the id at `slot`, or `None` if the slot does not exist.
    #[inline]
    pub fn id(&self, slot: u32) -> Option<ResourceId> {
        self.record(slot).map(|entry| entry.id).ok()
    }

    /// Returns the slot of `id`, or `None` if no entry has this id. Needs a search only if the slot is not `hint`.
    #[inline]
    pub fn find_with_hint(&self, id: ResourceId, hint: u32) -> Option<u32> {
        if self.id(hint) == Some(id) { Some(hint) } else { self.find(id) }
    }

    /// Returns the slot of `id`, or `None` if no entry has this id. Its top bits select a bucket, which contains about
    /// one entry on average.
    #[inline]
    pub fn find(&self, id: ResourceId) -> Option<u32> {
        let header = &self.layout.header;
        let bucket = (id.0 >> (32 - header.bucket_bits)) as usize;
        let at = header.buckets as usize + bucket * 4;
        let bounds = self.data.get(at..at + 8)?;
        let (start, end) = (u32_at(bounds, 0), u32_at(bounds, 4).min(self.layout.count));
        // The bounds of a damaged bucket may be in the wrong order. `end` is inside the entries, which were checked.
        let start = start.min(end);
        let place = |slot: u32| header.entries as usize + slot as usize * EntryRecord::SIZE;
        let bucket = self.data.get(place(start)..place(end))?.as_chunks::<{ EntryRecord::SIZE }>().0;
        // A bucket of checksums has one or two entries and is scanned. Ids chosen by hand may all be in one bucket,
        // which needs a binary search.
        const MAX_SCANNED: usize = 32;
        let position = match bucket.len() {
            0..=MAX_SCANNED => bucket.iter().position(|raw| u32_at(raw, 0) == id.0)?,
            _ => bucket.binary_search_by_key(&id.0, |raw| u32_at(raw, 0)).ok()?,
        };
        Some(start + position as u32)
    }

    /// Returns the slot of the resource at `path`, or `None` if it does not exist. Looks up the CRC-32 of the
    /// path as an id, then among the aliases of resources with other ids.
    pub fn find_path(&self, path: &str) -> Option<u32> {
        let id = ResourceId::from_path(path);
        // Compares bytes: only UTF-8 can be equal to a `str`.
        let has_path = |slot: &u32| {
            let stored = self.record(*slot).and_then(|entry| self.path_bytes(&entry));
            stored.is_ok_and(|stored| stored == path.as_bytes())
        };
        self.find(id).filter(has_path).or_else(|| {
            let aliases = self.layout.header.aliases;
            let alias = |i: u32| self.item::<AliasRecord>(aliases, i);
            let (mut low, mut high) = (0, aliases.count);
            while low < high {
                let middle = low + (high - low) / 2;
                if alias(middle)?.path_crc < id.0 { low = middle + 1 } else { high = middle }
            }
            let same_crc = (low..).map_while(alias).take_while(|alias| alias.path_crc == id.0);
            same_crc.map(|alias| alias.slot).find(has_path)
        })
    }

    #[inline]
    fn record(&self, slot: u32) -> Result<EntryRecord> {
        self.record_bytes(slot).map(EntryRecord::get)
    }

    #[inline]
    fn record_bytes(&self, slot: u32) -> Result<&'a [u8]> {
        let record = || {
            if slot >= self.layout.count {
                return None;
            }
            // The slot exists, so its place fits `usize`.
            let at = self.layout.header.entries as usize + slot as usize * EntryRecord::SIZE;
            self.data.get(at..at + EntryRecord::SIZE)
        };
        record().ok_or(Error::Truncated {
            what: "index entry",
            offset: u64::from(slot) * EntryRecord::SIZE as u64,
            needed: EntryRecord::SIZE as u64,
            available: 0,
        })
    }

    /// Returns `len` bytes from `offset` on in the section from `start` to `end`.
    fn within(&self, what: &'static str, start: u32, end: u64, offset: u64, len: u64) -> Result<&'a [u8]> {
        let end = (end as usize).min(self.data.len());
        let section = self.data.get(start as usize..end).unwrap_or_default();
        slice(section, what, offset, len)
    }

    /// Returns the entry at `slot`. Its offset is not checked; [`crate::PackView::first_chunk`] does that.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the slot does not exist or the path is outside the strings, and [`Error::Inconsistent`]
    /// if the path is not UTF-8 or the entry has flags that only newer versions know.
    pub fn entry(&self, slot: u32) -> Result<Entry<'a>> {
        let record = self.record(slot)?;
        if record.flags & !SHARED != 0 {
            let detail = format!("entry {slot} has flags {:#04x}, which only newer versions know", record.flags);
            return Err(Error::inconsistent("front index", detail));
        }
        Ok(Entry {
            id: record.id,
            offset: record.offset,
            stored_size: record.stored_size,
            base_size: record.base_size,
            path: utf8(self.path_bytes(&record)?)?,
            kind: AssetKind::from_number(record.kind),
            chunk_count: record.chunk_count,
            is_shared: record.flags & SHARED != 0,
            blob: self.item(self.layout.header.entry_blobs(self.layout.count), slot).unwrap_or(0),
        })
    }

    /// Compares the entry at `slot`, its metadata and its dependencies with their CRC, which also covers what the entry
    /// leads to: the headers of its chunks, whose CRC-32 is `headers_crc`, and the content hash of its blob in a dev index.
    /// [`crate::PackView::check_entry`] reads those headers in a pack, [`crate::PackView::headers_crc`] in a blob.
    ///
    /// # Errors
    /// [`Error::DamagedIndex`] if they differ, and the errors of [`Self::meta`] and [`Self::dependencies`].
    pub fn check(&self, slot: u32, headers_crc: u32) -> Result<()> {
        let record = self.record(slot)?;
        let target = match self.is_dev() {
            true => self.blob(self.entry(slot)?.blob).map_or(0, |hash| blob_crc(&hash, headers_crc)),
            false => headers_crc,
        };
        let meta = self.meta_bytes(&record)?;
        let dependencies = self.pool_range(record.first_dependency, record.dependency_count.into())?;
        match entry_crc(target, self.record_bytes(slot)?, meta, dependencies) {
            computed if computed == record.crc32 => Ok(()),
            computed => {
                let part = format!("the entry of {} or a chunk header that it leads to", record.id);
                Err(Error::DamagedIndex { part, stored: record.crc32, computed })
            }
        }
    }

    /// Returns the stored range of the resource at `slot`. Its offset is not checked; [`crate::PackView::first_chunk`]
    /// does that.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the slot does not exist.
    #[inline]
    pub fn stored_range(&self, slot: u32) -> Result<StoredRange> {
        let EntryRecord { offset, stored_size, .. } = self.record(slot)?;
        Ok(StoredRange { offset, size: stored_size })
    }

    /// Returns all entries, by slot.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Result<Entry<'a>>> + use<'a> {
        let index = *self;
        (0..self.len() as u32).map(move |slot| index.entry(slot))
    }

    /// Returns the metadata of the entry at `slot`.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the slot does not exist or the metadata is outside the index.
    pub fn meta(&self, slot: u32) -> Result<MetaView<'a>> {
        self.meta_bytes(&self.record(slot)?).map(MetaView::new)
    }

    fn meta_bytes(&self, entry: &EntryRecord) -> Result<&'a [u8]> {
        let Section { offset, count } = self.layout.header.meta;
        let end = u64::from(offset) + u64::from(count);
        self.within("entry metadata", offset, end, entry.meta_offset.into(), entry.meta_size.into())
    }

    /// Returns the resources that the resource at `slot` needs at run time.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the slot does not exist or the dependencies are outside the pool.
    pub fn dependencies(&self, slot: u32) -> Result<impl ExactSizeIterator<Item = ResourceId> + use<'a>> {
        let EntryRecord { first_dependency, dependency_count, .. } = self.record(slot)?;
        let ids = self.pool_range(first_dependency, dependency_count.into())?;
        Ok(ids.chunks_exact(4).map(|raw| ResourceId(u32_at(raw, 0))))
    }

    /// Returns the bytes of `count` numbers of the pool from number `first` on.
    fn pool_range(&self, first: u32, count: u32) -> Result<&'a [u8]> {
        let pool = self.layout.header.pool;
        let end = u64::from(pool.offset) + u64::from(pool.count) * 4;
        self.within("index pool", pool.offset, end, u64::from(first) * 4, u64::from(count) * 4)
    }

    fn string_bytes(&self, offset: u32, len: u32) -> Result<&'a [u8]> {
        let strings = self.layout.header.strings;
        let end = u64::from(strings.offset) + u64::from(strings.count);
        self.within("index string", strings.offset, end, offset.into(), len.into())
    }

    /// Returns the path of an entry, which is not checked to be UTF-8.
    fn path_bytes(&self, entry: &EntryRecord) -> Result<&'a [u8]> {
        self.string_bytes(entry.path_offset, entry.path_size.into())
    }

    /// Returns the groups, ascending by name. A damaged group is an error.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = Result<GroupView<'a>>> + use<'a> {
        let index = *self;
        let groups = index.layout.header.groups;
        (0..groups.count).map(move |i| {
            let group: GroupRecord = index
                .item(groups, i)
                .ok_or_else(|| Error::inconsistent("front index", "a group is outside the index"))?;
            Ok(GroupView {
                name: utf8(index.string_bytes(group.name_offset, group.name_size)?)?,
                members: index.pool_range(group.first_member, group.member_count)?,
            })
        })
    }

    /// Returns the content hash of blob `number`, or `None` if the index has no such blob.
    pub fn blob(&self, number: u32) -> Option<[u8; 32]> {
        self.item::<BlobRecord>(self.layout.header.blobs, number)
    }

    /// Whether the pack is a patch, whose next chunk describes it.
    pub fn is_patch(&self) -> bool {
        self.layout.header.flags & PATCH != 0
    }

    /// Whether this is a dev index, whose entries refer to blobs.
    pub fn is_dev(&self) -> bool {
        self.layout.header.blobs.count > 0
    }
}

fn utf8(bytes: &[u8]) -> Result<&str> {
    core::str::from_utf8(bytes).map_err(|_| Error::inconsistent("front index", "a name is not UTF-8"))
}

#[cfg(test)]
mod tests;
