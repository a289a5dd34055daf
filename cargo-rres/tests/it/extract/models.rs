//! Models: what becomes of their parts and of their images.

use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{Compression, FourCc, PackBuilder, Resource};
use rres_test_data::picture::png;
use serde_json::{Value, json};

use super::{glb, with_pack};
use crate::packs::chunk;
use crate::{Sandbox, local};

/// The file that [`write_model`] writes.
pub(super) const GLTF_NAME: &str = "scene.gltf";

/// A URI with bytes.
pub(super) fn uri(kind: &str, bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:{kind},{digits}")
}

/// Writes a model into a directory: nodes below nodes, a mesh without vertices, every attribute that packs have, a material
/// with an image inside the file, one with an image beside it, and a normal map.
pub(crate) fn write_model(sandbox: &Sandbox, dir: &str) {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut add = |part: Vec<u8>| {
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": part.len() }));
        bytes.extend(part);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        views.len() - 1
    };
    let floats = |count: usize| (0..count).flat_map(|i| (i as f32 / 7.0 - 0.1).to_le_bytes()).collect::<Vec<u8>>();
    let mut accessors = Vec::new();
    let mut attributes = json!({});
    for (name, shape, width) in [
        ("POSITION", "VEC3", 3),
        ("TEXCOORD_0", "VEC2", 2),
        ("TEXCOORD_1", "VEC2", 2),
        ("TEXCOORD_2", "VEC2", 2),
        ("TEXCOORD_3", "VEC2", 2),
        ("NORMAL", "VEC3", 3),
        ("TANGENT", "VEC4", 4),
    ] {
        attributes[name] = json!(accessors.len());
        let view = add(floats(4 * width));
        accessors.push(json!({ "bufferView": view, "componentType": 5126, "count": 4, "type": shape }));
    }
    attributes["COLOR_0"] = json!(accessors.len());
    let view = add((0..16).collect());
    accessors
        .push(json!({ "bufferView": view, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4" }));
    let view = add([0u16, 1, 2, 2, 3, 0].into_iter().flat_map(u16::to_le_bytes).collect());
    let indices = accessors.len();
    accessors.push(json!({ "bufferView": view, "componentType": 5123, "count": 6, "type": "SCALAR" }));
    let normal_map = add(png(1, 1, &[128]));
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "name": "Wurzel ü", "children": [1, 2], "translation": [0.1, 2.5, -3.0], "rotation": [0.5, 0.5, 0.5, 0.5] },
            { "mesh": 0, "scale": [0.1, 1.0, 3.3] },
            { "mesh": 1, "children": [3] },
            { "mesh": 2, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] },
        ],
        "meshes": [
            { "primitives": [
                { "attributes": attributes, "indices": indices, "material": 0 },
                { "attributes": { "POSITION": 0 }, "mode": 1, "material": 1 },
            ] },
            { "primitives": [{ "attributes": { "NORMAL": 5 } }] },
            { "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 5 }] },
        ],
        "materials": [
            { "name": "inside", "normalTexture": { "index": 2 }, "pbrMetallicRoughness":
                { "baseColorFactor": [0.1, 0.2, 0.3, 1.0], "baseColorTexture": { "index": 0 } } },
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 1 } } },
        ],
        "textures": [{ "source": 2, "sampler": 0 }, { "source": 1 }, { "source": 0 }],
        "samplers": [{ "magFilter": 9728, "wrapS": 33648 }],
        "images": [
            { "bufferView": normal_map, "mimeType": "image/png" },
            { "uri": "../textures/wall%20b.png" },
            { "uri": uri("image/png", &png(1, 1, &[3])) },
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "byteLength": bytes.len(), "uri": uri("application/octet-stream", &bytes) }],
    });
    sandbox.write(&format!("{dir}/{GLTF_NAME}"), document.to_string().as_bytes());
    sandbox.write(&format!("{dir}/../textures/wall b.png"), &png(1, 1, &[77]));
}

#[test]
fn images_are_files_if_they_are_written_and_else_inside_the_model() {
    let sandbox = Sandbox::new();
    write_model(&sandbox, "assets/models");
    sandbox.run(["build", "assets", "-o", "game.rres"]).success();
    let run = sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    for line in [
        &local("tree/models/scene.gltf  (model as .gltf)\n"),
        "models/scene.gltf#image/0  (image in models/scene.gltf)\n",
        &local("tree/textures/wall b.png  (pixels as .png)\n"),
    ] {
        assert!(run.out.contains(line), "{line}: {run:?}");
    }
    let document: Value = serde_json::from_slice(&sandbox.read("tree/models/scene.gltf")).unwrap();
    assert_eq!(document["images"][1]["uri"], "../textures/wall%20b.png");
    assert_eq!(document["images"][2]["mimeType"], "image/png");
    let normal = &document["materials"][0]["normalTexture"]["index"];
    assert_eq!(document["textures"][normal.as_u64().unwrap() as usize], json!({ "source": 0 }));
    let color = &document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"];
    assert_eq!(document["textures"][color.as_u64().unwrap() as usize], json!({ "source": 2, "sampler": 0 }));
    assert_eq!(document["samplers"], json!([{ "magFilter": 9728, "wrapS": 33648 }]));

    let run = sandbox.run(["extract", "game.rres", "models", "-o", "alone"]).success();
    assert!(run.out.ends_with("1 file written, 0 resources skipped\n"), "{run:?}");
    let document: Value = serde_json::from_slice(&sandbox.read("alone/models/scene.gltf")).unwrap();
    assert!(document["images"][1]["bufferView"].is_number(), "an image that is not written is inside: {document}");

    let run = sandbox.run(["extract", "game.rres", "models/scene.gltf#image/2", "-o", "part"]).success();
    assert!(run.out.contains(&local("part/models/scene.gltf#image/2.png")), "{run:?}");
}

