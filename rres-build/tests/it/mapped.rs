//! Files that the pack knows by another path than their own: the setting `path`.

use std::fs;

use rres_format::{PackView, ResourceId};

use super::{Project, sources};

/// The path and the id of every asset of a pack.
fn entries(pack: &[u8]) -> Vec<(String, ResourceId)> {
    let view = PackView::parse(pack).unwrap();
    let directory = view.directory().unwrap().unwrap();
    let entry = |entry: rres_format::index::Entry<'_>| {
        assert_eq!(directory.find(entry.path).unwrap(), Some(entry.id), "{}", entry.path);
        (entry.path.to_owned(), entry.id)
    };
    let mut entries: Vec<_> = view.index().unwrap().entries().map(|found| entry(found.unwrap())).collect();
    entries.sort();
    entries
}

fn with_settings(settings: &str) -> Project {
    let project = Project::new(&sources());
    project.write("assets.toml", settings.as_bytes());
    project
}

#[test]
fn a_mapped_file_has_the_path_that_a_rule_gives_it_and_the_id_of_that_path() {
    let project = with_settings(
        r#"
["levels/1.txt"]
path = "resources/maps/first, @1.map"
["data/noise.bin"]
path = "noise"
id = 0x77
["readme.txt"]
path = "levels/1.txt"
"#,
    );
    let report = project.run();
    let found = entries(&fs::read(&report.packs[0]).unwrap());
    let of = |path: &str| found.iter().find(|(found, _)| found == path).map(|(_, id)| *id);
    let mapped = "resources/maps/first, @1.map";
    assert_eq!(of(mapped), Some(ResourceId::from_path(mapped)));
    assert_eq!(of("noise"), Some(ResourceId(0x77)), "`id` wins");
    // A path is free as soon as its file has another.
    assert_eq!(of("levels/1.txt"), Some(ResourceId::from_path("levels/1.txt")));
    assert_eq!((of("readme.txt"), of("data/noise.bin"), found.len()), (None, None, sources().len()));
    // The module follows the path in the pack.
    let module = project.module();
    assert!(module.contains("pub mod maps {") && module.contains("FIRST_1_MAP"), "{module}");
    assert!(module.contains("/// `resources/maps/first, @1.map`: "), "{module}");
    assert!(!module.contains("README_TXT"), "{module}");
}

#[test]
fn globs_of_rules_and_groups_match_the_file_and_not_its_path_in_the_pack() {
    let project = with_settings(
        "[\"levels/1.txt\"]\npath = \"first\"\n[\"levels/*\"]\nkind = \"raw\"\n[group.levels]\ninclude = \"levels/*\"\n",
    );
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    let index = PackView::parse(&pack).unwrap().index().unwrap();
    let group = index.groups().next().unwrap().unwrap();
    let mut members: Vec<ResourceId> = group.slots().map(|slot| index.entry(slot).unwrap().id).collect();
    members.sort();
    let mut expected = ["first", "levels/2.txt"].map(ResourceId::from_path);
    expected.sort();
    assert_eq!(members, expected);
    let kinds: Vec<_> = report.assets.iter().filter(|asset| asset.path.starts_with("levels/")).collect();
    assert!(kinds.len() == 2 && kinds.iter().all(|asset| asset.kind == rres_format::AssetKind::Raw));
}

#[test]
fn two_files_of_one_path_are_refused_with_both_names() {
    let by_two_rules = with_settings("[\"levels/1.txt\"]\npath = \"first\"\n[\"levels/2.txt\"]\npath = \"first\"\n");
    let message = by_two_rules.fail().to_string();
    let expected =
        "assets.toml:4:1: contradictory values: `path` = \"first\" is already the path of \"levels/1.txt\" at";
    assert!(message.contains(expected), "{message}");

    let of_a_file = with_settings("[\"levels/1.txt\"]\npath = \"readme.txt\"\n");
    let error = of_a_file.fail();
    let message = error.to_string();
    let separator = std::path::MAIN_SEPARATOR;
    for part in [
        "1.txt: would have the same path in the pack as ",
        &format!("assets{separator}readme.txt: \"readme.txt\""),
        "help: give it another with `path = …` under [\"levels/1.txt\"] in assets.toml",
    ] {
        assert!(message.contains(part), "{part} in:\n{message}");
    }
    assert_eq!(error.diagnostics().len(), 1, "the ids are the same, too, which follows: {message}");
    // A build that goes on leaves out the mapped file.
    let report = of_a_file.build().refused(rres_settings::RefusedFiles::Warn).build().unwrap();
    assert_eq!((report.assets.len(), report.refused.len()), (sources().len() - 1, 1));
    assert!(report.assets.iter().any(|asset| asset.path == "readme.txt"));
}

