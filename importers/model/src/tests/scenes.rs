//! Materials in full, skins, animations, morph targets, cameras, lights and scenes.

use rres_format::chunk::scene::{Factor, Interpolation, NONE, Property, Span, TextureSlot};
use rres_import::Dependency;

use super::*;

#[test]
fn lengths_of_volumes_are_scaled_with_the_model() {
    let rest =
        r#","materials":[{"extensions":{"KHR_materials_volume":{"thicknessFactor":2,"attenuationDistance":3}}}]"#;
    let scaled = |scale: f32| {
        let mut settings = Settings::default();
        settings.model.scale = scale;
        import_with(&triangle().rest(rest).glb(), &settings, &[])
    };
    let parts = scaled(0.5).unwrap();
    let lengths: Vec<_> = scene(&parts[0]).factors().map(|factor| (factor.factor, factor.value[0])).collect();
    assert_eq!(lengths, [(Factor::THICKNESS, 1.0), (Factor::ATTENUATION_DISTANCE, 1.5)]);
}

#[test]
fn every_factor_and_texture_of_a_material_is_kept() {
    let texture = |index: usize| format!(r#"{{"index":{index}}}"#);
    let rich = format!(
        r#","images":[{{"uri":"a.png"}},{{"uri":"b.png"}}],"samplers":[{{"magFilter":9728,"minFilter":9987,"wrapS":33648,"wrapT":33071}}],
        "textures":[{{"source":0}},{{"source":1,"sampler":0}}],
        "materials":[{{"name":"plain"}},{{"alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,"emissiveFactor":[1,0.5,0],
        "pbrMetallicRoughness":{{"metallicFactor":0,"roughnessFactor":1,"metallicRoughnessTexture":{}}},
        "normalTexture":{{"index":1,"scale":0.5,"texCoord":1}},
        "occlusionTexture":{{"index":0,"strength":0.75,"extensions":{{"KHR_texture_transform":{{"offset":[0.5,0],"rotation":1.5,"scale":[2,4],"texCoord":3}}}}}},
        "extensions":{{"KHR_materials_unlit":{{}},"KHR_materials_ior":{{"ior":1.25}},
        "KHR_materials_clearcoat":{{"clearcoatFactor":1,"clearcoatNormalTexture":{}}},
        "KHR_materials_volume":{{"thicknessFactor":2,"attenuationDistance":3,"attenuationColor":[1,1,0.5]}},
        "KHR_materials_pbrSpecularGlossiness":{{"glossinessFactor":0.5,"diffuseTexture":{}}}}}}}]"#,
        texture(0),
        texture(1),
        texture(0)
    );
    let parts = import(&triangle().rest(&rich).glb()).unwrap();
    let view = scene(&parts[0]);
    let factors: Vec<_> = view.factors().map(|factor| (factor.material, factor.factor, factor.value)).collect();
    use Factor as F;
    let one = |x: f32| [x, 0.0, 0.0, 0.0];
    let expected = [
        (F::ALPHA_MODE, one(1.0)),
        (F::ALPHA_CUTOFF, one(0.25)),
        (F::DOUBLE_SIDED, one(1.0)),
        (F::UNLIT, one(1.0)),
        (F::METALLIC, one(0.0)),
        (F::EMISSIVE, [1.0, 0.5, 0.0, 0.0]),
        (F::IOR, one(1.25)),
        (F::CLEARCOAT, one(1.0)),
        (F::THICKNESS, one(2.0)),
        (F::ATTENUATION_DISTANCE, one(3.0)),
        (F::ATTENUATION_COLOR, [1.0, 1.0, 0.5, 0.0]),
        (F::DIFFUSE, [1.0; 4]),
        (F::GLOSSINESS, one(0.5)),
    ];
    assert_eq!(factors, expected.map(|(factor, value)| (1, factor, value)));

    // a.png is the picture of the colours, too.
    let dependencies = [Dependency::Asset("a.png".to_owned()), Dependency::Quantities("b.png".to_owned())];
    assert_eq!(parts[0].dependencies, dependencies);
    let textures: Vec<_> = view.textures().collect();
    let slots: Vec<_> = textures.iter().map(|t| (t.material, t.slot, t.image, t.tex_coord)).collect();
    use TextureSlot as T;
    assert_eq!(
        slots,
        [
            (1, T::METALLIC_ROUGHNESS, 0, 0),
            (1, T::NORMAL, 1, 1),
            (1, T::OCCLUSION, 0, 3),
            (1, T::CLEARCOAT_NORMAL, 1, 0),
            (1, T::DIFFUSE, 0, 0)
        ]
    );
    assert_eq!((textures[1].strength, textures[1].sampler), (0.5, [1, 6, 2, 0]));
    let occlusion = &textures[2];
    assert_eq!((occlusion.strength, occlusion.sampler), (0.75, [0, 0, 1, 1]));
    assert_eq!((occlusion.offset, occlusion.rotation, occlusion.scale), ([0.5, 0.0], 1.5, [2.0, 4.0]));
    assert_eq!(parts[0].notes, []);
}

#[test]
fn wrong_values_of_materials_are_errors_that_name_them() {
    let with = |material: &str| refusal(&triangle().rest(&format!(r#","materials":[{{}},{material}]"#)).glb());
    assert_eq!(
        with(r#"{"name":"glass","extensions":{"KHR_materials_ior":{"ior":"high"}}}"#),
        "material 1 \"glass\": ior is \"high\", expected a number"
    );
    assert_eq!(
        with(r#"{"extensions":{"KHR_materials_sheen":{"sheenColorFactor":[1,2]}}}"#),
        "material 1: sheenColorFactor is [1,2], expected 3 numbers"
    );
    assert_eq!(with(r#"{"normalTexture":{"index":7}}"#), "refers to texture 7, but the file has only 0");
    assert!(with(r#"{"extensions":{"KHR_materials_ior":{"ior":1e39}}}"#).contains("expected a number"));
}

/// Two joints below a root, a skin of them, and a mesh of three vertices with joints and weights.
fn skinned(joints: &[u8; 12], weights: &[f32; 12]) -> Builder {
    let mut builder = Builder::default();
    let position = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let joints = builder.data("VEC4", U8, 3, joints);
    let weights = builder.data("VEC4", F32, 3, &floats(weights));
    let matrices: Vec<f32> = (0..32u8).map(f32::from).collect();
    let matrices = builder.data("MAT4", F32, 2, &floats(&matrices));
    builder.rest(&format!(
        r#","meshes":[{{"name":"body","primitives":[{{"attributes":{{"POSITION":{position},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}],
        "nodes":[{{"name":"body","mesh":0,"skin":0}},{{"name":"root","children":[2,0]}},{{"name":"arm","translation":[1,2,3]}}],
        "skins":[{{"name":"bones","joints":[2,1],"inverseBindMatrices":{matrices},"skeleton":1}}],"scenes":[{{"nodes":[1]}}]"#
    ))
}

const HALVES: [f32; 12] = [0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0];

#[test]
fn skins_have_joints_and_matrices() {
    let document = skinned(&[0, 1, 99, 0, 1, 0, 0, 0, 0, 1, 0, 9], &HALVES);
    let parts = import(&document.glb()).unwrap();
    let [(_, attributes)] = &primitives(&parts[0])[..] else { panic!() };
    assert_eq!(attributes[1].0, props(VertexAttribute::JOINTS1, 3, 4, VertexFormat::USHORT));
    assert_eq!(attributes[1].1, shorts(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]), "joints without weight are 0");
    assert_eq!(attributes[2], (props(VertexAttribute::WEIGHTS1, 3, 4, VertexFormat::FLOAT), floats(&HALVES)));
    let view = scene(&parts[0]);
    // Stored in the order root, arm, body.
    let names: Vec<_> = structure(&parts[0]).nodes().map(|node| node.name.to_owned()).collect();
    assert_eq!(names, ["root", "arm", "body"]);
    let skin = view.skins().next().unwrap();
    assert_eq!((view.name(skin.name), skin.skeleton), ("bones", 0));
    assert_eq!(view.indices_of(skin.joints).collect::<Vec<_>>(), [1, 0]);
    assert!(view.numbers_of(skin.inverse_bind_matrices).eq((0..32u8).map(f32::from)));
    let nodes: Vec<_> = view.nodes().collect();
    assert_eq!((nodes[2].skin, nodes[0].skin), (0, NONE));
    assert_eq!((nodes[1].has_parts, nodes[1].translation), (1, [1.0, 2.0, 3.0]));
    assert_eq!(view.name(view.meshes().next().unwrap().name), "body");
}

#[test]
fn wrong_skins_are_errors_that_name_the_number() {
    let bad = skinned(&[0, 2, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0], &HALVES);
    assert_eq!(refusal(&bad.glb()), "mesh 0 has joint 2, but skin 0 of node 0 has only 2 joints");
    let mut weights = HALVES;
    weights[9] = f32::INFINITY;
    let bad = skinned(&[0; 12], &weights);
    assert_eq!(refusal(&bad.glb()), "mesh 0 \"body\", primitive 0: WEIGHTS_0 of vertex 2 is inf");
    let document = skinned(&[0; 12], &HALVES);
    let json = document.json("");
    for (from, to, message) in [
        (r#""joints":[2,1]"#, r#""joints":[2,3]"#, "skin 0: refers to node 3, but the file has only 3"),
        (r#""joints":[2,1]"#, r#""joints":[]"#, "skin 0: has no joints"),
        (r#""joints":[2,1]"#, r#""joints":[2,1,0]"#, "skin 0: has 3 joints, and 2 inverse bind matrices of 16 × F32"),
        (r#""skeleton":1"#, r#""skeleton":5"#, "skin 0: refers to node 5"),
        (r#""skin":0"#, r#""skin":1"#, "node 0: refers to skin 1, but the file has only 1"),
        (r#","WEIGHTS_0":2"#, "", "mesh 0 \"body\", primitive 0: has only one of JOINTS_0 and WEIGHTS_0"),
        (r#""JOINTS_0":1"#, r#""JOINTS_0":2"#, "mesh 0 \"body\", primitive 0: JOINTS_0 has 4 × F32 for each element"),
    ] {
        assert!(json.contains(from), "{from}");
        let error = refusal(&glb(json.replacen(from, to, 1).as_bytes(), &document.binary));
        assert!(error.starts_with(message), "{to}: {error}");
    }
}

/// A node with an animation of each property; the mesh has two morph targets.
fn animated() -> Builder {
    let mut builder = Builder::default();
    let position = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let delta = builder.data("VEC3", F32, 3, &floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
    let times = builder.data("SCALAR", F32, 2, &floats(&[0.0, 1.5]));
    let moves = builder.data("VEC3", F32, 2, &floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]));
    let view = builder.view(&shorts(&[0, 0, 0, 0x7fff, 0, 0, 0x7fff, 0]), "");
    let turns = builder.accessor("VEC4", I16, 2, &format!(r#","normalized":true,"bufferView":{view}"#));
    let weights =
        builder.data("SCALAR", F32, 12, &floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]));
    builder.rest(&format!(
        r#","meshes":[{{"extras":{{"targetNames":["smile"]}},"weights":[0.5,0.25],"primitives":[{{"attributes":{{"POSITION":{position}}},
        "targets":[{{"NORMAL":{delta},"POSITION":{delta}}},{{"POSITION":{delta},"_OWN":{delta}}}]}}]}}],
        "nodes":[{{}},{{"mesh":0,"weights":[1,0]}}],"scenes":[{{"nodes":[1]}}],
        "animations":[{{"name":"idle","channels":[],"samplers":[]}},{{"name":"run",
        "samplers":[{{"input":{times},"output":{moves}}},{{"input":{times},"output":{turns},"interpolation":"STEP"}},{{"input":{times},"output":{weights},"interpolation":"CUBICSPLINE"}}],
        "channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}},{{"sampler":1,"target":{{"node":0,"path":"rotation"}}}},
        {{"sampler":0,"target":{{"path":"scale"}}}},{{"sampler":2,"target":{{"node":1,"path":"weights"}}}}]}}]"#
    ))
}

#[test]
fn animations_have_channels_and_morph_targets_differences() {
    let parts = import(&animated().glb()).unwrap();
    let view = scene(&parts[0]);
    let animations: Vec<_> =
        view.animations().map(|a| (view.name(a.name), a.channels.first, a.channels.count)).collect();
    assert_eq!(animations, [("idle", 0, 0), ("run", 0, 3)]);
    let channels: Vec<_> = view.channels().collect();
    let kinds: Vec<_> = channels.iter().map(|c| (c.node, c.property, c.interpolation, c.components)).collect();
    let expected = [
        (0, Property::TRANSLATION, Interpolation::LINEAR, 3),
        (1, Property::ROTATION, Interpolation::STEP, 4),
        (0, Property::WEIGHTS, Interpolation::CUBIC, 2),
    ];
    assert_eq!(kinds, expected, "node 1 is in the scene and so first");
    let numbers = |span: Span| view.numbers_of(span).collect::<Vec<_>>();
    assert!(channels.iter().all(|channel| channel.times == channels[0].times), "stored once");
    assert_eq!(numbers(channels[0].times), [0.0, 1.5]);
    assert_eq!(numbers(channels[0].values), [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(numbers(channels[1].values), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    assert!(numbers(channels[2].values).into_iter().eq((0..12u8).map(f32::from)));

    let morphs: Vec<_> = view.morphs().map(|m| (m.primitive, m.target, m.attribute, m.components)).collect();
    let (position, normal) = (VertexAttribute::POSITION, VertexAttribute::NORMAL);
    assert_eq!(morphs, [(0, 0, position, 3), (0, 0, normal, 3), (0, 1, position, 3)]);
    let mesh = view.meshes().next().unwrap();
    assert_eq!((numbers(mesh.weights), mesh.targets.count), (vec![0.5, 0.25], 2));
    assert_eq!(view.targets().map(|name| view.name(name)).collect::<Vec<_>>(), ["smile", ""]);
    assert_eq!(numbers(view.nodes().next().unwrap().weights), [1.0, 0.0]);
    assert_eq!(
        parts[0].notes[0].detail,
        "without 1 channel of an animation without a node, attribute _OWN of morph targets"
    );
}

#[test]
fn wrong_animations_and_targets_are_errors_that_name_the_number() {
    let document = animated();
    let json = document.json("");
    let animation = "animation 1 \"run\", channel";
    for (from, to, message) in [
        (r#""node":1,"path":"tr"#, r#""node":2,"path":"tr"#, format!("{animation} 0: refers to node 2")),
        (r#""path":"translation""#, r#""path":"colour""#, format!("{animation} 0: changes \"colour\"")),
        (
            r#"{"sampler":0,"target":{"node":1"#,
            r#"{"sampler":3,"target":{"node":1"#,
            format!("{animation} 0: refers to sampler 3"),
        ),
        (
            r#""interpolation":"STEP""#,
            r#""interpolation":"SMOOTH""#,
            format!("{animation} 1: has the interpolation \"SMOOTH\""),
        ),
        (
            r#""interpolation":"STEP""#,
            r#""interpolation":"CUBICSPLINE""#,
            format!("{animation} 1: has 2 keys and 8 numbers of values, expected 24"),
        ),
        (
            r#""path":"rotation""#,
            r#""path":"translation""#,
            format!("{animation} 1: has translation values of 4 × I16"),
        ),
        (
            r#""node":1,"path":"weights""#,
            r#""node":0,"path":"weights""#,
            format!("{animation} 3: changes the weights of node 0, which has no morph targets"),
        ),
        (
            r#""input":2,"output":3"#,
            r#""input":3,"output":3"#,
            format!("{animation} 0: has times of 3 × F32, expected 1 × F32"),
        ),
        (r#""weights":[1,0]"#, r#""weights":[1]"#, "node 1: has 1 weights, but 2 morph targets".to_owned()),
        (r#""weights":[0.5,0.25]"#, r#""weights":[0.5]"#, "mesh 0: has 1 weights, but 2 morph targets".to_owned()),
        (
            r#""NORMAL":1"#,
            r#""NORMAL":3"#,
            "mesh 0, primitive 0: morph target 0, NORMAL: has 2 elements of 3 × F32, and the primitive 3 vertices"
                .to_owned(),
        ),
    ] {
        assert!(json.contains(from), "{from}");
        let error = refusal(&glb(json.replacen(from, to, 1).as_bytes(), &document.binary));
        assert!(error.starts_with(&message), "{to}: {error}");
    }
    let mut late = animated();
    let at = late.binary.windows(4).position(|bytes| bytes == 1.5f32.to_le_bytes()).unwrap();
    late.binary[at..at + 4].copy_from_slice(&(-1.0f32).to_le_bytes());
    assert_eq!(refusal(&late.glb()), format!("{animation} 0: has key 1 at -1 s, after key 0 at 0 s"));
    late.binary[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(&late.glb()), format!("{animation} 0: accessor 2 has a number that is not finite in element 1"));
}

#[test]
fn scenes_cameras_and_lights_are_kept() {
    let document = triangle().json("").replace(
        r#""nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]"#,
        r#""nodes":[{"name":"a","camera":1},{"name":"b","children":[2]},{"name":"c","mesh":0,"extensions":{"KHR_lights_punctual":{"light":0}}},{"name":"d"}],
        "scene":1,"scenes":[{"name":"first","nodes":[0,1]},{"name":"second","nodes":[1]}],
        "cameras":[{"type":"orthographic","orthographic":{"xmag":2,"ymag":1,"znear":0,"zfar":9}},{"name":"eye","type":"perspective","perspective":{"yfov":0.5,"znear":0.125,"aspectRatio":1.5}}],
        "extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","name":"lamp","color":[1,0.5,0],"range":4,"spot":{"innerConeAngle":0.25}}]}}"#,
    );
    let parts = import(&glb(document.as_bytes(), &triangle().binary)).unwrap();
    let structure = structure(&parts[0]);
    assert_eq!(structure.nodes().map(|node| node.name).collect::<Vec<_>>(), ["b", "c"]);
    let view = scene(&parts[0]);
    assert_eq!(view.further_nodes().map(|node| view.name(node.name)).collect::<Vec<_>>(), ["a", "d"]);
    let scenes: Vec<_> = view.scenes().map(|s| (view.name(s.name), view.indices_of(s.roots).collect())).collect();
    assert_eq!(scenes, [("first", vec![2, 0]), ("second", vec![0])]);
    assert_eq!(view.default_scene(), Some(1));
    let cameras: Vec<_> = view.cameras().map(|c| (view.name(c.name), c.kind, c.x, c.y, c.near, c.far)).collect();
    assert_eq!(cameras, [("", 1, 2.0, 1.0, 0.0, 9.0), ("eye", 0, 1.5, 0.5, 0.125, 0.0)]);
    let light = view.lights().next().unwrap();
    assert_eq!((view.name(light.name), light.kind, light.color), ("lamp", 2, [1.0, 0.5, 0.0]));
    assert_eq!((light.intensity, light.range, light.inner_angle), (1.0, 4.0, 0.25));
    assert_eq!(light.outer_angle, std::f32::consts::FRAC_PI_4);
    let nodes: Vec<_> = view.nodes().map(|node| (node.camera, node.light)).collect();
    assert_eq!(nodes, [(NONE, NONE), (NONE, 0), (1, NONE), (NONE, NONE)]);
}
