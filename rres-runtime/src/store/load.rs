//! Loading one asset: from the chunks of a resource, or by the program from another asset.

use std::any::type_name;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rres_format::{AssetKind, ResourceId};
use rres_protocol::packed_id::Slot;

use super::change::drop_later;
use super::recorder::{DependencyRecorder, finish_afterwards, record};
use super::{FromAsset, Loader, Store};
use crate::asset::{Asset, Unpacked, from_resource};
use crate::error::{ErrorKind, Result};
use crate::handle::{Acquired, AnyEntry, AssetEntry, AssetMeta, Choice, Handle, Key, Provenance};
use crate::id::Id;
use crate::mounts::Mounts;
use crate::resource::LoadedResource;
use crate::timeline::{self, Step};
use crate::trace;
use crate::variants::Selection;

impl Store {
    /// Returns the entry of an asset as `T`, in the variant that the store prefers.
    pub(super) fn entry<T: Send + Sync + 'static>(
        &self,
        id: ResourceId,
        slot: Slot,
        loader: Loader,
    ) -> Arc<AssetEntry<T>> {
        self.entry_of(Key::new::<T>(id, Choice::Preferred), slot, loader)
    }

    /// Returns the entry with a key for `T`, a new one if it is not alive.
    pub(super) fn entry_of<T: Send + Sync + 'static>(
        &self,
        key: Key,
        slot: Slot,
        loader: Loader,
    ) -> Arc<AssetEntry<T>> {
        let new = || self.new_entry(AssetMeta::new::<T>(key, slot, self.path_at(key.id, slot)));
        let entry = self.shared.table.get_or_insert(key, slot, Some(loader), new);
        record(key);
        entry
    }

    pub(super) fn new_entry<T: Send + Sync + 'static>(&self, meta: AssetMeta) -> AssetEntry<T> {
        let owner = Arc::downgrade(&self.shared);
        AssetEntry::new(meta, owner)
    }

    /// Returns the path of an asset; empty if it does not exist.
    fn path_at(&self, id: ResourceId, slot: Slot) -> Arc<str> {
        self.path_in(&self.mounts(), id, slot)
    }

    fn path_in(&self, mounts: &Mounts, id: ResourceId, slot: Slot) -> Arc<str> {
        let path = mounts.locate(id, slot).and_then(|(source, slot)| Some(source.index().entry(slot).ok()?.path));
        path.unwrap_or_default().into()
    }

    /// Loads an entry, and counts that as a use.
    pub(super) fn load_typed<T: Send + Sync + 'static>(&self, entry: Arc<AssetEntry<T>>) -> Result<Handle<T>> {
        let entry = if entry.version() > 0 {
            entry
        } else {
            let entry: Arc<dyn AnyEntry> = entry;
            self.load_any(&entry)?;
            entry.downcast().expect("this is its type")
        };
        self.shared.residency.used(&*entry);
        Ok(Handle::new(entry).expect("an entry that is loaded has a value"))
    }

    /// Makes the first value of an entry, or waits for the thread that makes it.
    pub(super) fn load_any(&self, entry: &Arc<dyn AnyEntry>) -> Result<()> {
        self.load_with(entry, traced)
    }

    /// Like [`Self::load_any`]. A panic of the program's code is how the load has failed, for everybody who waits for it.
    pub(super) fn load_any_catching(&self, entry: &Arc<dyn AnyEntry>) -> Result<()> {
        self.load_with(entry, |store, entry, load| catching(entry.meta(), || traced(store, entry, load)))
    }

    fn load_with(
        &self,
        entry: &Arc<dyn AnyEntry>,
        make: fn(&Store, &Arc<dyn AnyEntry>, Loader) -> Result<()>,
    ) -> Result<()> {
        if entry.version() > 0 {
            return Ok(());
        }
        match entry.load_once().acquire(&self.shared.waits) {
            Acquired::Ready => Ok(()),
            Acquired::Failed(error) => Err(error),
            Acquired::Cycle => Err(entry.meta().error(ErrorKind::DependencyCycle)),
            Acquired::MustLoad(guard) => {
                // What only the program can give is still reserved: others wait for it.
                let load = self.loader(entry).ok_or_else(|| entry.meta().error(ErrorKind::NotInserted))?;
                let outcome = make(self, entry, load);
                if outcome.is_ok() {
                    self.shared.residency.loaded(entry);
                    #[cfg(debug_assertions)]
                    super::load_order::note(&entry.meta().path);
                }
                guard.finish(outcome.clone());
                finish_afterwards();
                outcome
            }
        }
    }

    /// Sets the first value of an entry to one that the program made, unless it has one or a thread makes one.
    pub(super) fn fill<T: Send + Sync + 'static>(&self, entry: &Arc<AssetEntry<T>>, value: T) -> Result<Handle<T>> {
        // Another thread may have tried to load what only `insert` can give. That gives no value.
        let acquired = loop {
            match entry.load_once().acquire(&self.shared.waits) {
                Acquired::Failed(_) => {}
                acquired => break acquired,
            }
        };
        match acquired {
            Acquired::MustLoad(guard) => {
                entry.publish(value, Provenance::of_value::<T>());
                self.shared.residency.loaded(&(Arc::clone(entry) as Arc<dyn AnyEntry>));
                guard.finish(Ok(()));
                Ok(Handle::new(Arc::clone(entry)).expect("a value was published"))
            }
            Acquired::Cycle => Err(entry.meta.error(ErrorKind::DependencyCycle)),
            Acquired::Ready | Acquired::Failed(_) => {
                let existing = entry.meta.path.to_string();
                Err(entry.meta.error(ErrorKind::AlreadyExists { existing }))
            }
        }
    }

    /// Makes the value again from the current sources. If that fails, the old one stays. Returns `false` if the program
    /// inserted the value.
    pub(super) fn reload_any(&self, entry: &Arc<dyn AnyEntry>) -> Result<bool> {
        match self.loader(entry) {
            Some(load) => traced(self, entry, load).map(|()| true),
            None => Ok(false),
        }
    }

    /// Returns what loads an entry; `None` if only the program can give its value.
    pub(super) fn loader(&self, entry: &Arc<dyn AnyEntry>) -> Option<Loader> {
        self.shared.table.attachment(entry.meta().key)?
    }
}

