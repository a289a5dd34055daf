//! Which assets are alive: from id and type to the cell, known weakly, so that the last handle frees it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::handle::cell::{AnyCell, Cell, Key};

#[derive(Default)]
pub(crate) struct Table {
    cells: RwLock<HashMap<Key, Weak<dyn AnyCell>, BuildHasherDefault<KeyHasher>>>,
}

impl Table {
    /// The cell of an asset as `T`, where it is alive.
    pub(crate) fn get<T: Send + Sync + 'static>(&self, key: Key) -> Option<Arc<Cell<T>>> {
        downcast(self.find(key)?)
    }

    /// The cell of an asset as `T`; `new` makes it where it is not alive.
    pub(crate) fn get_or_insert<T: Send + Sync + 'static>(
        &self,
        key: Key,
        new: impl FnOnce() -> Cell<T>,
    ) -> Arc<Cell<T>> {
        // Made before the lock is taken: finding its path may wait for other locks.
        let cell = self.find(key).unwrap_or_else(|| self.insert(key, Arc::new(new())));
        downcast(cell).expect("the type is part of the key")
    }

    // What follows knows no type, so that a program has it once and not for each kind of asset.

    fn find(&self, key: Key) -> Option<Arc<dyn AnyCell>> {
        let cells = self.cells.read().unwrap_or_else(PoisonError::into_inner);
        cells.get(&key)?.upgrade()
    }

    /// Adds a cell, and gives the one that counts: where another thread was faster, its own.
    fn insert(&self, key: Key, new: Arc<dyn AnyCell>) -> Arc<dyn AnyCell> {
        let mut cells = self.cells.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cells.get(&key).and_then(Weak::upgrade) {
            // `new` must be dropped after the lock, which its end asks for.
            drop(cells);
            return cell;
        }
        cells.insert(key, Arc::downgrade(&new));
        new
    }

    /// Every cell that is alive.
    pub(crate) fn alive(&self) -> Vec<Arc<dyn AnyCell>> {
        // The cells outlive the lock: the last owner of one would ask for the lock again.
        let cells = self.cells.read().unwrap_or_else(PoisonError::into_inner);
        cells.values().filter_map(Weak::upgrade).collect()
    }

    /// Forgets an asset whose cell is gone.
    pub(crate) fn forget(&self, key: Key) {
        let mut cells = self.cells.write().unwrap_or_else(PoisonError::into_inner);
        // It may be back already.
        if cells.get(&key).is_some_and(|cell| cell.strong_count() == 0) {
            cells.remove(&key);
        }
    }
}

fn downcast<T: Send + Sync + 'static>(cell: Arc<dyn AnyCell>) -> Option<Arc<Cell<T>>> {
    let any: Arc<dyn std::any::Any + Send + Sync> = cell;
    any.downcast().ok()
}

/// Ids are checksums and type ids are hashes: spread well already, they only have to be brought together.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

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
        // The constant of Fibonacci hashing, 2⁶⁴ by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::hash::Hash;

    use super::*;

    #[test]
    fn keys_spread_over_the_low_and_the_high_bits_of_the_hash() {
        let hash = |id: u32| {
            let mut hasher = KeyHasher::default();
            (rres_format::ResourceId(id), TypeId::of::<u8>()).hash(&mut hasher);
            hasher.finish()
        };
        // `HashMap` takes the bucket from the low bits and seven more from the top.
        let low: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) & 4095).collect();
        let high: std::collections::HashSet<u64> = (0..4096).map(|id| hash(id) >> 57).collect();
        assert!(low.len() > 2400 && high.len() == 128, "{} and {}", low.len(), high.len());
    }
}
