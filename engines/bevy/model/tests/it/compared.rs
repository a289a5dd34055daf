//! Bevy's own loader makes the same of the same file.

use std::collections::BTreeMap;

use bevy_animation::AnimationTargetId;
use bevy_asset::{Assets, Handle};
use bevy_camera::primitives::Aabb;
use bevy_ecs::hierarchy::Children;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::{Entity, World};
use bevy_gltf::{Gltf, GltfMaterial};
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::SkinnedMesh;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::Transform;
use bevy_world_serialization::WorldAsset;

use crate::Game;
use crate::files::{CRYSTAL, CRYSTAL_PNG, LIGHTHOUSE, WHALE, face};

/// What an entity of a scene has.
#[derive(Debug, PartialEq)]
struct Described {
    transform: Transform,
    mesh: Option<Mesh>,
    bounds: Option<Aabb>,
    joints: Vec<String>,
    weights: Vec<f32>,
    has_weights_elsewhere: bool,
    target: Option<AnimationTargetId>,
}

/// Each entity of a scene by the names of its ancestors and its own. The root, whose name may differ, has the name "".
fn described(game: &Game, scene: &Handle<WorldAsset>) -> BTreeMap<String, Described> {
    let meshes = game.app.world().resource::<Assets<Mesh>>();
    // A loader's world: its systems have not run.
    let world: &World = &game.get(scene).world;
    let roots = world.archetypes().iter().flat_map(|archetype| archetype.entities()).map(|entity| entity.id());
    let is_root = |entity: &Entity| {
        world.get::<Name>(*entity).is_some() && world.get::<bevy_ecs::hierarchy::ChildOf>(*entity).is_none()
    };
    let mut open: Vec<(Entity, String)> = roots.filter(is_root).map(|root| (root, String::new())).collect();
    assert_eq!(open.len(), 1);
    let mut all = BTreeMap::new();
    while let Some((entity, path)) = open.pop() {
        let name = |entity: Entity| world.get::<Name>(entity).unwrap().as_str().to_owned();
        for child in world.get::<Children>(entity).map_or_else(Vec::new, |children| children.to_vec()) {
            open.push((child, format!("{path}/{}", name(child))));
        }
        let mesh = world.get::<Mesh3d>(entity).map(|mesh| meshes.get(&mesh.0).unwrap().clone());
        let joints = world.get::<SkinnedMesh>(entity).map_or_else(Vec::new, |skinned| skinned.joints.clone());
        let is_new = all.insert(
            path,
            Described {
                transform: *world.get::<Transform>(entity).unwrap(),
                mesh,
                bounds: world.get::<Aabb>(entity).copied(),
                joints: joints.into_iter().map(name).collect(),
                weights: world.get::<MorphWeights>(entity).map_or_else(Vec::new, |weights| weights.weights().to_vec()),
                has_weights_elsewhere: world.get::<MeshMorphWeights>(entity).is_some(),
                target: world.get::<AnimationTargetId>(entity).copied(),
            },
        );
        assert!(is_new.is_none(), "names are paths");
    }
    all
}

#[test]
fn scenes_have_the_same_entities_meshes_and_targets() {
    let face = face();
    let files =
        [("whale.glb", WHALE), ("lighthouse.glb", LIGHTHOUSE), ("crystal.gltf", CRYSTAL), ("face.glb", &face[..])];
    let with_png = [&files[..], &[("crystal.png", CRYSTAL_PNG)]].concat();
    let mut game = Game::new(&with_png);
    for ((path, _), entities) in files.into_iter().zip([11, 12, 3, 3]) {
        let model = game.model(path);
        let gltf: Handle<Gltf> = game.by_path(&format!("files://{path}"));
        // Its textures need features of Bevy, which is not what is compared.
        while game.app.world().resource::<Assets<Gltf>>().get(&gltf).is_none() {
            assert!(!game.app.world().resource::<bevy_asset::AssetServer>().load_state(&gltf).is_failed(), "{path}");
            game.app.update();
        }
        let (ours, theirs) = (described(&game, &model.scenes[0]), described(&game, &game.get(&gltf).scenes[0]));
        assert_eq!(ours.len(), entities, "{path}: {:?}", ours.keys());
        assert!(ours.keys().eq(theirs.keys()), "{path}: {:?}, {:?}", ours.keys(), theirs.keys());
        for (name, entity) in &ours {
            assert_eq!(entity, &theirs[name], "{path}: {name}");
        }
        for (ours, theirs) in model.materials.iter().zip(&game.get(&gltf).materials) {
            let (ours, theirs): (_, &GltfMaterial) = (game.get(ours), game.get(theirs));
            assert_eq!(ours.base_color, theirs.base_color);
            assert_eq!((ours.metallic, ours.perceptual_roughness), (theirs.metallic, theirs.perceptual_roughness));
            assert_eq!((ours.emissive, ours.reflectance), (theirs.emissive, theirs.reflectance));
            assert_eq!((ours.alpha_mode, ours.cull_mode), (theirs.alpha_mode, theirs.cull_mode));
            assert_eq!((ours.ior, ours.uv_transform), (theirs.ior, theirs.uv_transform));
            assert_eq!(ours.base_color_texture.is_some(), theirs.base_color_texture.is_some());
        }
    }
}
