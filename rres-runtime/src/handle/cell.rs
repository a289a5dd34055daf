//! The cell of an asset: what everybody who asks for it shares. Its value is replaced as a whole, never changed.

use std::any::{Any, TypeId};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Weak};

use rres_format::ResourceId;

use super::gate::{Entered, Gate, Phase};
use super::versioned::Versioned;
use super::{AnyHandle, Handle};
use crate::error::{Error, ErrorKind, Result};
use crate::store::{Shared, Store};

/// One asset as one type.
pub(crate) type Key = (ResourceId, TypeId);

/// Makes the value of an asset.
pub(crate) type Make<T> = fn(&Store, &Head) -> Result<Made<T>>;

/// What is known of an asset whether loaded or not.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) id: ResourceId,
    /// Where its entry is likely to be; see [`crate::Id`].
    pub(crate) slot: u32,
    pub(crate) path: Arc<str>,
    pub(crate) type_id: TypeId,
    /// The type's name, without its path.
    pub(crate) type_name: &'static str,
}

impl Head {
    pub(crate) fn new<T: 'static>(id: ResourceId, slot: u32, path: impl Into<Arc<str>>) -> Self {
        let name = std::any::type_name::<T>();
        let type_name = name.rsplit("::").next().unwrap_or(name);
        Self { id, slot, path: path.into(), type_id: TypeId::of::<T>(), type_name }
    }

    pub(crate) fn key(&self) -> Key {
        (self.id, self.type_id)
    }
}

/// A value and what it was made of.
pub(crate) struct Made<T> {
    pub(crate) value: T,
    /// Bytes that it counts for.
    pub(crate) bytes: u64,
    /// Assets that it keeps alive.
    pub(crate) needs: Vec<AnyHandle>,
    /// What it was made from: it is made again when one of these changes.
    pub(crate) sources: Vec<Key>,
}

pub(crate) struct Cell<T> {
    pub(crate) head: Head,
    gate: Gate,
    current: Versioned<Current<T>>,
    /// `None` for values made by the program.
    make: Option<Make<T>>,
    /// How many [`super::Pending`] there are.
    pub(crate) pending: AtomicU32,
    /// When it was last asked for; see [`crate::store::residency`].
    pub(crate) used: AtomicU64,
    home: Weak<Shared>,
}

struct Current<T> {
    value: Arc<T>,
    made: Arc<MadeOf>,
}

/// What a value was made of.
#[derive(Debug)]
pub(crate) struct MadeOf {
    pub(crate) bytes: u64,
    pub(crate) needs: Vec<AnyHandle>,
    pub(crate) sources: Vec<Key>,
}

impl<T: Send + Sync + 'static> Cell<T> {
    pub(crate) fn new(head: Head, make: Option<Make<T>>, home: Weak<Shared>) -> Self {
        Self {
            head,
            gate: Gate::new(Phase::Reserved),
            current: Versioned::new(),
            make,
            pending: AtomicU32::new(0),
            used: AtomicU64::new(0),
            home,
        }
    }

    /// The value, once there is one.
    pub(crate) fn value(&self) -> Option<Arc<T>> {
        self.current.read(|current| Arc::clone(&current.value))
    }

    /// A handle, once there is a value.
    pub(crate) fn handle(self: &Arc<Self>) -> Option<Handle<T>> {
        (self.version() > 0).then(|| Handle { cell: Arc::clone(self) })
    }

    /// Makes the value unless it is there, or waits for the thread that makes it.
    pub(crate) fn load(self: &Arc<Self>, store: &Store) -> Result<Handle<T>> {
        if self.version() == 0 {
            match self.gate.enter(&store.shared.waits) {
                Entered::Ready => {}
                Entered::Failed(error) => return Err(error),
                Entered::Circle => return Err(self.circle()),
                Entered::Turn(turn) => match self.make(store) {
                    Ok(made) => {
                        self.set(made);
                        store.shared.loaded(self);
                        turn.finish(Ok(()));
                    }
                    Err(error) => {
                        turn.finish(Err(error.clone()));
                        return Err(error);
                    }
                },
            }
        }
        Ok(Handle { cell: Arc::clone(self) })
    }

    /// Sets a value made by the program, unless there is one or a thread is making one.
    pub(crate) fn fill(self: &Arc<Self>, store: &Store, value: T) -> Result<Handle<T>> {
        match self.gate.enter(&store.shared.waits) {
            Entered::Turn(turn) => {
                let bytes = size_of::<T>() as u64;
                self.set(Made { value, bytes, needs: Vec::new(), sources: Vec::new() });
                store.shared.loaded(self);
                turn.finish(Ok(()));
                Ok(Handle { cell: Arc::clone(self) })
            }
            Entered::Circle => Err(self.circle()),
            Entered::Ready | Entered::Failed(_) => Err(self.named(ErrorKind::AlreadyThere)),
        }
    }

    fn make(&self, store: &Store) -> Result<Made<T>> {
        let make = self.make.ok_or_else(|| self.named(ErrorKind::NotInserted))?;
        make(store, &self.head)
    }

    /// Publishes a value.
    pub(crate) fn set(&self, made: Made<T>) {
        let Made { value, bytes, needs, sources } = made;
        let current = Current { value: Arc::new(value), made: Arc::new(MadeOf { bytes, needs, sources }) };
        let old = self.current.set(current);
        if let Some(home) = self.home.upgrade() {
            home.residence.resize(old.as_ref().map_or(0, |old| old.made.bytes), bytes);
        }
    }

    fn circle(&self) -> Error {
        self.named(ErrorKind::Circle)
    }

    fn named(&self, kind: ErrorKind) -> Error {
        Error::new(kind).of_asset(|| format!("\"{}\"", self.head.path))
    }
}

impl<T> Drop for Cell<T> {
    fn drop(&mut self) {
        let Some(home) = self.home.upgrade() else { return };
        home.residence.resize(self.current.read(|current| current.made.bytes).unwrap_or(0), 0);
        home.table.forget(self.head.key());
    }
}

/// A cell of any type.
pub(crate) trait AnyCell: Any + Send + Sync {
    fn head(&self) -> &Head;
    fn gate(&self) -> &Gate;
    fn version(&self) -> u32;
    fn used(&self) -> &AtomicU64;
    /// What the value was made of; `None` before there is one.
    fn made_of(&self) -> Option<Arc<MadeOf>>;
    /// As [`Cell::load`].
    fn load_any(self: Arc<Self>, store: &Store) -> Result<AnyHandle>;
    /// Makes the value again, from what is there now; the old one stays where that fails. `false` where the program made
    /// the value.
    fn remake(&self, store: &Store) -> Result<bool>;
    /// Counts the value as new: what it leads to has changed.
    fn touch(&self);
}

impl<T: Send + Sync + 'static> AnyCell for Cell<T> {
    fn head(&self) -> &Head {
        &self.head
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn version(&self) -> u32 {
        self.current.version()
    }

    fn used(&self) -> &AtomicU64 {
        &self.used
    }

    fn made_of(&self) -> Option<Arc<MadeOf>> {
        self.current.read(|current| Arc::clone(&current.made))
    }

    fn load_any(self: Arc<Self>, store: &Store) -> Result<AnyHandle> {
        Ok(self.load(store)?.into())
    }

    fn remake(&self, store: &Store) -> Result<bool> {
        let Some(make) = self.make else { return Ok(false) };
        self.set(make(store, &self.head)?);
        Ok(true)
    }

    fn touch(&self) {
        self.current.touch();
    }
}
