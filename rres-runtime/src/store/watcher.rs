//! Collecting which assets have changed, whether the store has loaded them or not.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use rres_format::ResourceId;

use super::{Store, WeakStore};
use crate::id::AnyId;
use crate::sync::lock;

/// The assets whose next load has another value, for programs that keep what they made of assets without their handles, as engines do.
///
/// [`Store::watch`] has an example.
pub struct StoreWatcher {
    seen: Arc<Mutex<HashSet<ResourceId>>>,
    store: WeakStore,
}

impl StoreWatcher {
    /// Takes the assets that have changed since the last call, ordered by resource id, each once.
    ///
    /// An asset that the store does not have any more is not among them: what was made of it stays, as the values of handles do. If it
    /// comes back, it has changed.
    pub fn changed(&self) -> Vec<AnyId> {
        let seen = std::mem::take(&mut *lock(&self.seen));
        let Some(store) = self.store.upgrade().filter(|_| !seen.is_empty()) else { return Vec::new() };
        let mounts = store.mounts();
        let mut ids: Vec<ResourceId> = seen.into_iter().collect();
        ids.sort_unstable();
        ids.into_iter().filter_map(|id| Some(mounts.entry(id)?.id)).collect()
    }
}

impl fmt::Debug for StoreWatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreWatcher({} changed)", lock(&self.seen).len())
    }
}

/// The watchers of a store. Each owns its set, and stops watching when it is dropped.
#[derive(Default)]
pub(super) struct Watchers(Mutex<Vec<Weak<Mutex<HashSet<ResourceId>>>>>);

impl Watchers {
    fn watch(&self) -> Arc<Mutex<HashSet<ResourceId>>> {
        let seen = Arc::default();
        lock(&self.0).push(Arc::downgrade(&seen));
        seen
    }

    /// Whether anybody watches.
    pub(super) fn are_there(&self) -> bool {
        lock(&self.0).iter().any(|watcher| watcher.strong_count() > 0)
    }

    /// Adds what has changed to the set of each watcher.
    pub(super) fn add(&self, changed: impl Iterator<Item = ResourceId> + Clone) {
        lock(&self.0).retain(|watcher| {
            let Some(seen) = watcher.upgrade() else { return false };
            lock(&seen).extend(changed.clone());
            true
        });
    }
}

impl Store {
    /// Collects from now on which assets have changed, whether they are loaded or not: by hot reload, by mounting and unmounting, by
    /// another language or density, or by another limit of textures. [`crate::Handle::watch`] is for one asset that the program holds, and [`Self::events`] tells more
    /// of the loaded ones.
    ///
    /// The values of loaded assets are new already when the watcher has them.
    ///
    /// ```
    /// use rres_runtime::Store;
    ///
    /// let store = Store::from_packs([]);
    /// let watcher = store.watch();
    /// // Once in each frame:
    /// for id in watcher.changed() {
    ///     println!("{:?} has changed", store.path(id));
    /// }
    /// ```
    pub fn watch(&self) -> StoreWatcher {
        StoreWatcher { seen: self.shared.watchers.watch(), store: self.downgrade() }
    }
}
