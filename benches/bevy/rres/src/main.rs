//! A pack, by the adapter `rres-bevy`: each image by its id, as generated constants have it.

use std::process::ExitCode;

use bevy_asset::AssetPlugin;
use bevy_ecs::system::SystemState;
use rres_bevy::{Rres, RresPlugin};
use rres_runtime::{Id, Image, Pack, Store};

fn main() -> ExitCode {
    loader_bevy::run(
        |app, job| {
            let store = Store::from_packs([Pack::open(&job.store)?]);
            app.add_plugins((RresPlugin::new(store), AssetPlugin::default()));
            Ok(())
        },
        |world, job| {
            let mut state = SystemState::<Rres>::new(world);
            let rres = state.get(world).ok()?;
            Some(job.items.iter().map(|item| rres.load(Id::<Image>::from_path(&item.path))).collect())
        },
    )
}
