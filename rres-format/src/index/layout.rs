//! The records of the front index. [`super::IndexView`] and [`super::IndexBuilder`] share their declarations.

use crate::bytes::slice;
use crate::chunk::{PayloadView, block};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{Wire, wire_record};

use super::IndexView;

/// The layout version that this crate reads and writes: the first property of the chunk.
const VERSION: u32 = 1;

wire_record! {
    /// The position of a section in the data of the chunk.
    #[derive(Eq)]
    pub(super) struct Section[8] {
        /// Offset of the first item in the data.
        pub(super) offset: u32,
        /// Number of items.
        pub(super) count: u32,
    }
}

wire_record! {
    /// The header at the start of the data: the positions of everything else.
    #[derive(Eq)]
    pub(super) struct IndexHeaderRecord[80] {
        /// Number of top bits of an id that select its bucket.
        pub(super) bucket_bits: u32,
        pub(super) buckets: u32,
        pub(super) ids: u32,
        pub(super) entries: u32,
        pub(super) aliases: Section,
        pub(super) groups: Section,
        /// The `u32` pool: members of groups (slots) and dependencies of entries (ids).
        pub(super) pool: Section,
        pub(super) blobs: Section,
        /// UTF-8; the count is in bytes.
        pub(super) strings: Section,
        /// Extends to the end of the data; the count is 0.
        pub(super) meta: Section,
        pub(super) set_hash: [u8; 16],
    }
}

/// The flag of an entry whose chunks are those of another entry.
pub(super) const SHARED: u8 = 1;

wire_record! {
    /// One resource.
    pub(super) struct EntryRecord[40] {
        pub(super) offset: u32,
        pub(super) stored_size: u32,
        pub(super) base_size: u32,
        pub(super) path_offset: u32,
        pub(super) path_size: u16,
        pub(super) kind: u8,
        /// [`SHARED`] or 0.
        pub(super) flags: u8,
        pub(super) chunk_count: u16,
        pub(super) meta_size: u16,
        pub(super) meta_offset: u32,
        pub(super) first_dependency: u32,
        pub(super) dependency_count: u16,
        /// No meaning yet, 0.
        pub(super) reserved: u16,
        pub(super) blob: u32,
    }
}

wire_record! {
    /// A resource whose id is not the CRC-32 of its path.
    pub(super) struct AliasRecord[8] {
        pub(super) path_crc: u32,
        pub(super) slot: u32,
    }
}

wire_record! {
    /// One group; the pool contains the slots of its members.
    pub(super) struct GroupRecord[16] {
        pub(super) name_offset: u32,
        pub(super) name_size: u32,
        pub(super) first_member: u32,
        pub(super) member_count: u32,
    }
}

/// The content hash of one blob.
pub(super) type BlobRecord = [u8; 32];

/// The positions of the sections of an index, which were checked when it was parsed. It does not borrow the bytes, so
/// it can be stored next to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLayout {
    /// Offset of the data in the block.
    data_offset: u32,
    pub(super) count: u32,
    pub(super) additional_packs: u32,
    pub(super) header: IndexHeaderRecord,
}

impl IndexLayout {
    /// Reads the header of the index and checks that every section is inside the block; takes constant time.
    ///
    /// # Errors
    /// [`Error::Truncated`] if a section is not inside the block, and [`Error::Inconsistent`] if the layout version or
    /// the number of bucket bits is not supported.
    pub fn parse(block: &[u8]) -> Result<Self> {
        let payload = PayloadView::parse(block)?;
        let [version, count, additional_packs] = payload.first_props()?;
        if version != VERSION {
            return Err(Error::inconsistent("front index", format!("layout version {version}, expected {VERSION}")));
        }
        let data = payload.data();
        let header = IndexHeaderRecord::get(slice(data, "front index header", 0, IndexHeaderRecord::SIZE as u64)?);
        let bits = header.bucket_bits;
        if !(1..=24).contains(&bits) {
            return Err(Error::inconsistent("front index", format!("{bits} bucket bits, expected 1 to 24")));
        }
        let table = |offset| Section { offset, count };
        for (what, section, item_size) in [
            ("index buckets", Section { offset: header.buckets, count: (1 << bits) + 1 }, u32::SIZE),
            ("index ids", table(header.ids), ResourceId::SIZE),
            ("index entries", table(header.entries), EntryRecord::SIZE),
            ("index aliases", header.aliases, AliasRecord::SIZE),
            ("index groups", header.groups, GroupRecord::SIZE),
            ("index pool", header.pool, u32::SIZE),
            ("index blobs", header.blobs, BlobRecord::SIZE),
            ("index strings", header.strings, 1),
            ("index metadata", Section { count: 0, ..header.meta }, 1),
        ] {
            slice(data, what, section.offset.into(), u64::from(section.count) * item_size as u64)?;
        }
        Ok(Self { data_offset: payload.data_offset() as u32, count, additional_packs, header })
    }

    /// Returns the index with this layout. `block` must be the block that the layout was parsed from; with another
    /// one, lookups return wrong results or errors but do not panic.
    pub fn view<'a>(&self, block: &'a [u8]) -> IndexView<'a> {
        IndexView { layout: *self, data: block.get(self.data_offset as usize..).unwrap_or_default() }
    }
}

/// Returns the block of an index with `count` entries and this data.
pub(super) fn index_block(count: u32, additional_packs: u32, data: &[u8]) -> Vec<u8> {
    block(&[VERSION, count, additional_packs], data)
}
