//! How a value is made: of the chunks of a resource, or by the program of another asset.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use rres_format::{AssetKind, ResourceId};

use super::{Mounts, Store};
use crate::asset::{Asset, Font, FromAsset, Image, Link, Model, Raw, Sound, Text};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::AnyHandle;
use crate::handle::cell::{AnyCell, Cell, Head, Key, Made, Make};
use crate::id::Id;

/// Makes an asset of what is mounted now, and keeps what it needs.
pub(crate) fn make_asset<T: Asset>(store: &Store, head: &Head) -> Result<Made<T>> {
    let mounts = store.mounts();
    let (source, slot) = mounts.locate(head.id, head.slot).ok_or_else(|| not_found(head))?;
    let loaded = source.load_slot(slot)?;
    let (bytes, dependencies) = (loaded.base_size.into(), loaded.dependencies.clone());
    let value = T::from_loaded(loaded)?;
    let needs = needs(store, &mounts, head, &dependencies)?;
    let sources = needs.iter().map(|need| need.0.head().key()).collect();
    Ok(Made { value, bytes, needs, sources })
}

/// Has the program make its own type, and notes what it loads on the way.
pub(crate) fn make_own<U: FromAsset>(store: &Store, head: &Head) -> Result<Made<U>> {
    let notes = Notes::open();
    let source = store.load::<U::Source>(Id::new(head.id.0, head.slot))?;
    let made = U::from_asset(&source.get(), store);
    let mut sources = notes.close();
    let value =
        made.map_err(|e| Error::new(ErrorKind::Convert(e.into())).of_asset(|| format!("\"{}\"", source.path())))?;
    // The source itself need not stay: what is wanted of it was taken.
    sources.push((head.id, TypeId::of::<U::Source>()));
    let bytes = value.size() as u64;
    Ok(Made { value, bytes, needs: Vec::new(), sources })
}

/// Loads what an asset needs: the images of a model.
fn needs(store: &Store, mounts: &Mounts, head: &Head, dependencies: &[ResourceId]) -> Result<Vec<AnyHandle>> {
    if dependencies.is_empty() {
        return Ok(Vec::new());
    }
    if circular(mounts, head.id) {
        return Err(Error::new(ErrorKind::Circle).of_asset(|| format!("\"{}\"", head.path)));
    }
    let load = |id: &ResourceId| {
        let loaded = store.cell_of(mounts, *id).and_then(|cell| cell.load_any(store));
        // An error with a path of its own has said enough: the asset that needs it is named in the sum of a group.
        loaded.map_err(|e| e.of_asset(|| format!("\"{}\", which needs another", head.path)))
    };
    dependencies.iter().map(load).collect()
}

/// Whether an asset needs itself, directly or through others. The build writes no such pack.
fn circular(mounts: &Mounts, id: ResourceId) -> bool {
    let mut seen = HashSet::new();
    let mut left = vec![id];
    while let Some(next) = left.pop() {
        let Some((source, slot)) = mounts.locate(next, 0) else { continue };
        for need in source.index().dependencies(slot).into_iter().flatten() {
            if need == id {
                return true;
            }
            if seen.insert(need) {
                left.push(need);
            }
        }
    }
    false
}

fn not_found(head: &Head) -> Error {
    Error::new(ErrorKind::NotFound(head.id)).of_asset_if_known(&head.path)
}

impl Store {
    /// The cell of an asset as the type of its kind.
    pub(crate) fn cell_of(&self, mounts: &Mounts, id: ResourceId) -> Result<Arc<dyn AnyCell>> {
        let entry = mounts.entry(id).ok_or_else(|| Error::new(ErrorKind::NotFound(id)))?;
        let cell: Arc<dyn AnyCell> = match entry.kind {
            Some(AssetKind::Raw) => self.cell::<Raw>(id, 0, make_asset::<Raw>),
            Some(AssetKind::Text) => self.cell::<Text>(id, 0, make_asset::<Text>),
            Some(AssetKind::Image) => self.cell::<Image>(id, 0, make_asset::<Image>),
            Some(AssetKind::Sound) => self.cell::<Sound>(id, 0, make_asset::<Sound>),
            Some(AssetKind::Font) => self.cell::<Font>(id, 0, make_asset::<Font>),
            Some(AssetKind::Model) => self.cell::<Model>(id, 0, make_asset::<Model>),
            Some(AssetKind::Link) => self.cell::<Link>(id, 0, make_asset::<Link>),
            _ => return Err(Error::new(ErrorKind::LaterKind).of_asset(|| format!("\"{}\"", entry.path))),
        };
        Ok(cell)
    }

    /// The cell of an asset as `T`, new where it is not alive.
    pub(crate) fn cell<T: Send + Sync + 'static>(&self, id: ResourceId, slot: u32, make: Make<T>) -> Arc<Cell<T>> {
        let key = (id, TypeId::of::<T>());
        let cell = self.shared.table.get_or_insert(key, || {
            let mounts = self.mounts();
            let path = mounts.locate(id, slot).and_then(|(source, slot)| Some(source.index().entry(slot).ok()?.path));
            Cell::new(Head::new::<T>(id, slot, path.unwrap_or_default()), Some(make), Arc::downgrade(&self.shared))
        });
        note(key);
        cell
    }
}

thread_local! {
    /// What is being made on this thread, innermost last: what each has loaded so far.
    static NOTES: RefCell<Vec<Vec<Key>>> = const { RefCell::new(Vec::new()) };
}

/// Notes what is loaded on this thread until it is closed.
struct Notes(usize);

impl Notes {
    fn open() -> Self {
        NOTES.with_borrow_mut(|notes| {
            notes.push(Vec::new());
            Self(notes.len())
        })
    }

    fn close(self) -> Vec<Key> {
        NOTES.with_borrow_mut(|notes| notes.pop().unwrap_or_default())
    }
}

/// Also after a panic in between, the outer notes go on.
impl Drop for Notes {
    fn drop(&mut self) {
        NOTES.with_borrow_mut(|notes| notes.truncate(self.0 - 1));
    }
}

/// Whether a program's own type is being made on this thread.
pub(crate) fn is_making() -> bool {
    NOTES.with_borrow(|notes| !notes.is_empty())
}

/// An asset was asked for on this thread.
fn note(key: Key) {
    NOTES.with_borrow_mut(|notes| {
        if let Some(notes) = notes.last_mut() {
            notes.push(key);
        }
    });
}
