//! Loading by constants.

use bevy_asset::{Asset, AssetPath, AssetServer, Handle};
use bevy_ecs::prelude::Res;
use bevy_ecs::system::SystemParam;
use rres_runtime::{AnyId, Group, Id, Store};

use crate::SOURCE;
use crate::convert::{Becomes, Conversions};
use crate::group::GroupHandles;
use crate::group_events::LoadingGroups;
use crate::plugin::RresStore;

/// Loads assets by their constants: a parameter of systems.
#[derive(SystemParam)]
pub struct Rres<'w> {
    server: Res<'w, AssetServer>,
    store: Res<'w, RresStore>,
    groups: Res<'w, LoadingGroups>,
    conversions: Res<'w, Conversions>,
}

impl Rres<'_> {
    /// Starts to load an asset, and returns its handle at once, like `AssetServer::load`. Loading it again returns a handle of the same
    /// asset.
    ///
    /// If it fails, the handle's `LoadState` is `Failed`, and Bevy logs why.
    #[must_use = "an asset is freed with its last handle"]
    pub fn load<T: Becomes<A>, A: Asset>(&self, id: Id<T>) -> Handle<A> {
        self.server.load(self.path(id.into()))
    }

    /// Starts to load what Bevy's loader for `A` makes of the file: an `AudioSource` of a sound, a `Font` or a `Gltf` of a file that the
    /// rule `kind = "raw"` keeps as it is, an asset of your own.
    #[must_use = "an asset is freed with its last handle"]
    pub fn load_file<A: Asset>(&self, id: impl Into<AnyId>) -> Handle<A> {
        self.server.load(self.path(id.into()))
    }

    /// Starts to load all members of a group. At the end, [`crate::GroupLoaded`] or [`crate::GroupFailed`] is triggered.
    #[must_use = "the assets are freed with their last handles"]
    pub fn load_group<G>(&self, group: Group<G>) -> GroupHandles {
        let handles = GroupHandles::load(&self.server, &self.store.0, &self.conversions, group.untyped());
        self.groups.add(&handles);
        handles
    }

    /// Returns the path of an asset for Bevy, such as `rres://ui/player.png`.
    pub fn path(&self, id: AnyId) -> AssetPath<'static> {
        path_or_number(&self.store.0, id)
    }

    /// Returns the store, to load types of your own and to mount packs.
    pub fn store(&self) -> &Store {
        &self.store.0
    }

    /// Returns Bevy's asset server.
    pub fn server(&self) -> &AssetServer {
        &self.server
    }
}

/// Returns the path of an asset for Bevy, such as `rres://ui/player.png`; `None` if no pack has the asset, or if its pack records no paths.
pub fn asset_path(store: &Store, id: impl Into<AnyId>) -> Option<AssetPath<'static>> {
    store.path(id).map(to_asset_path)
}

/// A path of an asset for Bevy. The one of a part of an asset, such as `fox.glb#image/0`, is a path without a label, since packs have such
/// parts as assets of their own.
pub(crate) fn to_asset_path(path: String) -> AssetPath<'static> {
    AssetPath::from_path_buf(path.into()).with_source(SOURCE)
}

/// Like [`asset_path`]. If there is none, loading from the number fails, and the log says why.
pub(crate) fn path_or_number(store: &Store, id: AnyId) -> AssetPath<'static> {
    asset_path(store, id).unwrap_or_else(|| {
        tracing::error!("the pack has no asset {} or records no paths, which Bevy needs", id.resource());
        to_asset_path(id.resource().to_string())
    })
}
