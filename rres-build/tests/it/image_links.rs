//! Images that are linked with others: bumps, alternates and sequences.

use std::collections::BTreeMap;
use std::fs;

use rres_format::PackView;
use rres_format::index::MetaKey;
use rres_test_data::picture::plain_bmp;

use super::Project;

const KEYS: [MetaKey; 6] = [
    MetaKey::BUMP,
    MetaKey::ALTERNATE,
    MetaKey::SEQUENCE,
    MetaKey::SEQUENCE_LENGTH,
    MetaKey::FRAME_TIME,
    MetaKey::PLAYBACK,
];

/// The paths that an asset depends on, and its values of [`KEYS`].
type Links = (Vec<String>, [Option<u32>; 6]);

/// The links of each asset of a pack that has some.
fn links(pack: &[u8]) -> BTreeMap<String, Links> {
    let index = PackView::parse(pack).unwrap().index().unwrap();
    let entries: Vec<_> = index.entries().map(Result::unwrap).collect();
    let path = |id| entries.iter().find(|entry| entry.id == id).unwrap().path.to_owned();
    let of = |slot: u32, entry: &rres_format::index::Entry<'_>| {
        let dependencies: Vec<String> = index.dependencies(slot).unwrap().map(path).collect();
        let meta = index.meta(slot).unwrap();
        (entry.path.to_owned(), (dependencies, KEYS.map(|key| meta.get(key))))
    };
    let all = (0..).zip(&entries).map(|(slot, entry)| of(slot, entry));
    all.filter(|(_, (paths, values))| !paths.is_empty() || values.iter().any(Option::is_some)).collect()
}

fn project(files: &[&str], rules: &str) -> Project {
    let project = Project::new(&[("assets.toml", rules.as_bytes())]);
    for (number, path) in files.iter().enumerate() {
        project.write(path, &plain_bmp(2, 2, [number as u8; 3]));
    }
    project
}

fn built(project: &Project) -> BTreeMap<String, Links> {
    links(&fs::read(&project.run().packs[0]).unwrap())
}

#[test]
fn an_image_is_linked_by_name_or_by_a_pattern() {
    let files = ["wall.bmp", "wall_n.bmp", "floor.bmp", "door.bmp", "maps/door_broken.bmp"];
    let rules =
        "[\"*.bmp\"]\nimage = { bump = \"*_n.bmp\" }\n[\"door.bmp\"]\nimage = { alternate = \"maps/*_broken.bmp\" }\n";
    let project = project(&files, rules);
    let expected = |path: &str, to: &str, [bump, alternate]: [Option<u32>; 2]| {
        (path.to_owned(), (vec![to.to_owned()], [bump, alternate, None, None, None, None]))
    };
    let door = expected("door.bmp", "maps/door_broken.bmp", [None, Some(0)]);
    let wall = expected("wall.bmp", "wall_n.bmp", [Some(0), None]);
    assert_eq!(built(&project), [door.clone(), wall.clone()].into());
    // A file that is added becomes a link, and imports only itself.
    project.write("floor_n.bmp", &plain_bmp(2, 2, [77; 3]));
    let floor = expected("floor.bmp", "floor_n.bmp", [Some(0), None]);
    assert_eq!(built(&project), [door.clone(), floor.clone(), wall].into());
    // A later rule takes a link back; without rules there is none.
    project.write("assets.toml", format!("{rules}[\"wall.bmp\"]\nimage = {{ bump = false }}\n").as_bytes());
    assert_eq!(built(&project), [door, floor].into());
    project.write("assets.toml", b"");
    assert_eq!(built(&project), BTreeMap::new());
}

#[test]
fn the_first_image_of_a_sequence_has_the_others_in_the_order_of_their_numbers() {
    let files = ["fx/fire_1.bmp", "fx/fire_2.bmp", "fx/fire_10.bmp", "fx/fire.bmp", "fx/smoke_1.bmp", "fx/fire_n.bmp"];
    let rules = "[\"fx/*\"]\nimage = { sequence = \"ping-pong\", frame_time = 80 }\n[\"fx/fire_1.bmp\"]\nimage = { bump = \"fire_n.bmp\" }\n";
    let found = built(&project(&files, rules));
    let paths = ["fx/fire_n.bmp", "fx/fire_2.bmp", "fx/fire_10.bmp"].map(str::to_owned);
    let values = [Some(0), None, Some(1), Some(3), Some(80), Some(2)];
    assert_eq!(found, [("fx/fire_1.bmp".to_owned(), (paths.to_vec(), values))].into());
}

#[test]
fn a_material_is_an_asset_of_any_kind_and_a_rate_is_exact() {
    let rules = "[\"*.bmp\"]\nimage = { material = \"*.txt\", sequence = \"loop\", frame_rate = 12 }\n";
    let project = project(&["fire_1.bmp", "fire_2.bmp"], rules);
    project.write("fire_1.txt", b"hot");
    let found = built(&project);
    let values = [None, None, Some(1), Some(2), Some(83), Some(0)];
    let paths = ["fire_1.txt", "fire_2.bmp"].map(str::to_owned).to_vec();
    assert_eq!(found, [("fire_1.bmp".to_owned(), (paths, values))].into());
    let pack = fs::read(&project.run().packs[0]).unwrap();
    let index = PackView::parse(&pack).unwrap().index().unwrap();
    let slot = (0..).zip(index.entries()).find(|(_, entry)| entry.as_ref().unwrap().path == "fire_1.bmp").unwrap().0;
    let meta = index.meta(slot).unwrap();
    assert_eq!([MetaKey::MATERIAL, MetaKey::FRAME_RATE].map(|key| meta.get(key)), [Some(0), Some(12)]);
    // A material that needs the image would never be loaded.
    let atlas = "[\"fire_1.bmp\"]\nimage = { material = \"m.gltf\" }\n";
    project.write("assets.toml", atlas.as_bytes());
    let gltf = br#"{"asset":{"version":"2.0"},"images":[{"uri":"fire_1.bmp"}],"textures":[{"source":0}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
        "buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#;
    project.write("m.gltf", gltf);
    let message = project.fail().to_string();
    assert!(message.contains("is linked with \"m.gltf\", which leads back to it"), "{message}");
}

