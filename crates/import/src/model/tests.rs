//! What is checked when a model is built.

use rres_format::chunk::PayloadView;
use rres_format::chunk::scene::{Interpolation, Property, SceneView, TextureRecord};

use super::*;

const TRIANGLE: [[f32; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A triangle that one joint moves.
fn moved() -> ModelBuilder {
    let mut model = ModelBuilder::default();
    let mesh = model.add_mesh("flag");
    let further = vec![
        Vertices::joints(0, [[0; 4]; 3]),
        Vertices::floats(VertexAttribute::weights(0), [[1.0, 0.0, 0.0, 0.0]; 3]),
    ];
    model.add_triangles(mesh, None, &TRIANGLE, Vec::new(), &[0, 1, 2], further).unwrap();
    model.add_node(ModelNode { mesh: Some(mesh), skin: Some(0), ..ModelNode::default() });
    let joint = model.add_node(ModelNode { name: "pole".to_owned(), ..ModelNode::default() });
    model.add_skin(ModelSkin { joints: vec![joint], root: Some(joint), ..ModelSkin::default() });
    model.add_animation("wave", vec![channel(joint, Property::TRANSLATION, 3), channel(joint, Property::ROTATION, 4)]);
    model
}

fn channel(node: u32, property: Property, components: usize) -> ModelChannel {
    let values = [0.0, 0.0, 0.0, 1.0].repeat(2)[8 - 2 * components..].to_vec();
    ModelChannel { node, property, interpolation: Interpolation::LINEAR, times: vec![0.0, 0.5], values }
}

#[test]
fn a_model_has_its_skin_and_its_animation_and_shares_equal_times() {
    let asset = moved().into_asset("1 triangle").unwrap();
    assert_eq!(asset.parts[0].name, "wave");
    let block = &asset.blocks.last().unwrap().bytes;
    let scene = SceneView::parse(PayloadView::parse(block).unwrap()).unwrap();
    assert_eq!((scene.skins().len(), scene.scenes().len()), (1, 1));
    let channels: Vec<_> = scene.channels().collect();
    assert_eq!(channels.iter().map(|channel| channel.components).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(channels[0].times, channels[1].times);
}

#[test]
fn parts_that_do_not_exist_are_errors() {
    type Break = fn(&mut ModelBuilder);
    let cases: [(Break, &str); 7] = [
        (|model| model.nodes[0].skin = Some(7), "skin of node 0 refers to 7"),
        (|model| model.nodes[0].mesh = Some(7), "node 0 has the mesh 7, but there are only 1"),
        (|model| model.nodes[1].parent = Some(1), "the parent of node 1 must come before it; it is 1"),
        (|model| model.skins[0].joints = vec![9], "skin 0 has node 9"),
        (|model| model.animations[0].1[0].times = vec![1.0, 0.5], "channel 0"),
        (|model| _ = model.add_material(ModelMaterial::new("", [f32::NAN; 4])), "a colour that is not finite"),
        (
            |model| {
                let texture = TextureRecord::new(TextureSlot::BASE_COLOR, 0);
                model.add_material(ModelMaterial::new("", [1.0; 4]).with_texture(texture));
            },
            "material 0 has the image 0, but there are only 0",
        ),
    ];
    for (change, expected) in cases {
        let mut model = moved();
        change(&mut model);
        let error = model.into_asset("").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, expected {expected}");
    }
}

#[test]
fn triangles_are_checked() {
    let mut model = ModelBuilder::default();
    let mut add = |positions: &[[f32; 3]], vertices: Vec<Vertices>, indices: &[u32]| {
        model.add_triangles(0, None, positions, vertices, indices, Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(add(&TRIANGLE, Vec::new(), &[0, 1]), "2 indices are not triangles: each has 3");
    assert_eq!(add(&TRIANGLE, Vec::new(), &[0, 1, 3]), "has index 3, but only 3 vertices");
    assert!(add(&[[f32::NAN; 3]], Vec::new(), &[]).starts_with("vertex 0 is at"));
    let normals = Vertices::floats(VertexAttribute::NORMAL, [[0.0, 0.0, 1.0]; 2]);
    assert_eq!(add(&TRIANGLE, vec![normals], &[0, 1, 2]), "has normal of 2 vertices, and positions of 3");
}

#[test]
fn indices_of_16_bits_are_below_65_535() {
    for (largest, expected) in [(65_534, 2), (65_535, 4)] {
        let block = Vertices::indices(&[0, 1, largest]).block().unwrap();
        assert!(block.ends_with(&largest.to_le_bytes()[..expected]), "{largest}");
    }
}
