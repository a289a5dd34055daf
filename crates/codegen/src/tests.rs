//! Names, clashes, the expected text, and the messages of rustc.
//!
//! After an intended change of the text, `UPDATE_EXPECT=1 cargo test -p rres-build codegen` rewrites the expected file
//! `tests/snapshots/assets.rs`. Review the difference like code.

mod compiled;
mod names;

use std::path::PathBuf;

use rres_format::{AssetKind, ResourceId};
use rres_protocol::packed_id::Slot;

use super::*;
use crate::facts::{ImageFacts, SoundFacts};
use crate::unused::Usage;

/// What is known of assets of this kind.
fn facts(kind: AssetKind) -> Facts {
    match kind {
        AssetKind::Image => {
            Facts::Image(ImageFacts { width: 64, height: 48, format: 7, levels: 1, frames: 1, milliseconds: 0 })
        }
        AssetKind::Sound => Facts::Sound(SoundFacts { frames: 110_250, rate: 44_100, channels: 2 }),
        _ => Facts::Unknown,
    }
}

/// An asset whose id comes from its path.
fn asset(path: &str, kind: AssetKind, slot: u32, doc: &str) -> Constant {
    Constant {
        path: path.to_owned(),
        id: ResourceId::from_path(path),
        slot: Slot(slot),
        kind,
        custom: None,
        doc: doc.to_owned(),
        rename: None,
        facts: facts(kind),
        stored_size: 1200,
        is_needed: false,
        needs: None,
        parts: Vec::new(),
    }
}

fn raw(path: &str) -> Constant {
    asset(path, AssetKind::Raw, 0, "")
}

fn renamed(path: &str, rename: &str) -> Constant {
    Constant { rename: Some(rename.to_owned()), ..raw(path) }
}

fn of(constants: Vec<Constant>) -> Module {
    Module { constants, ..Module::new("game") }
}

/// Every rule of naming and of text once.
fn example() -> Module {
    let image = "64×64 RGBA8, 1.2 KiB stored (zstd)";
    Module {
        crate_path: "crate::tests::compiled::rt".to_owned(),
        dev: Some(Dev {
            libraries: vec![("kit".to_owned(), "/kit/assets".to_owned())],
            index: "/home/me/.cache/rres/game \"1\".index".to_owned(),
            blobs: "/cache/blobs".to_owned(),
            assets: "/game/assets".to_owned(),
            serve: "/game/out/game.serve".to_owned(),
        }),
        pack_path_tail: Some("build/game-0abc/out/game.rres".to_owned()),
        set_hash: *b"0123456789abcdef",
        groups: vec![Group {
            name: "level_1".to_owned(),
            members: vec![ResourceId(7), ResourceId(0xffff_ffff)],
            doc: "2 assets, 3.0 KiB".to_owned(),
        }],
        constants: vec![
            asset("player.png", AssetKind::Image, 0, image),
            asset("playerIdle.png", AssetKind::Image, 1, image),
            asset("ui/button-pressed.png", AssetKind::Image, 2, image),
            asset("ui/01 höhe.ogg", AssetKind::Sound, 3, "2.5 s, 44.1 kHz stereo"),
            asset("ui/icons/★.png", AssetKind::Image, 4, image),
            asset("ui/icons/ß★.png", AssetKind::Image, 5, image),
            asset("type/北京.txt", AssetKind::Text, 6, "12 B UTF-8"),
            asset("self/super/all", AssetKind::Raw, 7, "empty"),
            asset("models/fox.glb", AssetKind::Model, 8, "1,728 vertices"),
            asset("models/fox.glb#animation/Run", AssetKind::Raw, 9, "0.7 s"),
            asset("models/fox.glb#image/0", AssetKind::Image, 10, image),
            asset(
                "models/fox_glb/notes`*_[x](y).md",
                AssetKind::Text,
                11,
                "a *bold* `move` <b> \u{202e}over\n}} mod x {",
            ),
            Constant { rename: Some("Title Font".to_owned()), ..asset("fonts/a.ttf", AssetKind::Font, 12, "") },
            Constant { needs: Some("jpeg"), ..asset("photo \"1\".jpg", AssetKind::Image, 14, image) },
            Constant { needs: Some("jpeg"), ..asset("photo_2.jpg", AssetKind::Image, 15, image) },
            asset("maps/plan.link", AssetKind::Link, 13, "not in the pack"),
        ],
        credits: Some(vec![
            Credit {
                license: Some("CC-BY-4.0".to_owned()),
                authors: vec!["A \"B\" C".to_owned(), "D\\".to_owned()],
                copyright: vec!["© 2011 {E}".to_owned()],
                source: Some("https://example.com".to_owned()),
                attribution: Some("by A,\nwith \u{202e}thanks".to_owned()),
                assets: vec!["player.png".to_owned(), "ui/01 höhe.ogg".to_owned()],
            },
            Credit { assets: vec!["maps/plan.link".to_owned()], ..Credit::default() },
        ]),
        ..Module::new("game")
    }
}

