//! Which assets stay loaded although nothing holds them: pinned ones, and the most recently used ones up to a budget of
//! bytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_format::ResourceId;

use crate::handle::{AnyEntry, Key};
use crate::sync::lock;

/// When an asset is loaded, and how long it stays loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Residency {
    /// From the first load until the last handle is dropped. The default.
    #[default]
    WhileReferenced,
    /// From the moment when this many [`crate::PendingAsset`] of it exist, until the last one is dropped. Loading
    /// starts by itself.
    Threshold(u32),
    /// From the first load on, whether something holds it or not.
    Pinned,
}

/// Tracks the memory of one store, and owns the assets that stay loaded although nothing else holds them.
#[derive(Default)]
pub(super) struct ResidencyManager {
    /// The bytes of all values that are alive.
    bytes: AtomicU64,
    budget: AtomicU64,
    /// Counts uses.
    clock: AtomicU64,
    loads: AtomicU64,
    evictions: AtomicU64,
    kept: Mutex<Kept>,
}

/// An entry is in at most one of the maps of entries, so the store owns it at most once.
#[derive(Default)]
struct Kept {
    residency: HashMap<ResourceId, Residency>,
    pinned: HashMap<Key, Arc<dyn AnyEntry>>,
    /// Candidates for eviction: everything that was loaded since the budget is not 0.
    recent: HashMap<Key, Arc<dyn AnyEntry>>,
}

impl ResidencyManager {
    /// Called when a value of `old` bytes was replaced by one of `new` bytes; 0 for no value.
    pub(super) fn resize(&self, old: u64, new: u64) {
        // If the difference is negative, both operations wrap, and the sum is right.
        self.bytes.fetch_add(new.wrapping_sub(old), Ordering::Relaxed);
    }

    pub(super) fn residency(&self, id: ResourceId) -> Residency {
        lock(&self.kept).residency.get(&id).copied().unwrap_or_default()
    }

    pub(super) fn set_residency(&self, id: ResourceId, residency: Residency, alive: Vec<Arc<dyn AnyEntry>>) {
        let mut kept = lock(&self.kept);
        kept.residency.insert(id, residency);
        // Dropped after the lock, as everywhere here: the destructor of a value is the program's code.
        let mut freed = Vec::new();
        match residency {
            Residency::Pinned => {
                for entry in alive.iter().filter(|entry| entry.meta().id() == id && entry.version() > 0) {
                    let key = entry.meta().key;
                    kept.pinned.insert(key, Arc::clone(entry));
                    freed.extend(kept.recent.remove(&key));
                }
            }
            _ => {
                let unpinned: Vec<_> = kept.pinned.extract_if(|key, _| key.id == id).collect();
                match self.budget() {
                    0 => freed.extend(unpinned.into_iter().map(|(_, entry)| entry)),
                    _ => kept.recent.extend(unpinned),
                }
            }
        }
        drop(kept);
        drop((freed, alive));
        self.trim();
    }

    pub(super) fn set_budget(&self, bytes: u64) {
        self.budget.store(bytes, Ordering::Relaxed);
        self.trim();
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget.load(Ordering::Relaxed)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns how often the first value of an asset was made.
    pub(super) fn loads(&self) -> u64 {
        self.loads.load(Ordering::Relaxed)
    }

    pub(super) fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    /// Called when an asset is asked for.
    #[inline]
    pub(super) fn used(&self, entry: &dyn AnyEntry) {
        if self.budget() > 0 {
            entry.last_used().store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Called when an asset has its first value.
    pub(super) fn loaded(&self, entry: &Arc<dyn AnyEntry>) {
        self.loads.fetch_add(1, Ordering::Relaxed);
        let (key, budget) = (entry.meta().key, self.budget());
        let mut kept = lock(&self.kept);
        let old = if kept.residency.get(&key.id) == Some(&Residency::Pinned) {
            kept.pinned.insert(key, Arc::clone(entry))
        } else if budget > 0 {
            kept.recent.insert(key, Arc::clone(entry))
        } else {
            None
        };
        drop(kept);
        drop(old);
        self.used(&**entry);
        if budget > 0 {
            self.trim();
        }
    }

    /// Frees assets that nothing holds, the least recently used first, until the rest is within the budget.
    pub(super) fn trim(&self) {
        let budget = self.budget();
        // Freeing a model may leave nothing that holds its images, so look again as long as that helps.
        while self.bytes() > budget || budget == 0 {
            let mut kept = lock(&self.kept);
            let mut idle: Vec<(u64, Key, u64)> = kept
                .recent
                .iter()
                // Only this map holds it. A thread that acquires it meanwhile still keeps it alive.
                .filter(|(_, entry)| Arc::strong_count(entry) == 1)
                .map(|(key, entry)| {
                    let bytes = entry.provenance().map_or(0, |provenance| provenance.bytes);
                    (entry.last_used().load(Ordering::Relaxed), *key, bytes)
                })
                .collect();
            idle.sort_by_key(|(used, ..)| *used);
            let mut excess = self.bytes().saturating_sub(budget);
            let mut freed = Vec::new();
            for (_, key, bytes) in idle {
                if excess == 0 && budget > 0 {
                    break;
                }
                excess = excess.saturating_sub(bytes);
                freed.extend(kept.recent.remove(&key));
            }
            let idle_count = freed.len();
            if budget == 0 {
                // Assets with handles stay alive.
                freed.extend(std::mem::take(&mut kept.recent).into_values());
            }
            drop(kept);
            self.evictions.fetch_add(freed.len() as u64, Ordering::Relaxed);
            drop(freed);
            if idle_count == 0 || budget == 0 {
                break;
            }
        }
    }

    /// Returns how many assets are alive only because they are pinned or within the budget.
    pub(super) fn kept_alone(&self) -> usize {
        let kept = lock(&self.kept);
        kept.pinned.values().chain(kept.recent.values()).filter(|entry| Arc::strong_count(entry) == 1).count()
    }

    /// Returns the assets that the store holds, whether something else does or not.
    pub(super) fn held(&self) -> HashSet<Key> {
        let kept = lock(&self.kept);
        kept.pinned.keys().chain(kept.recent.keys()).copied().collect()
    }

    /// Drops an asset that it holds. Its residency stays as it is.
    pub(super) fn release(&self, id: ResourceId) {
        let mut kept = lock(&self.kept);
        let pinned: Vec<_> = kept.pinned.extract_if(|key, _| key.id == id).collect();
        let recent: Vec<_> = kept.recent.extract_if(|key, _| key.id == id).collect();
        drop(kept);
        drop((pinned, recent));
    }

    /// Drops everything that it holds.
    pub(super) fn clear(&self) {
        let kept = std::mem::take(&mut *lock(&self.kept));
        drop(kept);
    }
}
