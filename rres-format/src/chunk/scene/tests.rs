//! What is written is read, byte by byte; what is wrong is refused with the record and the number.

use super::super::assert_damage_never_panics;
use super::super::vertex::VertexAttribute;
use super::*;

/// A block with one of everything.
pub(super) fn sample() -> SceneBlock {
    let mut block = SceneBlock { default_scene: Some(0), model: [1, 1, 1], ..SceneBlock::default() };
    let weights = block.push_numbers([0.25]).unwrap();
    let name = |block: &mut SceneBlock, name| block.push_name(name).unwrap();
    let extra = NodeExtra {
        has_parts: 1,
        skin: 0,
        camera: 0,
        light: 0,
        weights,
        translation: [1.0, 2.0, 3.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    };
    block.nodes = vec![
        extra,
        NodeExtra { has_parts: 0, skin: NONE, camera: NONE, light: NONE, weights: Span::default(), ..extra },
    ];
    let transform = core::array::from_fn(|i| i as f32);
    let further = FurtherNode { parent: 0, mesh: NONE, name: name(&mut block, "extra"), transform };
    block.further_nodes.push(further);
    let smile = name(&mut block, "smile");
    block.targets.push(smile);
    let mesh = MeshRecord { name: name(&mut block, "head"), weights, targets: Span { first: 0, count: 1 } };
    block.meshes.push(mesh);
    let deltas = block.push_numbers([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    block.morphs.push(MorphRecord {
        primitive: 0,
        target: 0,
        attribute: VertexAttribute::POSITION,
        components: 3,
        deltas,
    });
    let joints = block.push_indices([1, 0]).unwrap();
    let inverse_bind_matrices = block.push_numbers((0..32).map(|i| i as f32)).unwrap();
    let skin = SkinRecord { name: name(&mut block, "bones"), joints, inverse_bind_matrices, skeleton: 1 };
    block.skins.push(skin);
    let times = block.push_numbers([0.0, 0.5]).unwrap();
    let values = block.push_numbers([0.0; 6]).unwrap();
    let (property, interpolation) = (Property::TRANSLATION, Interpolation::LINEAR);
    block.channels.push(ChannelRecord { node: 1, property, interpolation, components: 3, times, values });
    let animation = AnimationRecord { name: name(&mut block, "run"), channels: Span { first: 0, count: 1 } };
    block.animations.push(animation);
    block.factors.push(FactorRecord { material: 0, factor: Factor::ALPHA_MODE, value: [1.0, 0.0, 0.0, 0.0] });
    block.factors.push(FactorRecord { material: 0, factor: Factor::METALLIC, value: [0.5, 0.0, 0.0, 0.0] });
    block.textures.push(TextureRecord {
        material: 0,
        slot: TextureSlot::NORMAL,
        image: 3,
        tex_coord: 1,
        sampler: [2, 6, 1, 0],
        strength: 0.5,
        offset: [0.125, 0.25],
        scale: [2.0, 3.0],
        rotation: 0.75,
        reserved: 0,
    });
    let camera = CameraRecord { name: name(&mut block, "eye"), kind: 0, x: 1.5, y: 0.9, near: 0.1, far: 0.0 };
    block.cameras.push(camera);
    let light = LightRecord {
        name: name(&mut block, "sun"),
        kind: 2,
        color: [1.0, 0.5, 0.25],
        intensity: 3.0,
        range: 10.0,
        inner_angle: 0.1,
        outer_angle: 0.2,
    };
    block.lights.push(light);
    let roots = block.push_indices([0]).unwrap();
    let scene = SceneRecord { name: name(&mut block, "Größe"), roots };
    block.scenes.push(scene);
    block
}

fn parse(block: &[u8]) -> Result<SceneBlock> {
    Ok(SceneView::parse(PayloadView::parse(block)?)?.to_block())
}

#[test]
fn what_is_written_is_read() {
    let block = sample();
    assert_eq!(parse(&block.block().unwrap()).unwrap(), block);
    let empty = SceneBlock::default();
    assert_eq!(parse(&empty.block().unwrap()).unwrap(), empty);
    let bytes = block.block().unwrap();
    let view = SceneView::parse(PayloadView::parse(&bytes).unwrap()).unwrap();
    assert_eq!(view.name(block.animations[0].name), "run");
    assert_eq!(view.numbers_of(block.channels[0].times).collect::<Vec<_>>(), [0.0, 0.5]);
    assert_eq!(view.indices_of(block.skins[0].joints).collect::<Vec<_>>(), [1, 0]);
    assert_eq!((view.default_scene(), view.model()), (Some(0), [1, 1, 1]));
}

#[test]
fn the_bytes_are_those_of_the_documented_layout() {
    let bytes = sample().block().unwrap();
    let words = |at: usize, count: usize| -> Vec<u32> {
        bytes[at..].chunks_exact(4).take(count).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    // The number of properties, layout version, default scene, the model, 15 counts.
    let head = [20, 1, 0, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 3, 47];
    assert_eq!(words(0, 21), head);
    let float = f32::to_bits;
    let node = [1, 0, 0, 0, 0, 1, float(1.0), float(2.0), float(3.0), 0, 0, 0, float(1.0)];
    assert_eq!(words(84, 13), node);
    let further = 84 + 2 * 64;
    assert_eq!(words(further, 4), [0, NONE, 0, 5]);
    let mesh = further + 80;
    assert_eq!(words(mesh, 6), [10, 4, 0, 1, 0, 1]);
    let target = mesh + 24;
    assert_eq!(words(target, 2), [5, 5]);
    let morph = target + 8;
    assert_eq!(words(morph, 6), [0, 0, 0, 3, 1, 6]);
    let skin = morph + 24;
    assert_eq!(words(skin, 7), [14, 5, 0, 2, 7, 32, 1]);
    let animation = skin + 28;
    assert_eq!(words(animation, 4), [19, 3, 0, 1]);
    let channel = animation + 16;
    assert_eq!(words(channel, 8), [1, 0, 1, 3, 39, 2, 41, 6]);
    let factors = channel + 32;
    assert_eq!(words(factors, 8), [0, 0, float(1.0), 0, 0, 0, 0, 4]);
    let texture = factors + 2 * 24;
    let expected =
        [0, 2, 3, 1, 0x0001_0602, float(0.5), float(0.125), float(0.25), float(2.0), float(3.0), float(0.75), 0];
    assert_eq!(words(texture, 12), expected);
    let camera = texture + 48;
    assert_eq!(words(camera, 7), [22, 3, 0, float(1.5), float(0.9), float(0.1), 0]);
    let light = camera + 28;
    assert_eq!(words(light, 4), [25, 3, 2, float(1.0)]);
    let scene = light + 40;
    assert_eq!(words(scene, 4), [28, 7, 2, 1]);
    assert_eq!(words(scene + 16, 3), [1, 0, 0], "indices");
    assert_eq!(words(scene + 28, 2), [float(0.25), float(1.0)], "numbers");
    assert_eq!(&bytes[scene + 28 + 47 * 4..], "extrasmileheadbonesruneyesunGröße".as_bytes());
}

#[test]
fn damage_is_an_error_or_harmless() {
    let good = sample().block().unwrap();
    // The last names are cut off without notice only if no record has them, and all have.
    assert_damage_never_panics(&good, parse);
}

/// A wrong change of a block, and a part of its message.
type Change = (fn(&mut SceneBlock), &'static str);

#[test]
fn every_wrong_number_is_refused_with_its_record() {
    let changes: &[Change] = &[
        (|b| b.model[0] = 2, "2 nodes, expected 2 of the model and 1 more"),
        (|b| b.default_scene = Some(1), "default scene 0 refers to 1, but there are only 1"),
        (|b| b.nodes[0].skin = 1, "skin of node 0 refers to 1, but there are only 1"),
        (|b| b.nodes[1].camera = 9, "camera of node 1 refers to 9"),
        (|b| b.nodes[1].light = 9, "light of node 1 refers to 9"),
        (|b| b.nodes[0].weights.first = 99, "weights of node 0 has 1 numbers from 99 on, of 47"),
        (|b| b.nodes[0].rotation[3] = f32::NAN, "node 0 has the number NaN"),
        (|b| b.nodes[0].has_parts = 2, "node 0 has 2 where 0 or 1 is expected"),
        (|b| b.further_nodes[0].parent = 1, "node 1 has parent 1, expected a node before it"),
        (|b| b.further_nodes[0].mesh = 1, "mesh of node 1 refers to 1"),
        (|b| b.further_nodes[0].transform[5] = f32::INFINITY, "node 1 has the number inf"),
        (|b| b.meshes[0].targets.count = 2, "2 names of morph targets in all, but there are only 1"),
        (|b| b.meshes[0].targets.first = 1, "mesh 0 has morph targets up to 2, but there are only 1"),
        (|b| b.meshes[0].weights.count = 2, "mesh 0 has 2 weights, but 1 morph targets"),
        (|b| b.meshes[0].name.first = u32::MAX, "truncated name in a model"),
        (|b| b.morphs[0].primitive = 1, "primitive of morph target 0 refers to 1"),
        (|b| b.morphs[0].components = 5, "morph target 0 has 6 numbers, 5 a vertex"),
        (|b| b.morphs[0].deltas.count = u32::MAX, "morph target 0 has 4294967295 numbers from 1 on, of 47"),
        (|b| b.morphs.push(b.morphs[0]), "morph target 1 is not after the one before it"),
        (|b| b.indices[0] = 2, "skin 0 has node 2, but there are only 2"),
        (|b| b.skins[0].joints.count = 0, "skin 0 has no joints"),
        (|b| b.skins[0].joints.first = 2, "skin 0 has 2 indices from 2 on, of 3"),
        (|b| b.skins[0].inverse_bind_matrices.count = 16, "skin 0 has 16 numbers in matrices, but 2 joints"),
        (|b| b.skins[0].skeleton = 2, "skeleton of skin 0 refers to 2"),
        (|b| b.skins.push(b.skins[0]), "bytes of names in all"),
        (|b| b.animations[0].channels.first = 1, "animation 0 begins with channel 1, expected 0"),
        (|b| b.animations[0].channels.count = 0, "1 channels, but animations have 0"),
        (|b| b.channels[0].node = 2, "node of channel 0 refers to 2"),
        (|b| b.channels[0].property = Property(4), "channel 0 changes the property 4"),
        (|b| b.channels[0].interpolation = Interpolation(3), "channel 0 has the interpolation 3"),
        (|b| b.channels[0].components = 4, "channel 0 has 4 numbers a value, for the translation of a node"),
        (|b| b.channels[0].interpolation = Interpolation::CUBIC, "channel 0 has 6 numbers for 2 keys, expected 18"),
        (|b| b.channels[0].times.count = 0, "channel 0 has no keys"),
        (|b| b.numbers[40] = -1.0, "channel 0 has key 1 at -1 s, after 0 s"),
        (|b| b.numbers[40] = f32::INFINITY, "number 40 is not finite"),
        (|b| b.factors[0].material = 1, "material of factor 0 refers to 1"),
        (|b| b.factors[0].value[0] = 3.0, "factor 0 is the alpha mode 3"),
        (|b| b.factors[1].value[3] = f32::NAN, "factor 1 has the number NaN"),
        (|b| b.factors.swap(0, 1), "factor 1 is not after the one before it"),
        (|b| b.textures[0].material = 1, "material of texture 0 refers to 1"),
        (|b| b.textures[0].sampler[1] = 7, "texture 0 has the sampler [2, 7, 1, 0]"),
        (|b| b.textures[0].strength = f32::NAN, "texture 0 has the number NaN"),
        (|b| b.textures.push(b.textures[0]), "texture 1 is not after the one before it"),
        (|b| b.cameras[0].kind = 2, "camera 0 is of kind 2"),
        (|b| b.lights[0].kind = 3, "light 0 is of kind 3"),
        (|b| b.lights[0].color[1] = f32::NEG_INFINITY, "light 0 has the number -inf"),
        (|b| b.scenes[0].roots.count = 2, "4 indices in all, but there are only 3"),
        (|b| b.indices[2] = 5, "scene 0 has node 5, but there are only 2"),
    ];
    for (i, (change, message)) in changes.iter().enumerate() {
        let mut block = sample();
        change(&mut block);
        let error = block.block().map(drop).expect_err(message).to_string();
        assert!(error.contains(message), "{i}: {error}");
    }
}

#[test]
fn bytes_that_no_name_has_are_text_as_well() {
    let mut unused = sample();
    unused.names.push('é');
    let block = unused.block().unwrap();
    assert_eq!(parse(&block).unwrap().block().unwrap(), block);
    let cut_off = parse(&block[..block.len() - 1]).unwrap_err().to_string();
    assert!(cut_off.contains("the names are not UTF-8"), "{cut_off}");
}

#[test]
fn times_that_overlap_cannot_take_long() {
    let mut block = sample();
    let count = 47;
    block.numbers = vec![0.0; count];
    block.channels = (0..count as u32 / 2)
        .map(|first| ChannelRecord {
            times: Span { first, count: 2 + first },
            values: Span { first: 0, count: (2 + first).min(15) * 3 },
            ..block.channels[0]
        })
        .collect();
    block.animations[0].channels.count = block.channels.len() as u32;
    let error = block.block().unwrap_err().to_string();
    assert!(error.contains("shares a part of the times of another one"), "{error}");
}

fn lod(primitive: u32, level: u32, error: f32) -> LodRecord {
    LodRecord { primitive, level, error, reserved: 0 }
}

#[test]
fn levels_of_detail_have_a_layout_of_their_own() {
    let plain = sample().block().unwrap();
    assert_eq!(plain[4], 1, "without levels older readers know the layout");
    let scene = SceneBlock { lods: vec![lod(0, 0, 0.25), lod(0, 1, 0.5)], ..sample() };
    let block = scene.block().unwrap();
    assert_eq!((block[4], block.len()), (2, plain.len() + 4 + 2 * 16));
    let view = SceneView::parse(PayloadView::parse(&block).unwrap()).unwrap();
    assert_eq!(view.to_block(), scene);
}

#[test]
fn levels_of_detail_are_in_order_and_of_primitives_that_exist() {
    for (lods, expected) in [
        (vec![lod(0, 1, 0.0)], "level of detail 0 is level 1 of primitive 0, out of order"),
        (vec![lod(0, 0, 0.0), lod(0, 0, 0.0)], "level of detail 1 is level 0 of primitive 0, out of order"),
        (vec![lod(0, 0, 0.0), lod(0, 2, 0.0)], "level of detail 1 is level 2 of primitive 0, out of order"),
        (vec![lod(1, 0, 0.0)], "primitive of level of detail 0 refers to 1, but there are only 1"),
        (vec![lod(0, 0, f32::NAN)], "level of detail 0 has the number NaN"),
        (vec![lod(0, 0, -1.0)], "level of detail 0 has the error -1"),
    ] {
        let error = SceneBlock { lods, ..sample() }.block().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let many = (0..=VertexAttribute::MAX_LODS).map(|level| lod(0, level, 0.0)).collect();
    assert!(SceneBlock { lods: many, ..sample() }.block().is_err());
}

/// Two meshlets of the primitive, and one of its first level.
fn with_meshlets() -> SceneBlock {
    let meshlet = |first_vertex, vertex_count, first_triangle, triangle_count| MeshletRecord {
        radius: 2.0,
        cone_cutoff: 0.5,
        first_vertex,
        vertex_count,
        first_triangle,
        triangle_count,
        ..MeshletRecord::default()
    };
    SceneBlock {
        lods: vec![lod(0, 0, 0.25)],
        meshlet_lists: vec![
            MeshletListRecord { meshlets: 2, vertices: 7, triangles: 3, ..MeshletListRecord::default() },
            MeshletListRecord { level: 1, meshlets: 1, vertices: 3, triangles: 1, ..MeshletListRecord::default() },
        ],
        meshlets: vec![meshlet(0, 4, 0, 2), meshlet(4, 3, 2, 1), meshlet(0, 3, 0, 1)],
        meshlet_vertices: vec![0, 1, 2, 3, 9, 8, 7, 5, 4, 3],
        meshlet_triangles: vec![[0, 1, 2], [2, 1, 3], [0, 1, 2], [2, 1, 0]],
        ..sample()
    }
}

#[test]
fn meshlets_have_a_layout_of_their_own() {
    let scene = with_meshlets();
    let block = scene.block().unwrap();
    let plain = sample().block().unwrap();
    let added = 5 * 4 + 16 + 2 * 24 + 3 * 64 + 10 * 4 + 4 * 3;
    assert_eq!((block[4], block.len()), (3, plain.len() + added));
    let view = SceneView::parse(PayloadView::parse(&block).unwrap()).unwrap();
    assert_eq!(view.to_block(), scene);
    let parts: Vec<_> = view.meshlet_parts().map(|(list, parts)| (list.level, parts.map(<[u8]>::len))).collect();
    assert_eq!(parts, [(0, [128, 28, 9]), (1, [64, 12, 3])]);
    let (_, [meshlets, vertices, triangles]) = view.meshlet_parts().nth(1).unwrap();
    assert_eq!(
        (&meshlets[12..16], vertices, triangles),
        (&2f32.to_le_bytes()[..], &[5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0][..], &[2, 1, 0][..])
    );
    let without_levels = SceneBlock { lods: Vec::new(), ..scene };
    assert_eq!(parse(&without_levels.block().unwrap()).unwrap(), without_levels);
    assert_damage_never_panics(&block, parse);
}

#[test]
fn every_wrong_meshlet_is_refused() {
    let changes: &[Change] = &[
        (|b| b.meshlet_lists[0].primitive = 1, "list of meshlets 0 is of primitive 1 at level 0, but there are only 1"),
        (|b| b.meshlet_lists[1].level = 17, "list of meshlets 1 is of primitive 0 at level 17"),
        (|b| b.meshlet_lists[1].level = 0, "list of meshlets 1 is not after the one before it"),
        (|b| b.meshlet_lists[1].meshlets = 2, "lists of meshlets have 4 meshlets in all, and there are 3"),
        (|b| b.meshlet_lists[1].vertices = u32::MAX, "vertices in all, and there are 10"),
        (|b| b.meshlet_triangles.push([0; 3]), "lists of meshlets have 4 triangles in all, and there are 5"),
        (|b| b.meshlets[1].first_vertex = 3, "meshlet 1 begins with vertex 3 and triangle 2, expected 4 and 2"),
        (
            |b| b.meshlets[0].vertex_count = 0,
            "meshlet 0 has 0 vertices and 2 triangles, expected 1 to 256 and 1 to 512",
        ),
        (|b| b.meshlets[0].triangle_count = 513, "meshlet 0 has 4 vertices and 513 triangles"),
        (|b| b.meshlets[1].vertex_count = 4, "meshlet 1 ends with vertex 8 of 7 and triangle 3 of 3"),
        (|b| b.meshlets[1].vertex_count = 2, "meshlet 1 has a triangle with vertex 2, but only 2 vertices"),
        (|b| b.meshlets[0].triangle_count = 1, "meshlet 1 begins with vertex 4 and triangle 2, expected 4 and 1"),
        (|b| b.meshlet_triangles[3][0] = 3, "meshlet 2 has a triangle with vertex 3, but only 3 vertices"),
        (|b| b.meshlets[2].center[1] = f32::NAN, "meshlet 2 has the number NaN"),
        (|b| b.meshlets[2].cone_axis[0] = f32::INFINITY, "meshlet 2 has the number inf"),
        (|b| b.meshlets[0].radius = -1.0, "meshlet 0 has the radius -1"),
        (|b| b.meshlets[0].cone_cutoff = 1.5, "and the cutoff 1.5, expected 0 or more and 0 to 1"),
        (
            |b| (b.meshlet_lists[0].vertices, b.meshlet_lists[1].vertices) = (8, 2),
            "list of meshlets 0 has 8 vertices and 3 triangles, but its meshlets have 7 and 3",
        ),
    ];
    for (i, (change, message)) in changes.iter().enumerate() {
        let mut block = with_meshlets();
        change(&mut block);
        let error = block.block().map(drop).expect_err(message).to_string();
        assert!(error.contains(message), "{i}: {error}");
    }
}
