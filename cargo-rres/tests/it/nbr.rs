//! `cargo rres nbr`: the files of the Nikola engine.

use rres_format::{Decompressor, FourCc, PackView};
use rres_import_nbr::{
    Animation, Audio, Cubemap, FLOATS_PER_VERTEX, Font, Glyph, Joint, Key, Material, Mesh, Model, Pixels, Resource,
    Samples, Shader, Skeleton, Texture, Track, write,
};
use serde_json::Value;

use crate::Sandbox;
use crate::extract::glb;

/// A directory as Nikola's tool makes it: one file of each type.
pub(crate) fn write_files(sandbox: &Sandbox, dir: &str) {
    let white = Pixels::Rgba8([255, 255, 255, 255].repeat(8).into());
    let sky = Pixels::Rgba32F([2.0, 0.5, 0.25, 1.0].repeat(2));
    let face = |number: u8| Pixels::Rgba8([number, 0, 0, 255].repeat(4).into());
    let cubemap = Cubemap { width: 2, height: 2, faces: [face(10), face(20), face(30), face(40), face(50), face(60)] };
    let vertex = b"#version 460\nvoid main() {}\n";
    let shader = Shader::Graphics { vertex: vertex[..].into(), pixel: b"#version 460\n"[..].into() };
    let files = [
        ("textures/hero", Resource::Texture(Texture { width: 4, height: 2, pixels: white })),
        ("textures/sky", Resource::Texture(Texture { width: 2, height: 1, pixels: sky })),
        ("cubemaps/dawn", Resource::Cubemap(cubemap)),
        ("shaders/blur", Resource::Shader(shader)),
        ("shaders/cull", Resource::Shader(Shader::Compute(b"#version 460\n"[..].into()))),
        ("models/crab", Resource::Model(model())),
        ("skeletons/crab", Resource::Skeleton(skeleton())),
        ("animations/crab", Resource::Animation(animation())),
        ("fonts/plain", Resource::Font(font())),
        ("step", Resource::Audio(Audio { sample_rate: 22_050, channels: 1, samples: Samples::I16(vec![0, 1, -1, 9]) })),
    ];
    for (name, resource) in files {
        sandbox.write(&format!("{dir}/{name}.nbr"), &write::to_vec(&resource).unwrap());
    }
}

fn model() -> Model<'static> {
    let mut vertices = vec![0.0; FLOATS_PER_VERTEX * 3];
    for (number, vertex) in vertices.chunks_exact_mut(FLOATS_PER_VERTEX).enumerate() {
        let number = number as f32;
        vertex[..3].copy_from_slice(&[number, 2.0 - number, 0.5]);
        vertex[3..6].copy_from_slice(&[0.0, 0.0, 1.0]);
        vertex[6..9].copy_from_slice(&[1.0, 0.0, 0.0]);
        vertex[9..13].copy_from_slice(&[number, 0.0, 0.0, 0.0]);
        vertex[13..17].copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
        vertex[17..].copy_from_slice(&[number / 2.0, 0.25]);
    }
    let mesh = Mesh { has_joints: true, vertices, indices: vec![0, 1, 2], material: Some(0) };
    let pixels = |value: u8| Pixels::Rgba8([value, value, value, 255].repeat(2).into());
    let texture = |value| Texture { width: 2, height: 1, pixels: pixels(value) };
    let material = Material {
        color: [0.5, 0.25, 1.0],
        metallic: 0.75,
        roughness: 0.5,
        emissive: 3.0,
        albedo_texture: Some(0),
        metallic_texture: Some(1),
        roughness_texture: Some(2),
        normal_texture: Some(3),
        emissive_texture: Some(3),
    };
    // The textures of metallic and of roughness are the same, as `nbr` stores the one texture of a glTF twice.
    Model {
        meshes: vec![mesh],
        materials: vec![material],
        textures: vec![texture(1), texture(2), texture(2), texture(3)],
    }
}

fn skeleton() -> Skeleton {
    let joint = |name: &str, children: &[u16], x: f32| Joint {
        name: name.to_owned(),
        children: children.to_vec(),
        position: [x, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
        inverse_bind: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -x, 0.0, 0.0],
    };
    Skeleton { joints: vec![joint("body", &[1, 2], 0.0), joint("left", &[], 1.0), joint("right", &[], 2.0)], root: 0 }
}

