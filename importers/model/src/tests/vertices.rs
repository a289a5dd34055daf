//! Vertex and index bytes compared with the accessors that they come from.

use rres_format::chunk::model::Topology;

use super::*;

#[test]
fn a_triangle_keeps_its_bytes() {
    let parts = import(&triangle().glb()).unwrap();
    assert_eq!((parts.len(), parts[0].kind), (1, AssetKind::Model));
    assert_eq!(parts[0].summary, "1 mesh, 1 primitive, 1 triangle");
    let [(primitive, attributes)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!((primitive.mesh, primitive.material, primitive.topology), (0, None, Topology::TRIANGLES));
    assert_eq!((primitive.minimum, primitive.maximum), ([0.0, 0.0, -0.5], [1.0, 2.0, 0.5]));
    let expected = [
        (props(VertexAttribute::POSITION, 3, 3, VertexFormat::FLOAT), floats(&TRIANGLE)),
        (props(VertexAttribute::INDEX, 3, 1, VertexFormat::USHORT), shorts(&[2, 1, 0])),
    ];
    assert_eq!(attributes[..], expected);
}

#[test]
fn interleaved_attributes_are_separated() {
    // Position, normal, texture coordinates in 16 bits, colour in 8 bits: 32 bytes, and 4 unused ones.
    let mut bytes = Vec::new();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for i in 0..4u8 {
        let position = floats(&[f32::from(i), 0.25, -1.5]);
        let normal = floats(&[0.0, f32::from(i) * 0.1, 1.0]);
        bytes.extend_from_slice(&position);
        bytes.extend_from_slice(&normal);
        bytes.extend_from_slice(&shorts(&[u16::from(i) * 0x5555, 0xffff]));
        bytes.extend_from_slice(&[i, 2, 3, 4]);
        bytes.extend_from_slice(&[0xaa; 4]);
        positions.extend(position);
        normals.extend(normal);
    }
    // The last element need not have padding up to the stride.
    bytes.truncate(bytes.len() - 4);
    let mut builder = Builder::default();
    let view = builder.view(&bytes, r#","byteStride":36"#);
    let mut at = |kind, component, offset: usize, more: &str| {
        builder.accessor(kind, component, 4, &format!(r#","bufferView":{view},"byteOffset":{offset}{more}"#))
    };
    let position = at("VEC3", F32, 0, "");
    let normal = at("VEC3", F32, 12, "");
    let texture = at("VEC2", U16, 24, r#","normalized":true"#);
    let color = at("VEC4", U8, 28, r#","normalized":true"#);
    let attributes =
        format!(r#""POSITION":{position},"NORMAL":{normal},"TEXCOORD_0":{texture},"COLOR_0":{color},"_OWN":{color}"#);
    let document = with_primitive(builder, &format!(r#""mode":5,"attributes":{{{attributes}}}"#));
    let parts = import(&document.glb()).unwrap();
    assert_eq!(parts[0].summary, "1 mesh, 1 primitive, 2 triangles");
    let [(primitive, attributes)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!(primitive.topology, Topology::TRIANGLE_STRIP);
    let third = |i: u16| f32::from(i * 0x5555) / 65535.0;
    let expected = [
        (props(VertexAttribute::POSITION, 4, 3, VertexFormat::FLOAT), positions),
        (
            props(VertexAttribute::TEXCOORD1, 4, 2, VertexFormat::FLOAT),
            floats(&[0.0, 1.0, third(1), 1.0, third(2), 1.0, 1.0, 1.0]),
        ),
        (props(VertexAttribute::NORMAL, 4, 3, VertexFormat::FLOAT), normals),
        (
            props(VertexAttribute::COLOR, 4, 4, VertexFormat::UBYTE),
            vec![0, 2, 3, 4, 1, 2, 3, 4, 2, 2, 3, 4, 3, 2, 3, 4],
        ),
    ];
    assert_eq!(attributes[..], expected);
}

#[test]
fn colors_become_bytes_rounded_to_the_nearest() {
    let color = |kind, component, bytes: &[u8]| {
        let mut builder = Builder::default();
        let position = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
        let color = builder.data(kind, component, 3, bytes);
        let document = with_primitive(builder, &format!(r#""attributes":{{"POSITION":{position},"COLOR_0":{color}}}"#));
        let parts = import(&document.glb()).map_err(|e| e.to_string())?;
        Ok::<_, String>(primitives(&parts[0])[0].1[1].1.clone())
    };
    let float = floats(&[0.0, 0.5, 1.0, -1.0, 2.0, 0.25, 1.0 / 255.0, 0.999, f32::NAN]);
    assert_eq!(color("VEC3", F32, &float).unwrap(), [0, 128, 255, 255, 0, 255, 64, 255, 1, 255, 0, 255]);
    let short = shorts(&[0, 128, 129, 65535, 65406, 65407, 257, 32896, 1, 2, 3, 4]);
    assert_eq!(color("VEC4", U16, &short).unwrap(), [0, 0, 1, 255, 254, 255, 1, 128, 0, 0, 0, 0]);
    let error = color("VEC2", U8, &[0; 6]).unwrap_err();
    assert_eq!(error, "mesh 0, primitive 0: COLOR_0 has 2 × U8 for each element, which glTF does not allow");
}

#[test]
fn colors_that_8_bits_change_are_named() {
    let topics = |kind, component, bytes: &[u8]| {
        let mut builder = Builder::default();
        let position = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
        let color = builder.data(kind, component, 3, bytes);
        let attributes = format!(r#""POSITION":{position},"COLOR_0":{color},"COLOR_1":{color}"#);
        let parts = import(&with_primitive(builder, &format!(r#""attributes":{{{attributes}}}"#)).glb()).unwrap();
        assert!(parts[0].notes.iter().all(|note| note.detail == "COLOR_0, COLOR_1"), "{:?}", parts[0].notes);
        parts[0].notes.iter().map(|note| note.topic.clone()).collect::<Vec<_>>()
    };
    let [cut, rounded] =
        ["colours of vertices outside of 0 to 1 are cut off", "colours of vertices are rounded to 8 bits"];
    let exact = [0, 1, 2, 3, 4, 128, 200, 254, 255].map(|step: u8| f32::from(step) / 255.0);
    assert_eq!(topics("VEC3", F32, &floats(&exact)), [""; 0]);
    assert_eq!(topics("VEC3", F32, &floats(&exact.map(|value| value * 2.0))), [cut]);
    assert_eq!(topics("VEC3", F32, &floats(&[0.5; 9])), [rounded]);
    assert_eq!(topics("VEC3", F32, &floats(&[1.5; 9])), [cut, rounded]);
    assert_eq!(topics("VEC3", U16, &shorts(&[0, 257, 514, 65535, 65278, 257, 0, 0, 0])), [""; 0]);
    assert_eq!(topics("VEC3", U16, &shorts(&[0, 258, 0, 0, 0, 0, 0, 0, 0])), [rounded]);
}

#[test]
fn quantized_positions_become_the_floats_that_they_represent() {
    let mut builder = Builder::default();
    let view = builder.view(&shorts(&[0, 0x7fff, 0x8000, 0, 1, 0xffff, 2, 0xc000, 0]), "");
    let raw = builder.accessor("VEC3", I16, 3, &format!(r#","bufferView":{view}"#));
    let unit = builder.accessor("VEC3", I16, 3, &format!(r#","normalized":true,"bufferView":{view}"#));
    let document = with_primitive(builder, &format!(r#""attributes":{{"POSITION":{raw},"NORMAL":{unit}}}"#))
        .rest(r#","extensionsRequired":["KHR_mesh_quantization"]"#);
    let parts = import(&document.glb()).unwrap();
    let [(primitive, attributes)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!(attributes[0].1, floats(&[0.0, 32767.0, -32768.0, 0.0, 1.0, -1.0, 2.0, -16384.0, 0.0]));
    assert_eq!((primitive.minimum, primitive.maximum), ([0.0, -16384.0, -32768.0], [2.0, 32767.0, 0.0]));
    let small = 1.0 / 32767.0;
    let expected = [0.0, 1.0, -1.0, 0.0, small, -small, 2.0 / 32767.0, -16384.0 / 32767.0, 0.0];
    assert_eq!(attributes[1].1, floats(&expected));
}

#[test]
fn indices_are_as_wide_as_necessary() {
    let index = |vertices: usize, component, indices: &[u8], count| {
        let mut builder = Builder::default();
        let position = builder.data("VEC3", F32, vertices, &vec![0; vertices * 12]);
        let indices = builder.data("SCALAR", component, count, indices);
        let primitive = format!(r#""attributes":{{"POSITION":{position}}},"indices":{indices}"#);
        let parts = import(&with_primitive(builder, &primitive).glb()).map_err(|e| e.to_string())?;
        Ok::<_, String>(primitives(&parts[0])[0].1[1].clone())
    };
    let narrow = |count| props(VertexAttribute::INDEX, count, 1, VertexFormat::USHORT);
    let wide = |count| props(VertexAttribute::INDEX, count, 1, VertexFormat::UINT);
    let ints = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    assert_eq!(index(3, U8, &[0, 1, 2], 3), Ok((narrow(3), shorts(&[0, 1, 2]))));
    assert_eq!(index(70_000, U32, &ints(&[0, 65_534, 2]), 3), Ok((narrow(3), shorts(&[0, 65_534, 2]))));
    // It begins a new strip in WebGL if it has 16 bits.
    let expected = ints(&[0, 65_535, 2]);
    assert_eq!(index(70_000, U32, &expected, 3), Ok((wide(3), expected.clone())));
    let expected = ints(&[0, 65_536, 69_999]);
    assert_eq!(index(70_000, U32, &expected, 3), Ok((wide(3), expected)));
    let error = "mesh 0, primitive 0: has index 3, but only 3 vertices".to_owned();
    assert_eq!(index(3, U8, &[0, 1, 3], 3), Err(error));
}

#[test]
fn sparse_values_replace_those_of_the_view_or_zeros() {
    let mut builder = Builder::default();
    let base = builder.view(&floats(&TRIANGLE), "");
    let indices = builder.view(&[0, 2], "");
    let values = builder.view(&floats(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0]), "");
    let sparse = format!(
        r#","sparse":{{"count":2,"indices":{{"bufferView":{indices},"componentType":{U8}}},"values":{{"bufferView":{values}}}}}"#
    );
    let position = builder.accessor("VEC3", F32, 3, &format!(r#","bufferView":{base}{sparse}"#));
    let normal = builder.accessor("VEC3", F32, 3, &sparse);
    let document = with_primitive(builder, &format!(r#""attributes":{{"POSITION":{position},"NORMAL":{normal}}}"#));
    let parts = import(&document.glb()).unwrap();
    let [(primitive, attributes)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!(attributes[0].1, floats(&[9.0, 8.0, 7.0, 1.0, 0.0, 0.5, 6.0, 5.0, 4.0]));
    assert_eq!(attributes[1].1, floats(&[9.0, 8.0, 7.0, 0.0, 0.0, 0.0, 6.0, 5.0, 4.0]));
    assert_eq!(primitive.maximum, [9.0, 8.0, 7.0], "bounds include the replaced values");
}

#[test]
fn eight_sets_of_texture_coordinates_are_in_order() {
    let mut builder = Builder::default();
    let position = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let tangent = builder.data("VEC4", F32, 3, &floats(&[1.0; 12]));
    let mut attributes = format!(r#""TANGENT":{tangent},"POSITION":{position}"#);
    for set in 0..9u8 {
        let accessor = builder.data("VEC2", F32, 3, &floats(&[f32::from(set); 6]));
        attributes += &format!(r#","TEXCOORD_{set}":{accessor}"#);
    }
    let parts = import(&with_primitive(builder, &format!(r#""attributes":{{{attributes}}}"#)).glb()).unwrap();
    let kinds: Vec<_> = primitives(&parts[0])[0].1.iter().map(|(props, data)| (props.attribute, data[3])).collect();
    use VertexAttribute as A;
    let first = |value: f32| value.to_le_bytes()[3];
    let expected = [
        (A::POSITION, 0),
        (A::TEXCOORD1, first(0.0)),
        (A::TEXCOORD2, first(1.0)),
        (A::TEXCOORD3, first(2.0)),
        (A::TEXCOORD4, first(3.0)),
        (A::TANGENT, first(1.0)),
        (A::TEXCOORD5, first(4.0)),
        (A::TEXCOORD6, first(5.0)),
        (A::TEXCOORD7, first(6.0)),
        (A::TEXCOORD8, first(7.0)),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(parts[0].notes[0].detail, "without attribute TEXCOORD_8");
}

#[test]
fn each_attribute_of_rres_is_packed_with_its_values() {
    use VertexAttribute as A;
    let mut builder = Builder::default();
    let mut attributes = String::new();
    let mut expected = Vec::new();
    let names = [
        ("POSITION", A::POSITION, 3),
        ("TEXCOORD_0", A::TEXCOORD1, 2),
        ("TEXCOORD_1", A::TEXCOORD2, 2),
        ("TEXCOORD_2", A::TEXCOORD3, 2),
        ("TEXCOORD_3", A::TEXCOORD4, 2),
        ("NORMAL", A::NORMAL, 3),
        ("TANGENT", A::TANGENT, 4),
    ];
    for (number, (name, attribute, width)) in (0u8..).zip(names) {
        let values: Vec<f32> = (0..3 * width as u8).map(|i| f32::from(number * 16 + i) / 7.0).collect();
        let accessor = builder.data(&format!("VEC{width}"), F32, 3, &floats(&values));
        attributes += &format!(r#""{name}":{accessor},"#);
        expected.push((props(attribute, 3, width, VertexFormat::FLOAT), floats(&values)));
    }
    let colors: Vec<u8> = (0..12).map(|i| i * 20).collect();
    let color = builder.accessor("VEC4", U8, 3, &format!(r#","normalized":true,"bufferView":{}"#, builder.views.len()));
    builder.view(&colors, "");
    let indices = builder.data("SCALAR", U8, 3, &[2, 0, 1]);
    expected.push((props(A::COLOR, 3, 4, VertexFormat::UBYTE), colors));
    expected.push((props(A::INDEX, 3, 1, VertexFormat::USHORT), shorts(&[2, 0, 1])));
    let primitive = format!(r#""attributes":{{{attributes}"COLOR_0":{color}}},"indices":{indices}"#);
    let parts = import(&with_primitive(builder, &primitive).glb()).unwrap();
    let [(_, found)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!(*found, expected);
}

#[test]
fn primitives_that_share_a_list_keep_the_vertices_that_they_use() {
    let list: Vec<f32> = (0..7u8).flat_map(|i| [f32::from(i), 10.0 - f32::from(i), 0.5]).collect();
    let of = |vertices: &[usize]| vertices.iter().flat_map(|i| floats(&list[i * 3..][..3])).collect::<Vec<u8>>();
    let mut builder = Builder::default();
    let positions = builder.data("VEC3", F32, 7, &floats(&list));
    let deltas = builder.data("VEC3", F32, 7, &floats(&list));
    let first = builder.data("SCALAR", U16, 3, &shorts(&[4, 0, 2]));
    let second = builder.data("SCALAR", U16, 3, &shorts(&[5, 3, 1]));
    let part = |indices| {
        format!(
            r#"{{"attributes":{{"POSITION":{positions}}},"indices":{indices},"targets":[{{"POSITION":{deltas}}}]}}"#
        )
    };
    let document = builder.rest(&format!(r#","meshes":[{{"primitives":[{},{}]}}]"#, part(first), part(second)));
    let parts = import(&document.glb()).unwrap();
    let found = primitives(&parts[0]);
    let expected = |used: &[usize], indices: &[u16]| {
        vec![
            (props(VertexAttribute::POSITION, 3, 3, VertexFormat::FLOAT), of(used)),
            (props(VertexAttribute::INDEX, 3, 1, VertexFormat::USHORT), shorts(indices)),
        ]
    };
    assert_eq!(found[0].1, expected(&[0, 2, 4], &[2, 0, 1]));
    assert_eq!(found[1].1, expected(&[1, 3, 5], &[2, 1, 0]));
    assert_eq!((found[0].0.minimum, found[0].0.maximum), ([0.0, 6.0, 0.5], [4.0, 10.0, 0.5]));
    assert_eq!((found[1].0.minimum, found[1].0.maximum), ([1.0, 5.0, 0.5], [5.0, 9.0, 0.5]));
    let view = scene(&parts[0]);
    let moved: Vec<f32> = view.morphs().flat_map(|morph| view.numbers_of(morph.deltas).collect::<Vec<_>>()).collect();
    assert_eq!(floats(&moved), of(&[0, 2, 4, 1, 3, 5]));
}

#[test]
fn a_list_of_one_primitive_stays_whole() {
    let mut builder = Builder::default();
    let positions =
        builder.data("VEC3", F32, 4, &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 9.0, 9.0, 9.0]));
    let indices = builder.data("SCALAR", U16, 3, &shorts(&[0, 1, 2]));
    let document = with_primitive(builder, &format!(r#""attributes":{{"POSITION":{positions}}},"indices":{indices}"#));
    let parts = import(&document.glb()).unwrap();
    assert_eq!(primitives(&parts[0])[0].1[0].0.count, 4);
}

#[test]
fn tangents_follow_the_texture_coordinates_of_the_normal_map() {
    let mut settings = Settings::default();
    settings.model.tangents = rres_settings::TangentMode::Generate;
    let document = |sets: &[[f32; 6]], rest: &str| {
        let mut builder = Builder::default();
        let position = builder.data("VEC3", F32, 3, &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
        let normal = builder.data("VEC3", F32, 3, &floats(&[0.0, 0.0, 1.0].repeat(3)));
        let mut attributes = format!(r#""POSITION":{position},"NORMAL":{normal}"#);
        for (number, set) in sets.iter().enumerate() {
            let accessor = builder.data("VEC2", F32, 3, &floats(set));
            attributes += &format!(r#","TEXCOORD_{number}":{accessor}"#);
        }
        let images = r#","images":[{"uri":"n.png"}],"textures":[{"source":0}]"#;
        let document = with_primitive(builder, &format!(r#""attributes":{{{attributes}}},"material":0"#));
        let parts = import_with(&document.rest(images).rest(rest).glb(), &settings, &[]).unwrap();
        let tangents =
            primitives(&parts[0])[0].1.iter().find(|(props, _)| props.attribute == VertexAttribute::TANGENT).cloned();
        (tangents.map(|(_, bytes)| bytes[..12].to_vec()), parts[0].notes.clone())
    };
    // The first set runs along x, the second along y.
    let sets = [[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]];
    let [x, y] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|direction| Some(floats(&direction)));
    let first = r#","materials":[{"normalTexture":{"index":0}}]"#;
    let second = r#","materials":[{"normalTexture":{"index":0,"texCoord":1}}]"#;
    let moved = r#","materials":[{"normalTexture":{"index":0,"extensions":{"KHR_texture_transform":{"texCoord":1}}}}]"#;
    assert_eq!(document(&sets, first), (x.clone(), vec![]));
    assert_eq!(document(&sets, second), (y.clone(), vec![]));
    assert_eq!(document(&sets, moved), (y, vec![]));
    // Without a normal map nothing needs them.
    assert_eq!(document(&sets, r#","materials":[{}]"#).0, x);
    assert_eq!(document(&[], r#","materials":[{}]"#).0, None);
    let (tangents, notes) = document(&sets[..1], second);
    assert_eq!((tangents, notes.len(), notes[0].detail.as_str()), (None, 1, "1 primitive"));
}
