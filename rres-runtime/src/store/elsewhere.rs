//! The stores of the program, to tell whose asset an id is that was given to the wrong one.
//!
//! A constant contains no path and no name of its pack, so a store that does not have the asset can say little about it.
//! The store that the constant was generated for can, if it is open. Only errors look here.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use rres_format::ResourceId;

use super::{Shared, Store};
use crate::error::{Error, ErrorKind, OtherAsset};
use crate::mounts::Mounts;
use crate::source::Source;

static STORES: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Adds a store, and forgets those that are gone.
pub(super) fn register(store: &Arc<Shared>) {
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    stores.retain(|store| store.strong_count() > 0);
    stores.push(Arc::downgrade(store));
}

impl Store {
    /// Returns the error for an id that no pack in `mounts` has: an index is damaged, or the asset does not exist. `path`
    /// is the asset's, or empty if it is not known.
    pub(super) fn not_found(&self, mounts: &Mounts, id: ResourceId, path: &str) -> Error {
        if let Err(damage) = mounts.check_indexes() {
            return damage;
        }
        let kind = ErrorKind::NotFound { id, elsewhere: self.find_elsewhere(id) };
        Error::new(kind).with_asset(path, id).with_file(mounts.base().first().and_then(Source::file))
    }

    fn find_elsewhere(&self, id: ResourceId) -> Option<OtherAsset> {
        // The lock is released before a store is, which may be the last reference to it.
        let stores = STORES.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let others = stores.iter().filter_map(Weak::upgrade).filter(|other| !Arc::ptr_eq(other, &self.shared));
        others.map(|shared| Store { shared }).find_map(|other| {
            let mounts = other.mounts();
            let path = mounts.entry(id)?.path.to_owned();
            Some(OtherAsset { path, file: mounts.base().first().and_then(Source::file).map(Into::into) })
        })
    }
}
