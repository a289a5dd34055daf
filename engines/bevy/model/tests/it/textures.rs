//! The images that materials take.

use bevy_asset::{AssetEvent, Assets, Handle};
use bevy_ecs::message::Messages;
use bevy_image::Image;
use bevy_pbr::StandardMaterial;
use rres_runtime::Id;
use serde_json::{Value, json};

use crate::files::CRYSTAL;
use crate::{Game, log};

/// A crystal whose normal map is a file beside it. Its rule says that it has colours.
fn bumpy() -> Game {
    let [(_, gltf), binary, colors] = CRYSTAL;
    let mut file: Value = serde_json::from_slice(gltf).unwrap();
    file["images"].as_array_mut().unwrap().push(json!({ "uri": "bumps.png" }));
    file["textures"].as_array_mut().unwrap().push(json!({ "source": 1, "sampler": 0 }));
    file["materials"][0]["normalTexture"] = json!({ "index": 1 });
    let file = file.to_string();
    let files = [("crystal.gltf", file.as_bytes()), binary, colors, ("bumps.png", colors.1)];
    Game::with_settings(&files, "[\"bumps.png\"]\nimage = { color_space = \"srgb\" }")
}

fn is_color(game: &Game, image: Option<&Handle<Image>>) -> bool {
    game.get(image.expect("the material has it")).texture_descriptor.format.is_srgb()
}

#[test]
fn images_with_numbers_are_linear() {
    let mut game = bumpy();
    let said = log::of(|| {
        let model = game.model("crystal.gltf");
        let material: &StandardMaterial = game.get(&model.materials[0]);
        assert!(is_color(&game, material.base_color_texture.as_ref()));
        assert!(!is_color(&game, material.normal_map_texture.as_ref()));
        game.app.update();
    });
    assert!(said.is_empty(), "{said:#?}");
}

#[test]
fn an_image_that_is_loaded_as_colours_before_is_told() {
    let mut game = bumpy();
    let said = log::of(|| {
        let bumps: Handle<Image> = game.with(|rres| rres.load(Id::<rres_runtime::Image>::from_path("bumps.png")));
        game.wait(&bumps).unwrap();
        let _model = game.model("crystal.gltf");
        game.app.update();
    });
    let [warning] = &said[..] else { panic!("{said:#?}") };
    assert!(warning.contains("normal texture") && warning.contains("bumps.png"), "{warning}");
}

#[test]
fn a_changed_image_changes_its_materials() {
    // Bevy prepares a material again if the material changes, and it has the texture that the image had then.
    let mut game = bumpy();
    let model = game.model("crystal.gltf");
    game.app.update();
    let material = &model.materials[0];
    let image = game.get(material).normal_map_texture.clone().expect("the material has it");
    let mut cursor = game.app.world().resource::<Messages<AssetEvent<StandardMaterial>>>().get_cursor_current();
    game.app.world_mut().resource_mut::<Assets<Image>>().get_mut(&image).expect("it is loaded").into_inner();
    (0..2).for_each(|_| game.app.update());
    let messages = game.app.world().resource::<Messages<AssetEvent<StandardMaterial>>>();
    assert!(cursor.read(messages).any(|event| event.is_modified(material)));
}
