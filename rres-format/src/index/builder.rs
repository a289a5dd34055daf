//! The writing side of the front index.

use super::Meta;
use super::layout::{
    AliasRecord, BlobRecord, EntryRecord, GroupRecord, IndexHeaderRecord, PATCH, SHARED, Section, blob_crc, entry_crc,
    index_block,
};
use crate::asset_kind::AssetKind;
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::wire::Wire;

/// A resource for the entries of an index.
#[derive(Clone, Debug)]
pub struct EntrySpec {
    /// Id of the resource, not 0.
    pub id: ResourceId,
    /// Path of the resource, at most 65,535 bytes.
    pub path: String,
    /// Asset kind; `None` if its chunks are not of a kind that this crate knows.
    pub kind: Option<AssetKind>,
    /// File offset of the header of its first chunk: in the pack, or in the blob.
    pub offset: u32,
    /// Number of bytes from there to the end of its last chunk.
    pub stored_size: u32,
    /// Total size of its blocks before compression, in bytes; [`u32::MAX`] if it is larger.
    pub base_size: u32,
    /// Number of its chunks, not counting padding.
    pub chunk_count: u16,
    /// Whether it shares the chunks of another entry, which has the same offset and no such mark. The chunk headers contain the
    /// id of that one.
    pub is_shared: bool,
    /// Metadata that rres chunks cannot express.
    pub meta: Meta,
    /// Resources that it needs at run time.
    pub dependencies: Vec<ResourceId>,
    /// CRC-32 of the headers of its chunks, in order and without the headers of padding: in the pack, or in the blob.
    pub headers_crc: u32,
    /// Number of the blob that contains it; 0 in a pack.
    pub blob: u32,
}

/// A group for an index: resources that are loaded and dropped together.
#[derive(Clone, Debug)]
pub struct GroupSpec {
    /// Name of the group.
    pub name: String,
    /// Ids of its members. The index omits members that have no entry.
    pub members: Vec<ResourceId>,
}

/// Builds the block of an index; see [`super`] for the layout.
#[derive(Clone, Debug, Default)]
pub struct IndexBuilder {
    /// The resources, in any order.
    pub entries: Vec<EntrySpec>,
    /// The groups, in any order.
    pub groups: Vec<GroupSpec>,
    /// Content hashes of the blobs, for a dev index; empty for a pack.
    pub blobs: Vec<[u8; 32]>,
    /// Hash of the paths, ids and kinds of all assets.
    pub set_hash: [u8; 16],
    /// Number of additional packs in the pack set.
    pub additional_packs: u32,
    /// Whether the pack is a patch, whose next chunk describes it.
    pub is_patch: bool,
}

impl IndexBuilder {
    /// Returns the block of the index. Its length does not depend on the offsets and sizes of the entries.
    ///
    /// # Errors
    /// [`Error::DuplicateId`] and [`Error::ReservedId`] for the ids, and [`Error::LimitExceeded`] if a path, a number
    /// of dependencies, metadata or the whole index is too large.
    pub fn block(&self) -> Result<Vec<u8>> {
        let by_slot = self.entries_by_slot()?;
        let mut pools = Pools::default();
        let entries = by_slot.iter().map(|entry| pools.entry(entry, &self.blobs)).collect::<Result<Vec<_>>>()?;
        let groups = self.groups_by_name().map(|group| pools.group(group, &by_slot)).collect::<Vec<_>>();
        let ids: Vec<ResourceId> = by_slot.iter().map(|entry| entry.id).collect();
        let bucket_bits = bucket_bits(ids.len());
        let entry_blobs: Vec<u32> = match self.blobs.is_empty() {
            true => Vec::new(),
            false => by_slot.iter().map(|entry| entry.blob).collect(),
        };

        let mut data = vec![0; IndexHeaderRecord::SIZE];
        let header = IndexHeaderRecord {
            bucket_bits,
            buckets: section(&mut data, &bucket_starts(&ids, bucket_bits)).offset,
            entries: section(&mut data, &entries).offset,
            entry_blobs: section(&mut data, &entry_blobs).offset,
            aliases: section(&mut data, &aliases(&by_slot)),
            groups: section(&mut data, &groups),
            pool: section(&mut data, &pools.numbers),
            blobs: section::<BlobRecord>(&mut data, &self.blobs),
            strings: section(&mut data, pools.strings.as_bytes()),
            meta: section(&mut data, &pools.meta),
            set_hash: self.set_hash,
            flags: if self.is_patch { PATCH } else { 0 },
            crc32: 0,
        };
        if u32::try_from(data.len()).is_err() {
            return Err(Error::LimitExceeded {
                what: "the size of the front index in bytes",
                value: data.len() as u64,
                limit: u32::MAX.into(),
                help: "split the pack",
            });
        }
        Ok(index_block(ids.len() as u32, self.additional_packs, header, data))
    }

