//! Runs Bevy's asset processor to its end: `bevy-process SOURCES DESTINATION`. With the features here, Bevy has no processor for PNG files, so
//! it copies them and writes a meta file for each.

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::processor::{AssetProcessor, ProcessorState};
use bevy_asset::{AssetApp, AssetMode, AssetPlugin};
use bevy_image::{CompressedImageFormats, ImageLoader, ImagePlugin};

fn main() -> ExitCode {
    let [_, file_path, processed_file_path] = &std::env::args().collect::<Vec<_>>()[..] else {
        eprintln!("usage: bevy-process SOURCES DESTINATION");
        return ExitCode::FAILURE;
    };
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default());
    app.add_plugins(AssetPlugin {
        mode: AssetMode::Processed,
        file_path: file_path.clone(),
        processed_file_path: processed_file_path.clone(),
        ..AssetPlugin::default()
    });
    app.add_plugins(ImagePlugin::default());
    app.register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE));
    app.finish();
    app.cleanup();
    loop {
        app.update();
        let state = app.world().resource::<AssetProcessor>().get_state();
        if bevy_tasks::block_on(state) == ProcessorState::Finished {
            return ExitCode::SUCCESS;
        }
        thread::sleep(Duration::from_millis(10));
    }
}
