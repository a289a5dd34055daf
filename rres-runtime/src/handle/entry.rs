//! The shared state of one asset: all handles to the asset share its entry. The value in it is replaced as a whole,
//! never changed.
//!
//! An entry does not know how its value is made, and knows its store only as an [`EntryOwner`].

use std::any::{Any, TypeId};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, Weak};

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::load_once::LoadOnce;
use super::versioned::Versioned;
use crate::error::{Error, ErrorKind};
use crate::sync::lock;

/// One asset as one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) id: ResourceId,
    type_id: TypeId,
    pub(crate) choice: Choice,
}

/// Which variant of an asset an entry has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Choice {
    /// The one that the store prefers, which may change.
    Preferred,
    /// The asset itself, whatever the store prefers.
    Fixed,
}

impl Key {
    pub(crate) fn new<T: 'static>(id: ResourceId, choice: Choice) -> Self {
        Self { id, type_id: TypeId::of::<T>(), choice }
    }
}

/// Without the choice: assets rarely have entries for both, and every load hashes a key.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
        self.type_id.hash(state);
    }
}

/// What an entry needs from its store.
pub(crate) trait EntryOwner: Send + Sync {
    /// Called when a value of `old` bytes was replaced by one of `new` bytes; 0 for no value.
    fn resized(&self, old: u64, new: u64);

    /// Called when the entry with these facts was dropped.
    fn dropped(&self, meta: &AssetMeta);
}

/// The facts about an asset that are known even if it is not loaded.
#[derive(Debug)]
pub(crate) struct AssetMeta {
    pub(crate) key: Key,
    /// The probable position of its index entry; see [`crate::Id::new`].
    pub(crate) slot: Slot,
    /// Empty if it is not known.
    pub(crate) path: Arc<str>,
    /// The name of its type, without the module.
    pub(crate) type_name: &'static str,
}

impl AssetMeta {
    /// Creates the facts about an asset; `key` is for the type `T`.
    pub(crate) fn new<T: 'static>(key: Key, slot: Slot, path: impl Into<Arc<str>>) -> Self {
        let name = std::any::type_name::<T>();
        let type_name = name.rsplit("::").next().unwrap_or(name);
        Self { key, slot, path: path.into(), type_name }
    }

    pub(crate) fn id(&self) -> ResourceId {
        self.key.id
    }

    /// Creates an error about this asset.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind).with_asset(Arc::clone(&self.path), self.key.id)
    }
}

pub(crate) struct AssetEntry<T> {
    pub(crate) meta: AssetMeta,
    load_once: LoadOnce,
    current: Versioned<Current<T>>,
    /// How many [`crate::PendingAsset`] of it exist.
    pub(crate) reservations: AtomicU32,
    /// When it was last asked for, on the clock of the store.
    last_used: AtomicU64,
    /// Why the value could not be made again; `None` if the last attempt succeeded.
    failure: Mutex<Option<Error>>,
    owner: Weak<dyn EntryOwner>,
}

pub(crate) struct Current<T> {
    value: Arc<T>,
    provenance: Arc<Provenance>,
}

/// What a value was made from, and what it takes.
#[derive(Default)]
pub(crate) struct Provenance {
    /// The bytes that it counts for.
    pub(crate) bytes: u64,
    /// Assets that it keeps alive, such as the images of a model.
    pub(crate) dependencies: Vec<Arc<dyn AnyEntry>>,
    /// The assets that it was made from. When one of them changes, it is made again.
    pub(crate) sources: Vec<Key>,
}

impl Provenance {
    /// Creates the provenance of a value that the program made.
    pub(crate) fn of_value<T>() -> Self {
        Self { bytes: size_of::<T>() as u64, ..Self::default() }
    }
}

impl<T: Send + Sync + 'static> AssetEntry<T> {
    /// Creates an entry without a value.
    pub(crate) fn new(meta: AssetMeta, owner: Weak<dyn EntryOwner>) -> Self {
        Self {
            meta,
            load_once: LoadOnce::new(),
            current: Versioned::new(),
            reservations: AtomicU32::new(0),
            last_used: AtomicU64::new(0),
            failure: Mutex::new(None),
            owner,
        }
    }

    /// Returns the value; `None` before the first one.
    pub(crate) fn value(&self) -> Option<Arc<T>> {
        self.current.read(|current| Arc::clone(&current.value))
    }

    /// Sets the value, which all later reads return. Returns what was there before, for the caller to drop without a lock.
    pub(crate) fn publish(&self, value: T, provenance: Provenance) -> Option<Current<T>> {
        let bytes = provenance.bytes;
        let old = self.current.set(Current { value: Arc::new(value), provenance: Arc::new(provenance) });
        if let Some(owner) = self.owner.upgrade() {
            owner.resized(old.as_ref().map_or(0, |old| old.provenance.bytes), bytes);
        }
        old
    }
}

impl<T> Drop for AssetEntry<T> {
    fn drop(&mut self) {
        let Some(owner) = self.owner.upgrade() else { return };
        owner.resized(self.current.read(|current| current.provenance.bytes).unwrap_or(0), 0);
        owner.dropped(&self.meta);
    }
}

/// An entry of any type.
pub(crate) trait AnyEntry: Any + Send + Sync {
    fn meta(&self) -> &AssetMeta;
    fn load_once(&self) -> &LoadOnce;
    /// Returns how many values it has had; 0 before the first one.
    fn version(&self) -> u32;
    fn last_used(&self) -> &AtomicU64;
    /// Returns why the value could not be made again; `None` if the last attempt succeeded.
    fn failure(&self) -> Option<Error>;
    /// Remembers how the last attempt to make the value again has ended.
    fn set_failure(&self, failure: Option<Error>);
    /// Returns what the value was made from; `None` before the first one.
    fn provenance(&self) -> Option<Arc<Provenance>>;
    /// Counts the value as new, because something that it refers to has changed.
    fn touch(&self);
}

impl dyn AnyEntry {
    /// Returns the entry with its type, or `None` if the asset is of another type.
    pub(crate) fn downcast<T: Send + Sync + 'static>(self: Arc<Self>) -> Option<Arc<AssetEntry<T>>> {
        let any: Arc<dyn Any + Send + Sync> = self;
        any.downcast().ok()
    }

    /// Returns the entry with its type, like [`Self::downcast`].
    pub(crate) fn downcast_ref<T: Send + Sync + 'static>(&self) -> Option<&AssetEntry<T>> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

impl<T: Send + Sync + 'static> AnyEntry for AssetEntry<T> {
    fn meta(&self) -> &AssetMeta {
        &self.meta
    }

    fn load_once(&self) -> &LoadOnce {
        &self.load_once
    }

    fn version(&self) -> u32 {
        self.current.version()
    }

    fn last_used(&self) -> &AtomicU64 {
        &self.last_used
    }

    fn failure(&self) -> Option<Error> {
        lock(&self.failure).clone()
    }

    fn set_failure(&self, failure: Option<Error>) {
        *lock(&self.failure) = failure;
    }

    fn provenance(&self) -> Option<Arc<Provenance>> {
        self.current.read(|current| Arc::clone(&current.provenance))
    }

    fn touch(&self) {
        self.current.touch();
    }
}
