//! Groups: assets that are loaded together. The settings, a folder or the program determine which.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use rres_format::ResourceId;

use crate::id::{AnyId, Id, Ids};

/// A group of assets. Most groups come from generated constants: `assets::groups::LEVEL_1`.
///
/// Each generated group has a type of its own as `G`, with the same name as the constant, so that the compiler can
/// distinguish the members of different groups.
pub struct Group<G = ()> {
    name: &'static str,
    /// Resource ids.
    members: &'static [u32],
    marker: PhantomData<fn() -> G>,
}

impl<G> Group<G> {
    /// Creates a group of the resources with these ids.
    pub const fn new(name: &'static str, members: &'static [u32]) -> Self {
        Self { name, members, marker: PhantomData }
    }

    /// Returns the name of the group in the settings.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the ids of the members, ordered by path.
    pub fn members(self) -> impl ExactSizeIterator<Item = ResourceId> {
        self.members.iter().map(|id| ResourceId(*id))
    }

    /// Returns a member, for [`crate::LoadedGroup::get`], which cannot fail. In a `const` block, the compiler refuses
    /// an asset that is not a member:
    ///
    /// ```
    /// # use rres_runtime::{Group, Id, Image, Loading, ResourceId, Slot};
    /// # #[allow(non_camel_case_types)]
    /// # enum LEVEL_1 {}
    /// # const LEVEL_1: Group<LEVEL_1> = Group::new("level_1", &[1, 2]);
    /// # const TREE_PNG: Id<Image> = Id::new(ResourceId(2), Slot(0));
    /// # fn enter(loading: Loading<LEVEL_1>) -> Result<(), rres_runtime::GroupError> {
    /// let level = loading.wait()?;
    /// let tree = level.get(const { LEVEL_1.member(TREE_PNG) });
    /// # Ok(()) }
    /// ```
    ///
    /// # Panics
    /// If the asset is not a member. In a `const` block that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn member<T>(self, id: Id<T>) -> GroupMember<G, T> {
        let mut at = 0;
        while at < self.members.len() {
            if self.members[at] == id.resource().0 {
                return GroupMember { at, marker: PhantomData };
            }
            at += 1;
        }
        panic!("this asset is not a member of this group: see [group] in assets.toml");
    }

    /// Returns the same group without its own type, for tables of groups.
    #[must_use]
    pub const fn untyped(self) -> Group {
        Group::new(self.name, self.members)
    }
}

// By hand: a derive would require the same of `G`.
impl<G> Clone for Group<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Group<G> {}

impl<G> PartialEq for Group<G> {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.members) == (other.name, other.members)
    }
}

impl<G> Eq for Group<G> {}

impl<G> fmt::Debug for Group<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({}, {} assets)", self.name, self.members.len())
    }
}

/// An asset of type `T` that is known to be in the group `G`; see [`Group::member`].
pub struct GroupMember<G, T> {
    /// The position in the group.
    at: usize,
    marker: PhantomData<fn() -> (G, T)>,
}

impl<G, T> GroupMember<G, T> {
    pub(crate) fn at(self) -> usize {
        self.at
    }
}

impl<G, T> Clone for GroupMember<G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, T> Copy for GroupMember<G, T> {}

impl<G, T> fmt::Debug for GroupMember<G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupMember({})", self.at)
    }
}

/// Assets to load together: the members of a [`Group`], the assets of a folder, or ids that a program lists.
///
/// ```
/// use rres_runtime::{AnyId, AssetList};
/// # let ids: [AnyId; 0] = [];
/// let list: AssetList = ids.into_iter().collect();
/// ```
pub struct AssetList<G = ()> {
    name: Cow<'static, str>,
    /// Resource ids.
    ids: Cow<'static, [u32]>,
    marker: PhantomData<fn() -> G>,
}

impl<G> AssetList<G> {
    /// Returns the ids of the assets.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ResourceId> {
        self.ids.iter().map(|id| ResourceId(*id))
    }

    /// Returns the name of the group; empty for folders and lists of ids.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl AssetList {
    pub(crate) fn of(name: String, ids: Vec<ResourceId>) -> Self {
        Self { name: name.into(), ids: ids.into_iter().map(|id| id.0).collect(), marker: PhantomData }
    }
}

impl<G> Clone for AssetList<G> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), ids: self.ids.clone(), marker: PhantomData }
    }
}

impl<G> From<Group<G>> for AssetList<G> {
    fn from(group: Group<G>) -> Self {
        Self { name: group.name.into(), ids: group.members.into(), marker: PhantomData }
    }
}

impl From<Ids> for AssetList {
    fn from(ids: Ids) -> Self {
        ids.iter().collect()
    }
}

impl<const N: usize> From<[AnyId; N]> for AssetList {
    fn from(ids: [AnyId; N]) -> Self {
        ids.into_iter().collect()
    }
}

impl From<Vec<AnyId>> for AssetList {
    fn from(ids: Vec<AnyId>) -> Self {
        ids.into_iter().collect()
    }
}

impl FromIterator<AnyId> for AssetList {
    fn from_iter<I: IntoIterator<Item = AnyId>>(ids: I) -> Self {
        Self::of(String::new(), ids.into_iter().map(AnyId::resource).collect())
    }
}

impl<G> fmt::Debug for AssetList<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AssetList({}, {} assets)", self.name, self.ids.len())
    }
}
