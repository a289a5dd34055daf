//! The plugin.

use bevy_app::{App, Plugin};
use rres_bevy::RresApp;

use crate::ModelAsset;

/// Adds [`ModelAsset`] to the types that `Rres::load` gives. The app needs `RresPlugin` as well, before or after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RresModelPlugin;

impl Plugin for RresModelPlugin {
    fn build(&self, _: &mut App) {}

    fn finish(&self, app: &mut App) {
        app.register_rres_asset::<ModelAsset>();
    }
}
