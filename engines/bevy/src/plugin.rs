//! The plugin: the store, the asset source, the loaders, and hot reload.

use std::io;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId, ErasedAssetReader};
use bevy_asset::{AssetApp, AssetMetaCheck, AssetMode, AssetPlugin, AssetServer, AssetTrackingSystems, LoadContext};
use bevy_ecs::prelude::{IntoScheduleConfigs, Res, Resource};
use bevy_image::{CompressedImageFormatSupport, Image, ImagePlugin, ImageSamplerDescriptor};
use rres_runtime::{Event, Events, Store, StoreWatcher};

use crate::SOURCE;
use crate::arriving::Turns;
use crate::convert::{Conversions, FromStore, Hooks, register};
use crate::device::Device;
use crate::group_events::{LoadingGroups, tell_groups};
use crate::image::{Images, image_of_file};
use crate::plain::{RawAsset, RawLoader, TextAsset, TextLoader};
use crate::reader::StoreReader;
use crate::ready::Ready;
use crate::rres::path_in;
use crate::sprite::SpriteAsset;

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
        let (conversions, turns, ready) = (Conversions::default(), Turns::default(), Ready::default());
        let of_source =
            StoreReader { store, conversions: conversions.clone(), turns: turns.clone(), ready: ready.clone() };
        let reader = move || -> Box<dyn ErasedAssetReader> { Box::new(of_source.clone()) };
        // What is in a pack is processed, so it is read in the same way when Bevy reads processed assets.
        let source = AssetSourceBuilder::new(reader.clone()).with_processed_reader(reader);
        app.register_asset_source(self.source.clone(), source)
            .insert_resource(Source(self.source.clone()))
            .insert_resource(News { changed: self.store.watch(), events: self.store.events() })
            .insert_resource(RresStore(self.store.clone()))
            .insert_resource(conversions)
            .insert_resource(turns)
            .insert_resource(ready)
            .init_resource::<Device>()
            .init_resource::<LoadingGroups>()
            .add_systems(
                PreUpdate,
                (let_loads_go_on, reload_changed, log_events, tell_groups.after(AssetTrackingSystems)),
            );
    }

    fn finish(&self, app: &mut App) {
        if asks_for_no_meta_files(app) {
            tracing::error!(
                "images and models of packs can only be loaded if `AssetPlugin::meta_check` has Bevy ask for meta files, because one that \
                 RresPlugin makes says what loads them; remove the setting, since nothing is read or fetched for these meta files"
            );
        }
        app.init_asset::<TextAsset>()
            .init_asset::<RawAsset>()
            .init_asset_loader::<TextLoader>()
            .init_asset_loader::<RawLoader>();
        register::<SpriteAsset>(app, Hooks { make: Box::new(SpriteAsset::from_store), from_file: None });
        let images = Images { device: app.world().resource::<Device>().clone(), sampler: default_sampler(app) };
        let of_files = images.device.clone();
        let make =
            move |image: &_, settings: &_, _: &_, context: &mut LoadContext<'_>| images.make(image, settings, context);
        let from_file = move |file: io::Result<_>, settings: &_, context: &mut LoadContext<'_>| {
            image_of_file(file?, settings, of_files.formats(), context)
        };
        register::<Image>(app, Hooks { make: Box::new(make), from_file: Some(Box::new(from_file)) });
    }

    fn cleanup(&self, app: &mut App) {
        // The renderer comes after this plugin, and knows the device since it is finished.
        if let Some(support) = app.world().get_resource::<CompressedImageFormatSupport>() {
            app.world().resource::<Device>().set(support.0);
        }
        app.world().resource::<Ready>().set();
    }
}

/// The sampler of images that ask for none.
fn default_sampler(app: &App) -> ImageSamplerDescriptor {
    let plugins = app.get_added_plugins::<ImagePlugin>();
    plugins.first().map(|plugin| plugin.default_sampler.clone()).unwrap_or_default()
}

/// Bevy then takes the loader of its own for images and gives it no bytes.
fn asks_for_no_meta_files(app: &App) -> bool {
    let of_app = app.get_added_plugins::<AssetPlugin>();
    // With processed assets, Bevy does not look at the setting.
    of_app.iter().any(|plugin| {
        matches!(plugin.mode, AssetMode::Unprocessed) && !matches!(plugin.meta_check, AssetMetaCheck::Always)
    })
}

/// Begins a frame for loads. An app that is never finished, as in tests, has registered what it registers before its first frame.
fn let_loads_go_on(turns: Res<Turns>, ready: Res<Ready>) {
    ready.set();
    turns.begin_frame();
}

/// Has Bevy load again what has changed and is held. Parts of assets are left to the plugins that load them, which know the parts, unless
/// Bevy keeps lists of parts itself.
fn reload_changed(news: Res<News>, store: Res<RresStore>, source: Res<Source>, server: Res<AssetServer>) {
    for path in news.changed.changed().into_iter().filter_map(|id| path_in(&source.0, &store.0, id)) {
        if server.watching_for_changes() || server.get_handle_untyped(&path).is_some() {
            server.reload(path);
        }
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
