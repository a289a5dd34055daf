//! The writing side of the front index.

use super::{ENTRY_SIZE, HEAD_SIZE, Meta, VERSION};
use crate::asset_kind::AssetKind;
use crate::chunk::block;
use crate::error::{Error, Result};
use crate::id::ResourceId;

/// What the index is to say of one resource.
#[derive(Clone, Debug)]
pub struct EntrySpec {
    /// The resource.
    pub id: ResourceId,
    /// Its path.
    pub path: String,
    /// What it is.
    pub kind: AssetKind,
    /// File offset of its first chunk's head.
    pub offset: u32,
    /// Bytes from there to the end of its last chunk.
    pub stored_size: u32,
    /// Bytes of all its blocks before compression.
    pub base_size: u32,
    /// Number of its chunks.
    pub chunk_count: u16,
    /// What rres has no field for.
    pub meta: Meta,
    /// Resources that it needs.
    pub dependencies: Vec<ResourceId>,
    /// Which blob it is in; 0 in a pack.
    pub blob: u32,
}

/// A group and its members.
#[derive(Clone, Debug)]
pub struct GroupSpec {
    /// Its name.
    pub name: String,
    /// Its members; those that are not in the index are left out.
    pub members: Vec<ResourceId>,
}

/// Collects entries and lays them out; see [`super`] for the layout.
#[derive(Clone, Debug, Default)]
pub struct IndexBuilder {
    /// The resources, in any order.
    pub entries: Vec<EntrySpec>,
    /// The groups, in any order.
    pub groups: Vec<GroupSpec>,
    /// Content hashes of blobs, for a dev index.
    pub blobs: Vec<[u8; 32]>,
    /// Hash of the set of paths, ids and kinds.
    pub set_hash: [u8; 16],
    /// How many packs belong to the set beside this one.
    pub further_packs: u32,
}

