//! Handles: shared ownership of one asset, however it was made.

mod entry;
mod live;
mod load_once;
#[cfg(test)]
mod tests;
mod versioned;

pub(crate) use entry::{AnyEntry, AssetEntry, AssetMeta, Choice, EntryOwner, Key, Provenance};
pub use live::Live;
pub(crate) use load_once::{Acquired, Phase, WaitGraph};

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use rres_format::ResourceId;

use crate::error::{Error, ErrorKind, Result};

/// A loaded asset. Cloning shares it; the asset is freed with its last handle.
///
/// The value behind a handle is replaced when the asset changes: by hot reload, and by mounting or unmounting an
/// overlay. See [`Self::version`] and [`Self::watch`].
pub struct Handle<T> {
    entry: Arc<AssetEntry<T>>,
}

impl<T: Send + Sync + 'static> Handle<T> {
    /// Creates a handle to an entry that has a value; `None` if it has none yet.
    pub(crate) fn new(entry: Arc<AssetEntry<T>>) -> Option<Self> {
        (entry.version() > 0).then_some(Self { entry })
    }

    /// Returns the asset's current value.
    ///
    /// The value is immutable. Keep the `Arc` to keep this version; call `get` again for the newest one.
    pub fn get(&self) -> Arc<T> {
        self.entry.value().expect("a handle is created after the first value, and values are only replaced")
    }

    /// Returns how many values the asset has had: 1 at first, and one more with each replacement.
    pub fn version(&self) -> u32 {
        self.entry.version()
    }

    /// Watches for replacements from now on.
    pub fn watch(&self) -> ChangeWatcher<T> {
        ChangeWatcher { seen: self.version(), handle: self.clone() }
    }

    /// Returns a handle that does not keep the asset alive.
    pub fn downgrade(&self) -> WeakHandle<T> {
        let meta = &self.entry.meta;
        WeakHandle { entry: Arc::downgrade(&self.entry), path: Arc::clone(&meta.path), id: meta.id() }
    }
}

impl<T> Handle<T> {
    /// Returns the asset's resource id.
    pub fn resource(&self) -> ResourceId {
        self.entry.meta.id()
    }

    /// Returns the asset's path; empty if the pack does not record paths.
    pub fn path(&self) -> &str {
        &self.entry.meta.path
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self { entry: Arc::clone(&self.entry) }
    }
}

/// Two handles are equal if they belong to the same asset of the same store.
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entry, &other.entry)
    }
}

impl<T> Eq for Handle<T> {}

/// Consistent with equality, so that a program can map handles to what it made of the assets.
impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.entry).addr().hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle<{}>({})", self.entry.meta.type_name, self.path())
    }
}

/// A handle that does not keep its asset alive. Once the last [`Handle`] is gone it is stale; it never leads to another
/// asset, nor to the same one loaded again.
pub struct WeakHandle<T> {
    entry: Weak<AssetEntry<T>>,
    path: Arc<str>,
    id: ResourceId,
}

impl<T: Send + Sync + 'static> WeakHandle<T> {
    /// Returns a handle that keeps the asset alive.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`] if the asset was freed.
    pub fn upgrade(&self) -> Result<Handle<T>> {
        self.entry.upgrade().and_then(Handle::new).ok_or_else(|| self.stale())
    }

    /// Returns the asset's current value.
    ///
    /// # Errors
    /// As [`Self::upgrade`].
    pub fn get(&self) -> Result<Arc<T>> {
        self.upgrade().map(|handle| handle.get())
    }
}

impl<T> WeakHandle<T> {
    /// Returns the asset's path; empty if the pack does not record paths.
    pub fn path(&self) -> &str {
        &self.path
    }

    fn stale(&self) -> Error {
        Error::new(ErrorKind::Stale).with_asset(Arc::clone(&self.path), self.id)
    }
}

impl<T> Clone for WeakHandle<T> {
    fn clone(&self) -> Self {
        Self { entry: Weak::clone(&self.entry), path: Arc::clone(&self.path), id: self.id }
    }
}

impl<T> fmt::Debug for WeakHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WeakHandle({})", self.path)
    }
}

/// Detects when an asset was replaced, to make again what a program made of it: a texture, a parsed table.
///
/// ```
/// # fn frame(watch: &mut rres_runtime::ChangeWatcher<rres_runtime::Image>, upload: impl Fn(&rres_runtime::Image)) {
/// if let Some(image) = watch.changed() {
///     upload(&image);
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ChangeWatcher<T> {
    handle: Handle<T>,
    seen: u32,
}

impl<T: Send + Sync + 'static> ChangeWatcher<T> {
    /// Returns the new value if the asset was replaced since the last call. Costs one atomic load if it was not.
    pub fn changed(&mut self) -> Option<Arc<T>> {
        let version = self.handle.version();
        if version == self.seen {
            return None;
        }
        self.seen = version;
        Some(self.handle.get())
    }

    /// Returns the handle of the asset.
    pub fn handle(&self) -> &Handle<T> {
        &self.handle
    }
}

/// A handle to an asset of any type, for collections of mixed assets.
#[derive(Clone)]
pub struct AnyHandle(Arc<dyn AnyEntry>);

impl AnyHandle {
    /// Creates a handle to an entry that has a value; `None` if it has none yet.
    pub(crate) fn new(entry: Arc<dyn AnyEntry>) -> Option<Self> {
        (entry.version() > 0).then_some(Self(entry))
    }

    pub(crate) fn entry(&self) -> &Arc<dyn AnyEntry> {
        &self.0
    }

    /// Returns the handle with its type, or `None` if the asset is of another type.
    pub fn downcast<T: Send + Sync + 'static>(&self) -> Option<Handle<T>> {
        Handle::new(Arc::clone(&self.0).downcast()?)
    }

    /// Returns the asset's resource id.
    pub fn resource(&self) -> ResourceId {
        self.0.meta().id()
    }

    /// Returns the asset's path; empty if the pack does not record paths.
    pub fn path(&self) -> &str {
        &self.0.meta().path
    }

    /// Returns the name of the asset's type, without its module.
    pub fn type_name(&self) -> &'static str {
        self.0.meta().type_name
    }

    /// Returns how many values the asset has had, like [`Handle::version`].
    pub fn version(&self) -> u32 {
        self.0.version()
    }

    /// Returns the bytes that the asset takes, decoded.
    pub fn bytes(&self) -> u64 {
        self.0.provenance().map_or(0, |provenance| provenance.bytes)
    }
}

impl<T: Send + Sync + 'static> From<Handle<T>> for AnyHandle {
    fn from(handle: Handle<T>) -> Self {
        Self(handle.entry)
    }
}

/// As for [`Handle`].
impl PartialEq for AnyHandle {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for AnyHandle {}

impl Hash for AnyHandle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).addr().hash(state);
    }
}

impl fmt::Debug for AnyHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyHandle<{}>({})", self.type_name(), self.path())
    }
}
