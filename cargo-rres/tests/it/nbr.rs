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

/// A file that is damaged, one that no file of a common format can hold, and models without textures and without materials.
pub(crate) fn write_odd_files(sandbox: &Sandbox, dir: &str) {
    sandbox.write(&format!("{dir}/cut.nbr"), b"\x6b\0\0\x08\0\x02\0\x01");
    let mut animation = animation();
    animation.tracks[0].positions[1].time = 0.0;
    let animation = write::to_vec(&Resource::Animation(animation)).unwrap();
    sandbox.write(&format!("{dir}/twice.nbr"), &animation);
    let mut model = model();
    let material = &mut model.materials[0];
    for texture in [
        &mut material.albedo_texture,
        &mut material.metallic_texture,
        &mut material.roughness_texture,
        &mut material.normal_texture,
        &mut material.emissive_texture,
    ] {
        *texture = None;
    }
    sandbox.write(&format!("{dir}/plain.nbr"), &write::to_vec(&Resource::Model(model.clone())).unwrap());
    model.materials.clear();
    model.textures.clear();
    model.meshes[0].material = None;
    sandbox.write(&format!("{dir}/bare.nbr"), &write::to_vec(&Resource::Model(model)).unwrap());
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
    let run = sandbox.run(["nbr"].iter().chain(args).chain(&["--json"]));
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"))
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
fn a_list_has_every_file_and_names_the_damaged_ones() {
    let sandbox = with_files();
    let list = sandbox.run(["nbr", "ls", "res"]).success().out;
    let lines: Vec<String> = list.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines.len(), 11, "{list}");
    let model = "res/models/crab.nbr model 0.8 362 B 1 mesh, 1 triangle, 1 material, 4 textures".to_owned();
    assert!(lines.contains(&model), "{list}");
    let mut bytes = sandbox.read("res/step.nbr");
    bytes.pop();
    sandbox.write("res/step.nbr", &bytes);
    let run = sandbox.run(["nbr", "ls", "res"]);
    assert!(run.out.contains("step.nbr"), "{}", run.out);
    run.failed(1, &["error: res/step.nbr: cannot read the audio: samples at byte 17: found 7 bytes until the end"]);
    let json = json(&sandbox, &["ls", "res"]);
    assert_eq!(json["files"].as_array().unwrap().len(), 10);
    assert_eq!(json["faults"].as_array().unwrap().len(), 1);
    let file = |name: &str| json["files"].as_array().unwrap().iter().find(|file| file["file"] == name).unwrap().clone();
    assert_eq!(file("res/fonts/plain.nbr")["type"], "font");
    assert_eq!(file("res/step.nbr")["type"], Value::Null);
    sandbox.run(["nbr", "ls", "nothing"]).failed(2, &["cannot read nothing"]);
    sandbox.write("empty/a.txt", b"");
    sandbox.run(["nbr", "ls", "empty"]).failed(2, &["empty has no files whose names end in .nbr"]);
}

#[test]
fn facts_are_those_of_the_file() {
    let sandbox = with_files();
    let json = json(&sandbox, &["info", "res"]);
    let of = |name: &str| {
        let files = json["files"].as_array().unwrap();
        files.iter().find(|file| file["file"] == format!("res/{name}.nbr")).unwrap().clone()
    };
    let model = &of("models/crab")["model"];
    assert_eq!(model["materials"][0]["normal_texture"], 3);
    assert_eq!(model["materials"][0]["emissive_texture"], 3);
    assert_eq!(model["materials"][0]["color"], serde_json::json!([0.5, 0.25, 1.0]));
    assert_eq!(model["meshes"][0]["vertices"], 3);
    assert_eq!(of("skeletons/crab")["skeleton"]["joints"][2], serde_json::json!({ "name": "right", "parent": 0 }));
    assert_eq!(of("fonts/plain")["font"]["codepoints"], serde_json::json!([65, 66]));
    assert_eq!(of("step")["audio"]["frames"], 4);
    assert_eq!(of("textures/sky")["warnings"].as_array().unwrap().len(), 1);
    let text = sandbox.run(["nbr", "info", "res/models/crab.nbr"]).success().out;
    assert!(text.contains("  materials[0]: albedo texture 0, color 0.5 0.25 1.0, emissive 3.0,"), "{text}");
}

#[test]
fn what_is_wrong_is_reported() {
    let sandbox = with_files();
    let run = sandbox.run(["nbr", "check", "res"]);
    assert_eq!((run.code, run.out.as_str()), (0, "10 files checked: none damaged, 1 warning\n"), "{run:?}");
    assert!(run.err.starts_with("warning: res/textures/sky.nbr: format at byte 16: the label says RGBA16F"), "{run:?}");
    sandbox.write("res/new.nbr", b"\x6b\x01\0\0\0\x02\0");
    sandbox
        .run(["nbr", "check", "res"])
        .failed(1, &["error: res/new.nbr: cannot read the header: version at byte 1: found 1.0"]);
    let json = json(&sandbox, &["check", "res/new.nbr"]);
    assert_eq!((&json["ok"], &json["files"][0]["error"]["offset"]), (&Value::Bool(false), &Value::from(1)));
}