/// Makes the value of an asset on a thread that has more to do afterwards. The program's own types may panic while they are made; that is
/// an error of the asset then.
pub(super) fn catching<T>(meta: &AssetMeta, make: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(meta.error(ErrorKind::Panicked(message)))
    })
}

/// Calls the loader of an entry.
fn traced(store: &Store, entry: &Arc<dyn AnyEntry>, load: Loader) -> Result<()> {
    let meta = entry.meta();
    let _span = trace::loading(store.address(), &meta.path, meta.id(), meta.type_name, entry.version() > 0);
    load(store, &**entry).inspect_err(trace::failed)
}

/// The [`Loader`] of assets.
pub(super) fn load_asset<T: Asset>(store: &Store, entry: &dyn AnyEntry) -> Result<()> {
    load_value::<T>(store, entry, T::KIND != AssetKind::Link, |resource| {
        let value: T = from_resource(resource)?;
        let size = value.decoded_size();
        Ok((value, size))
    })
}

/// The [`Loader`] of custom assets whose type the program does not have.
pub(super) fn load_unpacked(store: &Store, entry: &dyn AnyEntry) -> Result<()> {
    load_value::<Unpacked>(store, entry, true, |resource| {
        let value = Unpacked::from_resource(resource).map_err(|e| e.with_asset(resource.path, resource.id))?;
        let size = value.decoded_size();
        Ok((value, size))
    })
}

/// Publishes the value that `make` returns with its size.
fn load_value<T: Send + Sync + 'static>(
    store: &Store,
    entry: &dyn AnyEntry,
    follows_links: bool,
    make: fn(&LoadedResource<'_>) -> Result<(T, u64)>,
) -> Result<()> {
    let mut made = None;
    let provenance = load_resource(store, entry, follows_links, &mut |resource| {
        let (value, size) = make(resource)?;
        made = Some(value);
        Ok(size)
    })?;
    drop_later(publish(entry, made.expect("it was made"), provenance));
    Ok(())
}

/// Reads the resource that is mounted now, has `make` make its value and return the size of that, and loads its dependencies.
///
/// Not generic over the asset's type, so that a program contains it once.
fn load_resource(
    store: &Store,
    entry: &dyn AnyEntry,
    follows_links: bool,
    make: &mut dyn FnMut(&LoadedResource<'_>) -> Result<u64>,
) -> Result<Provenance> {
    let (mounts, meta) = (store.mounts(), entry.meta());
    let wanted = Wanted { key: meta.key, slot: meta.slot, path: &meta.path, follows_links };
    let mut found = (0, Vec::new());
    read_resource(store, &mounts, &store.selection(), &wanted, &mut |resource| {
        found = (make(resource)?.max(resource.base_size.into()), resource.dependencies.clone());
        Ok(())
    })?;
    let (bytes, dependencies) = found;
    let dependencies = load_dependencies(store, &mounts, meta, &dependencies)?;
    let sources = dependencies.iter().map(|dependency| dependency.meta().key).collect();
    Ok(Provenance { bytes, dependencies, sources })
}

/// Reads an asset from these mounts, in the variant that a selection prefers, and nothing that it depends on.
pub(super) fn read_asset<T: Asset>(store: &Store, mounts: &Arc<Mounts>, selection: &Selection, id: Id<T>) -> Result<T> {
    let path = store.path_in(mounts, id.resource(), id.slot());
    let _span = trace::loading(store.address(), &path, id.resource(), type_name::<T>(), false);
    let key = Key::new::<T>(id.resource(), Choice::Preferred);
    let wanted = Wanted { key, slot: id.slot(), path: &path, follows_links: T::KIND != AssetKind::Link };
    let mut made = None;
    read_resource(store, mounts, selection, &wanted, &mut |resource| {
        made = Some(from_resource(resource)?);
        Ok(())
    })
    .inspect_err(trace::failed)?;
    #[cfg(debug_assertions)]
    super::load_order::note(&path);
    Ok(made.expect("it was made"))
}

/// Which resource is read.
struct Wanted<'a> {
    key: Key,
    /// Where it probably is.
    slot: Slot,
    path: &'a Arc<str>,
    follows_links: bool,
}