fn animation() -> Animation {
    let track = |x: f32| Track {
        positions: vec![Key { time: 0.0, value: [x, 0.0, 0.0] }, Key { time: 0.5, value: [x, 1.0, 0.0] }],
        rotations: vec![Key { time: 0.0, value: [0.0, 0.0, 0.0, 1.0] }],
        scales: vec![Key { time: 0.0, value: [1.0; 3] }],
    };
    Animation { name: "walk".to_owned(), tracks: vec![track(0.0), track(1.0), track(2.0)], duration: 0.5 }
}

fn font() -> Font<'static> {
    let glyph = |codepoint: u32, cover: u8| Glyph {
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
    Font { glyphs: vec![glyph(66, 80), glyph(65, 255)], ascent: 200.0, descent: -50.0, line_gap: 6.0 }
}

fn with_files() -> Sandbox {
    let sandbox = Sandbox::new();
    write_files(&sandbox, "res");
    sandbox
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.run(args.iter().chain(&["--json"]));
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"))
}

/// Path, id and kind of the resources of a pack, or of a file that is imported as one.
pub(crate) fn resources(sandbox: &Sandbox, file: &str) -> Vec<[String; 3]> {
    let list = json(sandbox, &["ls", file]);
    let text = |resource: &Value, name: &str| resource[name].as_str().unwrap().to_owned();
    let list = list["resources"].as_array().unwrap().iter();
    list.map(|resource| ["path", "id", "kind"].map(|name| text(resource, name))).collect()
}

