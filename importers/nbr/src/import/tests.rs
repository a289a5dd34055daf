use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::model::ModelView;
use rres_format::chunk::scene::{Factor, SceneView, TextureSlot};
use rres_format::chunk::text::TextView;
use rres_format::chunk::vertex::{VertexAttribute, VertexView};
use rres_format::index::MetaKey;
use rres_import::{Encoders, MemoryFiles, NamedPart, PartSort};
use rres_settings::Settings;

use super::*;
use crate::{
    Animation, Cubemap, FLOATS_PER_VERTEX, Font, Glyph, Joint, Key, Material, Mesh, Model, Pixels, Skeleton, Track,
    write,
};

/// What encodes decoded content in the tests.
const ENCODERS: Encoders = Encoders {
    images: Some(&rres_import_image::ImageImporter),
    sounds: Some(&rres_import_sound::SoundImporter),
    models: Some(&rres_import_model::ModelImporter),
};

fn import(resource: &Resource<'_>) -> Result<Vec<Asset>, String> {
    let bytes = write::to_vec(resource).unwrap();
    MemoryFiles::new([("a/b.nbr", &bytes)])
        .with_settings(&Settings::default())
        .with_encoders(ENCODERS)
        .import(&NbrImporter, "a/b.nbr")
        .map_err(|error| error.to_string())
}

/// `nbr` of versions 0.5 and 0.6 wrote −1 for the joint and for the weight where a vertex has fewer than four joints.
#[test]
fn places_without_a_joint_in_older_files_have_no_weight() {
    let mut mesh = mesh(true, 0);
    for vertex in mesh.vertices.chunks_exact_mut(FLOATS_PER_VERTEX) {
        vertex[9..17].copy_from_slice(&[0.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0]);
    }
    let model = |mesh| {
        Resource::Model(Model {
            meshes: vec![mesh],
            materials: vec![material([None; 5])],
            textures: vec![texture([1; 4])],
        })
    };
    let assets = import(&model(mesh.clone())).unwrap();
    let asset = assets.iter().find(|asset| asset.kind == AssetKind::Model).unwrap();
    assert_eq!(floats(asset, VertexAttribute::weights(0)), [1.0, 0.0, 0.0, 0.0].repeat(3));
    mesh.vertices[10] = -2.0;
    assert!(import(&model(mesh)).unwrap_err().contains("moved by the joint -2"));
}

#[test]
fn textures_and_faces_are_images() {
    let face = |number: u8| Pixels::Rgba8(vec![number, 0, 0, 255].into());
    let cubemap = Cubemap { width: 1, height: 1, faces: [1, 2, 3, 4, 5, 6].map(face) };
    let images = import(&Resource::Cubemap(cubemap)).unwrap();
    let names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
    assert_eq!(names, ["", "nx", "py", "ny", "pz", "nz"]);
    for (image, red) in images.iter().zip(1..) {
        let payload = PayloadView::parse(&image.blocks[0].bytes).unwrap();
        assert_eq!(ImageView::parse(payload).unwrap().data()[..4], [red, 0, 0, 255]);
    }
    let texture = Texture { width: 1, height: 1, pixels: Pixels::Rgba32F(vec![2.0, 0.5, 0.25, 1.0]) };
    let images = import(&Resource::Texture(texture)).unwrap();
    assert_eq!((images[0].kind, images[0].notes.len()), (AssetKind::Image, 1));
}

#[test]
fn stages_are_texts() {
    let shader = Shader::Graphics { vertex: b"#v\n"[..].into(), pixel: b"#p"[..].into() };
    let texts = import(&Resource::Shader(shader)).unwrap();
    for (text, (name, expected)) in texts.iter().zip([("", "#v\n"), ("frag", "#p")]) {
        let view = TextView::parse(PayloadView::parse(&text.blocks[0].bytes).unwrap()).unwrap();
        assert_eq!((text.name.as_str(), view.bytes()), (name, expected.as_bytes()));
    }
    let shader = Shader::Compute(b"\xff"[..].into());
    assert!(import(&Resource::Shader(shader)).unwrap_err().contains("stage comp that is not UTF-8"));
}

#[test]
fn sounds_are_sounds() {
    let audio = Audio { sample_rate: 8000, channels: 2, samples: Samples::I16(vec![0, 16_384, -32_768, 1]) };
    let sounds = import(&Resource::Audio(audio)).unwrap();
    assert_eq!(sounds[0].kind, AssetKind::Sound);
    assert!(sounds[0].summary.contains("8"), "{}", sounds[0].summary);
}

