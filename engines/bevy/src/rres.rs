//! Loading by constants.

use bevy_asset::{Asset, AssetPath, AssetServer, Handle};
use bevy_ecs::prelude::Res;
use bevy_ecs::system::SystemParam;
use rres_runtime::{AnyId, Group, Id, Image, Raw, Store, Text};

use crate::group::GroupHandles;
use crate::plain::{RawAsset, TextAsset};
use crate::plugin::{RresStore, Source};

/// A type of the constants that Bevy has a type for.
pub trait FromId: rres_runtime::Asset {
    /// The type in Bevy.
    type Asset: Asset;
}

impl FromId for Image {
    type Asset = bevy_image::Image;
}

impl FromId for Text {
    type Asset = TextAsset;
}

impl FromId for Raw {
    type Asset = RawAsset;
}

/// Loads assets by their constants: a parameter of systems.
#[derive(SystemParam)]
pub struct Rres<'w> {
    server: Res<'w, AssetServer>,
    store: Res<'w, RresStore>,
    source: Res<'w, Source>,
}

impl Rres<'_> {
    /// Starts to load an asset, and returns its handle at once, like `AssetServer::load`. Loading it again returns a handle of the same
    /// asset.
    ///
    /// If it fails, the handle's `LoadState` is `Failed`, and Bevy logs why.
    #[must_use = "an asset is freed with its last handle"]
    pub fn load<A: FromId>(&self, id: Id<A>) -> Handle<A::Asset> {
        self.server.load(self.path(id.into()))
    }

    /// Starts to load what Bevy's loader for `A` makes of the file: an `AudioSource` of a sound, a `Font` or a `Gltf` of a file that the
    /// rule `kind = "raw"` keeps as it is, an asset of your own.
    #[must_use = "an asset is freed with its last handle"]
    pub fn load_file<A: Asset>(&self, id: impl Into<AnyId>) -> Handle<A> {
        self.server.load(self.path(id.into()))
    }

    /// Starts to load all members of a group. See [`GroupHandles`] for the progress.
    #[must_use = "the assets are freed with their last handles"]
    pub fn load_group<G>(&self, group: Group<G>) -> GroupHandles {
        GroupHandles::load(self, group.untyped())
    }

    /// Returns the path of an asset for Bevy, such as `rres://ui/player.png`.
    pub fn path(&self, id: AnyId) -> AssetPath<'static> {
        let path = self.store.0.path(id).unwrap_or_else(|| {
            tracing::error!("the pack has no asset {} or records no paths, which Bevy needs", id.resource());
            id.resource().to_string()
        });
        AssetPath::from(path).with_source(self.source.0.clone())
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
