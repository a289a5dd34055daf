//! What the asset has is what the file has.

use bevy_asset::Handle;
use bevy_camera::{Projection, ScalingMode};
use bevy_color::{Color, LinearRgba};
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::name::Name;
use bevy_ecs::prelude::{Entity, With};
use bevy_image::Image;
use bevy_light::{DirectionalLight, SpotLight};
use bevy_material::AlphaMode;
use bevy_math::Mat4;
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_world_serialization::WorldAsset;
use rres_bevy_model::{LoadPart, ModelSettings};
use rres_runtime::Id;
use rres_runtime::asset::model::{Part, Scene};
use rres_test_data::model::glb_parts;
use serde_json::Value;
use wgpu_types::Face;

use crate::files::{CRYSTAL, LIGHTHOUSE, WHALE, oddities};
use crate::{Game, named};

/// The floats of an accessor of a file.
fn floats(file: &[u8], accessor: u64) -> Vec<f32> {
    let (json, binary) = glb_parts(file);
    let json: Value = serde_json::from_slice(json).unwrap();
    let view = &json["bufferViews"][json["accessors"][accessor as usize]["bufferView"].as_u64().unwrap() as usize];
    let [start, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap_or(0) as usize);
    let numbers = binary[start..start + length].as_chunks::<4>().0;
    numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
}

fn three(values: Option<&VertexAttributeValues>) -> &[[f32; 3]] {
    let Some(VertexAttributeValues::Float32x3(values)) = values else { panic!("{values:?}") };
    values
}

#[test]
fn vertices_are_those_of_the_file() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let model = game.model("whale.glb");
    let mesh = game.get(&model.meshes[0][0].mesh);
    assert_eq!((mesh.count_vertices(), mesh.indices().map(Indices::len)), (385, Some(2040)));
    assert_eq!(three(mesh.attribute(Mesh::ATTRIBUTE_POSITION)).as_flattened(), floats(WHALE, 0));
    assert_eq!(three(mesh.attribute(Mesh::ATTRIBUTE_NORMAL)).as_flattened(), floats(WHALE, 1));
    let Some(VertexAttributeValues::Float32x2(coordinates)) = mesh.attribute(Mesh::ATTRIBUTE_UV_0) else { panic!() };
    assert_eq!(coordinates.as_flattened(), floats(WHALE, 2));
    let Some(VertexAttributeValues::Float32x4(weights)) = mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT) else {
        panic!()
    };
    assert_eq!(weights.as_flattened(), floats(WHALE, 4));
}

#[test]
fn numbers_of_fewer_bits_become_floats() {
    let settings =
        "[\"*.glb\"]\nmodel = { positions = \"unorm16\", normal_format = \"snorm8\", weight_format = \"unorm8\" }";
    let mut game = Game::with_settings(&[("whale.glb", WHALE)], settings);
    let model = game.model("whale.glb");
    let mesh = game.get(&model.meshes[0][0].mesh);
    for (attribute, accessor, most) in [(Mesh::ATTRIBUTE_POSITION, 0, 3e-5), (Mesh::ATTRIBUTE_NORMAL, 1, 1.0 / 254.0)] {
        let found = three(mesh.attribute(attribute)).as_flattened();
        let distances = found.iter().zip(floats(WHALE, accessor)).map(|(a, b)| (a - b).abs());
        let farthest = distances.fold(0.0, f32::max);
        assert!(farthest > 0.0 && farthest <= most * 1.01, "{attribute:?}: {farthest}");
    }
}