/// A triangle with numbers of its own in every component.
fn mesh(has_joints: bool, material: u8) -> Mesh {
    let vertices = (0..3 * FLOATS_PER_VERTEX).map(|number| match number % FLOATS_PER_VERTEX {
        joint @ 9..13 => (joint - 9) as f32,
        _ => number as f32 / 8.0 + 1.0,
    });
    Mesh { has_joints, vertices: vertices.collect(), indices: vec![2, 0, 1], material: Some(material) }
}

fn material(textures: [Option<u8>; 5]) -> Material {
    let [albedo_texture, metallic_texture, roughness_texture, normal_texture, emissive_texture] = textures;
    Material {
        color: [0.5, 0.25, 0.125],
        metallic: 0.75,
        roughness: 0.5,
        emissive: 3.0,
        albedo_texture,
        metallic_texture,
        roughness_texture,
        normal_texture,
        emissive_texture,
    }
}

fn texture(pixel: [u8; 4]) -> Texture<'static> {
    Texture { width: 1, height: 1, pixels: Pixels::Rgba8(pixel.to_vec().into()) }
}

fn block(asset: &Asset, kind: FourCc) -> &[u8] {
    &asset.blocks.iter().find(|block| block.kind == kind).unwrap().bytes
}

fn scene_of(asset: &Asset) -> SceneView<'_> {
    SceneView::parse(PayloadView::parse(block(asset, FourCc::SCNE)).unwrap()).unwrap()
}

fn structure(asset: &Asset) -> ModelView<'_> {
    ModelView::parse(PayloadView::parse(block(asset, FourCc::MODL)).unwrap()).unwrap()
}

fn pixel(image: &Asset) -> [u8; 4] {
    let view = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
    view.data().try_into().unwrap()
}

