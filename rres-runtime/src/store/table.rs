//! The assets that are alive: a table from id, type and choice of the variant to the entry. It refers to entries weakly, so an asset is freed
//! with its last owner.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::handle::{AnyEntry, AssetEntry, Key};

/// The store attaches a value to each entry, which stays the same as long as the entry lives.
pub(super) struct Table<A> {
    entries: RwLock<Entries<A>>,
}

type Entries<A> = HashMap<Key, (Weak<dyn AnyEntry>, A), BuildHasherDefault<KeyHasher>>;

impl<A: Copy> Table<A> {
    pub(super) fn new() -> Self {
        Self { entries: RwLock::default() }
    }

    /// Returns the entry of an asset as `T`, if it is alive.
    pub(super) fn get<T: Send + Sync + 'static>(&self, key: Key) -> Option<Arc<AssetEntry<T>>> {
        self.find(key)?.downcast()
    }

    /// Returns the entry of an asset as `T`; adds the one that `new` makes, and the attachment, if it is not alive.
    pub(super) fn get_or_insert<T: Send + Sync + 'static>(
        &self,
        key: Key,
        attachment: A,
        new: impl FnOnce() -> AssetEntry<T>,
    ) -> Arc<AssetEntry<T>> {
        // Made before the lock is taken: finding its path may wait for other locks.
        let entry = self.find(key).unwrap_or_else(|| self.insert(key, attachment, Arc::new(new())));
        entry.downcast().expect("the type is part of the key")
    }

    /// Returns what was attached to an entry that is alive.
    pub(super) fn attachment(&self, key: Key) -> Option<A> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(&key).map(|(_, attachment)| *attachment)
    }

    // The following functions are not generic over the asset's type, so that a program contains them once.

    fn find(&self, key: Key) -> Option<Arc<dyn AnyEntry>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(&key)?.0.upgrade()
    }

    /// Adds an entry and returns it, or the one that another thread added before.
    fn insert(&self, key: Key, attachment: A, new: Arc<dyn AnyEntry>) -> Arc<dyn AnyEntry> {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get(&key).and_then(|(entry, _)| entry.upgrade()) {
            // `new` must be dropped after the lock, because its destructor takes the lock.
            drop(entries);
            return entry;
        }
        entries.insert(key, (Arc::downgrade(&new), attachment));
        new
    }

    /// Returns every entry that is alive.
    pub(super) fn alive(&self) -> Vec<Arc<dyn AnyEntry>> {
        // The entries outlive the lock: the destructor of an entry takes it.
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.values().filter_map(|(entry, _)| entry.upgrade()).collect()
    }

    /// Forgets an asset whose entry was dropped.
    pub(super) fn forget(&self, key: Key) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have added it again already.
        if entries.get(&key).is_some_and(|(entry, _)| entry.strong_count() == 0) {
            entries.remove(&key);
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

    use super::*;
    use crate::handle::Choice;

    #[test]
    fn keys_spread_over_the_low_and_the_high_bits_of_the_hash() {
        let hash = |id: u32| {
            let mut hasher = KeyHasher::default();
            Key::new::<u8>(rres_format::ResourceId(id), Choice::Preferred).hash(&mut hasher);
            hasher.finish()
        };
        // `HashMap` takes the bucket from the low bits and seven more from the top.
        let low: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) & 4095).collect();
        let high: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) >> 57).collect();
        assert!(low.len() > 2400 && high.len() == 128, "{} and {}", low.len(), high.len());
    }
}