#[test]
fn joints_are_the_entities_of_their_nodes() {
    let mut game = Game::new(&[("whale.glb", WHALE)]);
    let model = game.model("whale.glb");
    let root = game.spawn(&model.scenes[0]);
    let world = game.app.world();
    let name = |entity: Entity| world.get::<Name>(entity).unwrap().as_str();
    assert_eq!(name(root), "sky");
    let body = named(world, root, "body.skin");
    assert_eq!(name(world.get::<ChildOf>(body).unwrap().parent()), "whale");
    let skinned = world.get::<SkinnedMesh>(body).unwrap();
    let joints: Vec<&str> = skinned.joints.iter().map(|joint| name(*joint)).collect();
    assert_eq!(joints, ["head", "chest", "belly", "hip", "peduncle", "fluke", "fin_left", "fin_right"]);
    for (child, parent) in [("chest", "head"), ("belly", "chest"), ("fin_left", "chest"), ("fluke", "peduncle")] {
        let entity = named(world, root, child);
        assert_eq!(name(world.get::<ChildOf>(entity).unwrap().parent()), parent, "{child}");
        assert!(skinned.joints.contains(&entity), "{child}");
    }
    let poses: &SkinnedMeshInverseBindposes = game.get(&skinned.inverse_bindposes);
    let expected: Vec<Mat4> = floats(WHALE, 6).as_chunks::<16>().0.iter().map(Mat4::from_cols_array).collect();
    assert_eq!(poses[..], expected);
}

#[test]
fn textures_are_the_images_of_the_pack() {
    let mut game = Game::new(&[&CRYSTAL[..], &[("a/whale.glb", WHALE)]].concat());
    for (path, image) in [("a/whale.glb", "a/whale.glb#image/0"), ("crystal.gltf", "crystal.png")] {
        let model = game.model(path);
        let by_id: Handle<Image> = game.with(|rres| rres.load(Id::<rres_runtime::Image>::from_path(image)));
        let material: &StandardMaterial = game.get(&model.materials[0]);
        assert_eq!(material.base_color_texture.as_ref(), Some(&by_id), "an image has one handle");
        assert!(game.get(&by_id).width() > 1);
    }
}

#[test]
fn materials_have_the_values_of_the_file() {
    let mut game = Game::new(&[("whale.glb", WHALE), ("odd.glb", &oddities())]);
    let whale = game.model("whale.glb");
    let skin: &StandardMaterial = game.get(&whale.materials[0]);
    assert_eq!(
        (skin.metallic, skin.perceptual_roughness, skin.base_color),
        (0.0, 0.86, Color::linear_rgb(1.0, 1.0, 1.0))
    );
    assert_eq!((skin.emissive, skin.alpha_mode), (LinearRgba::rgb(0.05, 0.06, 0.16), AlphaMode::Opaque));
    assert_eq!((skin.double_sided, skin.cull_mode), (false, Some(Face::Back)));
    let odd = game.model("odd.glb");
    let cut: &StandardMaterial = game.get(&odd.materials[0]);
    assert_eq!(cut.base_color, Color::linear_rgba(0.25, 0.5, 0.75, 0.5));
    assert_eq!((cut.metallic, cut.perceptual_roughness), (0.125, 0.625));
    assert_eq!((cut.emissive, cut.alpha_mode), (LinearRgba::rgb(2.0, 1.0, 0.0), AlphaMode::Mask(0.75)));
    assert_eq!((cut.double_sided, cut.cull_mode), (true, None));
    let glass: &StandardMaterial = game.get(&odd.materials[1]);
    assert_eq!((glass.alpha_mode, glass.unlit, glass.cull_mode), (AlphaMode::Blend, true, Some(Face::Back)));
}

#[test]
fn topologies_that_bevy_lacks_become_others() {
    let mut game = Game::new(&[("odd.glb", &oddities())]);
    let model = game.model("odd.glb");
    let [fan, line, points] = [0, 1, 2].map(|i| game.get(&model.meshes[0][i].mesh));
    assert_eq!(fan.primitive_topology(), PrimitiveTopology::TriangleList);
    assert_eq!(fan.indices(), None, "flat triangles share no vertex");
    let corners = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
    assert_eq!(three(fan.attribute(Mesh::ATTRIBUTE_POSITION)), corners);
    assert_eq!(three(fan.attribute(Mesh::ATTRIBUTE_NORMAL)), [[0.0, 0.0, 1.0]; 6]);
    assert_eq!(line.primitive_topology(), PrimitiveTopology::LineStrip);
    assert_eq!(line.indices(), Some(&Indices::U32(vec![0, 1, 2, 3, 0])));
    assert_eq!((points.primitive_topology(), points.indices()), (PrimitiveTopology::PointList, None));
}

