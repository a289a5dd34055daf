//! Assets that are made of several files: models, shaders, atlases.

use super::*;

#[cfg(feature = "model")]
#[test]
fn dependencies_of_a_kept_model_are_kept_too() {
    let model = |image: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},
            "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{}"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}],
            "images":[{{"uri":"{image}"}}],"textures":[{{"source":0}}],
            "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
            "nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],"scene":0}}"#,
            "A".repeat(48)
        )
    };
    let wood = model("wood.list");
    let project = built(&[("m/tree.gltf", wood.as_bytes()), ("m/wood.list", b"wood"), ("b.list", b"x")]);
    let mut server = Server::start(&project);

    // The texture is removed, but the unchanged model still depends on it.
    fs::remove_file(project.assets().join("m/wood.list")).unwrap();
    project.write("b.list", b"y");
    let (answer, index) = server.update();
    assert!(answer[0].starts_with("failed\tm/tree.gltf") && answer[0].contains("m/wood.list"), "{answer:?}");
    assert_eq!(answer[1..], ["changed\tb.list"]);
    assert_eq!(contents(&project, &index)["m/wood.list"], b"wood");

    // A model that depends on a file that never existed keeps its last good version.
    project.write("m/wood.list", b"wood");
    project.write("m/tree.gltf", model("none.list").as_bytes());
    let (answer, again) = server.update();
    assert!(answer.len() == 1 && answer[0].contains("none.list"), "{answer:?}");
    assert_eq!(contents(&project, &again), contents(&project, &index));

    // A new model that depends on such a file has no entry.
    project.write("m/bush.gltf", model("none.list").as_bytes());
    let (answer, again) = server.update();
    assert_eq!(answer.iter().filter(|line| line.starts_with("failed\tm/")).count(), 2, "{answer:?}");
    assert!(!paths(&project, &again).contains(&"m/bush.gltf".to_owned()));
    server.end();
}

#[cfg(all(feature = "model", feature = "image"))]
#[test]
fn a_server_of_some_kinds_publishes_what_a_build_of_them_does() {
    let project = built(&[("b.list", b"x")]);
    for name in ["crystal.gltf", "crystal.bin", "crystal.png"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/models").join(name);
        project.write(&format!("models/{name}"), &fs::read(source).unwrap());
    }
    let crystal = project.assets().join("models/crystal.png");
    fs::copy(&crystal, project.assets().join("other.png")).unwrap();
    let only_models = || {
        let mut command = command(&project);
        command.env("SCRIPT_ONLY", "model");
        command
    };
    run(&mut only_models());
    let mut server = Server::start_with(only_models());
    assert_eq!(server.update(), (vec![], dev_index(&project)));
    // No model needs this image.
    fs::remove_file(project.assets().join("other.png")).unwrap();
    assert_eq!(server.update(), (vec![], dev_index(&project)));
    // The last good version of a model needs its image as much as the model.
    project.write("models/crystal.gltf", b"{");
    let answer = server.update().0;
    assert!(answer.len() == 1 && answer[0].starts_with("failed\tmodels/crystal.gltf"), "{answer:?}");
    server.end();
}

/// An edit of a file that shaders include reloads them, and a fault in it keeps their last good versions.
#[test]
fn an_included_file_reloads_the_shaders_that_include_it() {
    let project = built(&[
        ("assets.toml", b"[\"fx/*\"]\ntext = { shader = \"preprocess\" }\n"),
        ("fx/a.frag", b"#include \"../lib/c.glsl\"\na\n"),
        ("fx/b.frag", b"b\n"),
        ("lib/c.glsl", b"c\n"),
        ("b.list", b"x"),
    ]);
    let mut server = Server::start(&project);
    project.write("lib/c.glsl", b"other\n");
    let (answer, index) = server.update();
    assert_eq!(answer, ["changed\tfx/a.frag", "changed\tlib/c.glsl"]);
    assert!(contents(&project, &index)["fx/a.frag"].ends_with(b"other\na\n"));

    project.write("lib/c.glsl", b"#include \"none.glsl\"\n");
    let (answer, index) = server.update();
    assert!(answer[0].starts_with("failed\tfx/a.frag") && answer[0].contains("none.glsl"), "{answer:?}");
    assert!(contents(&project, &index)["fx/a.frag"].ends_with(b"other\na\n"));
    server.end();
}

/// A changed image moves the others of its atlas, and a broken one stays in it as it was.
#[cfg(feature = "image")]
#[test]
fn an_atlas_is_made_again_when_one_of_its_images_changes() {
    use rres_test_data::picture::plain_bmp;

    let project = built(&[
        ("ui/a.bmp", &plain_bmp(5, 3, [255, 0, 0])),
        ("ui/b.bmp", &plain_bmp(2, 9, [0, 255, 0])),
        ("b.list", b"x"),
        ("assets.toml", b"[\"ui/*\"]\nimage = { atlas = \"ui\" }\n"),
    ]);
    let mut server = Server::start(&project);
    server.update();
    let kinds = |index: &Path| {
        let bytes = fs::read(index).unwrap();
        let index = PackView::parse(&bytes).unwrap().index().unwrap();
        let of = |entry: rres_format::index::Entry<'_>| (entry.path.to_owned(), entry.kind, entry.blob);
        let entries = index.entries().map(|entry| of(entry.unwrap()));
        entries.map(|(path, kind, blob)| (path, (kind, index.blob(blob)))).collect::<BTreeMap<_, _>>()
    };
    let (_, index) = server.update();
    let first = kinds(&index);
    assert_eq!(first["ui/a.bmp"].0, Some(AssetKind::Sprite));
    assert_eq!(first["ui.atlas"].0, Some(AssetKind::Image));

    project.write("ui/b.bmp", &plain_bmp(7, 12, [0, 255, 0]));
    let (answer, index) = server.update();
    assert!(answer.iter().any(|line| line.contains("ui/b.bmp")), "{answer:?}");
    let second = kinds(&index);
    assert!(second["ui.atlas"].1 != first["ui.atlas"].1 && second["ui/b.bmp"].1 != first["ui/b.bmp"].1);

    // The image that was good goes into the atlas, not the one of its page.
    project.write("ui/b.bmp", b"BM broken");
    let (answer, index) = server.update();
    assert!(answer.iter().any(|line| line.contains("ui/b.bmp")), "{answer:?}");
    assert_eq!(kinds(&index), second);

    project.write("ui/b.bmp", &plain_bmp(2, 9, [0, 255, 0]));
    let (_, index) = server.update();
    assert_eq!(kinds(&index), first);
    server.end();
}
