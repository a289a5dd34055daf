//! Models that use one buffer or one image over and over, or refer to what is not theirs.

use rres_test_data::model::glb;
use rres_test_data::picture::png_of_chunks;

#[cfg(unix)]
use super::super::Project;
use super::bombs::{Bomb, defuse};
use super::images::zeros;

fn repeated(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// A document with these members.
fn document(members: &str) -> String {
    format!("{{\"asset\":{{\"version\":\"2.0\"}},{members}}}")
}

#[test]
fn model_files() {
    let binary = vec![0; 1 << 20];
    let len = binary.len();
    // 87,381 vertices.
    let accessor = format!(
        r#""buffers":[{{"byteLength":{len}}}],"bufferViews":[{{"buffer":0,"byteLength":{len}}}],
        "accessors":[{{"type":"VEC3","componentType":5126,"count":{},"bufferView":0}},
        {{"type":"SCALAR","componentType":5125,"count":{},"bufferView":0}},
        {{"type":"VEC3","componentType":5126,"count":5000000}}]"#,
        len / 12,
        len / 4
    );
    let primitives = |count: usize, position: usize, indices: &str| {
        let primitive = |_| format!(r#"{{"attributes":{{"POSITION":{position}}}{indices}}}"#);
        document(&format!(r#"{accessor},"meshes":[{{"primitives":[{}]}}]"#, repeated(count, primitive)))
    };
    let picture = png_of_chunks([8192, 8192], [8, 0, 0], &[(b"IDAT", &zeros(8193 * 8192))]);
    let images = |count: usize| {
        document(&format!(
            r#""buffers":[{{"byteLength":{0}}}],"bufferViews":[{{"buffer":0,"byteLength":{0}}}],"images":[{1}],"textures":[{2}],"materials":[{3}]"#,
            picture.len(),
            repeated(count, |_| r#"{"bufferView":0,"mimeType":"image/png"}"#.to_owned()),
            repeated(count, |i| format!(r#"{{"source":{i}}}"#)),
            repeated(count, |i| format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{i}}}}}}}"#)),
        ))
    };
    let chain = |count: usize| {
        let node = |i: usize| if i + 1 < count { format!(r#"{{"children":[{}]}}"#, i + 1) } else { "{}".to_owned() };
        document(&format!(r#""scenes":[{{"nodes":[0]}}],"nodes":[{}]"#, repeated(count, node)))
    };
    let uri = |uri: &str| {
        document(&format!(
            r#""buffers":[{{"byteLength":12,"uri":"{uri}"}}],"bufferViews":[{{"buffer":0,"byteLength":12}}],
            "accessors":[{{"type":"VEC3","componentType":5126,"count":1,"bufferView":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
        ))
    };
    let outside = "which is not inside the assets directory";
    let inner = glb(document("\"meshes\":[]"), b"");
    defuse(
        "",
        vec![
            Bomb::refused("vertices.glb", glb(primitives(10_000, 0, ""), &binary), "beyond 1 GiB of vertices"),
            Bomb::refused(
                "indices.glb",
                glb(primitives(10_000, 0, r#","indices":1"#), &binary),
                "beyond 1 GiB of vertices",
            ),
            Bomb::refused("zeros.glb", glb(primitives(10_000, 2, ""), &binary), "beyond 1 GiB of vertices"),
            Bomb::refused("images.glb", glb(images(1000), &picture), "has images of 67.1 GB in all"),
            Bomb { memory: 200, ..Bomb::harmless("deep.gltf", chain(100_000)) },
            Bomb::refused(
                "cycle.gltf",
                document(r#""scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"children":[0]}]"#),
                "its own descendant",
            ),
            Bomb::refused("data.gltf", uri(&format!("data:;base64,{}", "=".repeat(1 << 20))), "is not valid base64"),
            Bomb::refused("percent.gltf", uri(&format!("data:,{}", "%".repeat(1 << 20))), "not followed by two digits"),
            Bomb::refused("passwd.gltf", uri("/etc/passwd"), outside),
            Bomb::refused("file.gltf", uri("file:///etc/passwd"), "files are not downloaded"),
            Bomb::refused("up.gltf", uri("../../../../../../../etc/passwd"), outside),
            Bomb::refused("hidden.gltf", uri("..%2f..%2f..%2f..%2fetc%2fpasswd"), outside),
            Bomb::refused("windows.gltf", uri("..\\\\..\\\\..\\\\boot.ini"), outside),
            Bomb::refused("drive.gltf", uri("C:\\\\boot.ini"), outside),
            Bomb::refused("itself.gltf", uri("."), ""),
            Bomb::refused("zero.gltf", uri("a%00.bin"), ""),
            Bomb::refused("long.gltf", uri(&"a".repeat(100_000)), ""),
            Bomb::refused("lengths.glb", [&inner[..12], &[0xff; 4], &inner[16..]].concat(), "cut off"),
            Bomb::refused("array.gltf", format!("{{\"asset\":{}", "[".repeat(1 << 20)), "recursion limit"),
            Bomb::refused(
                "extras.gltf",
                format!("{{\"asset\":{{\"version\":\"2.0\",\"extras\":{}", "{\"a\":".repeat(1 << 20)),
                "recursion limit",
            ),
        ],
    );
}

#[cfg(unix)]
#[test]
fn a_buffer_outside_of_the_assets_is_not_read_through_a_link_within_the_model() {
    // A link in the assets directory is the decision of the person who has put it there, and is followed.
    let json = document(
        r#""buffers":[{"byteLength":4,"uri":"linked/secret.bin"}],"bufferViews":[{"buffer":0,"byteLength":4}],
        "images":[{"bufferView":0,"mimeType":"image/png"}],"textures":[{"source":0}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]"#,
    );
    let project = Project::new(&[("a.gltf", json.as_bytes())]);
    let error = project.fail().to_string();
    assert!(error.contains("a.gltf: ") && error.contains("linked/secret.bin, which cannot be read"), "{error}");
}
