//! What stays loaded though nobody holds it: pinned assets, and the most recently used ones up to a budget of bytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_format::ResourceId;

use crate::handle::cell::{AnyCell, Key};
use crate::sync::lock;

/// When an asset is loaded, and how long it stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Residency {
    /// Loaded by the first who loads it, freed with the last handle. The default.
    #[default]
    OnFirstUse,
    /// Loaded on its own as soon as this many [`crate::Pending`] of it exist, freed with the last of them.
    Threshold(u32),
    /// Once loaded it stays, whoever holds it.
    Pinned,
}

/// The accounts of one store.
#[derive(Default)]
pub(crate) struct Residence {
    /// Bytes of all values that are alive.
    pub(crate) bytes: AtomicU64,
    /// Up to how many bytes assets are kept that nobody holds.
    budget: AtomicU64,
    /// A clock of uses.
    clock: AtomicU64,
    pub(crate) loads: AtomicU64,
    pub(crate) evictions: AtomicU64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    residency: HashMap<ResourceId, Residency>,
    pinned: HashMap<Key, Arc<dyn AnyCell>>,
    /// Candidates for eviction: everything that was loaded since there is a budget.
    recent: HashMap<Key, Arc<dyn AnyCell>>,
}

impl Residence {
    /// A value of `old` bytes was replaced by one of `new` bytes; 0 for none.
    pub(crate) fn resize(&self, old: u64, new: u64) {
        // Wraps in both directions, and comes out right.
        self.bytes.fetch_add(new.wrapping_sub(old), Ordering::Relaxed);
    }

    pub(crate) fn residency(&self, id: ResourceId) -> Residency {
        lock(&self.kept).residency.get(&id).copied().unwrap_or_default()
    }

    pub(crate) fn set_residency(&self, id: ResourceId, residency: Residency, alive: Vec<Arc<dyn AnyCell>>) {
        let mut kept = lock(&self.kept);
        kept.residency.insert(id, residency);
        let mut freed = Vec::new();
        match residency {
            Residency::Pinned => {
                let ready = alive.iter().filter(|cell| cell.head().id == id && cell.version() > 0);
                kept.pinned.extend(ready.map(|cell| (cell.head().key(), Arc::clone(cell))));
            }
            _ => freed.extend(kept.pinned.extract_if(|key, _| key.0 == id)),
        }
        drop(kept);
    }

    pub(crate) fn set_budget(&self, bytes: u64) {
        self.budget.store(bytes, Ordering::Relaxed);
        self.trim();
    }

    pub(crate) fn budget(&self) -> u64 {
        self.budget.load(Ordering::Relaxed)
    }

    /// An asset was asked for.
    pub(crate) fn used(&self, cell: &dyn AnyCell) {
        if self.budget() > 0 {
            cell.used().store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// An asset was loaded.
    pub(crate) fn loaded(&self, cell: &Arc<dyn AnyCell>) {
        self.loads.fetch_add(1, Ordering::Relaxed);
        let (key, budget) = (cell.head().key(), self.budget());
        let mut kept = lock(&self.kept);
        if kept.residency.get(&key.0) == Some(&Residency::Pinned) {
            kept.pinned.insert(key, Arc::clone(cell));
        } else if budget > 0 {
            kept.recent.insert(key, Arc::clone(cell));
        }
        drop(kept);
        self.used(&**cell);
        if budget > 0 {
            self.trim();
        }
    }

    /// Frees what nobody holds, least recently used first, until the rest is within the budget.
    pub(crate) fn trim(&self) {
        let budget = self.budget();
        // Freeing a model lets go of its textures, so look again as long as that helps.
        while self.bytes.load(Ordering::Relaxed) > budget || budget == 0 {
            let mut kept = lock(&self.kept);
            let mut idle: Vec<(u64, Key, u64)> = kept
                .recent
                .iter()
                // Only this map knows it. Whoever takes hold of it meanwhile keeps it alive all the same.
                .filter(|(_, cell)| Arc::strong_count(cell) == 1)
                .map(|(key, cell)| {
                    let bytes = cell.made_of().map_or(0, |made| made.bytes);
                    (cell.used().load(Ordering::Relaxed), *key, bytes)
                })
                .collect();
            idle.sort_by_key(|(used, ..)| *used);
            let mut excess = self.bytes.load(Ordering::Relaxed).saturating_sub(budget);
            let mut freed = Vec::new();
            for (_, key, bytes) in idle {
                if excess == 0 && budget > 0 {
                    break;
                }
                excess = excess.saturating_sub(bytes);
                freed.extend(kept.recent.remove(&key));
            }
            if budget == 0 {
                // Nothing is kept any more: what is held lives by its handles.
                freed.extend(std::mem::take(&mut kept.recent).into_values());
            }
            drop(kept);
            self.evictions.fetch_add(freed.len() as u64, Ordering::Relaxed);
            // Their end asks for other locks, and may need this one again.
            if freed.is_empty() || budget == 0 {
                break;
            }
        }
    }

    /// How many assets are alive only because they are pinned or within the budget.
    pub(crate) fn kept(&self) -> HashSet<Key> {
        let kept = lock(&self.kept);
        kept.pinned
            .iter()
            .chain(&kept.recent)
            .filter(|(_, cell)| Arc::strong_count(cell) == 1)
            .map(|(k, _)| *k)
            .collect()
    }

    /// What is held here, whoever else holds it.
    pub(crate) fn keeps(&self) -> HashSet<Key> {
        let kept = lock(&self.kept);
        kept.pinned.keys().chain(kept.recent.keys()).copied().collect()
    }

    /// Lets go of everything: the store is gone.
    pub(crate) fn clear(&self) {
        let kept = std::mem::take(&mut *lock(&self.kept));
        drop(kept);
    }
}
