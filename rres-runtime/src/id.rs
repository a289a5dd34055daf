//! Ids as constants carry them: with the type of the asset, and a hint where its entry is.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rres_format::{AssetKind, ResourceId};

/// The id of an asset of type `T`. Generated constants are the usual source.
///
/// The fields are public for generated code alone: rustc takes a sixth longer for a call than for a literal, and
/// there may be 65,000 of them.
pub struct Id<T: ?Sized> {
    #[doc(hidden)]
    pub id: u32,
    /// Where the entry stood when the constant was made: checked on use, searched for if it moved.
    #[doc(hidden)]
    pub slot: u32,
    #[doc(hidden)]
    pub kind: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Id<T> {
    /// An id with a hint: which pack of its set (high 16 bits) and which entry of that pack's index (low 16 bits).
    pub const fn new(id: u32, slot: u32) -> Self {
        Self { id, slot, kind: PhantomData }
    }

    /// The number by which packs know the asset.
    pub const fn resource(self) -> ResourceId {
        ResourceId(self.id)
    }

    pub(crate) const fn slot(self) -> u32 {
        self.slot
    }
}

// By hand, since deriving would ask the same of `T`.
impl<T: ?Sized> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Id<T> {}

impl<T: ?Sized> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<T: ?Sized> Eq for Id<T> {}

impl<T: ?Sized> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<T: ?Sized> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Id<{}>({})", name.rsplit("::").next().unwrap_or(name), self.resource())
    }
}

/// The id of an asset of any type, for tables of mixed assets.
#[derive(Clone, Copy, Debug)]
pub struct AnyId {
    id: u32,
    slot: u32,
    kind: u8,
}

impl AnyId {
    /// An id of the kind with the number `kind`; see [`AssetKind`].
    pub const fn new(id: u32, slot: u32, kind: u8) -> Self {
        Self { id, slot, kind }
    }

    /// The number by which packs know the asset.
    pub const fn resource(self) -> ResourceId {
        ResourceId(self.id)
    }

    /// What the asset is.
    pub fn kind(self) -> Option<AssetKind> {
        AssetKind::from_number(self.kind)
    }

    /// The id with its type, or `None` where the asset is of another kind.
    pub fn typed<T: crate::Asset>(self) -> Option<Id<T>> {
        (self.kind == T::KIND as u8).then_some(Id::new(self.id, self.slot))
    }
}

impl PartialEq for AnyId {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for AnyId {}

impl Hash for AnyId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<T: crate::Asset> From<Id<T>> for AnyId {
    fn from(id: Id<T>) -> Self {
        Self { id: id.id, slot: id.slot, kind: T::KIND as u8 }
    }
}

/// Ids for a table of generated code: slot and id in the halves of a `u64`, kinds beside them, since bare integers
/// take rustc a twelfth of the time that structs do.
pub const fn any_ids<const N: usize>(ids: [u64; N], kinds: [u8; N]) -> [AnyId; N] {
    let mut out = [AnyId::new(0, 0, 0); N];
    let mut i = 0;
    while i < N {
        out[i] = AnyId::new(ids[i] as u32, (ids[i] >> 32) as u32, kinds[i]);
        i += 1;
    }
    out
}
