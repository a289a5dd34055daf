//! The ids in generated constants. They have the type of the asset, and a hint for the position of its entry in the
//! index.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rres_format::{AssetKind, ResourceId, normalize_path};
use rres_protocol::packed_id::{PackedId, Slot};
use rres_protocol::path_table;

/// The id of an asset of type `T`. Most ids come from generated constants.
///
/// Two ids are equal if their resource ids are; the slot is only a hint.
///
/// The fields are public for generated code alone. Their types are those that cost rustc least as literals, because a
/// game may have 65,000 of them: a constructor call takes a sixth longer, and so do two numbers, or a `PhantomData`
/// that is not in an empty array.
pub struct Id<T: ?Sized> {
    /// A [`PackedId`].
    #[doc(hidden)]
    pub id: u64,
    #[doc(hidden)]
    pub kind: [PhantomData<fn() -> T>; 0],
}

impl<T: ?Sized> Id<T> {
    /// Creates an id from a resource id and a slot, a hint for the position of its entry. The hint is checked on use,
    /// and the entry is searched for if the hint is wrong. If the slot is not known, use `Slot(0)`.
    pub const fn new(id: ResourceId, slot: Slot) -> Self {
        Self { id: PackedId::new(id, slot).0, kind: [] }
    }

    /// Creates the id of the asset with exactly this path: for values that a program made, and for packs without
    /// generated constants.
    pub fn from_path(path: &str) -> Self {
        Self::new(ResourceId::from_path(path), Slot(0))
    }

    /// Returns the asset's resource id.
    pub const fn resource(self) -> ResourceId {
        PackedId(self.id).id()
    }

    pub(crate) const fn slot(self) -> Slot {
        PackedId(self.id).slot()
    }
}

// By hand: a derive would require the same of `T`.
impl<T: ?Sized> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Id<T> {}

impl<T: ?Sized> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.resource() == other.resource()
    }
}

impl<T: ?Sized> Eq for Id<T> {}

impl<T: ?Sized> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.resource().hash(state);
    }
}

impl<T: ?Sized> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Id<{}>({})", name.rsplit("::").next().unwrap_or(name), self.resource())
    }
}

impl<T: ?Sized> From<Id<T>> for ResourceId {
    fn from(id: Id<T>) -> Self {
        id.resource()
    }
}

/// The id of an asset of any type, for tables of mixed assets. Displays as its resource id.
///
/// Two ids are equal if their resource ids are.
#[derive(Clone, Copy)]
pub struct AnyId {
    id: PackedId,
    kind: Option<AssetKind>,
}

impl AnyId {
    /// Creates the id of an asset of this kind; see [`Id::new`] for `slot`.
    pub const fn new(id: ResourceId, slot: Slot, kind: AssetKind) -> Self {
        Self::of_kind(id, slot, Some(kind))
    }

    pub(crate) const fn of_kind(id: ResourceId, slot: Slot, kind: Option<AssetKind>) -> Self {
        Self { id: PackedId::new(id, slot), kind }
    }

    /// Returns the asset's resource id.
    pub const fn resource(self) -> ResourceId {
        self.id.id()
    }

    pub(crate) const fn slot(self) -> Slot {
        self.id.slot()
    }

    /// Returns the asset's kind; `None` if a newer version wrote the pack and this one does not know the kind.
    pub const fn kind(self) -> Option<AssetKind> {
        self.kind
    }
}

impl From<AnyId> for ResourceId {
    fn from(id: AnyId) -> Self {
        id.resource()
    }
}

impl fmt::Display for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.resource(), f)
    }
}

impl fmt::Debug for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.map_or("unknown kind", AssetKind::name);
        write!(f, "AnyId<{kind}>({})", self.resource())
    }
}

impl PartialEq for AnyId {
    fn eq(&self, other: &Self) -> bool {
        self.resource() == other.resource()
    }
}

impl Eq for AnyId {}

impl Hash for AnyId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.resource().hash(state);
    }
}

/// A table of ids: every asset of a folder, as generated code lists them.
///
/// The table holds bare integers, which rustc reads twelve times faster than structs.
#[derive(Clone, Copy)]
pub struct Ids {
    /// [`PackedId`]s.
    ids: &'static [u64],
    /// The number of the [`AssetKind`] of each.
    kinds: &'static [u8],
}

impl Ids {
    /// Creates a table of generated code. Both slices have one element per asset.
    #[doc(hidden)]
    pub const fn new(ids: &'static [u64], kinds: &'static [u8]) -> Self {
        assert!(ids.len() == kinds.len());
        Self { ids, kinds }
    }

    /// Returns the `count` ids from position `start` on.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub const fn part(self, start: usize, count: usize) -> Self {
        Self {
            ids: self.ids.split_at(start).1.split_at(count).0,
            kinds: self.kinds.split_at(start).1.split_at(count).0,
        }
    }

    /// Returns the number of ids.
    pub const fn len(self) -> usize {
        self.ids.len()
    }

    /// Returns whether the table is empty.
    pub const fn is_empty(self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the id at a position.
    pub fn get(self, at: usize) -> Option<AnyId> {
        let (id, kind) = (PackedId(*self.ids.get(at)?), *self.kinds.get(at)?);
        Some(AnyId { id, kind: AssetKind::from_number(kind) })
    }

    /// Returns the ids, ordered by path.
    pub fn iter(self) -> IdsIter {
        IdsIter { ids: self, at: 0 }
    }
}

impl IntoIterator for Ids {
    type Item = AnyId;
    type IntoIter = IdsIter;

    fn into_iter(self) -> IdsIter {
        self.iter()
    }
}

/// The ids of an [`Ids`], ordered by path.
#[derive(Clone, Debug)]
pub struct IdsIter {
    ids: Ids,
    at: usize,
}

impl Iterator for IdsIter {
    type Item = AnyId;

    fn next(&mut self) -> Option<AnyId> {
        let id = self.ids.get(self.at)?;
        self.at += 1;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.ids.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IdsIter {}

impl fmt::Debug for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The table behind the generated `by_path`; see [`rres_protocol::path_table`] for its form.
#[derive(Debug)]
pub struct Paths {
    /// From the CRC-32 of a path to the offset of its group in `lines`.
    offsets: phf::Map<u32, u32>,
    lines: &'static str,
}

impl Paths {
    /// Creates the table from the literals of generated code.
    pub const fn new(offsets: phf::Map<u32, u32>, lines: &'static str) -> Self {
        Self { offsets, lines }
    }

    /// Returns the position of a path, as people type it, in the table of all ids.
    pub fn find(&self, path: &str) -> Option<usize> {
        find_as_typed(path, |path| {
            let offset = *self.offsets.get(&ResourceId::from_path(path).0)?;
            path_table::find(self.lines, offset, path)
        })
    }
}

/// Finds a path with `find`: first exactly as it is, because packs of other programs contain any, then in the form of
/// `rres-build`, because people type `./ui/button.png` and `ui\\button.png`.
pub(crate) fn find_as_typed<T>(path: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(path).or_else(|| normalize_path(path).ok().filter(|normal| normal != path).and_then(|normal| find(&normal)))
}