impl IndexBuilder {
    /// The block of the index. Its length depends on names and counts, not on offsets.
    ///
    /// # Errors
    /// [`Error::DuplicateId`], [`Error::ReservedId`], [`Error::LimitExceeded`].
    pub fn block(&self) -> Result<Vec<u8>> {
        let mut order: Vec<&EntrySpec> = self.entries.iter().collect();
        order.sort_by_key(|entry| entry.id);
        if let Some(pair) = order.windows(2).find(|pair| pair[0].id == pair[1].id) {
            let (id, first, second) = (pair[0].id, pair[0].path.clone(), pair[1].path.clone());
            return Err(Error::DuplicateId { id, first, second });
        }
        if let Some(entry) = order.first().filter(|entry| entry.id == ResourceId::NONE) {
            return Err(Error::ReservedId(entry.path.clone()));
        }
        let slot_of = |id: ResourceId| order.binary_search_by_key(&id, |entry| entry.id).ok().map(|slot| slot as u32);

        let mut strings = Strings::default();
        let mut numbers: Vec<u32> = Vec::new();
        let mut meta = Vec::new();
        let mut entries = Vec::with_capacity(order.len() * ENTRY_SIZE);
        let mut aliases: Vec<(u32, u32)> = Vec::new();
        for (slot, entry) in order.iter().enumerate() {
            let name = strings.put(&entry.path);
            let meta_offset = meta.len();
            entry.meta.write(&mut meta);
            let first_number = numbers.len() as u32;
            numbers.extend(entry.dependencies.iter().map(|id| id.0));
            let path_id = ResourceId::from_path(&entry.path);
            if path_id != entry.id {
                aliases.push((path_id.0, slot as u32));
            }
            let small = |what, value: usize, help| {
                u16::try_from(value).map_err(|_| Error::LimitExceeded {
                    what,
                    value: value as u64,
                    limit: u16::MAX.into(),
                    help,
                })
            };
            for value in [entry.offset, entry.stored_size, entry.base_size, name] {
                entries.extend_from_slice(&value.to_le_bytes());
            }
            let name_size = small("the length of a path", entry.path.len(), "shorten it")?;
            entries.extend_from_slice(&name_size.to_le_bytes());
            entries.extend_from_slice(&[entry.kind as u8, 0]);
            entries.extend_from_slice(&entry.chunk_count.to_le_bytes());
            let meta_size = small("the size of an entry's meta", meta.len() - meta_offset, "store less")?;
            entries.extend_from_slice(&meta_size.to_le_bytes());
            entries.extend_from_slice(&(meta_offset as u32).to_le_bytes());
            entries.extend_from_slice(&first_number.to_le_bytes());
            let dependencies = small("the number of dependencies", entry.dependencies.len(), "split the asset")?;
            entries.extend_from_slice(&dependencies.to_le_bytes());
            entries.extend_from_slice(&[0, 0]);
            entries.extend_from_slice(&entry.blob.to_le_bytes());
        }
        aliases.sort_unstable();

        let mut sorted_groups: Vec<&GroupSpec> = self.groups.iter().collect();
        sorted_groups.sort_by(|a, b| a.name.cmp(&b.name));
        let mut groups: Vec<u32> = Vec::new();
        for group in sorted_groups {
            let name = strings.put(&group.name);
            let first = numbers.len();
            numbers.extend(group.members.iter().filter_map(|id| slot_of(*id)));
            groups.extend([name, group.name.len() as u32, first as u32, (numbers.len() - first) as u32]);
        }

        let bits = usize::BITS - order.len().max(2).next_power_of_two().leading_zeros() - 1;
        let bits = bits.clamp(1, 24);
        let mut data = vec![0; HEAD_SIZE];
        let mut head = vec![bits];
        head.push(data.len() as u32);
        let mut slot = 0;
        for bucket in 0..=(1u64 << bits) {
            let least = bucket << (32 - bits);
            while slot < order.len() && u64::from(order[slot].id.0) < least {
                slot += 1;
            }
            data.extend_from_slice(&(slot as u32).to_le_bytes());
        }
        head.push(data.len() as u32);
        data.extend(order.iter().flat_map(|entry| entry.id.0.to_le_bytes()));
        head.push(data.len() as u32);
        data.extend_from_slice(&entries);
        head.push(data.len() as u32);
        head.push(aliases.len() as u32);
        data.extend(aliases.iter().flat_map(|(crc, slot)| [crc.to_le_bytes(), slot.to_le_bytes()].concat()));
        head.extend([data.len() as u32, groups.len() as u32 / 4]);
        data.extend(groups.iter().flat_map(|value| value.to_le_bytes()));
        head.extend([data.len() as u32, numbers.len() as u32]);
        data.extend(numbers.iter().flat_map(|value| value.to_le_bytes()));
        head.extend([data.len() as u32, self.blobs.len() as u32]);
        data.extend(self.blobs.iter().flatten());
        head.extend([data.len() as u32, strings.0.len() as u32]);
        data.extend_from_slice(strings.0.as_bytes());
        data.resize(data.len().next_multiple_of(4), 0);
        head.extend([data.len() as u32, 0]);
        data.extend_from_slice(&meta);
        if u32::try_from(data.len()).is_err() {
            return Err(Error::LimitExceeded {
                what: "the size of the front index",
                value: data.len() as u64,
                limit: u32::MAX.into(),
                help: "split the pack",
            });
        }
        for (slot, value) in data.chunks_exact_mut(4).zip(head) {
            slot.copy_from_slice(&value.to_le_bytes());
        }
        data[64..HEAD_SIZE].copy_from_slice(&self.set_hash);
        Ok(block(&[VERSION, order.len() as u32, self.further_packs], &data))
    }
}

/// Names, one after the other.
#[derive(Default)]
struct Strings(String);

impl Strings {
    fn put(&mut self, text: &str) -> u32 {
        let offset = self.0.len();
        self.0.push_str(text);
        offset as u32
    }
}
