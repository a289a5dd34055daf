//! A loaded group: its members, and freeing them together.

use std::collections::HashMap;
use std::fmt;

use super::Store;
use crate::asset::Asset;
use crate::group::{AssetList, GroupMember};
use crate::handle::{AnyHandle, Handle, Key};
use crate::id::Id;

/// A loaded group. It keeps its assets alive until it is dropped, and returns members without a way to fail.
///
/// Assets that another group, a handle or a model needs outlive the group.
pub struct LoadedGroup<G = ()> {
    store: Store,
    members: AssetList<G>,
    /// By member.
    handles: Vec<AnyHandle>,
}

impl<G> LoadedGroup<G> {
    pub(super) fn new(store: Store, members: AssetList<G>, handles: Vec<AnyHandle>) -> Self {
        Self { store, members, handles }
    }

    pub(super) fn into_parts(self) -> (Store, Vec<AnyHandle>) {
        (self.store, self.handles)
    }

    /// Returns a member. The compiler checks that it is one:
    /// `level.get(const { groups::LEVEL_1.member(assets::TREE_PNG) })`.
    ///
    /// # Panics
    /// If the member was made from an id whose type is not the asset's. Generated constants always have the right type.
    pub fn get<T: Asset>(&self, member: GroupMember<G, T>) -> Handle<T> {
        let handle = self.handles.get(member.at()).and_then(AnyHandle::downcast);
        handle.unwrap_or_else(|| {
            panic!("an id of group \"{}\" has another type than its asset; use the generated constant", self.name())
        })
    }

    /// Returns an asset of the group, or `None` if it is not a member.
    pub fn find<T: Asset>(&self, id: Id<T>) -> Option<Handle<T>> {
        let at = self.members.ids().position(|member| member == id.resource())?;
        self.handles.get(at)?.downcast()
    }

    /// Returns the assets: by path for groups of the settings and folders, else in the order of the list.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &AnyHandle> {
        self.handles.iter()
    }

    /// Returns the name of the group in the settings; empty for folders and lists of ids.
    pub fn name(&self) -> &str {
        self.members.name()
    }

    /// Returns the bytes that the assets take, decoded.
    pub fn bytes(&self) -> u64 {
        self.handles.iter().map(AnyHandle::bytes).sum()
    }

    /// Frees the assets of the group, unless something else still holds one of them. In that case nothing happens, and
    /// the error lists the holders. To let go of the assets anyway, drop the group.
    ///
    /// # Errors
    /// [`StillInUse`], which contains the group.
    pub fn unload(self) -> Result<(), StillInUse<G>> {
        let held = self.held();
        if held.is_empty() { Ok(()) } else { Err(StillInUse { held, group: self }) }
    }

    /// Returns the members that something outside of the group holds.
    fn held(&self) -> Vec<HeldAsset> {
        let holders = self.store.holders();
        // How often the group itself holds each member: a list may name one more than once.
        let mut own: HashMap<Key, usize> = HashMap::new();
        self.handles.iter().for_each(|handle| *own.entry(handle.entry().meta().key).or_default() += 1);
        let mut left = own.clone();
        let mut held = Vec::new();
        for handle in &self.handles {
            let key = handle.entry().meta().key;
            let Some(own_handles) = left.remove(&key) else { continue };
            let outside = holders.dependents(key).filter(|dependent| !own.contains_key(&dependent.meta().key));
            let dependents: Vec<String> = outside.map(|dependent| dependent.meta().path.to_string()).collect();
            let handles = holders.handles(handle.entry()).saturating_sub(own_handles);
            if !dependents.is_empty() || handles > 0 {
                held.push(HeldAsset { path: handle.path().to_owned(), dependents, handles });
            }
        }
        held
    }
}

impl<G> fmt::Debug for LoadedGroup<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedGroup").field("group", &self.name()).field("assets", &self.handles.len()).finish()
    }
}

/// Why a group was not unloaded.
pub struct StillInUse<G = ()> {
    held: Vec<HeldAsset>,
    group: LoadedGroup<G>,
}

/// An asset that is not unloaded, because something holds it: for a member of a group, something outside of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldAsset {
    /// Its path.
    pub path: String,
    /// The paths of the assets that depend on it.
    pub dependents: Vec<String>,
    /// The number of other handles to it.
    pub handles: usize,
}

impl fmt::Display for HeldAsset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, dependents, handles } = self;
        write!(f, "\"{path}\" is held by ")?;
        for (i, dependent) in dependents.iter().enumerate() {
            write!(f, "{}\"{dependent}\"", if i > 0 { ", " } else { "" })?;
        }
        let and = if dependents.is_empty() { "" } else { " and " };
        match handles {
            0 => Ok(()),
            1 => write!(f, "{and}1 other reference"),
            handles => write!(f, "{and}{handles} other references"),
        }
    }
}

impl std::error::Error for HeldAsset {}

impl<G> StillInUse<G> {
    /// Returns the members that something else holds.
    pub fn held(&self) -> &[HeldAsset] {
        &self.held
    }

    /// Returns the group, which is still loaded.
    pub fn into_group(self) -> LoadedGroup<G> {
        self.group
    }
}

impl<G> fmt::Display for StillInUse<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group \"{}\" is not unloaded:", self.group.name())?;
        self.held.iter().try_for_each(|held| write!(f, "\n  {held}"))
    }
}

impl<G> fmt::Debug for StillInUse<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `main() -> Result` prints errors with Debug: let that be readable too.
        fmt::Display::fmt(self, f)
    }
}

impl<G> std::error::Error for StillInUse<G> {}
