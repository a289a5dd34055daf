//! Freeing one asset that only the store keeps.

use super::Store;
use super::loaded_group::HeldAsset;
use crate::id::AnyId;

impl Store {
    /// Frees an asset that is pinned, or that the budget keeps, as all of its types. The next load makes it again, and pins it again if its
    /// residency says so. Returns `false` if it is not loaded.
    ///
    /// ```
    /// # use rres_runtime::{Id, Residency, Store, Text};
    /// fn forget(store: &Store, credits: Id<Text>) {
    ///     match store.unload(credits) {
    ///         Ok(_) => assert!(store.loaded(credits).is_none()),
    ///         Err(held) => println!("{held}"), // "credits.txt" is held by 2 other references
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// If handles hold it, reservations, or other assets. Nothing happens then.
    pub fn unload(&self, id: impl Into<AnyId>) -> Result<bool, HeldAsset> {
        let id = id.into().resource();
        let holders = self.holders();
        let mut is_loaded = false;
        for entry in holders.alive().filter(|entry| entry.meta().id() == id) {
            is_loaded |= entry.version() > 0;
            let meta = entry.meta();
            let dependents: Vec<String> =
                holders.dependents(meta.key).map(|dependent| dependent.meta().path.to_string()).collect();
            let handles = holders.handles(entry);
            if !dependents.is_empty() || handles > 0 {
                return Err(HeldAsset { path: meta.path.to_string(), dependents, handles });
            }
        }
        drop(holders);
        self.shared.residency.release(id);
        Ok(is_loaded)
    }
}
