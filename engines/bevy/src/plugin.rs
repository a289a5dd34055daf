//! The plugin: the store, the asset source, the loaders, and hot reload.

use std::sync::Mutex;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId, ErasedAssetReader};
use bevy_asset::{AssetApp, AssetPath, AssetServer};
use bevy_ecs::prelude::{Res, Resource};
use rres_runtime::{Event, Events, Store};

use crate::SOURCE;
use crate::image::ImageLoader;
use crate::plain::{RawAsset, RawLoader, TextAsset, TextLoader};
use crate::reader::StoreReader;

/// Makes the assets of a store those of a Bevy app. Add it before `DefaultPlugins`, since Bevy builds its asset sources once.
#[derive(Clone, Debug)]
pub struct RresPlugin {
    store: Store,
    source: AssetSourceId<'static>,
}

impl RresPlugin {
    /// Uses a store, such as that of `assets::open()`.
    pub fn new(store: Store) -> Self {
        Self { store, source: SOURCE.into() }
    }

    /// Makes the store the default asset source, whose paths have no `rres://`: `asset_server.load("ui/player.png")`. A program that has
    /// loaded loose files needs no other change. The source `rres://` does not exist then.
    #[must_use]
    pub fn as_default_source(mut self) -> Self {
        self.source = AssetSourceId::Default;
        self
    }
}

/// The store of an app.
#[derive(Clone, Debug, Resource)]
pub struct RresStore(pub Store);

/// The asset source that is the store.
#[derive(Clone, Debug, Resource)]
pub(crate) struct Source(pub(crate) AssetSourceId<'static>);

/// What has changed in the store.
#[derive(Resource)]
struct Changes(Mutex<Events>);

impl Plugin for RresPlugin {
    fn build(&self, app: &mut App) {
        let store = self.store.clone();
        let reader = move || -> Box<dyn ErasedAssetReader> { Box::new(StoreReader::new(store.clone())) };
        // What is in a pack is processed, so it is read in the same way when Bevy reads processed assets.
        let source = AssetSourceBuilder::new(reader.clone()).with_processed_reader(reader);
        app.register_asset_source(self.source.clone(), source)
            .insert_resource(Source(self.source.clone()))
            .insert_resource(Changes(Mutex::new(self.store.events())))
            .insert_resource(RresStore(self.store.clone()))
            .add_systems(PreUpdate, reload_changed);
    }

    fn finish(&self, app: &mut App) {
        app.init_asset::<TextAsset>()
            .init_asset::<RawAsset>()
            .init_asset_loader::<TextLoader>()
            .init_asset_loader::<RawLoader>()
            .register_asset_loader(ImageLoader { store: self.store.clone() });
    }
}

/// Has Bevy load again what has changed, which does nothing for assets that Bevy has not loaded, and logs what the store tells.
fn reload_changed(changes: Res<Changes>, source: Res<Source>, server: Res<AssetServer>) {
    let events = changes.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for event in events.try_iter() {
        let path = match &event {
            Event::Changed(handle) => handle.path().to_owned(),
            Event::NotLoaded { path } => path.clone(),
            Event::ImportFailed { .. } | Event::ReloadFailed { .. } => {
                tracing::error!("{event}");
                continue;
            }
            _ => {
                tracing::info!("{event}");
                continue;
            }
        };
        server.reload(AssetPath::from(path).with_source(source.0.clone()));
    }
}