#[test]
fn text_is_as_expected() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/assets.rs");
    let text = generate(&example()).unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    let differs = text.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        text == expected,
        "differs from {} at line {:?}; see the top of this file",
        path.display(),
        differs.map(|n| n + 1)
    );
}

#[test]
fn order_of_the_input_changes_nothing() {
    let forward = example();
    let mut backward = example();
    backward.constants.reverse();
    backward.groups.reverse();
    assert_eq!(generate(&forward).unwrap(), generate(&backward).unwrap());
}

#[test]
fn every_clash_is_reported_with_a_remedy() {
    let clashes = generate(&of(vec![
        raw("ui/a_b.png"),
        raw("x/one.txt"),
        raw("ui/a-b.png"),
        raw("ui/a b.png"),
        raw("x/One.txt"),
        raw("x/two.txt"),
    ]))
    .unwrap_err();
    let pairs: Vec<_> = clashes.iter().map(|c| (c.name.as_str(), c.first.label(), c.second())).collect();
    assert_eq!(
        pairs,
        [
            ("ui::A_B_PNG", "ui/a b.png", "ui/a-b.png"),
            ("ui::A_B_PNG", "ui/a b.png", "ui/a_b.png"),
            ("x::ONE_TXT", "x/One.txt", "x/one.txt"),
        ]
    );
    assert_eq!(
        clashes[0].to_string(),
        "`ui/a b.png` and `ui/a-b.png` would both be the constant `ui::A_B_PNG`; rename one of them, or give one another \
         name in assets.toml: [\"ui/a-b.png\"] rename = \"A_B_PNG_2\""
    );
}

#[test]
fn the_remedy_escapes_wildcards() {
    let clashes = generate(&of(vec![raw("a[1].png"), raw("a(1).png")])).unwrap_err();
    let message = clashes[0].to_string();
    assert!(message.ends_with("[\"a[[]1[]].png\"] rename = \"A_1_PNG_2\""), "{message}");
}

#[test]
fn a_rename_resolves_a_clash_and_can_cause_one() {
    assert!(generate(&of(vec![raw("a-b.png"), renamed("a_b.png", "other")])).unwrap().contains("const OTHER:"));
    let clashes = generate(&of(vec![raw("other"), renamed("a_b.png", "other")])).unwrap_err();
    assert_eq!(clashes[0].name, "OTHER");
}

#[test]
fn a_path_given_twice_is_refused_under_any_name() {
    let clashes = generate(&of(vec![renamed("a.png", "one"), renamed("a.png", "two")])).unwrap_err();
    assert_eq!(clashes.len(), 1);
    assert!(clashes[0].to_string().starts_with("`a.png` occurs twice"), "{}", clashes[0]);
}

#[test]
fn a_group_clashes_with_a_file_in_a_folder_of_that_name() {
    let group = Group { name: "Level 1".to_owned(), members: Vec::new(), doc: String::new() };
    let clashes = generate(&Module { groups: vec![group], ..of(vec![raw("groups/level_1")]) }).unwrap_err();
    assert_eq!(
        clashes[0].to_string(),
        "`groups/level_1` and group `Level 1` would both be the constant `groups::LEVEL_1`; rename one of them, the group \
         in assets.toml"
    );
}

#[test]
fn sub_assets_follow_the_name_of_the_file() {
    let parts = |first: Constant| of(vec![first, raw("m/a-b.glb#image/0"), raw("m/a_b.glb"), raw("m/a_b.glb#image/0")]);
    let clashes = generate(&parts(raw("m/a-b.glb"))).unwrap_err();
    assert_eq!(clashes.len(), 2);
    let message = clashes[1].to_string();
    assert!(message.ends_with("[\"m/a_b.glb\"] rename = \"A_B_GLB_2\""), "{message}");
    let text = generate(&parts(renamed("m/a-b.glb", "A_B_GLB_2"))).unwrap();
    assert!(text.contains("mod a_b_glb_2 {") && text.contains("mod a_b_glb {"), "{text}");

    let clashes = generate(&of(vec![raw("a.glb#image/x y"), raw("a.glb#image/x-y")])).unwrap_err();
    assert!(clashes[0].to_string().ends_with("in the program that wrote `a.glb`"), "{}", clashes[0]);
}

#[test]
fn parts_of_a_model_inside_a_file_are_beside_its_constant() {
    let parts = vec![NamedPart { sort: rres_import::PartSort::Animation, index: 0, name: "bend".to_owned() }];
    let hero = Constant { parts, ..asset("Hero.mod#People/hero", AssetKind::Model, 8, "") };
    let text = generate(&of(vec![raw("Hero.mod"), hero])).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let place =
        |line: &str| lines.iter().position(|found| found.starts_with(line)).unwrap_or_else(|| panic!("{line}\n{text}"));
    let order = [
        "pub mod hero_mod {",
        "pub mod people {",
        "pub const HERO: ",
        "pub mod hero {",
        "pub mod animation {",
        "pub const BEND: ",
    ];
    assert!(order.map(place).is_sorted(), "{text}");
}

