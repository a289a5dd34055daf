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
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::Transform;
use bevy_world_serialization::WorldAsset;

use crate::Game;
use crate::files::{CRYSTAL, LIGHTHOUSE, WHALE, face};

/// What an entity of a scene has.
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

/// The joints of each vertex that have a weight.
fn moved_by(mesh: &Mesh) -> Vec<Vec<u16>> {
    let (Some(VertexAttributeValues::Uint16x4(joints)), Some(VertexAttributeValues::Float32x4(weights))) =
        (mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX), mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT))
    else {
        return Vec::new();
    };
    let of_vertex = |(joints, weights): (&[u16; 4], &[f32; 4])| {
        joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(joint, _)| *joint).collect()
    };
    joints.iter().zip(weights).map(of_vertex).collect()
}

/// Compares two entities part by part, so that a difference can be read.
fn same(ours: &Described, theirs: &Described, of: &str) {
    assert_eq!(ours.transform, theirs.transform, "{of}");
    assert_eq!((&ours.bounds, &ours.joints, &ours.target), (&theirs.bounds, &theirs.joints, &theirs.target), "{of}");
    assert_eq!((&ours.weights, ours.has_weights_elsewhere), (&theirs.weights, theirs.has_weights_elsewhere), "{of}");
    assert_eq!(ours.mesh.is_some(), theirs.mesh.is_some(), "{of}");
    if let (Some(ours), Some(theirs)) = (&ours.mesh, &theirs.mesh) {
        assert_eq!(ours.attributes().count(), theirs.attributes().count(), "{of}");
        for ((attribute, values), (other, expected)) in ours.attributes().zip(theirs.attributes()) {
            assert_eq!(attribute.name, other.name, "{of}");
            // Joints without weight may have any number; the importer makes them 0.
            if attribute.id != Mesh::ATTRIBUTE_JOINT_INDEX.id {
                assert_eq!(values, expected, "{of}: {}", attribute.name);
            }
        }
        assert_eq!(moved_by(ours), moved_by(theirs), "{of}");
        assert_eq!(ours.indices(), theirs.indices(), "{of}");
        assert_eq!(ours.morph_targets(), theirs.morph_targets(), "{of}");
        assert_eq!(ours.morph_target_names(), theirs.morph_target_names(), "{of}");
        assert_eq!(ours.primitive_topology(), theirs.primitive_topology(), "{of}");
    }
}

#[test]
fn scenes_have_the_same_entities_meshes_and_targets() {
    let face = face();
    let files: [(&str, &[u8]); 3] = [("whale.glb", WHALE), ("lighthouse.glb", LIGHTHOUSE), ("face.glb", &face)];
    let mut game = Game::new(&[&files[..], &CRYSTAL].concat());
    for (path, entities) in [("whale.glb", 11), ("lighthouse.glb", 12), ("crystal.gltf", 3), ("face.glb", 3)] {
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
            same(entity, &theirs[name], &format!("{path}: {name}"));
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
