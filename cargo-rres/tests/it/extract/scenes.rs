//! What a model has besides its meshes comes back: a glTF of random scenes is built, extracted and built again.

use rres_import_model::{FACTORS, TEXTURES};
use rres_test_data::bytes::{floats, shorts};
use rres_test_data::picture::png;
use rres_test_data::random;
use serde_json::{Value, json};

use super::models::uri;
use super::round_trip::{compare, round_trip};
use crate::Sandbox;

/// Random parts of scenes.
struct Random(random::Random);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// A number with as many digits as a float has.
    fn float(&mut self) -> f32 {
        self.0.fraction() * 8.0 - 3.7
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.float()).collect()
    }

    fn name(&mut self) -> String {
        ["", "ü", "walk", "a name", "\u{4e2d}", "x#1"][self.below(6)].to_owned()
    }
}

/// The parts of a document that share a buffer.
#[derive(Default)]
struct Document {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Document {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, shape: &str, count: usize) -> usize {
        let view = self.view(bytes);
        let mut accessor = json!({ "bufferView": view, "componentType": component, "count": count, "type": shape });
        if component == 5121 {
            accessor["normalized"] = json!(shape == "VEC4");
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], shape: &str) -> usize {
        let width = match shape {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 1,
        };
        let bytes = floats(values);
        self.accessor(&bytes, 5126, shape, values.len() / width)
    }
}

fn named(random: &mut Random, mut value: Value) -> Value {
    let name = random.name();
    if !name.is_empty() {
        value["name"] = json!(name);
    }
    value
}

const VERTICES: usize = 5;
const JOINTS: usize = 3;

/// A mesh whose vertices have every attribute, and its number of morph targets.
fn mesh(random: &mut Random, document: &mut Document, materials: usize) -> (Value, usize) {
    let targets = random.below(3);
    let mut primitives = Vec::new();
    for _ in 0..1 + random.below(2) {
        let mut attributes = json!({ "POSITION": document.floats(&random.floats(VERTICES * 3), "VEC3") });
        for (name, shape, width) in [("NORMAL", "VEC3", 3), ("TANGENT", "VEC4", 4)] {
            attributes[name] = json!(document.floats(&random.floats(VERTICES * width), shape));
        }
        for set in 0..8 {
            let accessor = document.floats(&random.floats(VERTICES * 2), "VEC2");
            attributes[format!("TEXCOORD_{set}")] = json!(accessor);
        }
        for set in 0..4 {
            let bytes = random.0.bytes(VERTICES * 4);
            attributes[format!("COLOR_{set}")] = json!(document.accessor(&bytes, 5121, "VEC4", VERTICES));
        }
        for set in 0..2 {
            let joints = (0..VERTICES * 4).flat_map(|_| (random.below(JOINTS) as u16).to_le_bytes());
            let joints: Vec<u8> = joints.collect();
            attributes[format!("JOINTS_{set}")] = json!(document.accessor(&joints, 5123, "VEC4", VERTICES));
            let weights: Vec<f32> = random.floats(VERTICES * 4).iter().map(|weight| weight.abs() + 0.1).collect();
            attributes[format!("WEIGHTS_{set}")] = json!(document.floats(&weights, "VEC4"));
        }
        let mut primitive = json!({ "attributes": attributes, "material": random.below(materials) });
        if random.one_in(2) {
            let indices = shorts(&[0, 1, 2, 2, 3, 4]);
            primitive["indices"] = json!(document.accessor(&indices, 5123, "SCALAR", 6));
        }
        let mut own = Vec::new();
        for _ in 0..targets {
            let mut target = json!({ "POSITION": document.floats(&random.floats(VERTICES * 3), "VEC3") });
            for (name, shape, width) in
                [("NORMAL", "VEC3", 3), ("TANGENT", "VEC3", 3), ("TEXCOORD_1", "VEC2", 2), ("COLOR_0", "VEC4", 4)]
            {
                if random.one_in(2) {
                    target[name] = json!(document.floats(&random.floats(VERTICES * width), shape));
                }
            }
            own.push(target);
        }
        if targets > 0 {
            primitive["targets"] = json!(own);
        }
        primitives.push(primitive);
    }
    let mut mesh = named(random, json!({ "primitives": primitives }));
    if targets > 0 && random.one_in(2) {
        mesh["weights"] = json!(random.floats(targets));
        mesh["extras"] = json!({ "targetNames": (0..targets).map(|_| random.name()).collect::<Vec<_>>() });
    }
    (mesh, targets)
}