#[test]
fn nodes_that_mirror_have_the_other_side_of_materials() {
    let mut game = Game::new(&[("odd.glb", &oddities())]);
    let model = game.model("odd.glb");
    let root = game.spawn(&model.scenes[0]);
    let world = game.app.world();
    let tree = named(world, root, "tree");
    let leaves: Vec<Entity> = world.get::<Children>(tree).unwrap().to_vec();
    let sides = |leaf: Entity| -> Vec<Option<Face>> {
        let material = |child: Entity| &world.get::<MeshMaterial3d<StandardMaterial>>(child).unwrap().0;
        world
            .get::<Children>(leaf)
            .unwrap()
            .to_vec()
            .into_iter()
            .map(|child| game.get(material(child)).cull_mode)
            .collect()
    };
    assert_eq!(sides(leaves[0]), [None, Some(Face::Back), Some(Face::Back)]);
    assert_eq!(sides(leaves[1]), [None, Some(Face::Front), Some(Face::Front)]);
}

#[test]
fn a_scene_has_its_own_nodes_cameras_and_lights() {
    let mut game = Game::new(&[("odd.glb", &oddities())]);
    let model = game.model("odd.glb");
    assert_eq!(model.default_scene.as_ref(), Some(&model.scenes[1]));
    let root = game.spawn(&model.scenes[1]);
    let world = game.app.world_mut();
    assert_eq!(world.get::<Name>(root).unwrap().as_str(), "Scene1");
    assert_eq!(world.query_filtered::<(), With<Mesh3d>>().iter(world).count(), 0, "those of the other scene");
    let mut projections: Vec<Projection> = world.query::<&Projection>().iter(world).cloned().collect();
    projections.sort_by_key(|projection| matches!(projection, Projection::Orthographic(_)));
    let [Projection::Perspective(first), Projection::Orthographic(second)] = &projections[..] else {
        panic!("{projections:?}")
    };
    assert_eq!((first.fov, first.near, first.far), (0.5, 0.25, 100.0));
    assert_eq!((second.near, second.far), (0.5, 10.0));
    assert!(matches!(second.scaling_mode, ScalingMode::AutoMin { min_width: 8.0, min_height: 4.0 }));
    let sun = world.query::<&DirectionalLight>().single(world).unwrap();
    assert_eq!((sun.illuminance, sun.color), (1000.0, Color::linear_rgb(1.0, 0.5, 0.25)));
    let spot = world.query::<&SpotLight>().single(world).unwrap();
    assert_eq!((spot.inner_angle, spot.outer_angle), (0.25, 0.5));
    assert!((spot.intensity - 40.0 * std::f32::consts::PI).abs() < 1e-3, "{}", spot.intensity);
}

#[test]
fn parts_and_paths_give_what_the_model_holds() {
    let mut game = Game::new(&[("lighthouse.glb", LIGHTHOUSE)]);
    let id = Id::from_path("lighthouse.glb");
    let part: Handle<WorldAsset> = game.with(|rres| rres.load_part(id, Part::<Scene>::new(0)));
    let path: Handle<WorldAsset> = game.by_path("rres://lighthouse.glb#Scene0");
    game.wait(&part).unwrap();
    let model = game.model("lighthouse.glb");
    assert_eq!((&part, model.scene(Part::new(0)), model.scene(Part::new(1))), (&path, Some(&part), None));
    assert_eq!((model.meshes.len(), model.materials.len(), model.graph.clone()), (5, 2, None));
    let lamp = model.mesh(Part::new(3)).unwrap();
    assert_eq!((lamp.len(), Some(&lamp[0].material)), (1, model.material(Part::new(1))));
    assert_eq!(ModelSettings::default().asset_usage, game.get(&lamp[0].mesh).asset_usage);
}
