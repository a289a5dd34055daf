//! Groups: assets that belong together, as the settings name them, as folders hold them, or as a program lists them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use rres_format::ResourceId;

use crate::id::{AnyId, Id, Ids};

/// A group of assets. Generated constants are the usual source: `assets::groups::LEVEL_1`.
///
/// Each generated group has a type of its own as `G`, of the same name as the constant, so that the compiler tells members of
/// one group from those of another.
pub struct Group<G = ()> {
    name: &'static str,
    members: &'static [u32],
    marker: PhantomData<fn() -> G>,
}

impl<G> Group<G> {
    /// A group of the resources with these ids.
    pub const fn new(name: &'static str, members: &'static [u32]) -> Self {
        Self { name, members, marker: PhantomData }
    }

    /// Its name, as in the settings.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its members, by path.
    pub fn members(self) -> impl ExactSizeIterator<Item = ResourceId> {
        self.members.iter().map(|id| ResourceId(*id))
    }

    /// A member, to be taken from the loaded group without a way to fail. In a `const` block the compiler refuses what is no
    /// member:
    ///
    /// ```
    /// # use rres_runtime::{Group, Id, Image, Loading};
    /// # #[allow(non_camel_case_types)]
    /// # enum LEVEL_1 {}
    /// # const LEVEL_1: Group<LEVEL_1> = Group::new("level_1", &[1, 2]);
    /// # const TREE_PNG: Id<Image> = Id::new(2, 0);
    /// # fn enter(loading: Loading<LEVEL_1>) -> Result<(), rres_runtime::GroupError> {
    /// let level = loading.wait()?;
    /// let tree = level.get(const { LEVEL_1.member(TREE_PNG) });
    /// # Ok(()) }
    /// ```
    ///
    /// # Panics
    /// Where the asset is no member; in a `const` block that is an error of compilation.
    #[must_use]
    pub const fn member<T>(self, id: Id<T>) -> Member<G, T> {
        let mut at = 0;
        while at < self.members.len() {
            if self.members[at] == id.resource().0 {
                return Member { at, marker: PhantomData };
            }
            at += 1;
        }
        panic!("this asset is no member of this group: see [group] in assets.toml");
    }

    /// The same group without its own type, for tables of groups.
    #[must_use]
    pub const fn untyped(self) -> Group {
        Group::new(self.name, self.members)
    }
}

// By hand, since deriving would ask the same of `G`.
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
pub struct Member<G, T> {
    at: usize,
    marker: PhantomData<fn() -> (G, T)>,
}

impl<G, T> Member<G, T> {
    pub(crate) fn at(self) -> usize {
        self.at
    }
}

impl<G, T> Clone for Member<G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, T> Copy for Member<G, T> {}

impl<G, T> fmt::Debug for Member<G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Member({})", self.at)
    }
}

/// Assets to be loaded together: from a [`Group`], a folder's table, or ids that a program lists.
///
/// ```
/// use rres_runtime::{AnyId, Members};
/// # let ids: [AnyId; 0] = [];
/// let members: Members = ids.into_iter().collect();
/// ```
pub struct Members<G = ()> {
    name: Cow<'static, str>,
    ids: Cow<'static, [u32]>,
    marker: PhantomData<fn() -> G>,
}

impl<G> Members<G> {
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = ResourceId> {
        self.ids.iter().map(|id| ResourceId(*id))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Members {
    pub(crate) fn of(name: String, ids: Vec<ResourceId>) -> Self {
        Self { name: name.into(), ids: ids.into_iter().map(|id| id.0).collect(), marker: PhantomData }
    }
}

impl<G> Clone for Members<G> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), ids: self.ids.clone(), marker: PhantomData }
    }
}

impl<G> From<Group<G>> for Members<G> {
    fn from(group: Group<G>) -> Self {
        Self { name: group.name.into(), ids: group.members.into(), marker: PhantomData }
    }
}

impl From<Ids> for Members {
    fn from(ids: Ids) -> Self {
        ids.iter().collect()
    }
}

impl<const N: usize> From<[AnyId; N]> for Members {
    fn from(ids: [AnyId; N]) -> Self {
        ids.into_iter().collect()
    }
}

impl From<Vec<AnyId>> for Members {
    fn from(ids: Vec<AnyId>) -> Self {
        ids.into_iter().collect()
    }
}

impl FromIterator<AnyId> for Members {
    fn from_iter<I: IntoIterator<Item = AnyId>>(ids: I) -> Self {
        Self::of(String::new(), ids.into_iter().map(AnyId::resource).collect())
    }
}

impl<G> fmt::Debug for Members<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({}, {} assets)", self.name, self.ids.len())
    }
}
