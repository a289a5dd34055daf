//! The plugin: the store, the asset source, the loaders, and hot reload.

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::AssetSourceBuilder;
use bevy_asset::{AssetApp, AssetServer, AssetTrackingSystems};
use bevy_ecs::prelude::{IntoScheduleConfigs, Res, Resource};
use bevy_image::Image;
use rres_runtime::{Event, Events, Store, StoreWatcher};

use crate::SOURCE;
use crate::convert::{Conversions, RresApp};
use crate::group_events::{LoadingGroups, tell_groups};
use crate::plain::{RawAsset, RawLoader, TextAsset, TextLoader};
use crate::reader::StoreReader;
use crate::rres::asset_path;

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

/// What Bevy has to know of the store.
#[derive(Resource)]
struct News {
    changed: StoreWatcher,
    /// Only to log them.
    events: Events,
}

impl Plugin for RresPlugin {
    fn build(&self, app: &mut App) {
        let store = self.store.clone();
        let conversions = Conversions::default();
        let of_reader = conversions.clone();
        let reader = move || -> Box<dyn bevy_asset::io::ErasedAssetReader> {
            Box::new(StoreReader { store: store.clone(), conversions: of_reader.clone() })
        };
        app.register_asset_source(SOURCE, AssetSourceBuilder::new(reader))
            .insert_resource(News { changed: self.store.watch(), events: self.store.events() })
            .insert_resource(RresStore(self.store.clone()))
            .insert_resource(conversions)
            .init_resource::<LoadingGroups>()
            .add_systems(PreUpdate, (reload_changed, log_events, tell_groups.after(AssetTrackingSystems)));
    }

    fn finish(&self, app: &mut App) {
        app.init_asset::<TextAsset>()
            .init_asset::<RawAsset>()
            .init_asset_loader::<TextLoader>()
            .init_asset_loader::<RawLoader>()
            .register_rres_asset::<Image>();
    }
}

/// Has Bevy load again what has changed. That does nothing for assets that it has not loaded.
fn reload_changed(news: Res<News>, store: Res<RresStore>, server: Res<AssetServer>) {
    for path in news.changed.changed().into_iter().filter_map(|id| asset_path(&store.0, id)) {
        server.reload(path);
    }
}

/// Logs what the store tells. Bevy has events of its own for values that change.
fn log_events(news: Res<News>) {
    for event in news.events.try_iter() {
        match event {
            Event::Changed(_) | Event::NotLoaded { .. } => {}
            Event::ImportFailed { .. } | Event::ReloadFailed { .. } => tracing::error!("{event}"),
            _ => tracing::info!("{event}"),
        }
    }
}
