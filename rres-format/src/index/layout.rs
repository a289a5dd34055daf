//! The records of the front index. [`super::IndexView`] and [`super::IndexBuilder`] share their declarations.

use crate::bytes::slice;
use crate::chunk::{PayloadView, block};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::{Wire, wire_record};

use super::IndexView;

/// The layout version that this crate reads and writes: the first property of the chunk.
pub const LAYOUT_VERSION: u32 = 2;

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
    pub(super) struct IndexHeaderRecord[88] {
        /// Number of top bits of an id that select its bucket.
        pub(super) bucket_bits: u32,
        pub(super) buckets: u32,
        pub(super) entries: u32,
        /// The number of the blob of each entry; only in a dev index.
        pub(super) entry_blobs: u32,
        pub(super) aliases: Section,
        pub(super) groups: Section,
        /// The `u32` pool: members of groups (slots) and dependencies of entries (ids).
        pub(super) pool: Section,
        pub(super) blobs: Section,
        /// UTF-8; the count is in bytes.
        pub(super) strings: Section,
        /// The count is in bytes; extends to the end of the data.
        pub(super) meta: Section,
        pub(super) set_hash: [u8; 16],
        /// [`PATCH`] or 0.
        pub(super) flags: u32,
        /// See [`header_crc`].
        pub(super) crc32: u32,
    }
}

impl IndexHeaderRecord {
    /// Returns the section with the number of the blob of each of `count` entries, which is empty in a pack.
    pub(super) fn entry_blobs(&self, count: u32) -> Section {
        Section { offset: self.entry_blobs, count: if self.blobs.count > 0 { count } else { 0 } }
    }
}

/// The number of properties of a block.
const PROPS: usize = 3;

/// Returns the CRC-32 of the properties of a block, and of the header before its last field, so that a reader finds
/// damage there without reading the rest of the index.
pub(super) fn header_crc(block: &[u8]) -> Result<u32> {
    let covered = PROPS * u32::SIZE + IndexHeaderRecord::SIZE - u32::SIZE;
    // The number of properties comes first.
    slice(block, "front index header", u32::SIZE as u64, covered as u64).map(crc32fast::hash)
}

/// The flag of an index whose pack is a patch: the next chunk describes it. Other packs need not be looked at there, which
/// would touch another page of the file.
pub(super) const PATCH: u32 = 1;

/// The flag of an entry that shares the chunks of another entry.
pub(super) const SHARED: u8 = 1;

wire_record! {
    /// One resource. The id comes first, so that a search and the read that follows it touch the same memory.
    pub(super) struct EntryRecord[44] {
        pub(super) id: ResourceId,
        pub(super) offset: u32,
        pub(super) stored_size: u32,
        pub(super) base_size: u32,
        pub(super) path_offset: u32,
        pub(super) meta_offset: u32,
        pub(super) first_dependency: u32,
        pub(super) path_size: u16,
        pub(super) meta_size: u16,
        pub(super) dependency_count: u16,
        pub(super) chunk_count: u16,
        pub(super) kind: u8,
        /// [`SHARED`] or 0.
        pub(super) flags: u8,
        /// No meaning yet, 0.
        pub(super) reserved: u16,
        /// See [`entry_crc`].
        pub(super) crc32: u32,
    }
}

/// Returns the CRC-32 of what an entry of a dev index leads to: the content hash of its blob, and the CRC-32 of the headers of its
/// chunks there.
pub(super) fn blob_crc(hash: &BlobRecord, headers_crc: u32) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(hash);
    crc.update(&headers_crc.to_le_bytes());
    crc.finalize()
}

