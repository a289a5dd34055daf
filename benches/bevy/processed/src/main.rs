//! Bevy's processed mode, as a game ships it: the files that the asset processor has written, without the processor.

use std::process::ExitCode;

use bevy_asset::{AssetMode, AssetPlugin};

fn main() -> ExitCode {
    loader_bevy::run(
        |app, job| {
            let processed_file_path = job.store.display().to_string();
            app.add_plugins(AssetPlugin { mode: AssetMode::Processed, processed_file_path, ..AssetPlugin::default() });
            Ok(())
        },
        |world, job| Some(loader_bevy::load_from("", world, job)),
    )
}
