//! What cannot be loaded fails with the reason.

use bevy_app::App;
use bevy_asset::AssetServer;
use rres_format::chunk::model::{self, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_runtime::{PackOptions, Store};

use crate::Game;
use crate::files::WHALE;

fn chunk(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
}

/// A triangle whose material has an image that is not in the pack.
fn without_its_image() -> Store {
    let primitive = model::Primitive {
        mesh: 0,
        material: Some(0),
        topology: Topology::TRIANGLES,
        attributes: 1,
        minimum: [0.0; 3],
        maximum: [0.0; 3],
    };
    let identity = std::array::from_fn(|i| f32::from(u8::from(i % 5 == 0)));
    let node = model::Node { name: "rock", parent: None, mesh: Some(0), transform: identity };
    let material = model::Material { name: "stone", base_color: [1.0; 4], base_color_image: Some(0) };
    let props =
        VertexProps { count: 3, attribute: VertexAttribute::POSITION, components: 3, format: VertexFormat::FLOAT };
    let chunks = vec![
        chunk(FourCc::VRTX, &props.block(&[0; 36])),
        chunk(FourCc::MODL, &model_block(&[node], &[primitive], &[material]).unwrap()),
    ];
    let mut pack = PackBuilder::new();
    let mut rock = Resource::new("rock.glb", chunks);
    rock.dependencies = vec![ResourceId(7)];
    pack.push(rock);
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

#[test]
fn a_model_without_its_image_fails_and_names_both() {
    let mut game = Game::of_store(without_its_image(), &[]);
    let model = game.load("rock.glb");
    let said = game.wait(&model).unwrap_err();
    assert!(
        said.contains("rock.glb") && said.contains("has the image 0x00000007") && said.contains("\"stone\""),
        "{said}"
    );
}

#[test]
fn a_joint_in_no_scene_fails() {
    let mut json = serde_json::from_slice::<serde_json::Value>(rres_test_data::model::glb_parts(WHALE).0).unwrap();
    json["scenes"][0]["nodes"] = serde_json::json!([0]);
    let file = rres_test_data::model::glb(json.to_string(), rres_test_data::model::glb_parts(WHALE).1);
    let mut game = Game::new(&[("whale.glb", &file)]);
    let model = game.load("whale.glb");
    let said = game.wait(&model).unwrap_err();
    assert!(said.contains("scene 0 shows skin 0") && said.contains("whole skeleton"), "{said}");
}

#[test]
fn an_app_without_the_plugin_of_the_store_runs_without_models() {
    let mut app = App::new();
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), bevy_asset::AssetPlugin::default()));
    app.add_plugins(rres_bevy_model::RresModelPlugin);
    app.finish();
    app.update();
    assert!(app.world().get_resource::<AssetServer>().is_some());
}
