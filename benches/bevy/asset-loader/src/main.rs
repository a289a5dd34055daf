//! Loose files, which a loading state of `bevy_asset_loader` waits for. The collection names the files that a derived one would have as
//! attributes.

use std::process::ExitCode;

use bevy_asset::{AssetPlugin, AssetServer, Handle, UntypedHandle};
use bevy_asset_loader::prelude::*;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_state::app::{AppExtStates, StatesPlugin};
use bevy_state::state::States;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, States)]
enum Screen {
    #[default]
    Loading,
    Loaded,
}

/// The paths of all pictures.
#[derive(Resource)]
struct Paths(Vec<String>);

#[derive(Resource)]
struct Pictures(Vec<Handle<Image>>);

impl AssetCollection for Pictures {
    fn load(world: &mut World) -> Vec<UntypedHandle> {
        Self::create(world).0.into_iter().map(Handle::untyped).collect()
    }

    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        Self(world.resource::<Paths>().0.iter().map(|path| server.load(path.clone())).collect())
    }
}

fn main() -> ExitCode {
    loader_bevy::run(
        |app, job| {
            let file_path = job.store.display().to_string();
            app.insert_resource(Paths(job.items.iter().map(|item| item.path.clone()).collect()));
            app.add_plugins((AssetPlugin { file_path, ..AssetPlugin::default() }, StatesPlugin));
            app.init_state::<Screen>().add_loading_state(
                LoadingState::new(Screen::Loading).continue_to_state(Screen::Loaded).load_collection::<Pictures>(),
            );
            Ok(())
        },
        // The collection is there when all pictures are loaded.
        |world, _| Some(world.get_resource::<Pictures>()?.0.clone()),
    )
}