#[test]
fn constants_that_clash_because_of_a_path_name_the_files() {
    let project = with_settings("[\"levels/1.txt\"]\npath = \"data/noise-bin\"\n");
    let message = project.fail().to_string();
    assert!(message.contains("`data/noise.bin` and `levels/1.txt` would both be the constant"), "{message}");
    assert!(message.contains("[\"levels/1.txt\"] rename = \"NOISE_BIN_2\""), "{message}");
}

#[test]
fn a_rule_of_the_build_script_overrides_the_path() {
    let project = with_settings("[\"levels/1.txt\"]\npath = \"first\"\n");
    let report = project.build().rule("levels/1.txt", |rule| rule.path("one")).build().unwrap();
    let found = entries(&fs::read(&report.packs[0]).unwrap());
    assert!(found.iter().any(|(path, _)| path == "one") && found.iter().all(|(path, _)| path != "first"), "{found:?}");
    let error = project.build().rule("levels/1.txt", |rule| rule.path("../up")).build().unwrap_err().to_string();
    assert!(error.contains("mapped.rs:") && error.contains("the path leaves its directory"), "{error}");
}

#[test]
fn a_file_with_a_bracket_in_its_name_can_have_a_path() {
    let project = Project::new(&[("a[1].txt", b"a"), ("a1.txt", b"b")]);
    project.write("assets.toml", b"[\"a[[]1].txt\"]\npath = \"first.txt\"\n");
    let report = project.run();
    let found = entries(&fs::read(&report.packs[0]).unwrap());
    assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["a1.txt", "first.txt"]);
}

#[test]
fn a_lock_file_lists_the_file_with_the_id_of_its_path_in_the_pack() {
    let project = with_settings("[\"levels/1.txt\"]\npath = \"first\"\n");
    let build = || project.build().debug(true).lock(true);
    let sync = || {
        let state = build().lock_state().unwrap().unwrap();
        fs::write(state.file, &state.expected).unwrap();
        state.expected
    };
    let expected = sync();
    assert!(expected.contains(&format!("{} text levels/1.txt\n", ResourceId::from_path("first"))), "{expected}");
    build().build().unwrap();
    // Another path is another id, which the lock file must have.
    project.write("assets.toml", b"[\"levels/1.txt\"]\npath = \"one\"\n");
    let error = build().build().unwrap_err().to_string();
    assert!(error.contains("levels/1.txt is listed with the id"), "{error}");
    let expected = sync();
    assert!(expected.contains(&format!("{} text levels/1.txt\n", ResourceId::from_path("one"))), "{expected}");
    build().build().unwrap();
}

/// A model refers to the file of its image; the pack refers to its id.
#[cfg(all(feature = "model", feature = "image"))]
#[test]
fn a_mapped_image_is_found_by_the_model_beside_it() {
    let project = Project::new(&[]);
    for name in ["crystal.gltf", "crystal.bin", "crystal.png"] {
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/models").join(name);
        project.write(&format!("models/{name}"), &fs::read(source).unwrap());
    }
    project.write(
        "assets.toml",
        b"[\"models/crystal.png\"]\npath = \"textures/facets.png\"\n[\"models/crystal.gltf\"]\npath = \"crystal\"\n",
    );
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    let index = PackView::parse(&pack).unwrap().index().unwrap();
    let slot = index.find(ResourceId::from_path("crystal")).unwrap();
    let dependencies: Vec<ResourceId> = index.dependencies(slot).unwrap().collect();
    assert_eq!(dependencies, [ResourceId::from_path("textures/facets.png")]);
}
