//! The plugin.

use bevy_animation::AnimationClip;
use bevy_app::{App, Plugin, Update};
use bevy_ecs::prelude::IntoScheduleConfigs;
use bevy_mesh::Mesh;
use bevy_pbr::StandardMaterial;
use bevy_world_serialization::WorldAsset;
use rres_bevy::{RresApp, RresStore};

use crate::ModelAsset;
use crate::reload::{LoadedParts, note_parts, reload_parts};
use crate::textures::{renew_materials, warn_of_colors};

/// Adds [`ModelAsset`] to the types that `Rres::load` gives. The app needs `RresPlugin` as well, before or after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RresModelPlugin;

impl Plugin for RresModelPlugin {
    fn build(&self, _: &mut App) {}

    fn finish(&self, app: &mut App) {
        app.register_rres_asset::<ModelAsset>();
        // Without the store, the line above has logged an error.
        if app.world().contains_resource::<RresStore>() {
            app.init_resource::<LoadedParts>();
            let notes = (
                note_parts::<WorldAsset>,
                note_parts::<Mesh>,
                note_parts::<StandardMaterial>,
                note_parts::<AnimationClip>,
            );
            // Later in the frame than the plugin of the store, which reloads models that are held.
            app.add_systems(Update, (notes, reload_parts).chain());
            app.add_systems(Update, (renew_materials, warn_of_colors));
        }
    }
}
