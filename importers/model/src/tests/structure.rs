//! Meshes, nodes and the summary.

use super::*;

/// Name, parent, mesh, transform.
type NodeFields = (String, Option<u32>, Option<u32>, [f32; 16]);

fn nodes(bytes: &[u8]) -> Vec<NodeFields> {
    let parts = import(bytes).unwrap();
    let view = structure(&parts[0]);
    view.nodes().map(|node| (node.name.to_owned(), node.parent, node.mesh, node.transform)).collect()
}

#[test]
fn primitives_follow_the_order_of_the_meshes() {
    let mut builder = Builder::default();
    let one = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let cube: Vec<f32> = (0..8u8).flat_map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f32::from)).collect();
    let two = builder.data("VEC3", F32, 8, &floats(&cube));
    let faces =
        [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
    let indices = builder.data("SCALAR", U8, 36, &faces);
    let document = builder.rest(&format!(
        r#","meshes":[
            {{"name":"cube","primitives":[{{"attributes":{{"POSITION":{two}}},"indices":{indices},"material":1}},{{"attributes":{{"POSITION":{one}}},"material":0}}]}},
            {{"primitives":[{{"attributes":{{"NORMAL":{one}}}}},{{"attributes":{{"POSITION":{one}}},"mode":0}}]}}
        ],"materials":[{{"name":"Gläser"}},{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0.5,0.25,0]}}}}]"#
    ));
    let parts = import(&document.glb()).unwrap();
    assert_eq!(parts[0].summary, "2 meshes, 3 primitives, 13 triangles");
    let found = primitives(&parts[0]);
    let order: Vec<_> = found.iter().map(|(p, own)| (p.mesh, p.material, p.topology.0, own.len())).collect();
    assert_eq!(order, [(0, Some(1), 4, 2), (0, Some(0), 4, 1), (1, None, 0, 1)]);
    assert_eq!(found[0].1[0].1, floats(&cube));
    assert_eq!(found[0].1[1].1, shorts(&faces.map(u16::from)));
    assert_eq!((found[0].0.minimum, found[0].0.maximum), ([0.0; 3], [1.0; 3]));
    let view = structure(&parts[0]);
    let materials: Vec<_> = view.materials().map(|m| (m.name, m.base_color, m.base_color_image)).collect();
    assert_eq!(materials, [("Gläser", [1.0; 4], None), ("", [1.0, 0.5, 0.25, 0.0], None)]);
}

#[test]
fn parents_precede_children() {
    // Node 2 is the root; node 4 is not in the scene.
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let document = Builder::default().rest(
        r#","meshes":[{"primitives":[]}],"nodes":[
            {"name":"leaf","mesh":0,"matrix":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]},
            {"name":"arm","children":[0],"translation":[1,2,3],"scale":[2,3,4],"rotation":[0,0,0.7071067811865476,0.7071067811865476]},
            {"name":"root","children":[1,3]},{},{"name":"elsewhere"}],"scene":1,"scenes":[{},{"nodes":[2]}]"#,
    );
    let nodes = nodes(&document.glb());
    let order: Vec<_> = nodes.iter().map(|(name, parent, mesh, _)| (name.as_str(), *parent, *mesh)).collect();
    assert_eq!(order, [("root", None, None), ("arm", Some(0), None), ("leaf", Some(1), Some(0)), ("", Some(0), None)]);
    assert_eq!(nodes[0].3, identity);
    assert_eq!(nodes[2].3, std::array::from_fn(|i| i as f32 + 1.0));
    // Scaled, then a quarter turn from x to y, then moved.
    let expected = [0.0, 2.0, 0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 1.0, 2.0, 3.0, 1.0];
    assert!(
        nodes[1].3.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5),
        "{:?}",
        nodes[1].3
    );
    let parts = import(&document.glb()).unwrap();
    assert_eq!(parts[0].summary, "1 mesh, 0 primitives, 0 triangles");
}

#[test]
fn without_scenes_every_root_is_kept_however_deep() {
    let count = 20_000;
    let chain: Vec<_> = (1..count).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
    let document = Builder::default().rest(&format!(r#","nodes":[{},{{}},{{}}]"#, chain.join(",")));
    let nodes = nodes(&document.glb());
    assert_eq!(nodes.len(), count + 1);
    assert_eq!(nodes[count - 1].1, Some(count as u32 - 2));
    assert_eq!(nodes[count].1, None);
}

#[test]
fn the_summary_counts_what_there_is() {
    let document = triangle().rest(
        r#","skins":[{"joints":[0]}],"animations":[{"channels":[],"samplers":[]},{"channels":[],"samplers":[]}],"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}],"extensionsUsed":["KHR_lights_punctual","KHR_texture_transform"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"}]}}"#,
    );
    let mut json = document.json("");
    json = json.replace(r#""indices":1"#, r#""targets":[{"POSITION":0},{"POSITION":0}]"#);
    let parts = import(&glb(json.as_bytes(), &document.binary)).unwrap();
    assert_eq!(
        parts[0].summary,
        "1 mesh, 1 primitive, 1 triangle, 1 skin, 2 animations, 2 morph targets, 1 camera, 1 light"
    );
    assert_eq!(counted(1_234_567, "triangle", "triangles"), "1,234,567 triangles");
    assert_eq!(counted(999, "triangle", "triangles"), "999 triangles");
}