/// Returns the CRC-32 of four parts: what the entry leads to (the headers of its chunks, or what [`blob_crc`] covers
/// in a dev index), whose CRC-32 is `target`; the bytes of the record before `crc32`; its metadata; its dependencies.
pub(super) fn entry_crc(target: u32, record: &[u8], meta: &[u8], dependencies: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new_with_initial(target);
    crc.update(&record[..EntryRecord::SIZE - u32::SIZE]);
    crc.update(meta);
    crc.update(dependencies);
    crc.finalize()
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
    /// [`Error::Truncated`] if a section is not inside the block, [`Error::DamagedIndex`] if the header is damaged, and
    /// [`Error::Inconsistent`] if the layout version or the number of bucket bits is not supported.
    pub fn parse(block: &[u8]) -> Result<Self> {
        let payload = PayloadView::parse(block)?;
        let [version, count, additional_packs] = payload.first_props()?;
        if version != LAYOUT_VERSION {
            return Err(Error::inconsistent(
                "front index",
                format!("layout version {version}, expected {LAYOUT_VERSION}"),
            ));
        }
        let data = payload.data();
        let header = IndexHeaderRecord::get(slice(data, "front index header", 0, IndexHeaderRecord::SIZE as u64)?);
        let computed = header_crc(block)?;
        if header.crc32 != computed {
            return Err(Error::DamagedIndex { part: "its header".to_owned(), stored: header.crc32, computed });
        }
        if header.flags & !PATCH != 0 {
            let detail = format!("it has flags {:#x}, which only newer versions know", header.flags);
            return Err(Error::inconsistent("front index", detail));
        }
        let bits = header.bucket_bits;
        if !(1..=24).contains(&bits) {
            return Err(Error::inconsistent("front index", format!("{bits} bucket bits, expected 1 to 24")));
        }
        let table = |offset| Section { offset, count };
        for (what, section, item_size) in [
            ("index buckets", Section { offset: header.buckets, count: (1 << bits) + 1 }, u32::SIZE),
            ("index entries", table(header.entries), EntryRecord::SIZE),
            ("index blobs of entries", header.entry_blobs(count), u32::SIZE),
            ("index aliases", header.aliases, AliasRecord::SIZE),
            ("index groups", header.groups, GroupRecord::SIZE),
            ("index pool", header.pool, u32::SIZE),
            ("index blobs", header.blobs, BlobRecord::SIZE),
            ("index strings", header.strings, 1),
            ("index metadata", header.meta, 1),
        ] {
            slice(data, what, section.offset.into(), u64::from(section.count) * item_size as u64)?;
        }
        let end = u64::from(header.meta.offset) + u64::from(header.meta.count);
        if end != data.len() as u64 {
            let detail = format!("{} bytes of data, expected {end}", data.len());
            return Err(Error::inconsistent("front index", detail));
        }
        Ok(Self { data_offset: payload.data_offset() as u32, count, additional_packs, header })
    }

    /// Whether `bytes` start with the properties and the header of an index, by their CRC.
    pub(crate) fn has_header(bytes: &[u8]) -> bool {
        let count = bytes.first_chunk().map(|count| u32::from_le_bytes(*count));
        let Some(end) = bytes.get(..(1 + PROPS) * u32::SIZE + IndexHeaderRecord::SIZE) else { return false };
        let stored = end.last_chunk().map(|crc| u32::from_le_bytes(*crc));
        count == Some(PROPS as u32) && header_crc(bytes).ok() == stored
    }

    /// Returns the index with this layout. `block` must be the block that the layout was parsed from; with another
    /// one, lookups return wrong results or errors but do not panic.
    pub fn view<'a>(&self, block: &'a [u8]) -> IndexView<'a> {
        IndexView { layout: *self, data: block.get(self.data_offset as usize..).unwrap_or_default() }
    }
}

/// Returns the block of an index with `count` entries. The data starts with space for the header.
pub(super) fn index_block(count: u32, additional_packs: u32, header: IndexHeaderRecord, mut data: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(IndexHeaderRecord::SIZE);
    header.put(&mut bytes);
    data[..IndexHeaderRecord::SIZE].copy_from_slice(&bytes);
    let mut block = block(&[LAYOUT_VERSION, count, additional_packs], &data);
    let crc32 = header_crc(&block).expect("the block starts with properties and a header");
    let end = block.len() - data.len() + IndexHeaderRecord::SIZE;
    block[end - u32::SIZE..end].copy_from_slice(&crc32.to_le_bytes());
    block
}
