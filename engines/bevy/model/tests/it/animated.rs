//! Animations move what they are for, in fixed steps of time.

use bevy_animation::AnimationPlayer;
use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::Entity;
use bevy_gltf::Gltf;
use bevy_math::Quat;
use bevy_mesh::Mesh;
use bevy_mesh::morph::MorphWeights;
use bevy_transform::components::{GlobalTransform, Transform};
use rres_runtime::asset::model::{Part, Sample};
use rres_runtime::{Id, Model, Store};

use crate::files::{WHALE, face, oddities};
use crate::{Game, STEP, named};

/// The value of a channel in the store's model, by which the importer and its runtime are tested.
fn sample(store: &Store, path: &str, channel: usize, seconds: f32) -> Sample {
    let model = store.load(Id::<Model>::from_path(path)).unwrap().get();
    model.animations()[0].channels()[channel].sample(seconds)
}

fn store(game: &mut Game) -> Store {
    game.with(|rres| rres.store().clone())
}

/// Spawns the first scene and plays the first animation of the player at this node.
fn play(game: &mut Game, path: &str, node: &str) -> Entity {
    let model = game.model(path);
    let root = game.spawn(&model.scenes[0]);
    let player = named(game.app.world(), root, node);
    let run = model.animation(Part::new(0)).unwrap();
    game.app.world_mut().get_mut::<AnimationPlayer>(player).unwrap().play(run);
    root
}

#[test]
fn an_animation_moves_the_joints_of_a_skin() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let root = play(&mut game, "whale.glb", "head");
    let store = store(&mut game);
    let model = store.load(Id::<Model>::from_path("whale.glb")).unwrap().get();
    let channels = model.animations()[0].channels();
    let (mut farthest, mut before) = (0.0f32, None);
    for frame in 1..20u8 {
        game.app.update();
        let seconds = STEP.as_secs_f32() * f32::from(frame);
        for (i, channel) in channels.iter().enumerate() {
            let joint = named(game.app.world(), root, &model.all_nodes()[channel.node() as usize].name);
            let moved = *game.app.world().get::<Transform>(joint).unwrap();
            let distance = match sample(&store, "whale.glb", i, seconds) {
                Sample::Rotation(expected) => 1.0 - moved.rotation.dot(Quat::from_array(expected)).abs(),
                Sample::Translation(expected) => moved.translation.distance(expected.into()),
                other => panic!("{other:?}"),
            };
            farthest = farthest.max(distance);
        }
        let fluke = named(game.app.world(), root, "fluke");
        let place = game.app.world().get::<GlobalTransform>(fluke).unwrap().translation();
        assert_ne!(before.replace(place), Some(place), "frame {frame} moves the joint in the world");
    }
    assert!(farthest < 1e-5, "{farthest}");
}

#[test]
fn bevys_own_loader_moves_the_same_joints_alike() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let ours = play(&mut game, "whale.glb", "head");
    let gltf: Handle<Gltf> = game.by_path("files://whale.glb");
    while game.app.world().resource::<Assets<Gltf>>().get(&gltf).is_none() {
        game.app.update();
    }
    let (scene, clip) = (game.get(&gltf).scenes[0].clone(), game.get(&gltf).animations[0].clone());
    // Its image needs a feature of Bevy.
    let _ = game.wait(&gltf);
    let spawned = game.app.world_mut().spawn(bevy_world_serialization::WorldAssetRoot(scene)).id();
    game.app.update();
    let (graph, run) = AnimationGraph::from_clip(clip);
    let graph = game.app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
    let head = named(game.app.world(), spawned, "head");
    game.app.world_mut().entity_mut(head).insert(AnimationGraphHandle(graph));
    game.app.world_mut().get_mut::<AnimationPlayer>(head).unwrap().play(run);
    // The graph is an asset, which takes effect after a frame.
    game.app.update();
    for root in [ours, spawned] {
        let head = named(game.app.world(), root, "head");
        game.app.world_mut().get_mut::<AnimationPlayer>(head).unwrap().rewind_all();
    }
    for frame in 0..10 {
        game.app.update();
        let joints = ["head", "chest", "belly", "hip", "peduncle", "fluke", "fin_left", "fin_right"];
        let moved = |root, joint| *game.app.world().get::<Transform>(named(game.app.world(), root, joint)).unwrap();
        for joint in joints {
            assert_eq!(moved(ours, joint), moved(spawned, joint), "{joint} in frame {frame}");
        }
    }
}

#[test]
fn morph_targets_have_their_differences_names_and_weights() {
    let mut game = Game::new(&[("face.glb", &face())]);
    let root = play(&mut game, "face.glb", "head");
    let model = game.model("face.glb");
    let mesh: &Mesh = game.get(&model.meshes[0][0].mesh);
    assert_eq!(mesh.morph_target_names(), Some(&["smile".to_owned(), "frown".to_owned()][..]));
    let targets = mesh.morph_targets().unwrap();
    let positions: Vec<[f32; 3]> = targets.iter().map(|target| target.position.to_array()).collect();
    assert_eq!(positions, [[0.0, 0.5, 0.0], [0.0, 0.25, 0.0], [0.0; 3], [0.0, -0.5, 0.0], [0.0; 3], [0.0, 0.0, 0.125]]);
    assert_eq!(targets[4].normal.to_array(), [0.0, 0.25, 0.0]);
    let head = named(game.app.world(), root, "head");
    game.app.world_mut().get_mut::<AnimationPlayer>(head).unwrap().rewind_all();
    let store = store(&mut game);
    for frame in 1..8u8 {
        game.app.update();
        let seconds = STEP.as_secs_f32() * f32::from(frame);
        let weights = game.app.world().get::<MorphWeights>(head).unwrap().weights();
        assert_eq!(weights, [1.0 - seconds, seconds], "frame {frame}");
        let Sample::Translation(expected) = sample(&store, "face.glb", 1, seconds) else { panic!() };
        let place = game.app.world().get::<Transform>(head).unwrap().translation;
        assert!(place.distance(expected.into()) < 1e-5, "frame {frame}: {place}, {expected:?}");
    }
}

#[test]
fn weights_at_rest_are_those_of_the_mesh() {
    let mut game = Game::new(&[("face.glb", &face())]);
    let model = game.model("face.glb");
    let root = game.spawn(&model.scenes[0]);
    let weights = game.app.world().get::<MorphWeights>(named(game.app.world(), root, "head")).unwrap();
    assert_eq!(weights.weights(), [0.25, 0.5]);
    assert_eq!(weights.first_mesh(), Some(&model.meshes[0][0].mesh));
}

#[test]
fn siblings_with_one_name_do_not_move_together() {
    let mut game = Game::new(&[("odd.glb", &oddities())]);
    let root = play(&mut game, "odd.glb", "tree");
    game.app.update();
    game.app.update();
    let world = game.app.world();
    let tree = named(world, root, "tree");
    let children = world.get::<bevy_ecs::hierarchy::Children>(tree).unwrap().to_vec();
    let places: Vec<f32> = children.iter().map(|leaf| world.get::<Transform>(*leaf).unwrap().translation.x).collect();
    assert_eq!(places, [-2.0 * STEP.as_secs_f32(), 0.0]);
}
