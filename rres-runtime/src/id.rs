//! Ids as constants carry them: with the type of the asset, and a hint where its entry is.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rres_format::{AssetKind, ResourceId};

/// The id of an asset of type `T`. Generated constants are the usual source.
///
/// The fields are public for generated code alone, and of the types that cost rustc least as literals, of which there may
/// be 65,000: a call takes a sixth longer, and so do two numbers and a `PhantomData` that is not in an empty array.
pub struct Id<T: ?Sized> {
    /// The id in the low half. In the high half its slot, where the entry stood when the constant was made: checked on
    /// use, searched for if it moved.
    #[doc(hidden)]
    pub id: u64,
    #[doc(hidden)]
    pub kind: [PhantomData<fn() -> T>; 0],
}

impl<T: ?Sized> Id<T> {
    /// An id with a hint: which pack of its set (high 16 bits) and which entry of that pack's index (low 16 bits).
    pub const fn new(id: u32, slot: u32) -> Self {
        Self { id: (slot as u64) << 32 | id as u64, kind: [] }
    }

    /// The id of what has this path: for values that a program made, and for packs without generated constants.
    pub fn from_path(path: &str) -> Self {
        Self::new(ResourceId::from_path(path).0, 0)
    }

    /// The number by which packs know the asset.
    pub const fn resource(self) -> ResourceId {
        ResourceId(self.id as u32)
    }

    pub(crate) const fn slot(self) -> u32 {
        (self.id >> 32) as u32
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
        Self { id: id.resource().0, slot: id.slot(), kind: T::KIND as u8 }
    }
}

/// A table of ids: every asset of a folder, as generated code lists them.
///
/// Held as bare integers, since rustc reads those twelve times faster than structs.
#[derive(Clone, Copy)]
pub struct Ids {
    /// Slot in the high half, id in the low.
    ids: &'static [u64],
    kinds: &'static [u8],
}

impl Ids {
    /// The ids of a table; both slices have one element per asset.
    pub const fn new(ids: &'static [u64], kinds: &'static [u8]) -> Self {
        assert!(ids.len() == kinds.len());
        Self { ids, kinds }
    }

    /// The `count` ids from `start`.
    #[must_use]
    pub const fn part(self, start: usize, count: usize) -> Self {
        Self {
            ids: self.ids.split_at(start).1.split_at(count).0,
            kinds: self.kinds.split_at(start).1.split_at(count).0,
        }
    }

    /// Number of ids.
    pub const fn len(self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.ids.is_empty()
    }

    /// The id at a place.
    pub fn get(self, at: usize) -> Option<AnyId> {
        let (id, kind) = (*self.ids.get(at)?, *self.kinds.get(at)?);
        Some(AnyId::new(id as u32, (id >> 32) as u32, kind))
    }

    /// The ids, by path.
    pub fn iter(self) -> impl ExactSizeIterator<Item = AnyId> {
        let kinds = self.kinds.iter();
        self.ids.iter().zip(kinds).map(|(id, kind)| AnyId::new(*id as u32, (*id >> 32) as u32, *kind))
    }
}

impl fmt::Debug for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// From paths to places in a table, as generated code holds them: a perfect hash of the CRC-32 of each path leads to its
/// lines, `place TAB path LF`; an empty line ends those of one checksum.
#[derive(Debug)]
pub struct Paths {
    offsets: phf::Map<u32, u32>,
    lines: &'static str,
}

impl Paths {
    /// The table of generated code.
    pub const fn new(offsets: phf::Map<u32, u32>, lines: &'static str) -> Self {
        Self { offsets, lines }
    }

    /// The place of exactly this path.
    pub fn find(&self, path: &str) -> Option<usize> {
        let lines = self.lines.get(*self.offsets.get(&ResourceId::from_path(path).0)? as usize..)?;
        lines.lines().take_while(|line| !line.is_empty()).find_map(|line| {
            let (place, of) = line.split_once('\t')?;
            if of == path { place.parse().ok() } else { None }
        })
    }
}
