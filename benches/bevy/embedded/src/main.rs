//! Files that `bevy_embedded_assets` has put into the executable. The folder is that of the environment variable `BEVY_ASSET_PATH` when the
//! program was compiled.

use std::process::ExitCode;

use bevy_asset::AssetPlugin;
use bevy_embedded_assets::EmbeddedAssetPlugin;

fn main() -> ExitCode {
    loader_bevy::run(
        |app, _| {
            app.add_plugins((EmbeddedAssetPlugin::default(), AssetPlugin::default()));
            Ok(())
        },
        |world, job| Some(loader_bevy::load_from("embedded://", world, job)),
    )
}