/// The bytes of an accessor.
fn accessor<'b>(document: &Value, bytes: &'b [u8], number: &Value) -> &'b [u8] {
    let accessor = &document["accessors"][number.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let (at, len) = (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap() as usize);
    &bytes[at..at + len]
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn a_file_is_listed_as_a_build_of_its_directory_imports_it() {
    let sandbox = with_files();
    for of in ["textures/hero", "cubemaps/dawn", "shaders/blur", "models/crab", "animations/crab", "fonts/plain"] {
        let (folder, name) = of.split_once('/').unwrap();
        sandbox.run(["pack", &format!("res/{folder}"), "-o", &format!("{folder}.rres")]).success();
        let mut built = resources(&sandbox, &format!("{folder}.rres"));
        built.retain(|[path, ..]| path.starts_with(&format!("{name}.nbr")));
        assert_eq!(resources(&sandbox, &format!("res/{of}.nbr")), built);
    }
    let info = sandbox.run(["info", "res/models/crab.nbr"]).success().out;
    assert!(info.contains("resources    4") && info.contains("imported by  nbr"), "{info}");
    let step = json(&sandbox, &["info", "res/step.nbr", "step.nbr"]);
    assert_eq!((&step["kind"], &step["pack"]), (&"sound".into(), &"res/step.nbr".into()));
    sandbox.run(["ls", "res"]).failed(2, &["res: it is a directory", "`cargo rres pack res -o OUT.rres`"]);
    sandbox.run(["ls", "res/none.nbr"]).failed(2, &["cannot open res/none.nbr: no such file"]);
}

#[test]
fn what_is_wrong_is_reported() {
    let sandbox = with_files();
    let run = sandbox.run(["verify", "res/textures/sky.nbr"]).success();
    assert!(run.out.starts_with("note[foreign-note]: res/textures/sky.nbr: sky.nbr: "), "{run:?}");
    assert!(run.out.contains("format at byte 16: the label says RGBA16F"), "{run:?}");
    let mut bytes = sandbox.read("res/step.nbr");
    bytes.pop();
    sandbox.write("res/step.nbr", &bytes);
    let texts = [
        "error[foreign-damaged]: res/step.nbr: step.nbr: ",
        "cannot read the audio: samples at byte 17: found 7 bytes",
    ];
    for args in [&["ls", "res/step.nbr"][..], &["info", "res/step.nbr"]] {
        sandbox.run(args).failed(1, &texts);
    }
    let run = sandbox.run(["verify", "res/step.nbr"]);
    assert!(run.code == 1 && texts.iter().all(|text| run.out.contains(text)), "{run:?}");
    sandbox.run(["extract", "res/step.nbr", "-o", "tree"]).failed(1, &["step.nbr: ", "samples at byte 17"]);
    sandbox.write("res/new.nbr", b"\x6b\x01\0\0\0\x02\0");
    sandbox.run(["ls", "res/new.nbr"]).failed(1, &["cannot read the header: version at byte 1: found 1.0"]);
    // Only commands that read take such files.
    let before = sandbox.read("res/textures/hero.nbr");
    crate::sign::make_key(&sandbox, "key", &[]);
    sandbox.run(["sign", "res/textures/hero.nbr", "--key", "key"]).failed(1, &["hero.nbr: "]);
    assert_eq!(sandbox.read("res/textures/hero.nbr"), before);
}

#[test]
fn a_stage_of_a_shader_is_printed() {
    let sandbox = with_files();
    let cat = |args: &[&str]| sandbox.run(["cat"].iter().chain(args));
    assert_eq!(cat(&["res/shaders/blur.nbr", "blur.nbr"]).success().out, "#version 460\nvoid main() {}\n");
    assert_eq!(cat(&["res/shaders/blur.nbr", "blur.nbr#frag"]).success().out, "#version 460\n");
    cat(&["res/shaders/blur.nbr", "blur.nbr#vert"]).failed(2, &["no resource with the path or id \"blur.nbr#vert\""]);
    cat(&["res/step.nbr", "step.nbr"]).failed(2, &["use `cargo rres extract`"]);
}

#[test]
fn each_type_becomes_a_file_of_a_common_format() {
    let sandbox = with_files();
    sandbox.run(["pack", "res", "-o", "res.rres"]).success();
    sandbox.run(["extract", "res.rres", "-o", "tree"]).success();
    let expected = [
        "animations/crab.nbr.glb",
        "cubemaps/dawn.nbr#ny.png",
        "fonts/plain.nbr.256.json",
        "models/crab.nbr.glb",
        "shaders/blur.nbr",
        "shaders/blur.nbr#frag",
        "shaders/cull.nbr",
        "skeletons/crab.nbr.glb",
    ];
    expected.iter().for_each(|file| assert!(sandbox.path(&format!("tree/{file}")).exists(), "{file}"));
    let pixel = |name: &str| {
        let image = image::load_from_memory(&sandbox.read(name)).unwrap().into_rgba8();
        (image.dimensions(), image.get_pixel(0, 0).0)
    };
    assert_eq!(pixel("tree/textures/hero.nbr.png"), ((4, 2), [255; 4]));
    for (face, red) in [("", 10), ("#nx", 20), ("#py", 30), ("#ny", 40), ("#pz", 50), ("#nz", 60)] {
        assert_eq!(pixel(&format!("tree/cubemaps/dawn.nbr{face}.png")), ((2, 2), [red, 0, 0, 255]));
    }
    let sky = sandbox.read("tree/textures/sky.nbr.dds");
    assert_eq!(floats(&sky[sky.len() - 16..]), [2.0, 0.5, 0.25, 1.0]);
    let mut wav = hound::WavReader::new(std::io::Cursor::new(sandbox.read("tree/step.nbr.wav"))).unwrap();
    assert_eq!((wav.spec().sample_rate, wav.spec().channels), (22_050, 1));
    assert_eq!(wav.samples::<i16>().map(Result::unwrap).collect::<Vec<_>>(), [0, 1, -1, 9]);
}

#[test]
fn glyphs_are_on_the_picture_where_the_description_says() {
    let sandbox = with_files();
    sandbox.run(["extract", "res/fonts/plain.nbr", "-o", "tree"]).success();
    let page: Value = serde_json::from_slice(&sandbox.read("tree/plain.nbr.256.json")).unwrap();
    assert_eq!(page["pages"][0], "plain.nbr.256.png");
    assert_eq!((&page["common"]["lineHeight"], &page["common"]["base"]), (&Value::from(256.0), &Value::from(200.0)));
    let picture = image::load_from_memory(&sandbox.read("tree/plain.nbr.256.png")).unwrap().into_rgba8();
    for (glyph, (letter, cover)) in page["chars"].as_array().unwrap().iter().zip([("A", 255), ("B", 80)]) {
        assert_eq!((&glyph["char"], &glyph["yoffset"], &glyph["xadvance"]), (&letter.into(), &197.into(), &4.into()));
        let number = |name: &str| glyph[name].as_u64().unwrap() as u32;
        for (x, y) in (0..number("width")).flat_map(|x| (0..number("height")).map(move |y| (x, y))) {
            assert_eq!(picture.get_pixel(number("x") + x, number("y") + y).0, [255, 255, 255, cover]);
        }
    }
    let covered = picture.pixels().filter(|pixel| pixel.0[3] > 0).count();
    assert_eq!(covered, 12);
}

#[test]
fn models_have_the_vertices_and_materials_of_the_file() {
    let sandbox = with_files();
    sandbox.run(["extract", "res/models/crab.nbr", "-o", "tree"]).success();
    let (document, bytes) = glb(&sandbox.read("tree/crab.nbr.glb"));
    let primitive = &document["meshes"][0]["primitives"][0];
    let of = |name: &str| floats(accessor(&document, &bytes, &primitive["attributes"][name]));
    assert_eq!(of("POSITION"), [0.0, 2.0, 0.5, 1.0, 1.0, 0.5, 2.0, 0.0, 0.5]);
    assert_eq!(of("NORMAL"), [0.0, 0.0, 1.0].repeat(3));
    assert_eq!(of("TANGENT"), [1.0, 0.0, 0.0, 1.0].repeat(3));
    assert_eq!(of("TEXCOORD_0"), [0.0, 0.25, 0.5, 0.25, 1.0, 0.25]);
    assert_eq!(of("WEIGHTS_0"), [1.0, 0.0, 0.0, 0.0].repeat(3));
    let joints = accessor(&document, &bytes, &primitive["attributes"]["JOINTS_0"]);
    assert_eq!(joints, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(accessor(&document, &bytes, &primitive["indices"])[..6], [0, 0, 1, 0, 2, 0]);
    let material = &document["materials"][0];
    let surface = &material["pbrMetallicRoughness"];
    assert_eq!(surface["baseColorFactor"], serde_json::json!([0.5, 0.25, 1.0, 1.0]));
    assert_eq!((&surface["metallicFactor"], &surface["roughnessFactor"]), (&Value::from(0.75), &Value::from(0.5)));
    assert_eq!(surface["baseColorTexture"]["index"], 0);
    // Both are the second texture, which exists once.
    assert_eq!(surface["metallicRoughnessTexture"]["index"], 1);
    assert_eq!(
        (&material["normalTexture"]["index"], &material["emissiveTexture"]["index"]),
        (&Value::from(2), &Value::from(2))
    );
    assert_eq!(material["emissiveFactor"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(material["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"], 3.0);
    assert_eq!(document["images"].as_array().unwrap().len(), 3);
}

#[test]
fn skeletons_and_animations_are_nodes_skins_and_channels() {
    let sandbox = with_files();
    sandbox.run(["extract", "res/skeletons/crab.nbr", "-o", "bones"]).success();
    let (document, bytes) = glb(&sandbox.read("bones/crab.nbr.glb"));
    assert_eq!(document["nodes"][0]["name"], "body");
    assert_eq!(document["nodes"][0]["children"], serde_json::json!([1, 2]));
    assert_eq!(document["nodes"][2]["translation"], serde_json::json!([2.0, 0.0, 0.0]));
    let skin = &document["skins"][0];
    assert_eq!((&skin["joints"], &skin["skeleton"]), (&serde_json::json!([0, 1, 2]), &Value::from(0)));
    let matrices = floats(accessor(&document, &bytes, &skin["inverseBindMatrices"]));
    assert_eq!(matrices[16..32], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0]);
    sandbox.run(["extract", "res/animations/crab.nbr", "-o", "moves"]).success();
    let (document, bytes) = glb(&sandbox.read("moves/crab.nbr.glb"));
    let animation = &document["animations"][0];
    assert_eq!((&animation["name"], animation["channels"].as_array().unwrap().len()), (&"walk".into(), 9));
    let channel = &animation["channels"][3];
    assert_eq!(channel["target"], serde_json::json!({ "node": 1, "path": "translation" }));
    let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    assert_eq!(floats(accessor(&document, &bytes, &sampler["input"])), [0.0, 0.5]);
    assert_eq!(floats(accessor(&document, &bytes, &sampler["output"])), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn a_model_gets_the_skeleton_and_the_animations_of_its_name() {
    let sandbox = with_files();
    sandbox.run(["pack", "res", "-o", "res.rres"]).success();
    sandbox.run(["extract", "res.rres", "models", "-o", "tree"]).success();
    let (document, _) = glb(&sandbox.read("tree/models/crab.nbr.glb"));
    assert_eq!(document["skins"][0]["joints"], serde_json::json!([0, 1, 2]));
    assert_eq!(document["animations"][0]["name"], "walk");
    assert_eq!((&document["nodes"][3]["mesh"], &document["nodes"][3]["skin"]), (&0.into(), &0.into()));
    assert_eq!(document["scenes"][0]["nodes"], serde_json::json!([0, 3]));
    // A skeleton with too few joints is of another model. The model is imported again, although its own file is the same.
    let mut few = skeleton();
    few.joints.truncate(2);
    few.joints[0].children = vec![1];
    sandbox.write("res/skeletons/crab.nbr", &write::to_vec(&Resource::Skeleton(few)).unwrap());
    let run = sandbox.run(["pack", "res", "-o", "other.rres"]).success();
    assert!(run.out.contains("without a skeleton and animations of their name that do not fit"), "{run:?}");
    sandbox.run(["extract", "other.rres", "models", "-o", "other"]).success();
    assert_eq!(glb(&sandbox.read("other/models/crab.nbr.glb")).0["skins"], Value::Null);
    // With two skeletons of the name, nobody knows which.
    sandbox.write("res/a/crab.nbr", &write::to_vec(&Resource::Skeleton(skeleton())).unwrap());
    sandbox.write("res/skeletons/crab.nbr", &write::to_vec(&Resource::Skeleton(skeleton())).unwrap());
    sandbox.run(["pack", "res", "-o", "two.rres"]).success();
    sandbox.run(["extract", "two.rres", "models", "-o", "two"]).success();
    assert_eq!(glb(&sandbox.read("two/models/crab.nbr.glb")).0["skins"], Value::Null);
}

#[test]
fn extracted_files_build_to_the_same_paths_and_ids() {
    let sandbox = with_files();
    sandbox.run(["pack", "res", "-o", "res.rres"]).success();
    sandbox.run(["extract", "res.rres", "-o", "assets", "--metadata"]).success();
    sandbox.run(["pack", "assets", "-o", "again.rres"]).success();
    // Pictures inside of models, and the picture and the description of a font, are files of other forms.
    let without = |file: &str| {
        let mut list = resources(&sandbox, file);
        list.retain(|[path, ..]| !path.starts_with("fonts/"));
        list
    };
    assert_eq!(without("again.rres"), without("res.rres"));
    sandbox
        .run(["import", "res"])
        .failed(2, &["cannot read res: it is not a file but a directory", "`cargo rres pack`"]);
}

#[test]
fn builds_read_every_type() {
    let sandbox = with_files();
    let run = sandbox.run(["build", "res", "-o", "out/res.rres"]);
    assert_eq!(run.code, 0, "{run:?}");
    let list: Value = serde_json::from_str(&sandbox.run(["ls", "out/res.rres", "--json"]).success().out).unwrap();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for resource in list["resources"].as_array().unwrap() {
        found.push((resource["path"].as_str().unwrap(), resource["kind"].as_str().unwrap()));
    }
    for expected in [
        ("textures/hero.nbr", "image"),
        ("textures/sky.nbr", "image"),
        ("cubemaps/dawn.nbr", "image"),
        ("cubemaps/dawn.nbr#nz", "image"),
        ("shaders/blur.nbr", "text"),
        ("shaders/blur.nbr#frag", "text"),
        ("shaders/cull.nbr", "text"),
        ("step.nbr", "sound"),
        ("models/crab.nbr", "model"),
        ("models/crab.nbr#image/0", "image"),
        ("models/crab.nbr#image/2", "image"),
        ("skeletons/crab.nbr", "model"),
        ("animations/crab.nbr", "model"),
        ("fonts/plain.nbr", "font"),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    assert_eq!(sandbox.run(["cat", "out/res.rres", "shaders/blur.nbr#frag"]).success().out, "#version 460\n");
    sandbox.run(["extract", "out/res.rres", "step.nbr", "cubemaps", "-o", "tree"]).success();
    let mut wav = hound::WavReader::new(std::io::Cursor::new(sandbox.read("tree/step.nbr.wav"))).unwrap();
    assert_eq!(wav.samples::<i16>().map(Result::unwrap).collect::<Vec<_>>(), [0, 1, -1, 9]);
}

/// What a build makes of a file, and what it makes of the `.glb` that `extract` writes for it, have the same vertices.
#[test]
fn an_extracted_model_is_imported_as_the_file_itself() {
    let sandbox = with_files();
    for of in ["models", "skeletons", "animations"] {
        sandbox.run(["extract", &format!("res/{of}/crab.nbr"), "-o", &format!("tree/{of}")]).success();
        sandbox.run(["build", &format!("res/{of}"), "-o", &format!("{of}/file.rres")]).success();
        sandbox.run(["build", &format!("tree/{of}"), "-o", &format!("{of}/glb.rres")]).success();
        let chunks = ["file", "glb"].map(|name| model_chunks(&sandbox.read(&format!("{of}/{name}.rres"))));
        assert!(!chunks[0].is_empty());
        assert_eq!(chunks[0], chunks[1], "{of}");
    }
}

/// The chunks of the model in a pack.
fn model_chunks(pack: &[u8]) -> Vec<(FourCc, Vec<u8>)> {
    let view = PackView::parse(pack).unwrap();
    let chunks = view.chunks().map(Result::unwrap);
    let chunks = chunks.filter(|chunk| [FourCc::VRTX, FourCc::MODL, FourCc::SCNE].contains(&chunk.info.kind));
    let decoded = chunks
        .map(|chunk| (chunk.info.kind, chunk.decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned()));
    decoded.collect()
}