#[test]
fn a_pack_is_written_again_if_only_the_facts_about_a_link_change() {
    let rules = |playback: &str| format!("[\"*.bmp\"]\nimage = {{ sequence = \"{playback}\" }}\n");
    let project = project(&["fire_1.bmp", "fire_2.bmp"], &rules("loop"));
    let playback = |project: &Project| built(project)["fire_1.bmp"].1[5];
    assert_eq!(playback(&project), Some(0));
    project.write("assets.toml", rules("once").as_bytes());
    assert_eq!(playback(&project), Some(1));
}

#[test]
fn a_link_that_leads_nowhere_is_refused_with_what_to_do() {
    let files = ["a.bmp", "b.bmp", "ui/c.bmp"];
    for (rules, part) in [
        (
            "[\"a.bmp\"]\nimage = { bump = \"x.bmp\" }",
            "a.bmp: has `image.bump` = \"x.bmp\", and \"x.bmp\" is not an asset",
        ),
        ("[\"a.bmp\"]\nimage = { bump = \"a.bmp\" }", "and that is the file itself"),
        ("[\"a.bmp\"]\nimage = { bump = \"../b.bmp\" }", "and that is outside of the assets directory"),
        ("[\"a.bmp\"]\nimage = { alternate = \"*.txt\" }", "\"a.txt\" is not an image: it has the kind \"text\""),
        (
            "[\"a.bmp\"]\nimage = { bump = \"b.bmp\" }\n[\"b.bmp\"]\nimage = { alternate = \"a.bmp\" }",
            "is linked with \"b.bmp\", which leads back",
        ),
        ("[\"a.bmp\"]\nimage = { bump = \"b.bmp\", atlas = \"ui\" }", "`image.atlas` puts it into \"ui.atlas\""),
        (
            "[\"a.bmp\"]\nimage = { bump = \"ui/*.bmp\" }\n[\"ui/*\"]\nimage = { atlas = \"ui\" }\n[\"b.bmp\"]\nimage = { bump = \"ui/c.bmp\" }",
            "needs \"ui/c.bmp\" as an image",
        ),
        ("[\"a.bmp\"]\nimage = { bump = \"*/*.bmp\" }", "expected a path relative to the file"),
    ] {
        let project = project(&files, rules);
        project.write("a.txt", b"text");
        let message = project.fail().to_string();
        assert!(message.contains(part), "{rules}: {message}");
    }
}

#[test]
fn an_explanation_of_an_image_knows_what_it_is_linked_with() {
    let project = project(&["wall.bmp", "wall_n.bmp"], "[\"wall.bmp\"]\nimage = { bump = \"wall_n.bmp\" }\n");
    project.run();
    let explained = project.build().explain(&["wall.bmp".to_owned()]).unwrap();
    assert!(format!("{explained:?}").contains("wall_n.bmp"), "{explained:?}");
}

#[test]
fn rules_of_the_build_script_take_back_what_files_say() {
    let project = project(&["a.bmp", "b.bmp"], "[\"*.bmp\"]\nimage = { atlas = \"ui\", color_key = \"#010101\" }\n");
    let build = project
        .build()
        .rule("b.bmp", |rule| rule.image_atlas(None).image_color_key(None).image_bump("a.bmp").image_bump(None));
    let report = build.build().unwrap();
    let kinds: Vec<_> = report
        .assets
        .iter()
        .map(|asset| (asset.path.as_str(), asset.kind.to_string(), asset.summary.clone()))
        .collect();
    let b = kinds.iter().find(|(path, ..)| *path == "b.bmp").unwrap();
    assert_eq!((b.1.as_str(), b.2.as_str()), ("image", "2×2 RGB8"));
}

#[test]
fn images_that_models_use_for_quantities_are_named_unless_a_rule_speaks_of_them() {
    let project = project(&["c.bmp", "n.bmp", "r.bmp", "both.bmp"], "");
    let gltf = r#"{"asset":{"version":"2.0"},"images":[{"uri":"../c.bmp"},{"uri":"../n.bmp"},{"uri":"../r.bmp"},{"uri":"../both.bmp"}],
        "textures":[{"source":0},{"source":1},{"source":2},{"source":3}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0},"metallicRoughnessTexture":{"index":2}},
        "normalTexture":{"index":1},"occlusionTexture":{"index":3},"emissiveTexture":{"index":3}}]}"#;
    project.write("m/a.gltf", gltf.as_bytes());
    let named = |rules: &str| {
        project.write("assets.toml", rules.as_bytes());
        let notes = project.run().notes.into_iter().filter(|note| note.topic.ends_with("are stored as colours"));
        notes.flat_map(|note| note.assets).collect::<Vec<_>>()
    };
    let of = |path: &str| (path.to_owned(), "of m/a.gltf".to_owned());
    assert_eq!(named(""), [of("n.bmp"), of("r.bmp")]);
    assert_eq!(named("[\"n.bmp\"]\nimage = { normal_map = true }\n"), [of("r.bmp")]);
    assert_eq!(named("[\"?.bmp\"]\nimage = { color_space = \"srgb\" }\n"), []);
}
