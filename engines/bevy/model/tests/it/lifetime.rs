//! When models are in memory.

use bevy_animation::AnimationClip;
use bevy_animation::graph::AnimationGraph;
use bevy_asset::{Asset, AssetServer, Assets};
use bevy_image::Image;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_pbr::StandardMaterial;
use bevy_world_serialization::WorldAsset;
use rres_bevy_model::ModelAsset;
use rres_runtime::{Group, Id, Model};

use crate::Game;
use crate::files::WHALE;

fn count<A: Asset>(game: &Game) -> usize {
    game.app.world().resource::<Assets<A>>().len()
}

fn counts(game: &Game) -> [usize; 7] {
    [
        count::<ModelAsset>(game),
        count::<WorldAsset>(game),
        count::<Mesh>(game),
        count::<StandardMaterial>(game),
        count::<Image>(game),
        count::<AnimationClip>(game) + count::<AnimationGraph>(game),
        count::<SkinnedMeshInverseBindposes>(game),
    ]
}

#[test]
fn the_last_handle_frees_a_model_and_its_images() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let none = counts(&game);
    let handle = game.load("whale.glb");
    game.wait(&handle).unwrap();
    let added: Vec<usize> = counts(&game).iter().zip(none).map(|(now, before)| now - before).collect();
    assert_eq!(added, [1, 1, 1, 1, 1, 2, 1]);
    let scene = game.get(&handle).scenes[0].clone();
    drop(handle);
    for _ in 0..4 {
        game.app.update();
    }
    let left: Vec<usize> = counts(&game).iter().zip(none).map(|(now, before)| now - before).collect();
    assert_eq!(left, [0, 1, 1, 1, 1, 2, 1], "a scene keeps what it shows");
    drop(scene);
    for _ in 0..6 {
        game.app.update();
    }
    assert_eq!(counts(&game), none);
    let store = game.with(|rres| rres.store().clone());
    assert!(store.loaded(Id::<Model>::from_path("whale.glb")).is_none(), "the store holds nothing");
}

#[test]
fn a_group_loads_models_with_their_images() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let ids: &'static [u32] = vec![Id::<Model>::from_path("whale.glb").resource().0].leak();
    let level = game.with(|rres| rres.load_group(Group::<()>::new("level", ids)));
    let server = game.app.world().resource::<AssetServer>().clone();
    while !level.progress(&server).is_done() {
        game.app.update();
    }
    assert_eq!((level.progress(&server).loaded, count::<ModelAsset>(&game), count::<Image>(&game)), (1, 1, 1));
}
