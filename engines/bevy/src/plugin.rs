//! The plugin: the store, the asset source, the loaders, and hot reload.

use std::sync::Mutex;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::AssetSourceBuilder;
use bevy_asset::{AssetApp, AssetServer};
use bevy_ecs::prelude::{Res, Resource};
use bevy_image::Image;
use rres_runtime::{Event, Events, Store};

use crate::SOURCE;
use crate::convert::{Conversions, RresApp};
use crate::plain::{RawAsset, RawLoader, TextAsset, TextLoader};
use crate::reader::StoreReader;
use crate::rres::to_asset_path;

/// Makes the assets of a store those of a Bevy app. Add it before `DefaultPlugins`, since Bevy builds its asset sources once.
#[derive(Clone, Debug)]
pub struct RresPlugin {
    store: Store,
}

impl RresPlugin {
    /// Uses a store, such as that of `assets::open()`.
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

/// The store of an app.
#[derive(Clone, Debug, Resource)]
pub struct RresStore(pub Store);

/// What has changed in the store.
#[derive(Resource)]
struct Changes(Mutex<Events>);

impl Plugin for RresPlugin {
    fn build(&self, app: &mut App) {
        let store = self.store.clone();
        let conversions = Conversions::default();
        let of_reader = conversions.clone();
        let reader = move || -> Box<dyn bevy_asset::io::ErasedAssetReader> {
            Box::new(StoreReader { store: store.clone(), conversions: of_reader.clone() })
        };
        app.register_asset_source(SOURCE, AssetSourceBuilder::new(reader))
            .insert_resource(Changes(Mutex::new(self.store.events())))
            .insert_resource(RresStore(self.store.clone()))
            .insert_resource(conversions)
            .add_systems(PreUpdate, reload_changed);
    }

    fn finish(&self, app: &mut App) {
        app.init_asset::<TextAsset>()
            .init_asset::<RawAsset>()
            .init_asset_loader::<TextLoader>()
            .init_asset_loader::<RawLoader>()
            .register_rres_asset::<Image>();
    }
}

/// Has Bevy load again what has changed, which does nothing for assets that Bevy has not loaded, and logs what the store tells.
fn reload_changed(changes: Res<Changes>, server: Res<AssetServer>) {
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
        server.reload(to_asset_path(path));
    }
}
