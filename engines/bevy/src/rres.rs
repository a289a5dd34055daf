//! Loading by constants.

use bevy_asset::io::AssetSourceId;
use bevy_asset::{Asset, AssetPath, AssetServer, Handle, LoadContext};
use bevy_ecs::prelude::Res;
use bevy_ecs::system::SystemParam;
use rres_runtime::{AnyId, Group, Id, Store};

use crate::convert::{Becomes, Conversions};
use crate::group::GroupHandles;
use crate::group_events::LoadingGroups;
use crate::plugin::{RresStore, Source};

/// Loads assets by their constants: a parameter of systems.
#[derive(SystemParam)]
pub struct Rres<'w> {
    server: Res<'w, AssetServer>,
    store: Res<'w, RresStore>,
    source: Res<'w, Source>,
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
        let handles = GroupHandles::load(self, &self.conversions, group.untyped());
        self.groups.add(&handles);
        handles
    }

    /// Returns the path of an asset for Bevy, such as `rres://ui/player.png`.
    pub fn path(&self, id: AnyId) -> AssetPath<'static> {
        path_in(&self.source.0, &self.store.0, id).unwrap_or_else(|| {
            // Loading from the number fails.
            tracing::error!("the pack has no asset {} or records no paths, which Bevy needs", id.resource());
            AssetPath::from(id.resource().to_string()).with_source(self.source.0.clone())
        })
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

/// Returns the path of an asset for Bevy, in the asset source of the asset that is being loaded; `None` if no pack has the asset, or if its
/// pack records no paths.
pub fn asset_path(context: &LoadContext<'_>, store: &Store, id: impl Into<AnyId>) -> Option<AssetPath<'static>> {
    path_in(&context.path().source().clone_owned(), store, id)
}

/// The path of a part of an asset, such as `fox.glb#image/0`, is a path without a label, since packs have such parts as assets of their own.
pub(crate) fn path_in(
    source: &AssetSourceId<'static>,
    store: &Store,
    id: impl Into<AnyId>,
) -> Option<AssetPath<'static>> {
    Some(AssetPath::from_path_buf(store.path(id)?.into()).with_source(source.clone()))
}
