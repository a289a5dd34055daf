//! What moves a model, and what it is besides meshes: skins, animations, morph targets, materials in full, cameras, lights.

use rres_format::chunk::model::{self, model_block};
use rres_format::chunk::scene::{
    AnimationRecord, CameraRecord, ChannelRecord, Factor, FactorRecord, FurtherNode, Interpolation, LightRecord,
    MeshRecord, MorphRecord, NONE, NOTHING, NodeExtra, Property, SceneBlock, SceneRecord, SkinRecord, Span,
    TextureRecord, TextureSlot, TrackKey, TrackRecord,
};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{FourCc, Limits, Resource, ResourceId};
use rres_runtime::asset::model::Topology;
use rres_runtime::asset::model::{AlphaMode, Animation, LightKind, Part, Projection, Sample};
use rres_runtime::asset::{Filter, Wrap};
use rres_runtime::{Error, Model, PackOptions};
use rres_test_data::bytes::floats;

use super::assert_message;
use super::assets::{pack, plain};

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

fn moved(x: f32) -> [f32; 16] {
    let mut matrix = IDENTITY;
    matrix[12] = x;
    matrix
}

/// A body with a morph target, moved by a skin of two joints; a second scene; a camera and a light.
fn sample() -> SceneBlock {
    let mut block = SceneBlock { default_scene: Some(0), model: [2, 1, 1], ..SceneBlock::default() };
    let name = |block: &mut SceneBlock, name| block.push_name(name).unwrap();
    let weights = block.push_numbers([0.5]).unwrap();
    let still = NodeExtra {
        has_parts: 1,
        skin: NONE,
        camera: NONE,
        light: NONE,
        weights: Span::default(),
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    };
    let arm = NodeExtra { translation: [2.0, 0.0, 0.0], ..still };
    block.nodes = vec![NodeExtra { skin: 0, weights, ..still }, arm, NodeExtra { camera: 0, light: 0, ..still }];
    let watcher = name(&mut block, "watcher");
    block.further_nodes = vec![FurtherNode { parent: NONE, mesh: NONE, name: watcher, transform: IDENTITY }];
    let smile = name(&mut block, "smile");
    block.targets = vec![smile];
    let body = name(&mut block, "body");
    block.meshes = vec![MeshRecord { name: body, weights: Span::default(), targets: Span { first: 0, count: 1 } }];
    let deltas = block.push_numbers([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    block.morphs =
        vec![MorphRecord { primitive: 0, target: 0, attribute: VertexAttribute::POSITION, components: 3, deltas }];
    let joints = block.push_indices([0, 1]).unwrap();
    let inverse_bind_matrices = block.push_numbers([IDENTITY, moved(-2.0)].concat()).unwrap();
    let bones = name(&mut block, "bones");
    block.skins = vec![SkinRecord { name: bones, joints, inverse_bind_matrices, skeleton: 0 }];
    let times = block.push_numbers([0.0, 2.0]).unwrap();
    let moves = block.push_numbers([2.0, 0.0, 0.0, 6.0, 0.0, 0.0]).unwrap();
    let smiles = block.push_numbers([0.0, 1.0]).unwrap();
    let interpolation = Interpolation::LINEAR;
    block.channels = vec![
        ChannelRecord { node: 1, property: Property::TRANSLATION, interpolation, components: 3, times, values: moves },
        ChannelRecord { node: 0, property: Property::WEIGHTS, interpolation, components: 1, times, values: smiles },
    ];
    let run = name(&mut block, "run");
    block.animations = vec![AnimationRecord { name: run, channels: Span { first: 0, count: 2 } }];
    block.factors = vec![
        FactorRecord { material: 0, factor: Factor::ALPHA_MODE, value: [2.0, 0.0, 0.0, 0.0] },
        FactorRecord { material: 0, factor: Factor::ROUGHNESS, value: [0.25, 0.0, 0.0, 0.0] },
        FactorRecord { material: 0, factor: Factor(4000), value: [1.0; 4] },
    ];
    block.textures = vec![TextureRecord {
        material: 0,
        slot: TextureSlot::NORMAL,
        image: 0,
        tex_coord: 1,
        sampler: [1, 6, 2, 0],
        strength: 0.5,
        offset: [0.0; 2],
        scale: [2.0; 2],
        rotation: 0.0,
        reserved: 0,
    }];
    block.cameras = vec![CameraRecord { name: Span::default(), kind: 0, x: 0.0, y: 0.75, near: 0.5, far: 0.0 }];
    block.lights = vec![LightRecord {
        name: Span::default(),
        kind: 1,
        color: [1.0; 3],
        intensity: 5.0,
        range: 0.0,
        inner_angle: 0.0,
        outer_angle: 0.0,
    }];
    let (first, second) = (block.push_indices([0]).unwrap(), block.push_indices([2]).unwrap());
    let names = [name(&mut block, "day"), name(&mut block, "night")];
    block.scenes = vec![SceneRecord { name: names[0], roots: first }, SceneRecord { name: names[1], roots: second }];
    block
}

/// Loads a model of two vertices, whose scenes are `scene`.
fn load(scene: &SceneBlock, joints: &[u16; 8]) -> Result<Model, Error> {
    load_within(Limits::DEFAULT, scene, joints)
}

fn load_within(limits: Limits, scene: &SceneBlock, joints: &[u16; 8]) -> Result<Model, Error> {
    let vertices = |attribute, components, format, data: &[u8]| {
        plain(FourCc::VRTX, &VertexProps { count: 2, attribute, components, format }.block(data))
    };
    let nodes = [
        model::Node { name: "body", parent: None, mesh: Some(0), transform: IDENTITY },
        model::Node { name: "arm", parent: Some(0), mesh: None, transform: moved(2.0) },
    ];
    let primitive = model::Primitive {
        mesh: 0,
        material: Some(0),
        topology: Topology::TRIANGLES,
        attributes: 3,
        minimum: [0.0; 3],
        maximum: [0.0; 3],
    };
    let material = model::Material { name: "fur", base_color: [1.0; 4], base_color_image: None };
    let joints: Vec<u8> = joints.iter().flat_map(|joint| joint.to_le_bytes()).collect();
    let chunks = vec![
        vertices(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &floats(&[0.0; 6])).unlinked(),
        vertices(VertexAttribute::joints(0), 4, VertexFormat::USHORT, &joints).unlinked(),
        vertices(
            VertexAttribute::weights(0),
            4,
            VertexFormat::FLOAT,
            &floats(&[1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]),
        ),
        plain(FourCc::MODL, &model_block(&nodes, &[primitive], &[material]).unwrap()),
        plain(FourCc::SCNE, &scene.block().unwrap()),
    ];
    let mut resource = Resource::new("a.glb", chunks);
    resource.dependencies.push(ResourceId(7));
    let id = resource.id;
    PackOptions::default().limits(limits).from_bytes(pack([resource]).to_vec().unwrap()).unwrap().load(id)
}

const JOINTS: [u16; 8] = [0, 0, 0, 0, 0, 1, 0, 0];

#[test]
fn everything_in_the_chunk_is_there() {
    let model = load(&sample(), &JOINTS).unwrap();
    assert_eq!((model.nodes().len(), model.all_nodes().len()), (2, 3));
    assert_eq!((&*model.all_nodes()[2].name, model.all_nodes()[2].camera), ("watcher", Some(0)));
    assert_eq!(model.nodes()[1].parts.unwrap().translation, [2.0, 0.0, 0.0]);
    assert_eq!((model.nodes()[0].skin, model.nodes()[0].morph_weights()), (Some(0), &[0.5][..]));
    let [mesh] = model.meshes() else { panic!("{model:?}") };
    assert_eq!(
        (mesh.name(), mesh.morph_targets().collect::<Vec<_>>(), mesh.morph_weights()),
        ("body", vec!["smile"], &[][..])
    );
    let [primitive] = model.primitives() else { panic!("{model:?}") };
    assert_eq!(primitive.morph(0, VertexAttribute::POSITION), Some(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0][..]));
    assert_eq!(
        (primitive.morph(0, VertexAttribute::NORMAL), primitive.morph(1, VertexAttribute::POSITION)),
        (None, None)
    );
    assert_eq!(primitive.joints(0), Some(&[[0, 0, 0, 0], [0, 1, 0, 0]][..]));
    assert_eq!(primitive.weights(0).unwrap()[1], [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(primitive.joints(1), None);

    let [material] = model.materials() else { panic!("{model:?}") };
    assert_eq!((material.alpha_mode, material.roughness, material.metallic), (AlphaMode::Blend, 0.25, 1.0));
    let texture = material.texture(TextureSlot::NORMAL).unwrap();
    assert_eq!(
        (texture.image.resource(), texture.tex_coord, texture.strength, texture.scale),
        (ResourceId(7), 1, 0.5, [2.0; 2])
    );
    let sampler = texture.sampler;
    assert_eq!(
        (sampler.magnify, sampler.minify, sampler.between_levels),
        (Some(Filter::Nearest), Some(Filter::Linear), Some(Filter::Linear))
    );
    assert_eq!((sampler.wrap_horizontal, sampler.wrap_vertical), (Wrap::Mirror, Wrap::Clamp));
    assert!(material.texture(TextureSlot::BASE_COLOR).is_none());

    let [camera] = model.cameras() else { panic!("{model:?}") };
    assert_eq!(camera.projection, Projection::Perspective { vertical_angle: 0.75, aspect_ratio: None });
    assert_eq!((camera.near, camera.far), (0.5, None));
    let [light] = model.lights() else { panic!("{model:?}") };
    assert_eq!((light.kind, light.intensity, light.range), (LightKind::Point, 5.0, None));
    assert_eq!(
        model.scenes().iter().map(|scene| (scene.name(), scene.roots())).collect::<Vec<_>>(),
        [("day", &[0][..]), ("night", &[2])]
    );
    assert_eq!(model.default_scene().unwrap().name(), "day");
    let run: Part<Animation> = Part::new(0);
    assert_eq!(model.part(run).unwrap().name(), "run");
    assert!(model.part(Part::<Animation>::new(1)).is_none());
}

#[test]
fn an_animation_moves_nodes_and_a_skin_its_joints() {
    let model = load(&sample(), &JOINTS).unwrap();
    let [run] = model.animations() else { panic!("{model:?}") };
    assert_eq!((run.duration(), run.channels().len()), (2.0, 2));
    assert_eq!(run.channels()[1].sample(0.5), Sample::Weights(vec![0.25]));
    let pose = model.pose(run, 1.0);
    assert_eq!(pose, [IDENTITY, moved(4.0), IDENTITY]);
    let matrices = model.skins()[0].matrices(&model.to_world(&pose));
    // The arm was at 2 when the skin was bound and is at 4: its vertices move by 2.
    assert_eq!(matrices, [IDENTITY, moved(2.0)]);
    assert_eq!(model.skins()[0].inverse_bind_matrices()[1], moved(-2.0));
}

/// A change that the chunk alone allows and the others contradict, and a part of its message.
type Change = (fn(&mut SceneBlock), &'static str);

#[test]
fn a_channel_in_a_track_is_like_any_other() {
    let mut scene = sample();
    let plain = load(&scene, &JOINTS).unwrap();
    (scene.channels[0].times, scene.channels[0].values) = (Span::default(), Span::default());
    scene.track_times = vec![0.0, 1.0, 2.0];
    let record = TrackRecord {
        times: Span { first: 0, count: 3 },
        step: 0.5,
        base: [2.0, 0.0, 0.0, 0.0],
        left_out: NOTHING,
        ..TrackRecord::default()
    };
    let key = |time, x| TrackKey { time, left_out: NOTHING, steps: [x, 0, 0, 0] };
    scene.push_track(record, &[key(0, 0), key(2, 8)]).unwrap();
    let packed = load(&scene, &JOINTS).unwrap();
    assert_eq!(packed.animations(), plain.animations());
    assert_eq!(packed.animations()[0].channels()[0].sample(0.5), Sample::Translation([3.0, 0.0, 0.0]));
    assert_eq!(packed.pose(&packed.animations()[0], 1.0), plain.pose(&plain.animations()[0], 1.0));
}

#[test]
fn tracks_are_unpacked_within_the_limit_of_the_pack() {
    let mut scene = sample();
    (scene.channels[0].times, scene.channels[0].values) = (Span::default(), Span::default());
    let times = 10_000;
    scene.track_times = (0..times).map(|at| at as f32).collect();
    let record = TrackRecord { times: Span { first: 0, count: times }, left_out: NOTHING, ..TrackRecord::default() };
    let key = |time| TrackKey { time, left_out: NOTHING, steps: [0; 4] };
    scene.push_track(record, &(0..times).map(key).collect::<Vec<_>>()).unwrap();
    // Each key is a time and three numbers, and takes some bits in the pack.
    let unpacked = 16 * u64::from(times);
    assert!((scene.block().unwrap().len() as u64) < unpacked / 2);
    let within = |limit| load_within(Limits::DEFAULT.with_max_decoded(limit), &scene, &JOINTS);
    within(unpacked).unwrap();
    let text = "the size of the unpacked animations in bytes is 160000, expected at most 159999; raise `Limits::max_decoded` if you trust the pack";
    assert_message(within(unpacked - 1), &[text]);
}

#[test]
fn chunks_that_contradict_each_other_are_refused() {
    let changes: &[Change] = &[
        (
            |b| b.model[1] = 2,
            "its scenes are for a model of 2 nodes, 2 primitives and 1 materials, and it has 2, 1 and 1",
        ),
        (|b| b.textures[0].image = 1, "a material has image 1, but the index has 1"),
        (
            |b| b.morphs[0].deltas.count = 3,
            "morph target 0 of primitive 0 has 3 numbers for position, 3 each, and there are 2 vertices",
        ),
        (|b| b.morphs[0].target = 1, "primitive 0 has morph target 1, but its mesh has 1"),
        (|b| b.meshes.clear(), "primitive 0 is of mesh 0, but there are 0"),
        (|b| b.nodes[1].weights.count = 1, "node 1 has 1 weights, but its mesh has 0 morph targets"),
        (|b| b.channels[1].node = 1, "animation 0 has 1 weights for node 1, whose mesh has 0 morph targets"),
        (
            |b| (b.skins[0].joints.count, b.skins[0].inverse_bind_matrices.count) = (1, 16),
            "mesh 0 has joint 1, but skin 0 of node 0 has 1 joints",
        ),
    ];
    for (change, message) in changes {
        let mut scene = sample();
        change(&mut scene);
        assert_message(load(&scene, &JOINTS), &["\"a.glb\"", message]);
    }
    assert_message(load(&sample(), &[9; 8]), &["mesh 0 has joint 9, but skin 0 of node 0 has 2 joints"]);
}
