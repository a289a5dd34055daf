//! A pack, by the adapter `rres-bevy`: each image by its id, as generated constants have it.

use std::process::ExitCode;

use bevy_asset::AssetPlugin;
use bevy_ecs::system::RunSystemOnce;
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
            let ids = || job.items.iter().map(|item| Id::<Image>::from_path(&item.path));
            world.run_system_once(move |rres: Rres| ids().map(|id| rres.load(id)).collect()).ok()
        },
    )
}
