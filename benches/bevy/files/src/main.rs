//! Bevy's default: the `AssetServer` reads loose files, and the `ImageLoader` decodes them.

use std::process::ExitCode;

use bevy_asset::AssetPlugin;

fn main() -> ExitCode {
    loader_bevy::run(
        |app, job| {
            let file_path = job.store.display().to_string();
            app.add_plugins(AssetPlugin { file_path, ..AssetPlugin::default() });
            Ok(())
        },
        |world, job| Some(loader_bevy::load_from("", world, job)),
    )
}