/// A material with some of all factors and textures.
fn material(random: &mut Random, textures: usize) -> Value {
    let color = random.floats(4);
    let mut material = named(random, json!({ "pbrMetallicRoughness": { "baseColorFactor": color } }));
    fn object<'m>(material: &'m mut Value, name: &str) -> &'m mut Value {
        match name {
            "" => material,
            "pbrMetallicRoughness" => &mut material[name],
            extension => &mut material["extensions"][extension],
        }
    }
    for row in FACTORS.iter().filter(|_| random.below(3) > 0).collect::<Vec<_>>() {
        let value = match row.default.len() {
            1 => json!(random.float()),
            width => json!(random.floats(width)),
        };
        object(&mut material, row.object)[row.key] = value;
    }
    for (name, key, _) in TEXTURES {
        if random.one_in(2) {
            continue;
        }
        let mut info = json!({ "index": random.below(textures), "texCoord": random.below(8) });
        match *key {
            "occlusionTexture" => info["strength"] = json!(random.float()),
            "normalTexture" | "clearcoatNormalTexture" => info["scale"] = json!(random.float()),
            _ => {}
        }
        if random.one_in(2) {
            let transform =
                json!({ "offset": random.floats(2), "scale": random.floats(2), "rotation": random.float() });
            info["extensions"]["KHR_texture_transform"] = transform;
        }
        object(&mut material, name)[*key] = info;
    }
    if random.one_in(2) {
        material["alphaMode"] = json!(["OPAQUE", "MASK", "BLEND"][random.below(3)]);
    }
    if random.one_in(2) {
        material["doubleSided"] = json!(true);
    }
    if random.one_in(3) {
        material["extensions"]["KHR_materials_unlit"] = json!({});
    }
    if random.one_in(2) {
        material["extensions"]["KHR_materials_pbrSpecularGlossiness"]["diffuseFactor"] = json!(random.floats(4));
    }
    material
}

/// A channel of an animation, and its sampler.
fn channel(random: &mut Random, document: &mut Document, nodes: &[Value], targets: &[usize]) -> (Value, Value) {
    let keys = 1 + random.below(4);
    let mut time = 0.0;
    let times: Vec<f32> = (0..keys).map(|_| (time += random.float().abs() + 0.01, time).1).collect();
    let node = random.below(nodes.len());
    let of_node = nodes[node]["mesh"].as_u64().map_or(0, |mesh| targets[mesh as usize]);
    let (path, shape, width) = match random.below(4) {
        0 => ("translation", "VEC3", 3),
        1 => ("rotation", "VEC4", 4),
        2 if of_node > 0 => ("weights", "SCALAR", of_node),
        _ => ("scale", "VEC3", 3),
    };
    let interpolation = ["LINEAR", "STEP", "CUBICSPLINE"][random.below(3)];
    let of_key = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
    let input = document.floats(&times, "SCALAR");
    let output = document.floats(&random.floats(keys * width * of_key), shape);
    (
        json!({ "target": { "node": node, "path": path } }),
        json!({ "input": input, "output": output, "interpolation": interpolation }),
    )
}

fn node(random: &mut Random, targets: &[usize]) -> Value {
    let mut node = named(random, json!({}));
    if random.one_in(4) {
        node["matrix"] = json!(random.floats(16));
    } else {
        for (key, width) in [("translation", 3), ("rotation", 4), ("scale", 3)] {
            if random.one_in(2) {
                node[key] = json!(random.floats(width));
            }
        }
    }
    match random.below(4) {
        0 => node["camera"] = json!(random.below(3)),
        1 => node["extensions"] = json!({ "KHR_lights_punctual": { "light": random.below(3) } }),
        _ => {
            let mesh = random.below(targets.len());
            node["mesh"] = json!(mesh);
            if random.one_in(2) {
                node["skin"] = json!(random.below(2));
            }
            if targets[mesh] > 0 && random.one_in(2) {
                node["weights"] = json!(random.floats(targets[mesh]));
            }
        }
    }
    node
}

