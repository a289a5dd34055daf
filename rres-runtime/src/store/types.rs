//! The types that assets load as when their ids do not say it: in groups, and for assets that others need.
//!
//! The generated module of a release build names the types that its assets have, so the program does not contain the code of the others.
//! Other stores know all types: edits of loose files may add assets of any kind, and packs that no module describes may have them.

use std::sync::{Arc, PoisonError};

use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc, ResourceId};
use rres_protocol::packed_id::Slot;

use super::Store;
use super::load::{load_asset, load_unpacked};
use crate::asset::{Asset, CustomAsset, Font, Image, Link, Model, Raw, Sound, Sprite, Text, Unpacked};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::AnyEntry;
use crate::mounts::Mounts;

/// The type of the assets of one kind.
#[derive(Clone, Copy, Debug)]
pub struct AssetType {
    kind: AssetKind,
    entry: Entry,
}

/// Every type that has a kind of its own. Custom assets have one kind in common, and are registered.
///
/// A `static`, so that the code that loads them is compiled with this crate, and not in each debug build of a game again.
pub static ALL_TYPES: [AssetType; 8] = [
    AssetType::of::<Raw>(),
    AssetType::of::<Text>(),
    AssetType::of::<Image>(),
    AssetType::of::<Sound>(),
    AssetType::of::<Font>(),
    AssetType::of::<Model>(),
    AssetType::of::<Link>(),
    AssetType::of::<Sprite>(),
];

impl AssetType {
    /// Returns the type with its kind.
    pub const fn of<T: Asset>() -> Self {
        Self { kind: T::KIND, entry: |store, id, slot| store.entry::<T>(id, slot, load_asset::<T>) }
    }
}

/// Returns the entry of an asset as its type.
pub(super) type Entry = fn(&Store, ResourceId, Slot) -> Arc<dyn AnyEntry>;

impl Store {
    /// Returns the entry of an asset as the type of its kind.
    pub(super) fn entry_of_kind(&self, mounts: &Mounts, id: ResourceId) -> Result<Arc<dyn AnyEntry>> {
        let info = mounts.entry(id).ok_or_else(|| self.not_found(mounts, id, ""))?;
        let slot = info.id.slot();
        let entry = match info.kind {
            Some(AssetKind::Custom) => self.custom_entry(mounts, id, slot),
            Some(kind) => self.type_of(kind).ok_or_else(|| Error::new(ErrorKind::UnknownKind)),
            None => Err(Error::new(ErrorKind::UnknownKind)),
        };
        Ok(entry.map_err(|e| e.with_asset(info.path, id))?(self, id, slot))
    }

    fn type_of(&self, kind: AssetKind) -> Option<Entry> {
        let types = *self.shared.types.read().unwrap_or_else(PoisonError::into_inner);
        types.iter().find(|known| known.kind == kind).map(|known| known.entry)
    }

    /// Makes all types known to the store: packs that no generated module describes may have assets of any kind.
    pub(super) fn know_all_types(&self) {
        *self.shared.types.write().unwrap_or_else(PoisonError::into_inner) = &ALL_TYPES;
    }

    /// Makes a type known to the store, so that groups and other assets can have custom assets of it. The generated module does
    /// so for the types that the importers of the build script name; only other packs need a call. Of two types for one kind of
    /// chunk the last one counts.
    pub fn register<T: CustomAsset>(&self) {
        self.register_entry(T::FOURCC, |store, id, slot| store.entry::<T>(id, slot, load_asset::<T>));
    }

    /// Makes custom assets of this kind load as their data, for a program that reads the packs of any game and has none of its types.
    pub(crate) fn register_unpacked(&self, kind: FourCc) {
        self.register_entry(kind, |store, id, slot| store.entry::<Unpacked>(id, slot, load_unpacked));
    }

    fn register_entry(&self, kind: FourCc, entry: Entry) {
        self.shared.custom_types.write().unwrap_or_else(PoisonError::into_inner).insert(kind, entry);
    }

    /// Returns the entry of a custom asset as the type that is registered for its kind of chunk.
    fn custom_entry(&self, mounts: &Mounts, id: ResourceId, slot: Slot) -> Result<Entry> {
        let kind = mounts.locate(id, slot).and_then(|(source, slot)| {
            let kind = source.index().meta(slot).ok()?.get(MetaKey::CUSTOM_KIND)?;
            Some(FourCc(kind.to_le_bytes()))
        });
        let types = self.shared.custom_types.read().unwrap_or_else(PoisonError::into_inner);
        let entry = kind.and_then(|kind| types.get(&kind).copied());
        entry.ok_or_else(|| Error::new(ErrorKind::UnregisteredType(kind)))
    }
}
