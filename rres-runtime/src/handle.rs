//! Handles: shared ownership of one loaded asset.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rres_format::ResourceId;

use crate::error::Result;

/// A loaded asset. Cloning shares it; the last handle frees it.
pub struct Handle<T> {
    pub(crate) value: Arc<T>,
    pub(crate) slot: Arc<Slot<T>>,
}

/// What everybody who asks for one asset shares; the store knows it weakly, handles keep it.
pub(crate) struct Slot<T> {
    id: ResourceId,
    path: Box<str>,
    /// Filled by the first who asks, while the others wait.
    pub(crate) value: OnceLock<Result<Arc<T>>>,
}

impl<T> Slot<T> {
    pub(crate) fn new(id: ResourceId, path: &str) -> Self {
        Self { id, path: path.into(), value: OnceLock::new() }
    }
}

impl<T> Handle<T> {
    /// The asset's value.
    ///
    /// It is shared and never changes under its reader.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.value)
    }

    /// The number by which packs know the asset.
    pub fn resource(&self) -> ResourceId {
        self.slot.id
    }

    /// The asset's path.
    pub fn path(&self) -> &str {
        &self.slot.path
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), slot: Arc::clone(&self.slot) }
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Handle<{}>({})", name.rsplit("::").next().unwrap_or(name), self.path())
    }
}