/// The floats of an attribute.
fn floats(asset: &Asset, attribute: VertexAttribute) -> Vec<f32> {
    let views = asset.blocks.iter().filter(|block| block.kind == FourCc::VRTX);
    let mut views = views.map(|block| VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap());
    let view = views.find(|view| view.props().attribute == attribute).unwrap();
    view.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

#[test]
fn vertices_and_materials_of_models_have_the_values_of_the_file() {
    let textures = vec![texture([1, 0, 0, 255]), texture([2, 20, 200, 255]), texture([3, 30, 130, 255])];
    let materials = vec![material([Some(0), Some(1), Some(2), None, Some(0)]), material([None; 5])];
    let model = Model { meshes: vec![mesh(true, 0), mesh(false, 1)], materials, textures };
    let assets = import(&Resource::Model(model.clone())).unwrap();
    let asset = &assets[0];
    let expected = &model.meshes[0];
    assert_eq!(floats(asset, VertexAttribute::POSITION), expected.positions().flatten().collect::<Vec<_>>());
    assert_eq!(floats(asset, VertexAttribute::NORMAL), expected.normals().flatten().collect::<Vec<_>>());
    let tangents = expected.tangents().flat_map(|[x, y, z]| [x, y, z, 1.0]);
    assert_eq!(floats(asset, VertexAttribute::TANGENT), tangents.collect::<Vec<_>>());
    assert_eq!(floats(asset, VertexAttribute::TEXCOORD1), expected.tex_coords().flatten().collect::<Vec<_>>());
    assert_eq!(floats(asset, VertexAttribute::weights(0)), expected.weights().flatten().collect::<Vec<_>>());
    let primitives: Vec<_> = structure(asset).primitives().collect();
    assert_eq!(
        primitives.iter().map(|p| (p.mesh, p.material, p.attributes)).collect::<Vec<_>>(),
        [(0, Some(0), 7), (1, Some(1), 5)]
    );
    let materials: Vec<_> = structure(asset).materials().collect();
    assert_eq!(materials[0].base_color, [0.5, 0.25, 0.125, 1.0]);
    assert_eq!((materials[0].base_color_image, materials[1].base_color_image), (Some(0), None));
    let scene = scene_of(asset);
    let factors: Vec<_> = scene.factors().map(|record| (record.material, record.factor, record.value[0])).collect();
    let of_each =
        [(Factor::METALLIC, 0.75), (Factor::ROUGHNESS, 0.5), (Factor::EMISSIVE, 1.0), (Factor::EMISSIVE_STRENGTH, 3.0)];
    let expected = (0..2).flat_map(|material| of_each.map(|(factor, value)| (material, factor, value)));
    assert_eq!(factors, expected.collect::<Vec<_>>());
    let textures: Vec<_> = scene.textures().map(|record| (record.material, record.slot, record.image)).collect();
    assert_eq!(
        textures,
        [(0, TextureSlot::BASE_COLOR, 0), (0, TextureSlot::METALLIC_ROUGHNESS, 1), (0, TextureSlot::EMISSIVE, 0)]
    );
    assert_eq!(assets[1..].iter().map(|image| image.name.as_str()).collect::<Vec<_>>(), ["image/0", "image/1"]);
    // Blue is of the texture of metallic, the rest of the texture of the roughness.
    assert_eq!((pixel(&assets[1]), pixel(&assets[2])), ([1, 0, 0, 255], [3, 30, 200, 255]));
    assert_eq!(asset.dependencies.len(), 2);
}

#[test]
fn models_have_more_than_127_textures() {
    let textures: Vec<_> = (0..254).map(|number| texture([number, 1, 2, 255])).collect();
    let materials = (0..254).map(|number| material([Some(number), None, None, None, None])).collect();
    let meshes = (0..254).map(|material| mesh(false, material)).collect();
    let assets = import(&Resource::Model(Model { meshes, materials, textures })).unwrap();
    assert_eq!(assets.len(), 1 + 254);
    for (number, record) in (0..).zip(scene_of(&assets[0]).textures()) {
        assert_eq!((record.material, record.image), (number, number));
        assert_eq!(pixel(&assets[1 + number as usize]), [number as u8, 1, 2, 255]);
    }
}

fn joint(name: &str, children: &[u16], x: f32) -> Joint {
    let mut inverse_bind = [0.0; 12];
    (inverse_bind[0], inverse_bind[4], inverse_bind[8], inverse_bind[9]) = (1.0, 1.0, 1.0, -x);
    let position = [x, 2.0, 3.0];
    let rotation = [0.0, 0.6, 0.0, 0.8];
    Joint {
        name: name.to_owned(),
        children: children.to_vec(),
        position,
        rotation,
        scale: [1.0, 2.0, 1.0],
        inverse_bind,
    }
}

#[test]
fn joints_have_the_tree_the_places_and_the_names_of_the_file() {
    let long = "ü".repeat(127) + "x";
    assert_eq!(long.len(), 255);
    // The root is the last one, so nodes are in another order than joints.
    let joints = vec![joint("left", &[], 1.0), joint(&long, &[], 4.0), joint("root", &[1, 0], 0.5)];
    let assets = import(&Resource::Skeleton(Skeleton { joints, root: 2 })).unwrap();
    let nodes: Vec<_> = structure(&assets[0]).nodes().collect();
    let tree: Vec<_> = nodes.iter().map(|node| (node.name, node.parent)).collect();
    assert_eq!(tree, [("root", None), (long.as_str(), Some(0)), ("left", Some(0))]);
    let scene = scene_of(&assets[0]);
    let skin = scene.skins().next().unwrap();
    assert_eq!((scene.indices_of(skin.joints).collect::<Vec<_>>(), skin.skeleton), (vec![2, 1, 0], 0));
    let matrices: Vec<f32> = scene.numbers_of(skin.inverse_bind_matrices).collect();
    assert_eq!(matrices[12..17], [-1.0, 0.0, 0.0, 1.0, 1.0]);
    let left = scene.nodes().nth(2).unwrap();
    assert_eq!((left.translation, left.rotation, left.scale), ([1.0, 2.0, 3.0], [0.0, 0.6, 0.0, 0.8], [1.0, 2.0, 1.0]));
}

/// A track with this many keys for positions.
fn track(keys: u16) -> Track {
    let positions = (0..keys).map(|key| Key { time: f32::from(key) / 4.0, value: [f32::from(key), 0.5, -1.0] });
    Track {
        positions: positions.collect(),
        rotations: vec![Key { time: 0.0, value: [0.0, 0.6, 0.0, 0.8] }],
        scales: vec![Key { time: 0.5, value: [1.0, 2.0, 3.0] }],
    }
}

#[test]
fn tracks_have_all_keys_of_the_file() {
    let tracks = vec![track(u16::MAX), track(1)];
    let animation = Animation { name: "run".to_owned(), tracks, duration: 16_383.5 };
    let assets = import(&Resource::Animation(animation)).unwrap();
    let scene = scene_of(&assets[0]);
    let channels: Vec<_> = scene.channels().collect();
    assert_eq!(channels.iter().map(|channel| channel.node).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
    assert_eq!(channels[0].times.count, 65_535);
    assert_eq!(scene.numbers_of(channels[0].times).last(), Some(16_383.5));
    assert_eq!(scene.numbers_of(channels[0].values).skip(65_534 * 3).collect::<Vec<_>>(), [65_534.0, 0.5, -1.0]);
    assert_eq!(scene.numbers_of(channels[4].values).collect::<Vec<_>>(), [0.0, 0.6, 0.0, 0.8]);
    assert_eq!(scene.numbers_of(channels[5].times).collect::<Vec<_>>(), [0.5]);
    assert_eq!(assets[0].parts, [NamedPart { sort: PartSort::Animation, index: 0, name: "run".to_owned() }]);
    assert_eq!(scene.name(scene.animations().next().unwrap().name), "run");
}

/// No `.nbr` file can have these.
#[test]
fn what_is_larger_than_a_file_can_hold_is_converted_too() {
    let name = "n".repeat(300);
    let keys = (0..70_000_u32).map(|key| Key { time: key as f32, value: [key as f32; 3] });
    let moving = Track { positions: keys.collect(), ..track(1) };
    let animation = Animation { name: name.clone(), tracks: vec![moving], duration: 69_999.0 };
    let skeleton = Skeleton { joints: vec![joint(&name, &[], 0.0)], root: 0 };
    let scene = NbrScene { model: None, skeleton: Some(&skeleton), animations: vec![&animation] };
    let (settings, mut files) = (Settings::default(), MemoryFiles::default());
    let source = Source::new("a.nbr", b"", &settings, &mut files).with_encoders(ENCODERS);
    let converted = convert(&scene, &source).unwrap();
    let scene = scene_of(&converted.assets[0]);
    assert_eq!(structure(&converted.assets[0]).nodes().next().unwrap().name, name);
    assert_eq!(scene.name(scene.animations().next().unwrap().name), name);
    assert_eq!(scene.channels().next().unwrap().times.count, 70_000);
    let source = "// line\n".repeat(10_000);
    assert!(source.len() > usize::from(u16::MAX));
    let texts = stages(&Shader::Compute(source.as_bytes().into())).unwrap();
    let view = TextView::parse(PayloadView::parse(&texts[0].blocks[0].bytes).unwrap()).unwrap();
    assert_eq!(view.bytes(), source.as_bytes());
}

#[test]
fn fonts_have_the_metrics_and_pixels_of_the_file() {
    let glyph = |codepoint, cover: u8| Glyph {
        codepoint,
        width: 2,
        height: 3,
        left: 0.0,
        right: 2.0,
        top: -3.0,
        bottom: 0.0,
        offset_x: 1.0,
        offset_y: -3.0,
        advance_x: 4.25,
        left_bearing: 1.0,
        pixels: vec![cover; 6].into(),
    };
    let font = Font { glyphs: vec![glyph(66, 80), glyph(65, 255)], ascent: 200.0, descent: -50.0, line_gap: 6.0 };
    let fonts = import(&Resource::Font(font)).unwrap();
    assert_eq!((fonts[0].kind, fonts[0].summary.as_str()), (AssetKind::Font, "2 glyphs at 256 px"));
    let table = GlyphsView::parse(PayloadView::parse(block(&fonts[0], FourCc::FNTG)).unwrap()).unwrap();
    assert_eq!(table.props().base_size, 256);
    let atlas = ImageView::parse(PayloadView::parse(block(&fonts[0], FourCc::IMGE)).unwrap()).unwrap();
    for (glyph, (codepoint, cover)) in table.glyphs().zip([(65, 255), (66, 80)]) {
        assert_eq!((glyph.codepoint, glyph.width, glyph.height), (codepoint, 2, 3));
        assert_eq!((glyph.offset_x, glyph.offset_y, glyph.advance_x), (1, 197, 4));
        for (x, y) in (0..2).flat_map(|x| (0..3).map(move |y| (glyph.x + x, glyph.y + y))) {
            let at = (y * atlas.props().width as i32 + x) as usize * 2;
            assert_eq!(atlas.data()[at..at + 2], [255, cover]);
        }
    }
    let number = |key| fonts[0].meta.get(key).map(f32::from_bits);
    assert_eq!((number(MetaKey::ASCENT), number(MetaKey::LINE_HEIGHT)), (Some(200.0), Some(256.0)));
}

#[test]
fn what_no_model_can_have_is_refused_with_its_place() {
    let refused = |model: Model<'static>| import(&Resource::Model(model)).unwrap_err();
    let model = |mesh| Model { meshes: vec![mesh], materials: vec![material([None; 5])], textures: Vec::new() };
    let mut wrong = mesh(false, 0);
    wrong.indices.pop();
    assert_eq!(refused(model(wrong)), "mesh 0: 2 indices are not triangles: each has 3");
    let mut wrong = mesh(false, 0);
    wrong.vertices[FLOATS_PER_VERTEX] = f32::NAN;
    assert_eq!(refused(model(wrong)), "mesh 0: vertex 1 is at [NaN, 3.5, 3.625], which no model can have");
    let mut wrong = mesh(true, 0);
    wrong.vertices[9] = 0.5;
    assert_eq!(refused(model(wrong)), "mesh 0: a vertex is moved by the joint 0.5, and there are 65536");
    let mut wrong = track(2);
    wrong.positions[1].time = 0.0;
    let animation = Animation { name: String::new(), tracks: vec![wrong], duration: 0.0 };
    let error = import(&Resource::Animation(animation)).unwrap_err();
    assert_eq!(error, "the translation of joint 0: key 1 is not after the one before it");
    // Normals that are not finite are of no use, and nothing needs them.
    let mut odd = mesh(false, 0);
    odd.vertices[3] = f32::INFINITY;
    let assets = import(&Resource::Model(model(odd))).unwrap();
    assert_eq!(assets[0].notes[0].detail, "without normals that are not finite");
}

#[test]
fn settings_of_models_change_meshes_joints_and_tracks() {
    use rres_format::chunk::vertex::VertexFormat;
    use rres_settings::NormalFormat;

    let mut settings = Settings::default();
    (settings.model.scale, settings.model.normal_format) = (2.0, NormalFormat::Snorm16);
    let import = |resource: &Resource<'_>| {
        let bytes = write::to_vec(resource).unwrap();
        MemoryFiles::new([("a.nbr", &bytes)])
            .with_settings(&settings)
            .with_encoders(ENCODERS)
            .import(&NbrImporter, "a.nbr")
            .unwrap()
    };
    let (meshes, materials) = (vec![mesh(false, 0), mesh(false, 0)], vec![material([None; 5])]);
    let model = Model { meshes, materials, textures: Vec::new() };
    let assets = import(&Resource::Model(model.clone()));
    let expected: Vec<f32> = model.meshes[0].positions().flatten().map(|axis| axis * 2.0).collect();
    assert_eq!(floats(&assets[0], VertexAttribute::POSITION), expected);
    let views = assets[0].blocks.iter().filter(|block| block.kind == FourCc::VRTX);
    let views = views.map(|block| VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap());
    let normals = views.filter(|view| view.props().attribute == VertexAttribute::NORMAL);
    assert_eq!(normals.map(|view| view.props().format).collect::<Vec<_>>(), [VertexFormat::SHORT; 2]);
    let primitive = structure(&assets[0]).primitives().nth(1).unwrap();
    assert_eq!(Some(primitive.minimum[0]), expected.iter().step_by(3).copied().reduce(f32::min));

    let joints = vec![joint("root", &[1], 0.5), joint("hand", &[], 1.0)];
    let assets = import(&Resource::Skeleton(Skeleton { joints, root: 0 }));
    let scene = scene_of(&assets[0]);
    let hand = scene.nodes().nth(1).unwrap();
    assert_eq!((hand.translation, hand.scale), ([2.0, 4.0, 6.0], [1.0, 2.0, 1.0]));
    assert_eq!(structure(&assets[0]).nodes().nth(1).unwrap().transform[12..15], [2.0, 4.0, 6.0]);
    let matrices: Vec<f32> = scene.numbers_of(scene.skins().next().unwrap().inverse_bind_matrices).collect();
    assert_eq!(matrices[16..], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 1.0]);

    let animation = Animation { name: "run".to_owned(), tracks: vec![track(2)], duration: 1.0 };
    let assets = import(&Resource::Animation(animation));
    let scene = scene_of(&assets[0]);
    let values = scene.channels().map(|channel| scene.numbers_of(channel.values).collect::<Vec<_>>());
    let moved = vec![0.0, 1.0, -2.0, 2.0, 1.0, -2.0];
    assert_eq!(values.collect::<Vec<_>>(), [moved, vec![0.0, 0.6, 0.0, 0.8], vec![1.0, 2.0, 3.0]]);
    assert_eq!(scene.numbers_of(scene.channels().next().unwrap().times).collect::<Vec<_>>(), [0.0, 0.25]);
}
