//! Models that change while an app runs.

use bevy_asset::{AssetEvent, Assets, Handle};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::Children;
use bevy_ecs::message::Messages;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_world_serialization::{WorldAsset, WorldAssetRoot};
use rres_bevy_model::{LoadPart, ModelAsset};
use rres_runtime::asset::model::{Part, Scene};
use rres_runtime::{Handle as StoreHandle, Id, Model, Pack};

use crate::Game;
use crate::files::{LIGHTHOUSE, WHALE};

fn id() -> Id<Model> {
    Id::from_path("whale.glb")
}

/// Replaces the whale by a lighthouse. The store tells of changes of what it has loaded, so it has to be held; hot reload tells of others, too.
fn change(game: &mut Game) -> StoreHandle<Model> {
    let store = game.with(|rres| rres.store().clone());
    let held = store.load(id()).unwrap();
    let other = Game::new(&[("whale.glb", LIGHTHOUSE)]);
    store.mount(Pack::open(other.pack.clone().expect("it has a file")).unwrap()).unwrap();
    held
}

/// Runs frames until Bevy says that an asset has changed.
fn wait_for_change<A: bevy_asset::Asset>(game: &mut Game, asset: &Handle<A>) {
    let mut cursor = game.app.world().resource::<Messages<AssetEvent<A>>>().get_cursor_current();
    loop {
        game.app.update();
        let messages = game.app.world().resource::<Messages<AssetEvent<A>>>();
        if cursor.read(messages).any(|event| event.is_modified(asset)) {
            break;
        }
        std::thread::yield_now();
    }
}

/// Below each entity with a scene: the number of meshes, all of which have their place.
fn meshes_of_instances(game: &mut Game) -> Vec<usize> {
    let world = game.app.world_mut();
    let instances: Vec<(Entity, Transform)> = world
        .query_filtered::<(Entity, &Transform), bevy_ecs::query::With<WorldAssetRoot>>()
        .iter(world)
        .map(|(e, t)| (e, *t))
        .collect();
    let count = |(instance, place): (Entity, Transform)| {
        let below: Vec<Entity> = descendants(world, instance);
        for entity in &below {
            let at = world.get::<GlobalTransform>(*entity).expect("it has a place").translation();
            assert!(at.distance(place.translation) < 50.0, "{at} of an instance at {}", place.translation);
        }
        below.iter().filter(|entity| world.get::<Mesh3d>(**entity).is_some()).count()
    };
    instances.into_iter().map(count).collect()
}

fn descendants(world: &bevy_ecs::world::World, entity: Entity) -> Vec<Entity> {
    let children = world.get::<Children>(entity).map_or_else(Vec::new, |children| children.to_vec());
    children.into_iter().flat_map(|child| [vec![child], descendants(world, child)].concat()).collect()
}

#[test]
fn a_change_replaces_the_parts_behind_their_handles() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let handle = game.load("whale.glb");
    game.wait(&handle).unwrap();
    let mesh = game.get(&handle).meshes[0][0].mesh.clone();
    let vertices = game.get(&mesh).count_vertices();
    let _held = change(&mut game);
    wait_for_change(&mut game, &mesh);
    assert_ne!(game.get(&mesh).count_vertices(), vertices);
}

#[test]
fn a_change_replaces_every_instance_of_a_scene() {
    const INSTANCES: usize = 300;
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let handle: Handle<ModelAsset> = game.load("whale.glb");
    game.wait(&handle).unwrap();
    let scene = game.get(&handle).scenes[0].clone();
    for i in 0..INSTANCES {
        let place = Transform::from_xyz(1000.0 * i as f32, 0.0, 0.0);
        game.app.world_mut().spawn((WorldAssetRoot(scene.clone()), place));
    }
    (0..4).for_each(|_| game.app.update());
    assert_eq!(meshes_of_instances(&mut game), [1; INSTANCES]);
    let _held = change(&mut game);
    wait_for_change(&mut game, &scene);
    (0..4).for_each(|_| game.app.update());
    assert_eq!(meshes_of_instances(&mut game), [5; INSTANCES]);
}

#[test]
fn a_change_reaches_a_scene_whose_model_nothing_holds() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let scene: Handle<WorldAsset> = game.with(|rres| rres.load_part(id(), Part::<Scene>::new(0)));
    game.spawn(&scene);
    (0..4).for_each(|_| game.app.update());
    assert_eq!(game.app.world().resource::<Assets<ModelAsset>>().len(), 0, "only parts are held");
    let _held = change(&mut game);
    wait_for_change(&mut game, &scene);
    (0..4).for_each(|_| game.app.update());
    assert_eq!(meshes_of_instances(&mut game), [5]);
    assert_eq!(game.app.world().resource::<Assets<ModelAsset>>().len(), 0, "the model is not kept for the reload");
    assert!(game.app.world().resource::<Assets<Mesh>>().len() >= 5);
}
