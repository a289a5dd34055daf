//! Reloads of models of which a game holds parts only, such as a scene that is spawned.
//!
//! Bevy loads a changed asset again if something holds a handle of it. For parts of assets, it does so only in programs that watch files.

use std::collections::HashMap;

use bevy_asset::{Asset, AssetEvent, AssetPath, AssetServer, Handle, UntypedAssetId};
use bevy_ecs::message::MessageReader;
use bevy_ecs::prelude::{FromWorld, Res, ResMut, Resource, World};
use rres_bevy::{Rres, RresStore};
use rres_runtime::{AssetKind, StoreWatcher};

use crate::ModelAsset;

/// What has to be known of models of which there are parts.
#[derive(Resource)]
pub(crate) struct LoadedParts {
    changed: StoreWatcher,
    /// The path of the whole of each part.
    wholes: HashMap<UntypedAssetId, AssetPath<'static>>,
    /// The models that are loaded only to replace their parts. Without a handle, Bevy would drop what it loads.
    loading: Vec<Handle<ModelAsset>>,
}

impl FromWorld for LoadedParts {
    fn from_world(world: &mut World) -> Self {
        let store = &world.resource::<RresStore>().0;
        Self { changed: store.watch(), wholes: HashMap::new(), loading: Vec::new() }
    }
}

/// Notes which assets of a type are parts of others.
pub(crate) fn note_parts<A: Asset>(
    mut events: MessageReader<AssetEvent<A>>,
    server: Res<AssetServer>,
    mut parts: ResMut<LoadedParts>,
) {
    for event in events.read() {
        match *event {
            AssetEvent::Added { id } => {
                if let Some(path) = server.get_path(id).filter(|path| path.label().is_some()) {
                    parts.wholes.insert(id.untyped(), path.without_label().clone_owned());
                }
            }
            AssetEvent::Removed { id } => {
                parts.wholes.remove(&id.untyped());
            }
            _ => {}
        }
    }
}

/// Loads a changed model again if parts of it are held, but not the model itself. `RresPlugin` reloads those that are held.
pub(crate) fn reload_parts(rres: Rres<'_>, mut parts: ResMut<LoadedParts>) {
    let server = rres.server();
    parts.loading.retain(|model| server.load_state(model).is_loading());
    for id in parts.changed.changed() {
        if id.kind() != Some(AssetKind::Model) || rres.store().path(id).is_none() {
            continue;
        }
        let path = rres.path(id);
        let is_held = server.watching_for_changes() || server.get_handle::<ModelAsset>(&path).is_some();
        if !is_held && parts.wholes.values().any(|whole| *whole == path) {
            parts.loading.push(server.load(path));
        }
    }
}
