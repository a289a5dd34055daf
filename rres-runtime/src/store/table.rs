//! The assets that are alive: a table from id, type and choice of the variant to the entry. It refers to entries weakly, so an asset is freed
//! with its last owner.
//!
//! A game asks for the same assets in each frame, mostly by generated constants. These contain a slot, which leads to the entry
//! without a hash: of 65,000 entries, a hash table reads three cache lines that nothing else has read before.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use rres_protocol::packed_id::Slot;

use crate::handle::{AnyEntry, AssetEntry, Key};

/// The number of slots that lead to entries, for 16 bytes each. Packs of a set have their number in the high bits.
const SLOTS: usize = 4 << 16;

/// The store attaches a value to each entry, which stays the same as long as the entry lives.
pub(super) struct Table<A> {
    entries: RwLock<Entries<A>>,
}

struct Entries<A> {
    by_key: HashMap<Key, (Weak<dyn AnyEntry>, A), BuildHasherDefault<KeyHasher>>,
    /// The last entry that was added with each slot. Slots are hints, so it may be that of another key.
    by_slot: Vec<Option<Weak<dyn AnyEntry>>>,
}

impl<A: Copy> Table<A> {
    pub(super) fn new() -> Self {
        Self { entries: RwLock::new(Entries { by_key: HashMap::default(), by_slot: Vec::new() }) }
    }

    /// Returns the entry of an asset as `T`, if it is alive.
    pub(super) fn get<T: Send + Sync + 'static>(&self, key: Key, slot: Slot) -> Option<Arc<AssetEntry<T>>> {
        self.find(key, slot)?.downcast()
    }

    /// Returns the entry of an asset as `T`; adds the one that `new` makes, and the attachment, if it is not alive.
    pub(super) fn get_or_insert<T: Send + Sync + 'static>(
        &self,
        key: Key,
        slot: Slot,
        attachment: A,
        new: impl FnOnce() -> AssetEntry<T>,
    ) -> Arc<AssetEntry<T>> {
        // Made before the lock is taken: finding its path may wait for other locks.
        let entry = self.find(key, slot).unwrap_or_else(|| self.insert(key, slot, attachment, Arc::new(new())));
        entry.downcast().expect("the type is part of the key")
    }

    /// Returns what was attached to an entry that is alive.
    pub(super) fn attachment(&self, key: Key) -> Option<A> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.by_key.get(&key).map(|(_, attachment)| *attachment)
    }

    // The following functions are not generic over the asset's type, so that a program contains them once.

    fn find(&self, key: Key, slot: Slot) -> Option<Arc<dyn AnyEntry>> {
        let read = || self.entries.read().unwrap_or_else(PoisonError::into_inner);
        // One with another key must be dropped after the lock, because its destructor takes the lock.
        let hinted = read().by_slot.get(slot.0 as usize).and_then(|entry| entry.as_ref()?.upgrade());
        hinted.filter(|entry| entry.meta().key == key).or_else(|| read().by_key.get(&key)?.0.upgrade())
    }

    /// Adds an entry and returns it, or the one that another thread added before.
    fn insert(&self, key: Key, slot: Slot, attachment: A, new: Arc<dyn AnyEntry>) -> Arc<dyn AnyEntry> {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.by_key.get(&key).and_then(|(entry, _)| entry.upgrade()) {
            // `new` must be dropped after the lock, because its destructor takes the lock.
            drop(entries);
            return entry;
        }
        entries.by_key.insert(key, (Arc::downgrade(&new), attachment));
        let slot = slot.0 as usize;
        if slot < SLOTS {
            if slot >= entries.by_slot.len() {
                entries.by_slot.resize(slot + 1, None);
            }
            entries.by_slot[slot] = Some(Arc::downgrade(&new));
        }
        new
    }

    /// Returns every entry that is alive.
    pub(super) fn alive(&self) -> Vec<Arc<dyn AnyEntry>> {
        // The entries outlive the lock: the destructor of an entry takes it.
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.by_key.values().filter_map(|(entry, _)| entry.upgrade()).collect()
    }

    /// Forgets an asset whose entry was dropped.
    pub(super) fn forget(&self, key: Key, slot: Slot) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have added it again already.
        if entries.by_key.get(&key).is_some_and(|(entry, _)| entry.strong_count() == 0) {
            entries.by_key.remove(&key);
        }
        // The memory of an entry is free when nothing refers to it, not even weakly.
        if let Some(hinted) = entries.by_slot.get_mut(slot.0 as usize) {
            hinted.take_if(|entry| entry.strong_count() == 0);
        }
    }
}

