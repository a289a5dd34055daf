//! Buffers of glTF files and materials of OBJ files are in the models, and no assets as well.

use std::fs;

use rres_engine::{Explained, Standing};

use super::Project;

/// A triangle whose vertices are in `box.bin`.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"box.bin"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#;

const OBJ: &[u8] = b"mtllib box one.mtl box.MTL\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
const MTL: &[u8] = b"newmtl red\nKd 1 0 0\n";

fn paths(project: &Project) -> Vec<String> {
    project.run().assets.into_iter().map(|asset| asset.path).collect()
}

fn explain(project: &Project, path: &str) -> Explained {
    project.build().explain(&[path.to_owned()]).unwrap()
}

#[test]
fn a_buffer_that_a_model_reads_is_no_asset_until_a_rule_gives_it_a_kind() {
    let project = Project::new(&[
        ("m/box.gltf", GLTF.as_bytes()),
        ("m/box.bin", &[0; 36]),
        ("m/other.bin", b"of the game"),
        ("box.bin", b"of the game"),
        ("assets.toml", b"[\"m/b*.bin\"]\ncompression = \"none\"\n[group.buffers]\ninclude = \"m/box.bin\"\n"),
    ]);
    let report = project.run();
    let paths_of = |report: &rres_engine::Report| -> Vec<String> {
        report.assets.iter().map(|asset| asset.path.clone()).collect()
    };
    assert_eq!(paths_of(&report), ["box.bin", "m/box.gltf", "m/other.bin"]);
    let lines: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "read by models and not packed separately: m/box.bin; to pack one as well, set kind = \"raw\" for it in a rule"
        ]
    );
    assert!(!project.module().contains("M_BOX_BIN"), "{}", project.module());
    let lock = project.build().debug(true).lock(true).lock_state().unwrap().unwrap();
    assert!(!lock.expected.contains("m/box.bin"), "{}", lock.expected);
    let explained = explain(&project, "m/box.bin").explanations.remove(0);
    assert_eq!(explained.standing, Standing::PartOfModel { model: "m/box.gltf".to_owned() });
    assert_eq!((explained.standing.word(), &explained.read_by[..]), ("part-of-model", &["m/box.gltf".to_owned()][..]));

    // An edit of it imports the model anew.
    let was_cached = |path: &str| {
        let report = project.run();
        report.assets.iter().find(|asset| asset.path == path).unwrap().cached
    };
    assert!(was_cached("m/box.gltf"));
    project.write("m/box.bin", &[1; 36]);
    assert!(!was_cached("m/box.gltf"));

    project.write("assets.toml", b"[\"m/box.bin\"]\nignore = true\n");
    assert!(project.run().notes.is_empty());
    project.write("assets.toml", b"[\"m/box.bin\"]\nkind = \"raw\"\n");
    let report = project.run();
    assert_eq!(paths_of(&report), ["box.bin", "m/box.bin", "m/box.gltf", "m/other.bin"]);
    assert!(report.notes.is_empty());
    assert_eq!(explain(&project, "m/box.bin").explanations[0].standing, Standing::Asset);

    // Without the model it is a file like any other.
    fs::remove_file(project.assets().join("assets.toml")).unwrap();
    project.write("m/box.gltf", b"{\"asset\":{\"version\":\"2.0\"}}");
    assert_eq!(paths(&project), ["box.bin", "m/box.bin", "m/box.gltf", "m/other.bin"]);
    project.write("assets.toml", b"[\"m/box.gltf\"]\nkind = \"raw\"\n");
    project.write("m/box.gltf", GLTF.as_bytes());
    assert_eq!(paths(&project), ["box.bin", "m/box.bin", "m/box.gltf", "m/other.bin"]);
    fs::remove_file(project.assets().join("assets.toml")).unwrap();
    fs::remove_file(project.assets().join("m/box.gltf")).unwrap();
    assert_eq!(paths(&project), ["box.bin", "m/box.bin", "m/other.bin"]);
}

#[test]
fn buffers_are_found_wherever_the_model_names_them() {
    let renamed = |name: &str| GLTF.replace("box.bin", name).into_bytes();
    let project = Project::new(&[
        ("m/a.gltf", &renamed("../b/spaced%20name.buffer")),
        ("b/spaced name.buffer", &[0; 36]),
        ("m/b.GLTF", &renamed("sub\\\\deep.bin")),
        ("m/sub/deep.bin", &[0; 36]),
        // A text is an asset of a kind that the build knows.
        ("m/c.gltf", &renamed("buffer.txt")),
        ("m/buffer.txt", &[b' '; 36]),
    ]);
    assert_eq!(paths(&project), ["m/a.gltf", "m/b.GLTF", "m/buffer.txt", "m/c.gltf"]);
}

#[test]
fn materials_that_an_obj_names_are_no_assets() {
    let project = Project::new(&[
        ("m/box.obj", OBJ),
        ("m/box one.mtl", b"# no materials\n"),
        ("m/box.MTL", MTL),
        ("m/other.mtl", MTL),
    ]);
    let report = project.run();
    let assets: Vec<&str> = report.assets.iter().map(|asset| asset.path.as_str()).collect();
    assert_eq!(assets, ["m/box.obj", "m/other.mtl"]);
    let lines: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("**/*.mtl: materials that no OBJ model reads: m/other.mtl"), "{lines:?}");
    assert!(lines[1].starts_with("read by models and not packed separately (2 files): m/box one.mtl, m/box.MTL"));
}

/// While a model is broken, hot reload keeps its last version, and must not find an asset that vanishes again.
#[test]
fn the_buffer_of_a_broken_model_is_no_asset() {
    let project = Project::new(&[("m/box.gltf", &GLTF.as_bytes()[..80]), ("m/box.bin", &[0; 36]), ("m/c.bin", b"")]);
    assert!(GLTF[..80].contains("buffers"));
    let report = project.build().refused(rres_settings::RefusedFiles::Warn).build().unwrap();
    assert_eq!(report.assets.iter().map(|asset| &*asset.path).collect::<Vec<_>>(), ["m/c.bin"]);
}

/// An asset that needs the file as an asset says what to do.
#[test]
fn a_dependency_on_a_buffer_says_that_a_model_reads_it() {
    let skinned = GLTF.replace("\"meshes\"", r#""images":[{"uri":"box.bin"}],"textures":[{"source":0}],"meshes""#);
    let skinned =
        skinned.replace("{\"attributes\":{\"POSITION\":0}}", "{\"attributes\":{\"POSITION\":0},\"material\":0}");
    let materials = r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"nodes""#;
    let skinned = skinned.replace("\"nodes\":[{", &format!("{materials}:[{{"));
    let project = Project::new(&[("m/box.gltf", skinned.as_bytes()), ("m/box.bin", &[0; 36])]);
    let error = project.fail().to_string();
    assert!(error.contains("depends on \"m/box.bin\", which is not an asset"), "{error}");
    assert!(error.contains("help: set kind = \"raw\" for m/box.bin if a model reads it"), "{error}");
}
