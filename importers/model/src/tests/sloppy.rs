//! Documents as exporters write them: what they mean is clear, and a note names what is left out.

use super::*;

#[test]
fn whole_numbers_may_be_written_with_a_decimal_point() {
    let file = triangle().rest(r#","scene":0"#).glb();
    let expected = import(&file).unwrap();
    let json = triangle().rest(r#","scene":0.0"#).json("");
    let json = json.replace(r#""count":3"#, r#""count":3.0"#).replace(r#""byteLength":36"#, r#""byteLength":3.6e1"#);
    assert!(json.contains("3.0") && json.contains("3.6e1"));
    let parts = import(&glb(json.as_bytes(), &triangle().binary)).unwrap();
    for (block, expected) in parts[0].blocks.iter().zip(&expected[0].blocks) {
        assert_eq!(block.bytes, expected.bytes);
    }
    // 0.5 cannot be the number of a node.
    let json = json.replace(r#""scene":0.0"#, r#""scene":0.5"#);
    assert!(import(&glb(json.as_bytes(), &triangle().binary)).is_err());
}

#[test]
fn channels_of_extensions_are_left_out_with_a_note() {
    let animation = r#"{"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/emissiveFactor"}}}}],"samplers":[{"input":0,"output":0}]}"#;
    let used = r#","extensionsUsed":["KHR_animation_pointer"],"extensionsRequired":["KHR_animation_pointer"]"#;
    let file = triangle().rest(&format!(r#","animations":[{animation}]{used}"#)).glb();
    let parts = import(&file).unwrap();
    assert_eq!(parts[0].summary, "1 mesh, 1 primitive, 1 triangle, 1 animation");
    let [note] = &parts[0].notes[..] else { panic!("{:?}", parts[0].notes) };
    assert_eq!(note.topic, "parts of models that have no place in a pack are left out");
    assert_eq!(note.detail, "without 1 channel of an animation without a node, KHR_animation_pointer");
}

#[test]
fn an_accessor_without_a_buffer_view_is_zeros() {
    let mut builder = Builder::default();
    let positions = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let zeros = builder.accessor("VEC2", F32, 3, "");
    let attributes = format!(r#""attributes":{{"POSITION":{positions},"TEXCOORD_0":{zeros}}}"#);
    let parts = import(&with_primitive(builder, &attributes).glb()).unwrap();
    assert_eq!(primitives(&parts[0])[0].1[1].1, [0; 24]);
}

#[test]
fn extensions_that_are_not_supported_are_named_once() {
    let file = |used: &str| triangle().rest(&format!(r#","extensionsUsed":[{used}]"#)).glb();
    assert_eq!(import(&file(r#""KHR_materials_unlit","KHR_texture_basisu""#)).unwrap()[0].notes, []);
    let parts = import(&file(r#""KHR_materials_variants","ACME_x","KHR_materials_unlit""#)).unwrap();
    let [note] = &parts[0].notes[..] else { panic!("{:?}", parts[0].notes) };
    assert_eq!(note.detail, "without ACME_x, KHR_materials_variants");
}

#[test]
fn a_node_above_the_root_of_the_scene_is_no_second_parent() {
    let above = triangle()
        .json("")
        .replace(r#""nodes":[{"mesh":0}],"#, r#""nodes":[{"mesh":0},{"name":"above","children":[0]}],"#);
    let parts = import(&glb(above.as_bytes(), &triangle().binary)).unwrap();
    assert_eq!(structure(&parts[0]).nodes().len(), 1);
    let view = scene(&parts[0]);
    assert_eq!(view.further_nodes().map(|node| view.name(node.name)).collect::<Vec<_>>(), ["above"]);
    let circle = triangle()
        .json("")
        .replace(r#""nodes":[{"mesh":0}],"#, r#""nodes":[{"mesh":0},{"children":[2]},{"children":[1]}],"#);
    let error = refusal(&glb(circle.as_bytes(), &triangle().binary));
    assert_eq!(error, "node 1 has two parents, or is its own descendant");
}