#[test]
fn parts_of_models_have_constants_and_equal_names_get_numbers() {
    use rres_import::PartSort::{Animation, Key, Mesh};

    let part = |sort, index, name: &str| NamedPart { sort, index, name: name.to_owned() };
    let parts = vec![
        part(Animation, 0, "Run"),
        part(Animation, 2, "run"),
        part(Animation, 3, "RUN 2"),
        part(Animation, 4, "run"),
        part(Mesh, 1, "Head.001"),
    ];
    let fox = Constant { parts, ..asset("models/fox.glb", AssetKind::Model, 8, "") };
    let other = Constant { parts: vec![part(Mesh, 0, "head")], rename: Some("cat".to_owned()), ..fox.clone() };
    let other = Constant { path: "models/b.glb".to_owned(), id: ResourceId(9), ..other };
    let image = asset("models/fox.glb#image/0", AssetKind::Image, 9, "");
    let table = Constant { parts: vec![part(Key, 0, "quit")], ..asset("ui.csv", AssetKind::Text, 10, "") };
    let text = generate(&of(vec![fox, other, image, table])).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let model = "::rres_runtime::asset::model";
    let constant = |name: &str, sort: &str, index: u32| {
        format!("pub const {name}: {model}::Part<{model}::{sort}> = {model}::Part::new({index});")
    };
    let place = |line: &str| lines.iter().position(|found| *found == line).unwrap_or_else(|| panic!("{line}\n{text}"));
    let order = [
        place("pub mod cat {"),
        place(&constant("HEAD", "Mesh", 0)),
        place("pub mod fox_glb {"),
        place("pub mod animation {"),
        place(&constant("RUN", "Animation", 0)),
        place(&constant("RUN_2", "Animation", 2)),
        place(&constant("RUN_2_2", "Animation", 3)),
        place(&constant("RUN_3", "Animation", 4)),
        place("pub mod image {"),
        place(&constant("HEAD_001", "Mesh", 1)),
    ];
    assert!(order.is_sorted(), "{order:?}\n{text}");
    assert!(
        Usage::of_module(&text, |_, _| true).is_some_and(|usage| usage.assets == 4),
        "the command reads the module"
    );
}

#[test]
fn the_name_of_a_file_may_have_the_sign_that_begins_a_part() {
    let note = asset("piano/C#4.wav", AssetKind::Sound, 1, "");
    let text = generate(&of(vec![note])).unwrap();
    assert!(text.contains("pub mod piano {") && text.contains("pub const C_4_WAV: "), "{text}");
    assert!(!text.contains("pub mod c {"), "{text}");
}

#[test]
fn types_of_data_become_assets_and_have_constants() {
    let kind = FourCc(*b"q1z8");
    let types = BTreeMap::from([(kind, "crate::quest::Quest".to_owned())]);
    let quest = Constant { custom: Some(kind), ..asset("quests/coin.toml", AssetKind::Custom, 0, "Quest in TOML") };
    let module = Module { custom_types: types.clone(), data_types: types, ..of(vec![quest]) };
    let text = generate(&module).unwrap();
    for line in [
        "type Customq1z8Id = ::rres_runtime::Id<crate::quest::Quest>;",
        "::rres_runtime::__data_type!(crate::quest::Quest, [113, 49, 122, 56]);",
        "const _: () = ::rres_runtime::__private::check_custom_type::<crate::quest::Quest>([113, 49, 122, 56]);",
        "    /// `quests/coin.toml`: Quest in TOML",
        "        store.register::<crate::quest::Quest>();",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let usage = Usage::of_module(&text, |_, _| true).unwrap();
    assert_eq!(usage.unused.len(), 1, "the command reads the module");
}

#[test]
fn a_release_build_names_the_types_of_its_assets_and_a_debug_build_all() {
    let rt = "::rres_runtime::__private";
    let kinds = [AssetKind::Text, AssetKind::Custom, AssetKind::Image].into();
    let release = Module { kinds, ..Module::new("game") };
    let text = generate(&release).unwrap();
    let types = format!(
        "const {{ &[{rt}::AssetType::of::<::rres_runtime::Text>(), {rt}::AssetType::of::<::rres_runtime::Image>()] }}"
    );
    assert!(text.contains(&format!("types: {types},")), "custom types are registered\n{text}");

    let debug = Module { dev: example().dev, ..release };
    let text = generate(&debug).unwrap();
    assert!(text.contains(&format!("types: &{rt}::ALL_TYPES,")), "an edit may add an asset of any kind\n{text}");
}