fn gltf(random: &mut Random) -> Value {
    let mut document = Document::default();
    let (mut meshes, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let (mesh, count) = mesh(random, &mut document, 3);
        meshes.push(mesh);
        targets.push(count);
    }
    let mut nodes: Vec<Value> = (0..9).map(|_| node(random, &targets)).collect();
    // Each node but the first roots is below one before it, so that the nodes form no circles.
    let mut children = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for number in 0..nodes.len() {
        match number {
            0..2 => roots.push(number),
            _ if random.one_in(4) => roots.push(number),
            _ => children[random.below(number)].push(number),
        }
    }
    for (node, children) in nodes.iter_mut().zip(children) {
        if !children.is_empty() {
            node["children"] = json!(children);
        }
    }
    let skin = |random: &mut Random, document: &mut Document| {
        let joints: Vec<usize> = (0..JOINTS).map(|joint| joint * 2 + random.below(2)).collect();
        let mut skin = named(random, json!({ "joints": joints }));
        if random.one_in(2) {
            skin["inverseBindMatrices"] = json!(document.floats(&random.floats(JOINTS * 16), "MAT4"));
            skin["skeleton"] = json!(0);
        }
        skin
    };
    let skins = [skin(random, &mut document), skin(random, &mut document)];
    let animation = |random: &mut Random, document: &mut Document| {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for number in 0..1 + random.below(4) {
            let (mut channel, sampler) = channel(random, document, &nodes, &targets);
            channel["sampler"] = json!(number);
            channels.push(channel);
            samplers.push(sampler);
        }
        named(random, json!({ "channels": channels, "samplers": samplers }))
    };
    let animations = [animation(random, &mut document), animation(random, &mut document)];
    let images = [1, 2, 3, 4].map(|gray| {
        let view = document.view(&png(1, 1, &[gray * 60]));
        json!({ "bufferView": view, "mimeType": "image/png" })
    });
    let texture = |random: &mut Random, source: usize| match random.below(4) {
        3 => json!({ "source": source }),
        sampler => json!({ "source": source, "sampler": sampler }),
    };
    let textures: Vec<Value> = (0..8).map(|number| texture(random, number % 4)).collect();
    let far = random.float().abs();
    let cameras = [
        json!({ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } }),
        json!({ "type": "perspective", "perspective": { "yfov": far, "znear": 0.1, "zfar": 1000.5, "aspectRatio": 1.5 } }),
        json!({ "type": "orthographic", "orthographic": { "xmag": far, "ymag": 2.0, "znear": 0.0, "zfar": 50.0 } }),
    ];
    let lights = [
        json!({ "type": "directional", "intensity": 3.25 }),
        json!({ "type": "point", "color": random.floats(3), "range": 7.5 }),
        json!({ "type": "spot", "spot": { "innerConeAngle": 0.25, "outerConeAngle": far } }),
    ];
    let split = 1 + random.below(roots.len());
    let scenes = match random.below(3) {
        0 => vec![named(random, json!({ "nodes": roots }))],
        1 => vec![json!({ "nodes": roots[..split] }), named(random, json!({ "nodes": roots[split - 1..] }))],
        _ => Vec::new(),
    };
    let mut value = json!({
        "asset": { "version": "2.0" },
        "nodes": nodes,
        "meshes": meshes,
        "skins": skins,
        "animations": animations,
        "cameras": cameras.map(|camera| named(random, camera)),
        "extensions": { "KHR_lights_punctual": { "lights": lights.map(|light| named(random, light)) } },
        "materials": [material(random, 8), material(random, 8), material(random, 8)],
        "textures": textures,
        "images": images,
        "samplers": [
            { "magFilter": 9728, "minFilter": 9987, "wrapS": 33071, "wrapT": 33648 },
            { "minFilter": 9984 },
            { "magFilter": 9729, "minFilter": 9729, "wrapS": 33648, "wrapT": 33071 },
        ],
        "accessors": document.accessors,
        "bufferViews": document.views,
        "buffers": [{ "byteLength": document.bytes.len(), "uri": uri("application/octet-stream", &document.bytes) }],
    });
    if !scenes.is_empty() {
        value["scene"] = json!(random.below(scenes.len()));
        value["scenes"] = scenes.into();
    }
    value
}

#[test]
fn models_come_back_with_everything_that_their_chunks_have() {
    let sandbox = Sandbox::new();
    const MODELS: u64 = 24;
    for seed in 1..=MODELS {
        let mut random = Random(random::Random::new(seed));
        sandbox.write(&format!("assets/model{seed}.gltf"), gltf(&mut random).to_string().as_bytes());
    }
    let (before, after) = round_trip(&sandbox, "assets");
    let found = compare(&before, &after);
    assert!(found.different.is_empty(), "{:?}", found.different);
    assert_eq!(found.equal["model"], MODELS as usize, "{found:?}");
}