/// Combines ids and type ids. Ids are checksums and type ids are hashes, so their bits are already spread evenly.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        // The constant of Fibonacci hashing: 2⁶⁴ divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use rres_format::ResourceId;

    use super::*;
    use crate::handle::{AssetMeta, Choice, EntryOwner};

    /// A table without a store: entries that are dropped stay in it until they are forgotten.
    struct NoOwner;

    impl EntryOwner for NoOwner {
        fn resized(&self, _: u64, _: u64) {}

        fn dropped(&self, _: &AssetMeta) {}
    }

    fn add(table: &Table<u8>, id: u32, slot: Slot) -> Arc<AssetEntry<u8>> {
        let key = key(id);
        let owner: Weak<dyn EntryOwner> = Weak::<NoOwner>::new();
        table.get_or_insert(key, slot, 0, || AssetEntry::new(AssetMeta::new::<u8>(key, slot, ""), owner))
    }

    fn key(id: u32) -> Key {
        Key::new::<u8>(ResourceId(id), Choice::Preferred)
    }

    #[test]
    fn a_slot_is_a_hint() {
        let table = Table::new();
        let far = Slot::in_set(60_000, 3);
        let entries =
            [(1, Slot(5)), (2, Slot(5)), (3, Slot(0)), (4, far)].map(|(id, slot)| (id, add(&table, id, slot)));
        for (id, entry) in &entries {
            for slot in [Slot(0), Slot(5), Slot(6), far, Slot(u32::MAX)] {
                let found = table.get::<u8>(key(*id), slot).expect("it is alive");
                assert!(Arc::ptr_eq(&found, entry), "{id} at {slot:?}");
                assert!(Arc::ptr_eq(&add(&table, *id, slot), entry), "{id} at {slot:?}");
            }
        }
        assert!(table.get::<u8>(key(9), Slot(5)).is_none());
        assert!(table.entries.read().unwrap().by_slot.len() == 6, "no memory for a slot that is far away");
    }

    #[test]
    fn nothing_refers_to_what_is_forgotten() {
        let table = Table::new();
        drop(add(&table, 1, Slot(5)));
        table.forget(key(1), Slot(5));
        let entries = table.entries.read().unwrap();
        // A weak reference would keep the memory of the entry.
        assert!(entries.by_key.is_empty() && entries.by_slot.iter().all(Option::is_none));
        drop(entries);
        assert!(table.get::<u8>(key(1), Slot(5)).is_none());
        let again = add(&table, 1, Slot(5));
        table.forget(key(1), Slot(5));
        assert!(Arc::ptr_eq(&table.get::<u8>(key(1), Slot(5)).unwrap(), &again), "another thread has added it again");
    }

    #[test]
    fn keys_spread_over_the_low_and_the_high_bits_of_the_hash() {
        let hash = |id: u32| {
            let mut hasher = KeyHasher::default();
            key(id).hash(&mut hasher);
            hasher.finish()
        };
        // `HashMap` takes the bucket from the low bits and seven more from the top.
        let low: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) & 4095).collect();
        let high: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) >> 57).collect();
        assert!(low.len() > 2400 && high.len() == 128, "{} and {}", low.len(), high.len());
    }
}
