//! What the loaders of Bevy apps have in common: an app without a window and without a renderer, with the task pools that a game has,
//! which runs frames until all images are loaded.

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::world::World;
use bevy_image::{CompressedImageFormats, Image, ImageLoader, ImagePlugin};
pub use loader::{Item, Job, Result};

/// How long the app sleeps after a frame. Bevy takes in what its threads have loaded once a frame, so frames as in a game would round the
/// time up to 16 ms, and frames without a pause would use a processor for nothing.
const PAUSE: Duration = Duration::from_millis(1);

/// Runs a loader; see [`loader::run`]. The number of threads is up to Bevy.
///
/// `build` adds the `AssetPlugin` and what else the way needs. `handles` is called in each frame until it returns the handles of all items,
/// in their order.
pub fn run(
    build: impl Fn(&mut App, &Job) -> Result<()>,
    handles: impl Fn(&mut World, &Job) -> Option<Vec<Handle<Image>>>,
) -> ExitCode {
    loader::run(|job, sink| {
        let mut app = App::new();
        app.add_plugins(TaskPoolPlugin::default());
        build(&mut app, job)?;
        app.add_plugins(ImagePlugin::default());
        // The renderer does this, once it knows which formats the device has.
        app.register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE));
        app.finish();
        app.cleanup();
        let handles = loop {
            if let Some(handles) = handles(app.world_mut(), job) {
                break handles;
            }
            app.update();
            thread::sleep(PAUSE);
        };
        let mut waiting = handles.iter().zip(&job.items).peekable();
        while let Some((handle, item)) = waiting.peek() {
            match app.world().resource::<AssetServer>().load_state(handle.id()) {
                LoadState::Loaded => drop(waiting.next()),
                LoadState::Failed(error) => return Err(format!("{}: {error}", item.path).into()),
                LoadState::NotLoaded | LoadState::Loading => {
                    app.update();
                    thread::sleep(PAUSE);
                }
            }
        }
        let images = app.world().resource::<Assets<Image>>();
        for (handle, item) in handles.iter().zip(&job.items) {
            let image = images.get(handle).ok_or_else(|| format!("{}: it is loaded, but not there", item.path))?;
            sink.keep(item, image, |image| image.data.as_deref().unwrap_or_default());
        }
        // As in the other loaders: everything stays until the process ends.
        std::mem::forget((app, handles));
        Ok(())
    })
}

/// Asks the asset server for each item by its path below `source`, which is empty or ends with `://`.
pub fn load_from(source: &str, world: &World, job: &Job) -> Vec<Handle<Image>> {
    let server = world.resource::<AssetServer>();
    job.items.iter().map(|item| server.load(format!("{source}{}", item.path))).collect()
}
