//! Values that a program makes and shares under a path, like assets.

use std::sync::Arc;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::Store;
use super::pending::PendingAsset;
use crate::error::{Error, ErrorKind, Result};
use crate::events::Event;
use crate::handle::{AssetEntry, AssetMeta, Choice, Handle, Key, Provenance};
use crate::timeline::Asker;

impl Store {
    /// Shares a value made by the program under a path of its own: a procedural texture, a placeholder. If the program
    /// inserted a value under that path before, this one replaces it, also in existing handles.
    ///
    /// The value lives as long as a handle to it. Find it with [`Self::value`].
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if a pack contains an asset with this path.
    pub fn insert<T: Send + Sync + 'static>(&self, path: &str, value: T) -> Result<Handle<T>> {
        let entry = self.value_entry(path)?;
        if let Some(handle) = Handle::new(Arc::clone(&entry)) {
            entry.publish(value, Provenance::of_value::<T>());
            self.shared.listeners.send(&Event::Changed(handle.clone().into()));
            return Ok(handle);
        }
        self.fill(&entry, value)
    }

    /// Returns the value that the program inserted under a path, if a handle to it exists.
    pub fn value<T: Send + Sync + 'static>(&self, path: &str) -> Option<Handle<T>> {
        let key = Key::new::<T>(ResourceId::from_path(path), Choice::Preferred);
        Handle::new(self.shared.table.get(key, Slot(0))?)
    }

    /// Reserves the path of a value that the program makes later, perhaps on another thread. [`PendingAsset::insert`]
    /// inserts the value, for all code that finds it with [`Self::value`] or waits for it.
    ///
    /// # Errors
    /// As [`Self::insert`].
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn reserve_value<T: Send + Sync + 'static>(&self, path: &str) -> Result<PendingAsset<T>> {
        Ok(PendingAsset::new(Ok(self.value_entry(path)?), self.clone(), Asker::here()))
    }

    fn value_entry<T: Send + Sync + 'static>(&self, path: &str) -> Result<Arc<AssetEntry<T>>> {
        let id = ResourceId::from_path(path);
        let exists = |existing: &str| {
            Error::new(ErrorKind::AlreadyExists { existing: existing.to_owned() }).with_asset(path, id)
        };
        if let Some(asset) = self.mounts().entry(id) {
            return Err(exists(asset.path));
        }
        let key = Key::new::<T>(id, Choice::Preferred);
        let new = || self.new_entry(AssetMeta::new::<T>(key, Slot(0), path));
        let entry = self.shared.table.get_or_insert(key, Slot(0), None, new);
        match &*entry.meta.path {
            known if known == path => Ok(entry),
            other => Err(exists(other)),
        }
    }
}
