//! Handles: shared ownership of one asset, whichever way it was made.

pub(crate) mod cell;
pub(crate) mod gate;
mod pending;
mod versioned;

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use rres_format::ResourceId;

use crate::error::{Error, ErrorKind, Result};
use cell::{AnyCell, Cell};
pub use pending::{Pending, State};

/// A loaded asset. Cloning shares it; the last handle frees it.
///
/// The value behind a handle is replaced when the asset changes: by hot reload, by mounting or removing an overlay.
/// [`Self::version`] tells.
pub struct Handle<T> {
    pub(crate) cell: Arc<Cell<T>>,
}

impl<T: Send + Sync + 'static> Handle<T> {
    /// The asset's value as it is now.
    ///
    /// It is shared and never changes under its reader: whoever keeps it keeps what it was, whoever asks again gets
    /// what is new.
    pub fn get(&self) -> Arc<T> {
        self.cell.value().expect("a handle is made once its value is there, which is only ever replaced")
    }

    /// How many values this asset has had; it starts at 1 and grows with each replacement.
    pub fn version(&self) -> u32 {
        self.cell.version()
    }

    /// Watches for replacements, from now on.
    pub fn watch(&self) -> Watch<T> {
        Watch { seen: self.version(), handle: self.clone() }
    }

    /// A handle that does not keep the asset.
    pub fn downgrade(&self) -> WeakHandle<T> {
        WeakHandle { cell: Arc::downgrade(&self.cell), path: Arc::clone(&self.cell.head.path) }
    }
}

impl<T> Handle<T> {
    /// The number by which packs know the asset.
    pub fn resource(&self) -> ResourceId {
        self.cell.head.id
    }

    /// The asset's path.
    pub fn path(&self) -> &str {
        &self.cell.head.path
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self { cell: Arc::clone(&self.cell) }
    }
}

/// Two handles are equal where they lead to one asset of one store.
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell)
    }
}

impl<T> Eq for Handle<T> {}

/// As they are equal: for tables from assets to what a program made of them.
impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.cell).addr().hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle<{}>({})", self.cell.head.type_name, self.path())
    }
}

/// A handle that does not keep its asset: once the last [`Handle`] is gone it is stale, and never leads to another
/// asset.
pub struct WeakHandle<T> {
    cell: Weak<Cell<T>>,
    path: Arc<str>,
}

impl<T: Send + Sync + 'static> WeakHandle<T> {
    /// A handle that keeps the asset.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`] once it was freed.
    pub fn upgrade(&self) -> Result<Handle<T>> {
        let cell = self.cell.upgrade().ok_or_else(|| self.stale())?;
        cell.handle().ok_or_else(|| self.stale())
    }

    /// The asset's value as it is now.
    ///
    /// # Errors
    /// As [`Self::upgrade`].
    pub fn get(&self) -> Result<Arc<T>> {
        self.upgrade().map(|handle| handle.get())
    }
}

impl<T> WeakHandle<T> {
    /// The asset's path.
    pub fn path(&self) -> &str {
        &self.path
    }

    fn stale(&self) -> Error {
        Error::new(ErrorKind::Stale).of_asset(|| format!("\"{}\"", self.path))
    }
}

impl<T> Clone for WeakHandle<T> {
    fn clone(&self) -> Self {
        Self { cell: Weak::clone(&self.cell), path: Arc::clone(&self.path) }
    }
}

impl<T> fmt::Debug for WeakHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WeakHandle({})", self.path)
    }
}

/// Tells when an asset has been replaced, to make again what a program made of it: a texture, a parsed table.
///
/// ```
/// # fn frame(watch: &mut rres_runtime::Watch<rres_runtime::Image>, upload: impl Fn(&rres_runtime::Image)) {
/// if let Some(image) = watch.changed() {
///     upload(&image);
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Watch<T> {
    handle: Handle<T>,
    seen: u32,
}

impl<T: Send + Sync + 'static> Watch<T> {
    /// The new value, where there is one since the last call. Costs one atomic load where there is none.
    pub fn changed(&mut self) -> Option<Arc<T>> {
        let version = self.handle.version();
        if version == self.seen {
            return None;
        }
        self.seen = version;
        Some(self.handle.get())
    }

    /// The handle watched.
    pub fn handle(&self) -> &Handle<T> {
        &self.handle
    }
}

/// A handle of any type, for collections of mixed assets.
#[derive(Clone)]
pub struct AnyHandle(pub(crate) Arc<dyn AnyCell>);

impl AnyHandle {
    /// The handle with its type, or `None` where the asset is of another type.
    pub fn downcast<T: Send + Sync + 'static>(&self) -> Option<Handle<T>> {
        let any: Arc<dyn Any + Send + Sync> = Arc::clone(&self.0) as _;
        any.downcast::<Cell<T>>().ok()?.handle()
    }

    /// The number by which packs know the asset.
    pub fn resource(&self) -> ResourceId {
        self.0.head().id
    }

    /// The asset's path.
    pub fn path(&self) -> &str {
        &self.0.head().path
    }

    /// The name of the asset's type, without its module.
    pub fn type_name(&self) -> &'static str {
        self.0.head().type_name
    }

    /// As [`Handle::version`].
    pub fn version(&self) -> u32 {
        self.0.version()
    }

    /// Bytes that the asset takes, decoded.
    pub fn bytes(&self) -> u64 {
        self.0.made_of().map_or(0, |made| made.bytes)
    }
}

impl<T: Send + Sync + 'static> From<Handle<T>> for AnyHandle {
    fn from(handle: Handle<T>) -> Self {
        Self(handle.cell)
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