    /// Returns the entries in the order of their slots: by ascending id.
    fn entries_by_slot(&self) -> Result<Vec<&EntrySpec>> {
        let mut entries: Vec<&EntrySpec> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.id);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
            let (id, first, second) = (pair[0].id, pair[0].path.clone(), pair[1].path.clone());
            return Err(Error::DuplicateId { id, first, second });
        }
        match entries.first() {
            Some(entry) if entry.id == ResourceId::NONE => Err(Error::ReservedId(entry.path.clone())),
            _ => Ok(entries),
        }
    }

    fn groups_by_name(&self) -> impl Iterator<Item = &GroupSpec> {
        let mut groups: Vec<&GroupSpec> = self.groups.iter().collect();
        groups.sort_by(|a, b| a.name.cmp(&b.name));
        groups.into_iter()
    }
}

/// Appends a section at the next multiple of 4 bytes and returns its position.
fn section<T: Wire>(data: &mut Vec<u8>, items: &[T]) -> Section {
    data.resize(data.len().next_multiple_of(4), 0);
    // `IndexBuilder::block` rejects an index of 4 GiB or more when it is complete.
    let section = Section { offset: data.len() as u32, count: items.len() as u32 };
    items.iter().for_each(|item| item.put(data));
    section
}

/// Returns the number of bits with which a bucket contains about one id on average.
fn bucket_bits(count: usize) -> u32 {
    (usize::BITS - count.max(2).next_power_of_two().leading_zeros() - 1).clamp(1, 24)
}

/// Returns the slot of the first id of each bucket, then the number of ids.
fn bucket_starts(ids: &[ResourceId], bits: u32) -> Vec<u32> {
    let mut slot = 0;
    let start = |bucket: u64| {
        let first_id = bucket << (32 - bits);
        while slot < ids.len() && u64::from(ids[slot].0) < first_id {
            slot += 1;
        }
        slot as u32
    };
    (0..=1 << bits).map(start).collect()
}

fn aliases(by_slot: &[&EntrySpec]) -> Vec<AliasRecord> {
    let alias = |(slot, entry): (u32, &&EntrySpec)| {
        let path_crc = ResourceId::from_path(&entry.path);
        (path_crc != entry.id && !entry.path.is_empty()).then_some(AliasRecord { path_crc: path_crc.0, slot })
    };
    let mut aliases: Vec<_> = (0..).zip(by_slot).filter_map(alias).collect();
    aliases.sort_unstable_by_key(|alias| (alias.path_crc, alias.slot));
    aliases
}

/// The sections that entries and groups refer to by offset.
#[derive(Default)]
struct Pools {
    strings: String,
    /// The `u32` pool.
    numbers: Vec<u32>,
    meta: Vec<u8>,
}

impl Pools {
    fn entry(&mut self, entry: &EntrySpec, blobs: &[BlobRecord]) -> Result<EntryRecord> {
        let path_offset = self.string(&entry.path);
        let meta_offset = self.meta.len();
        entry.meta.write(&mut self.meta);
        let first_dependency = self.numbers.len() as u32;
        self.numbers.extend(entry.dependencies.iter().map(|id| id.0));
        let record = EntryRecord {
            id: entry.id,
            offset: entry.offset,
            stored_size: entry.stored_size,
            base_size: entry.base_size,
            path_offset,
            path_size: to_u16("the length of a path in bytes", entry.path.len(), "shorten it")?,
            kind: entry.kind.map_or(0, |kind| kind as u8),
            flags: if entry.is_shared { SHARED } else { 0 },
            chunk_count: entry.chunk_count,
            meta_size: to_u16("the size of an entry's metadata in bytes", self.meta.len() - meta_offset, "store less")?,
            meta_offset: meta_offset as u32,
            first_dependency,
            dependency_count: to_u16("the number of dependencies", entry.dependencies.len(), "split the asset")?,
            reserved: 0,
            crc32: 0,
        };
        let target = match blobs.get(entry.blob as usize) {
            Some(hash) => blob_crc(hash, entry.headers_crc),
            None => entry.headers_crc,
        };
        let mut dependencies = Vec::new();
        entry.dependencies.iter().for_each(|id| id.put(&mut dependencies));
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        let crc32 = entry_crc(target, &bytes, &self.meta[meta_offset..], &dependencies);
        Ok(EntryRecord { crc32, ..record })
    }

    fn group(&mut self, group: &GroupSpec, by_slot: &[&EntrySpec]) -> GroupRecord {
        let slot_of = |id: &ResourceId| by_slot.binary_search_by_key(id, |entry| entry.id).ok().map(|slot| slot as u32);
        let first_member = self.numbers.len() as u32;
        self.numbers.extend(group.members.iter().filter_map(slot_of));
        GroupRecord {
            name_offset: self.string(&group.name),
            name_size: group.name.len() as u32,
            first_member,
            member_count: self.numbers.len() as u32 - first_member,
        }
    }

    fn string(&mut self, text: &str) -> u32 {
        let offset = self.strings.len();
        self.strings.push_str(text);
        offset as u32
    }
}

fn to_u16(what: &'static str, value: usize, help: &'static str) -> Result<u16> {
    let exceeded = Error::LimitExceeded { what, value: value as u64, limit: u16::MAX.into(), help };
    u16::try_from(value).map_err(|_| exceeded)
}