#[test]
fn one_file_is_printed() {
    let sandbox = with_files();
    let cat = |args: &[&str]| sandbox.run(["nbr", "cat"].iter().chain(args));
    assert_eq!(cat(&["res/shaders/blur.nbr", "vert"]).success().out, "#version 460\nvoid main() {}\n");
    assert_eq!(cat(&["res/shaders/cull.nbr"]).success().out, "#version 460\n");
    assert!(cat(&["res/step.nbr"]).success().bytes.starts_with(b"RIFF"));
    assert!(cat(&["res/cubemaps/dawn.nbr", "nz"]).success().bytes.starts_with(b"\x89PNG"));
    cat(&["res/shaders/blur.nbr"]).failed(2, &["the shader becomes several files; say which: vert, frag"]);
    cat(&["res/shaders/blur.nbr", "comp"]).failed(2, &["the shader has no part comp; it has vert, frag"]);
    cat(&["res"]).failed(2, &["res is a directory; use `cargo rres nbr extract`"]);
}

#[test]
fn each_type_becomes_a_file_of_a_common_format() {
    let sandbox = with_files();
    let run = sandbox.run(["nbr", "extract", "res", "-o", "tree"]);
    assert_eq!(run.code, 0, "{run:?}");
    let names: Vec<&str> = run.out.lines().map(|line| line.split("  ").next().unwrap()).collect();
    let expected = [
        "animations/crab.glb",
        "cubemaps/dawn/px.png",
        "cubemaps/dawn/nx.png",
        "cubemaps/dawn/py.png",
        "cubemaps/dawn/ny.png",
        "cubemaps/dawn/pz.png",
        "cubemaps/dawn/nz.png",
        "fonts/plain.png",
        "fonts/plain.json",
        "models/crab.glb",
        "shaders/blur.vert",
        "shaders/blur.frag",
        "shaders/cull.comp",
        "skeletons/crab.glb",
        "step.wav",
        "textures/hero.png",
        "textures/sky.hdr",
    ];
    assert_eq!(names, expected);
    let pixel = |name: &str| {
        let image = image::load_from_memory(&sandbox.read(name)).unwrap().into_rgba8();
        (image.dimensions(), image.get_pixel(0, 0).0)
    };
    assert_eq!(pixel("tree/textures/hero.png"), ((4, 2), [255; 4]));
    for (face, red) in [("px", 10), ("nx", 20), ("py", 30), ("ny", 40), ("pz", 50), ("nz", 60)] {
        assert_eq!(pixel(&format!("tree/cubemaps/dawn/{face}.png")), ((2, 2), [red, 0, 0, 255]));
    }
    let sky = image::load_from_memory(&sandbox.read("tree/textures/sky.hdr")).unwrap().into_rgb32f();
    assert_eq!(sky.get_pixel(1, 0).0, [2.0, 0.5, 0.25]);
    let mut wav = hound::WavReader::new(std::io::Cursor::new(sandbox.read("tree/step.wav"))).unwrap();
    assert_eq!((wav.spec().sample_rate, wav.spec().channels), (22_050, 1));
    assert_eq!(wav.samples::<i16>().map(Result::unwrap).collect::<Vec<_>>(), [0, 1, -1, 9]);
    sandbox
        .run(["nbr", "extract", "res", "-o", "tree"])
        .failed(2, &["and 16 other files would be replaced", "--force"]);
    assert_eq!(sandbox.run(["nbr", "extract", "res", "-o", "tree", "--force"]).code, 0);
}