#[test]
fn a_jpeg_that_the_pack_keeps_stays_the_file_of_a_model() {
    let sandbox = Sandbox::new();
    let pixels: Vec<u8> =
        (0..128u32 * 128).flat_map(|i| [(i % 128) as u8, (i / 128) as u8, (i * i % 97) as u8]).collect();
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 30);
    image::ImageEncoder::write_image(encoder, &pixels, 128, 128, image::ExtendedColorType::Rgb8).unwrap();
    sandbox.write("assets/photo.jpg", &jpeg);
    let document = json!({
        "asset": { "version": "2.0" },
        "materials": [{ "normalTexture": { "index": 0, "scale": 0.5 } }],
        "textures": [{ "source": 0 }],
        "images": [{ "uri": "photo.jpg" }],
    });
    sandbox.write("assets/wall.gltf", document.to_string().as_bytes());
    sandbox.run(["build", "assets", "-o", "game.rres"]).success();
    sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    assert_eq!(sandbox.read("tree/photo.jpg"), jpeg);
    let document: Value = serde_json::from_slice(&sandbox.read("tree/wall.gltf")).unwrap();
    assert_eq!(document["images"], json!([{ "uri": "photo.jpg" }]));
    assert_eq!(document["materials"], json!([{ "normalTexture": { "index": 0, "scale": 0.5 } }]));
}

fn mesh(chunks: &[(VertexAttribute, u32, VertexFormat, &[u8])]) -> Resource<'static> {
    let vertices = |(attribute, components, format, data): &(VertexAttribute, u32, VertexFormat, &[u8])| {
        let count = data.len() as u32 / components / format.size().unwrap();
        let props = VertexProps { count, attribute: *attribute, components: *components, format: *format };
        chunk(FourCc::VRTX, &props.block(data), Compression::NONE)
    };
    Resource::new("ship.obj", chunks.iter().map(vertices).collect())
}

#[test]
fn meshes_of_other_programs_get_a_node_and_formats_that_gltf_has() {
    let mut pack = PackBuilder::new().index(false);
    let positions: Vec<u8> = [0f32, 0.0, 0.0, 1.0, 2.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    pack.push(mesh(&[
        (VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &positions),
        (VertexAttribute::NORMAL, 3, VertexFormat::BYTE, &[127, 0, 0x81, 0, 127, 0]),
        (VertexAttribute::TEXCOORD1, 3, VertexFormat::FLOAT, &[0; 24]),
        (VertexAttribute(77), 1, VertexFormat::UBYTE, &[0; 2]),
        (VertexAttribute::INDEX, 1, VertexFormat::USHORT, &[0, 0, 1, 0, 0, 0]),
    ]));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    for loss in ["normal as floats, from i8", "without the attribute texcoord1 of 3 × f32", "(77) of 1 × u8"] {
        assert!(out.contains(loss), "{loss}: {out}");
    }
    let (document, bytes) = glb(&sandbox.read("tree/ship.obj.glb"));
    assert_eq!(document["nodes"], json!([{ "mesh": 0 }]));
    let primitive = &document["meshes"][0]["primitives"][0];
    let attributes = primitive["attributes"].as_object().unwrap();
    assert_eq!(attributes.keys().collect::<Vec<_>>(), ["NORMAL", "POSITION"]);
    let accessor = |number: &Value| &document["accessors"][number.as_u64().unwrap() as usize];
    assert_eq!(accessor(&attributes["POSITION"])["max"], json!([1.0, 2.0, 3.0]));
    let view = &document["bufferViews"][accessor(&attributes["NORMAL"])["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let expected: Vec<u8> = [1f32, 0.0, -1.0, 0.0, 1.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(bytes[start..start + 24], expected);
}

#[test]
fn positions_that_gltf_does_not_allow_are_said() {
    let mut pack = PackBuilder::new().index(false);
    let positions: Vec<u8> = [0f32, f32::NAN, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    pack.push(mesh(&[(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &positions)]));
    let sandbox = with_pack(&pack);
    let run = sandbox.run(["extract", "game.rres", "-o", "tree"]);
    run.failed(0, &["skipped ship.obj: vertex 0 is at NaN, which glTF does not allow"]);
}
