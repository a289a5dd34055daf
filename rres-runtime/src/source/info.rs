//! An entry of an index → what is known of an asset without loading it.

use rres_format::AssetKind;
use rres_format::index::IndexView;
use rres_protocol::packed_id::Slot;

use crate::id::AnyId;

/// What is known of an asset without loading it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssetInfo<'a> {
    /// Its id.
    pub id: AnyId,
    /// Its path; empty if the pack does not record paths.
    pub path: &'a str,
    /// Its kind; `None` if this version does not know it.
    pub kind: Option<AssetKind>,
    /// The bytes that it takes in the pack or the import cache.
    pub stored_size: u32,
    /// The bytes of its chunks before compression.
    pub base_size: u32,
}

impl<'a> AssetInfo<'a> {
    /// Reads the entry at `slot`; `None` if it is damaged or does not exist.
    pub(crate) fn at(index: IndexView<'a>, slot: u32) -> Option<Self> {
        let entry = index.entry(slot).ok()?;
        Some(Self {
            id: AnyId::of_kind(entry.id, Slot(slot), entry.kind),
            path: entry.path,
            kind: entry.kind,
            stored_size: entry.stored_size,
            base_size: entry.base_size,
        })
    }

    /// Reads every entry, by slot. Damaged ones are left out.
    pub(crate) fn all(index: IndexView<'a>) -> impl Iterator<Item = Self> {
        (0..index.len() as u32).filter_map(move |slot| Self::at(index, slot))
    }
}