#[test]
fn glyphs_are_on_the_picture_where_the_description_says() {
    let sandbox = with_files();
    sandbox.run(["nbr", "extract", "res/fonts", "-o", "tree"]).success();
    let page: Value = serde_json::from_slice(&sandbox.read("tree/plain.json")).unwrap();
    assert_eq!(page["pages"][0], "plain.png");
    assert_eq!((&page["common"]["lineHeight"], &page["common"]["base"]), (&Value::from(256.0), &Value::from(200.0)));
    let picture = image::load_from_memory(&sandbox.read("tree/plain.png")).unwrap().into_rgba8();
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
    sandbox.run(["nbr", "extract", "res/models", "-o", "tree"]).success();
    let (document, bytes) = glb(&sandbox.read("tree/crab.glb"));
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
    sandbox.run(["nbr", "extract", "res/skeletons", "-o", "bones"]).success();
    let (document, bytes) = glb(&sandbox.read("bones/crab.glb"));
    assert_eq!(document["nodes"][0]["name"], "body");
    assert_eq!(document["nodes"][0]["children"], serde_json::json!([1, 2]));
    assert_eq!(document["nodes"][2]["translation"], serde_json::json!([2.0, 0.0, 0.0]));
    let skin = &document["skins"][0];
    assert_eq!((&skin["joints"], &skin["skeleton"]), (&serde_json::json!([0, 1, 2]), &Value::from(0)));
    let matrices = floats(accessor(&document, &bytes, &skin["inverseBindMatrices"]));
    assert_eq!(matrices[16..32], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0]);
    sandbox.run(["nbr", "extract", "res/animations", "-o", "moves"]).success();
    let (document, bytes) = glb(&sandbox.read("moves/crab.glb"));
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
    assert_eq!(sandbox.run(["nbr", "extract", "res", "-o", "tree"]).code, 0);
    let (document, _) = glb(&sandbox.read("tree/models/crab.glb"));
    assert_eq!(document["skins"][0]["joints"], serde_json::json!([0, 1, 2]));
    assert_eq!(document["animations"][0]["name"], "walk");
    assert_eq!(document["nodes"][3], serde_json::json!({ "mesh": 0, "skin": 0 }));
    assert_eq!(document["scenes"][0]["nodes"], serde_json::json!([0, 3]));
    // A skeleton with too few joints is of another model.
    let mut few = skeleton();
    few.joints.truncate(2);
    few.joints[0].children = vec![1];
    sandbox.write("res/skeletons/crab.nbr", &write::to_vec(&Resource::Skeleton(few)).unwrap());
    let run = sandbox.run(["nbr", "extract", "res", "-o", "other"]);
    assert!(run.err.contains("models/crab.nbr: written without its skeleton and its animations: "), "{run:?}");
    assert_eq!(glb(&sandbox.read("other/models/crab.glb")).0["skins"], Value::Null);
}

#[test]
fn two_files_that_become_one_are_refused_and_nothing_is_written() {
    let sandbox = with_files();
    sandbox.write("res/textures/HERO.NBR", &sandbox.read("res/textures/hero.nbr"));
    sandbox
        .run(["nbr", "extract", "res", "-o", "tree"])
        .failed(2, &["res/textures/HERO.NBR and res/textures/hero.nbr both become textures/"]);
    assert!(!sandbox.path("tree").exists());
}

#[test]
fn a_directory_becomes_assets_that_build() {
    let sandbox = with_files();
    let run = sandbox.run(["nbr", "import", "res", "-o", "assets"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("assets/assets.toml written, with 17 files; build them with"), "{run:?}");
    let settings = String::from_utf8(sandbox.read("assets/assets.toml")).unwrap();
    assert!(settings.contains("[group.cubemaps]\ninclude = [\"cubemaps/**\"]\n"), "{settings}");
    let built = sandbox.run(["build", "assets", "-o", "out/game.rres"]);
    assert_eq!(built.code, 0, "{built:?}");
    let list = sandbox.run(["ls", "out/game.rres", "--json"]).success().out;
    let list: Value = serde_json::from_str(&list).unwrap();
    let kind = |path: &str| {
        let resources = list["resources"].as_array().unwrap();
        resources.iter().find(|resource| resource["path"] == path).unwrap_or_else(|| panic!("{path}"))["kind"].clone()
    };
    for (path, expected) in [
        ("textures/hero.png", "image"),
        ("textures/sky.hdr", "image"),
        ("cubemaps/dawn/nz.png", "image"),
        ("shaders/blur.frag", "text"),
        ("models/crab.glb", "model"),
        ("fonts/plain.json", "text"),
        ("step.wav", "sound"),
    ] {
        assert_eq!(kind(path), expected, "{path}");
    }
    sandbox.run(["nbr", "import", "res", "-o", "assets"]).failed(2, &["would be replaced"]);
    sandbox.run(["nbr", "import", "res/step.nbr", "-o", "x"]).failed(2, &["is not a directory"]);
    sandbox
        .run(["import", "res"])
        .failed(2, &["cannot read res: it is not a file but a directory", "use `cargo rres nbr import`"]);
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

/// What a build makes of a file, and what it makes of the `.glb` that `nbr extract` writes for it, have the same vertices.
#[test]
fn an_extracted_model_is_imported_as_the_file_itself() {
    let sandbox = with_files();
    sandbox
        .run(["nbr", "extract", "res/skeletons", "res/animations", "-o", "tree"])
        .failed(2, &["both become crab.glb"]);
    for of in ["models", "skeletons", "animations"] {
        sandbox.run(["nbr", "extract", &format!("res/{of}"), "-o", &format!("tree/{of}")]).success();
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