/// Reads a resource, in the variant that is chosen, and has `make` make a value of it.
fn read_resource(
    store: &Store,
    mounts: &Arc<Mounts>,
    selection: &Selection,
    wanted: &Wanted<'_>,
    make: &mut dyn FnMut(&LoadedResource<'_>) -> Result<()>,
) -> Result<()> {
    let id = wanted.key.id;
    let chosen = match wanted.key.choice {
        Choice::Preferred => selection.of(id),
        Choice::Fixed => id,
    };
    // The variant may be of a pack that another thread has just unmounted; the asset is then loaded again.
    let variant = Some(chosen).filter(|chosen| *chosen != id).and_then(|chosen| mounts.locate(chosen, Slot(0)));
    let (source, slot) =
        variant.or_else(|| mounts.locate(id, wanted.slot)).ok_or_else(|| store.not_found(mounts, id, wanted.path))?;
    let resource = source.load_slot(slot, store.limit_of(mounts, id))?;
    timeline::step(Step::Read);
    let resource = if resource.kind == Some(AssetKind::Link) && wanted.follows_links {
        store.follow_to_file(resource).map_err(|e| e.with_asset(Arc::clone(wanted.path), id))?
    } else {
        resource
    };
    make(&resource)?;
    timeline::step(Step::Decoded);
    Ok(())
}

/// The [`Loader`] of the program's types: loads the source, and makes the value with the program's code.
pub(super) fn load_own<U: FromAsset>(store: &Store, entry: &dyn AnyEntry) -> Result<()> {
    let meta = entry.meta();
    let recorder = DependencyRecorder::start();
    let key = Key::new::<U::Source>(meta.id(), meta.key.choice);
    let source = store.load_typed(store.entry_of::<U::Source>(key, meta.slot, load_asset::<U::Source>))?;
    timeline::step(Step::Read);
    let made = U::from_asset(&source.get(), store);
    timeline::step(Step::Decoded);
    let mut sources = recorder.finish();
    let value = made.map_err(|e| meta.error(ErrorKind::Conversion(e.into())))?;
    // The source itself may be freed: the program has taken what it needs from it.
    sources.push(key);
    let provenance = Provenance { bytes: value.size() as u64, dependencies: Vec::new(), sources };
    drop_later(publish::<U>(entry, value, provenance));
    Ok(())
}

/// Returns what was published before, for the caller to drop without a lock.
fn publish<T: Send + Sync + 'static>(entry: &dyn AnyEntry, value: T, provenance: Provenance) -> impl Sized + use<T> {
    let entry = entry.downcast_ref::<T>().expect("the loader of an entry is for its type");
    entry.publish(value, provenance)
}

/// Loads the resources that an asset depends on.
fn load_dependencies(
    store: &Store,
    mounts: &Mounts,
    meta: &AssetMeta,
    ids: &[ResourceId],
) -> Result<Vec<Arc<dyn AnyEntry>>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    if depends_on_itself(mounts, &store.selection(), meta.id()) {
        return Err(meta.error(ErrorKind::DependencyCycle));
    }
    let load = |id: &ResourceId| {
        let entry = store.entry_of_kind(mounts, *id).map_err(|error| match error.kind() {
            // The missing resource has no path, so the error names the asset that depends on it.
            ErrorKind::NotFound { .. } => meta.error(ErrorKind::MissingDependency(*id)),
            _ => error,
        })?;
        store.load_any(&entry)?;
        Ok(entry)
    };
    ids.iter().map(load).collect()
}

/// Returns whether an asset depends on itself, directly or through others, in the variants that are chosen. `rres-build` writes no pack in
/// which the assets without variants do.
fn depends_on_itself(mounts: &Mounts, selection: &Selection, id: ResourceId) -> bool {
    let mut seen = HashSet::new();
    let mut left = vec![id];
    while let Some(next) = left.pop() {
        let chosen = mounts.locate(selection.of(next), Slot(0));
        let Some((source, slot)) = chosen.or_else(|| mounts.locate(next, Slot(0))) else { continue };
        for dependency in source.index().dependencies(slot).into_iter().flatten() {
            if dependency == id {
                return true;
            }
            if seen.insert(dependency) {
                left.push(dependency);
            }
        }
    }
    false
}
