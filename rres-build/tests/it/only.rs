//! Builds of some kinds of assets only.

use std::fs;

use rres_format::AssetKind;

use super::{Project, sources};

fn paths(report: &rres_engine::Report) -> Vec<&str> {
    report.assets.iter().map(|asset| asset.path.as_str()).collect()
}

#[test]
fn only_the_chosen_kinds_are_in_pack_and_module() {
    let project = Project::new(&sources());
    project.write("assets.toml", b"[group.all]\ninclude = \"**\"\n");
    let report = project.build().only([AssetKind::Raw]).build().unwrap();
    assert_eq!(paths(&report), ["data/empty.bin", "data/höhe 中.dat", "data/noise.bin"]);
    let module = project.module();
    assert!(module.contains("NOISE_BIN") && !module.contains("README_TXT"), "{module}");
    assert_eq!(project.build().only([AssetKind::Raw, AssetKind::Text]).build().unwrap().assets.len(), sources().len());
}

#[test]
fn what_is_left_out_need_not_be_importable() {
    let project = Project::new(&sources());
    project.write("broken.txt", b"\xff\xff");
    assert!(project.build().build().is_err());
    assert_eq!(project.build().only([AssetKind::Raw]).build().unwrap().assets.len(), 3);
    let error = project.build().only([AssetKind::Text]).build().unwrap_err().to_string();
    assert!(error.contains("broken.txt"), "{error}");
}

#[test]
fn ids_are_those_of_the_lock_file_and_clashes_are_those_of_the_whole_set() {
    let project = Project::new(&sources());
    let build = || project.build().debug(true).lock(true);
    let state = build().lock_state().unwrap().unwrap();
    let moved = state.expected.replace(&rres_format::ResourceId::from_path("data/noise.bin").to_string(), "0x00000007");
    fs::write(&state.file, moved).unwrap();
    let report = build().only([AssetKind::Raw]).build().unwrap();
    let index = fs::read(report.dev_index.unwrap()).unwrap();
    let index = rres_format::PackView::parse(&index).unwrap().index().unwrap();
    assert!(index.find(rres_format::ResourceId(7)).is_some());
    project.write("assets.toml", b"[\"data/empty.bin\"]\npath = \"readme.txt\"\n");
    let error = project.build().only([AssetKind::Raw]).build().unwrap_err().to_string();
    assert!(error.contains("would have the same path in the pack"), "{error}");
}

#[cfg(all(feature = "model", feature = "image"))]
#[test]
fn a_model_comes_with_its_images_and_no_others() {
    let project = Project::new(&sources());
    for name in ["crystal.gltf", "crystal.bin", "crystal.png"] {
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/models").join(name);
        project.write(&format!("models/{name}"), &fs::read(source).unwrap());
    }
    fs::copy(project.assets().join("models/crystal.png"), project.assets().join("other.png")).unwrap();
    // The image has another path in the pack than for the model.
    project.write("assets.toml", b"[\"models/crystal.png\"]\npath = \"facets.png\"\n");
    let report = project.build().only([AssetKind::Model]).build().unwrap();
    assert_eq!(paths(&report), ["models/crystal.gltf", "models/crystal.png"]);
}
