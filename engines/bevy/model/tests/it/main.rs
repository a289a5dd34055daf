//! Apps without a window that load models which the importer has made of files, and what Bevy's own loader makes of the same files.

mod animated;
mod compared;
mod files;
mod lifetime;
#[path = "../../../tests/it/log.rs"]
mod log;
mod refused;
mod reloaded;
mod textures;
mod values;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use bevy_animation::AnimationPlugin;
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::AssetSourceBuilder;
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::{Asset, AssetApp, AssetPlugin, AssetServer, Assets, Handle, LoadState, RecursiveDependencyLoadState};
use bevy_ecs::hierarchy::Children;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::{AppTypeRegistry, Entity, World};
use bevy_ecs::system::SystemState;
use bevy_gltf::GltfPlugin;
use bevy_image::Image;
use bevy_mesh::MeshPlugin;
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_world_serialization::{WorldAsset, WorldAssetRoot, WorldSerializationPlugin};
use rres_bevy::{Rres, RresPlugin};
use rres_bevy_model::{ModelAsset, RresModelPlugin};
use rres_runtime::{Id, Model, Pack, Store};

/// How far time goes in each frame.
const STEP: Duration = Duration::from_millis(125);

/// An app with a store of these files, which are also those of Bevy's source `files://`.
struct Game {
    app: App,
    /// The pack of the files.
    pack: Option<PathBuf>,
    // The pack is mapped from it.
    _dir: Option<tempfile::TempDir>,
}

impl Game {
    fn new(files: &[(&str, &[u8])]) -> Self {
        Self::with_settings(files, "")
    }

    /// `settings` is what `assets.toml` has.
    fn with_settings(files: &[(&str, &[u8])], settings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let assets = dir.path().join("assets");
        let settings = [("assets.toml", settings.as_bytes())];
        for (path, bytes) in files.iter().chain(&settings) {
            let file = assets.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        let build = rres_build::import(&assets).out_dir(dir.path().join("out")).cache_dir(dir.path().join("cache"));
        let report = build.debug(false).build().unwrap_or_else(|error| panic!("{error}"));
        let [pack] = &report.packs[..] else { panic!("{:?}", report.packs) };
        let store = Store::from_packs([Pack::open(pack).unwrap()]);
        Self { pack: Some(pack.clone()), _dir: Some(dir), ..Self::of_store(store, files) }
    }

    fn of_store(store: Store, files: &[(&str, &[u8])]) -> Self {
        let root = Dir::default();
        files.iter().for_each(|(path, bytes)| root.insert_asset(Path::new(path), bytes.to_vec()));
        let reader = MemoryAssetReader { root };
        let mut app = App::new();
        app.register_asset_source("files", AssetSourceBuilder::new(move || Box::new(reader.clone())));
        app.add_plugins((RresPlugin::new(store), RresModelPlugin, TaskPoolPlugin::default(), TimePlugin));
        app.add_plugins((AssetPlugin::default(), TransformPlugin, MeshPlugin, AnimationPlugin));
        app.add_plugins((WorldSerializationPlugin, GltfPlugin::default()));
        // As Bevy's plugins of the renderer do.
        app.init_asset::<Image>().init_asset::<StandardMaterial>();
        app.register_type::<MeshMaterial3d<StandardMaterial>>();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
        app.world().resource::<AppTypeRegistry>().write().register_derived_types();
        app.finish();
        app.cleanup();
        Self { app, pack: None, _dir: None }
    }

    /// Calls `work` with the parameter that systems get.
    fn with<T>(&mut self, work: impl FnOnce(&Rres<'_>) -> T) -> T {
        let mut state: SystemState<Rres<'_>> = SystemState::new(self.app.world_mut());
        work(&state.get(self.app.world()).unwrap())
    }

    fn load(&mut self, path: &str) -> Handle<ModelAsset> {
        self.with(|rres| rres.load(Id::<Model>::from_path(path)))
    }

    fn by_path<A: Asset>(&self, path: &str) -> Handle<A> {
        self.app.world().resource::<AssetServer>().load(path.to_owned())
    }

    /// Runs frames until an asset and all that it needs is loaded, or one of them has failed.
    fn wait<A: Asset>(&mut self, handle: &Handle<A>) -> Result<(), String> {
        loop {
            self.app.update();
            let server = self.app.world().resource::<AssetServer>();
            match (server.load_state(handle.id()), server.recursive_dependency_load_state(handle.id())) {
                (LoadState::Failed(error), _) => return Err(error.to_string()),
                (_, RecursiveDependencyLoadState::Failed(error)) => return Err(format!("needed: {error}")),
                (LoadState::Loaded, RecursiveDependencyLoadState::Loaded) => return Ok(()),
                _ => thread::yield_now(),
            }
        }
    }

    fn model(&mut self, path: &str) -> ModelAsset {
        let handle = self.load(path);
        self.wait(&handle).unwrap();
        self.get(&handle).clone()
    }

    fn get<A: Asset>(&self, handle: &Handle<A>) -> &A {
        self.app.world().resource::<Assets<A>>().get(handle).expect("it is loaded")
    }

    /// Spawns a scene, and returns its root: the child of the entity that has the handle.
    fn spawn(&mut self, scene: &Handle<WorldAsset>) -> Entity {
        self.wait(scene).unwrap();
        let spawned = self.app.world_mut().spawn(WorldAssetRoot(scene.clone())).id();
        for _ in 0..3 {
            self.app.update();
            if let Some(&[root]) = self.app.world().get::<Children>(spawned).map(|children| &children[..]) {
                return root;
            }
        }
        panic!("the scene has not been spawned");
    }
}

/// The entity below `root` with this name.
fn named(world: &World, root: Entity, name: &str) -> Entity {
    let mut open = vec![root];
    while let Some(entity) = open.pop() {
        if world.get::<Name>(entity).is_some_and(|found| found.as_str() == name) {
            return entity;
        }
        open.extend(world.get::<Children>(entity).map_or_else(Vec::new, |children| children.to_vec()));
    }
    panic!("nothing is named {name}");
}
