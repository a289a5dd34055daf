//! Compiles the generated text: the expected file is compiled into this test and used, and other texts are compiled by
//! rustc for its lints.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

#[allow(unreachable_pub, reason = "the stub of the runtime re-exports it")]
pub use phf;

use super::*;
use crate::unused::Usage;

/// The checksum function, for the stub of the runtime.
fn crc32(path: &str) -> u32 {
    ResourceId::from_path(path).0
}

mod rt {
    #![allow(dead_code, unreachable_pub, missing_docs, missing_debug_implementations)]
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/runtime.rs"));
}

#[allow(dead_code, unreachable_pub, reason = "the tests name some of the constants")]
mod assets {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/assets.rs"));
}

/// Uses the type of a constant as `Store::load` does.
fn kind_of<T>(id: rt::Id<T>) -> (u32, u32, std::any::TypeId)
where
    T: 'static,
{
    (id.id as u32, (id.id >> 32) as u32, std::any::TypeId::of::<T>())
}

#[test]
fn constants_carry_id_slot_and_type() {
    let image = std::any::TypeId::of::<rt::Image>();
    assert_eq!(kind_of(assets::PLAYER_PNG), (ResourceId::from_path("player.png").0, 0, image));
    assert_eq!(kind_of(assets::ui::BUTTON_PRESSED_PNG).1, 2);
    assert_eq!(kind_of(assets::ui::_01_HOHE_OGG).2, std::any::TypeId::of::<rt::Sound>());
    assert_eq!(kind_of(assets::r#type::BEI_JING_TXT).1, 6);
    assert_eq!(kind_of(assets::self_::super_::ALL_).1, 7);
    assert_eq!(kind_of(assets::models::FOX_GLB).2, std::any::TypeId::of::<rt::Model>());
    assert_eq!(kind_of(assets::models::fox_glb::animation::RUN).1, 9);
    assert_eq!(kind_of(assets::models::fox_glb::image::_0), kind_of(assets::models::fox_glb::image::_0));
    assert_eq!(kind_of(assets::models::fox_glb::NOTES_X_Y_MD).1, 11);
    assert_eq!(kind_of(assets::fonts::TITLE_FONT).0, ResourceId::from_path("fonts/a.ttf").0);
}

#[test]
fn facts_are_known_while_the_program_is_compiled() {
    const BUTTON: [u32; 5] = assets::facts(assets::ui::BUTTON_PRESSED_PNG).words;
    const SOUND: [u32; 5] = assets::facts(assets::ui::_01_HOHE_OGG).words;
    assert_eq!(BUTTON, [64, 48, 7 | 1 << 16, 1, 0]);
    assert_eq!(SOUND, [110_250, 0, 44_100, 2, 0]);
}

#[test]
fn credits_are_a_constant_with_the_texts_as_they_are() {
    const WORKS: &[rt::Credit] = assets::credits();
    let [work, unknown] = WORKS else { panic!("{WORKS:?}") };
    let expected = example().credits.unwrap().remove(0);
    assert_eq!((work.license, work.source), (expected.license.as_deref(), expected.source.as_deref()));
    assert_eq!((work.authors, work.copyright), (&["A \"B\" C", "D\\"][..], &["© 2011 {E}"][..]));
    assert_eq!(
        (work.attribution, work.assets),
        (expected.attribution.as_deref(), &["player.png", "ui/01 höhe.ogg"][..])
    );
    assert_eq!((unknown.license, unknown.assets), (None, &["maps/plan.link"][..]));
}

#[test]
fn tables_contain_every_asset_once_and_folders_their_own() {
    let slots = |ids: rt::Ids| {
        let mut slots: Vec<u32> = ids.iter().map(|id| id.slot).collect();
        slots.sort_unstable();
        slots
    };
    assert_eq!(slots(assets::ALL), (0..16).collect::<Vec<_>>());
    assert_eq!(slots(assets::ui::ALL), [2, 3, 4, 5]);
    assert_eq!(slots(assets::ui::icons::ALL), [4, 5]);
    assert_eq!(slots(assets::models::ALL), [8, 9, 10, 11]);
    assert_eq!(slots(assets::models::fox_glb::ALL), [9, 10, 11]);
    assert_eq!(slots(assets::models::fox_glb::image::ALL), [10]);
    assert_eq!(slots(assets::self_::super_::ALL), [7]);
}

#[test]
fn every_path_finds_its_id() {
    for Constant { path, id, slot, kind, .. } in example().constants {
        assert_eq!(assets::by_path(&path), Some(rt::AnyId { id: id.0, slot: slot.0, kind: kind as u8 }), "{path}");
    }
    assert_eq!(assets::by_path("player"), None);
    assert_eq!(assets::by_path("ui/icons"), None);
    assert_eq!(assets::by_path(""), None);
}

#[test]
fn groups_and_open() {
    let group = assets::groups::LEVEL_1;
    assert_eq!((group.name, group.members), ("level_1", &[7, u32::MAX][..]));
    let location = assets::open().unwrap().location;
    assert!(location.contains(r#"index: "/home/me/.cache/rres/game \"1\".index""#), "{location}");
    assert!(location.contains("set_hash: [48, 49, 50"), "{location}");
}

/// Compiles a game with this module and this `main` and all warnings enabled, and returns the messages of rustc.
fn rustc(module: &Module, main: &str, edition: &str) -> String {
    rustc_with(module, main, &["--edition", edition])
}

/// Compiles a game with this module, this `main` and these arguments.
fn rustc_with(module: &Module, main: &str, arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("assets.rs", &generate(module).unwrap());
    write("runtime.rs", include_str!("../../tests/snapshots/runtime.rs"));
    let game = format!(
        "fn crc32(path: &str) -> u32 {{ path.len() as u32 }}
         #[allow(dead_code, unreachable_pub)] pub mod phf {{
             pub struct Map<K: 'static, V: 'static> {{
                 pub key: u64, pub disps: &'static [(u32, u32)], pub entries: &'static [(K, V)],
             }}
             impl<K, V> Map<K, V> {{
                 pub fn get(&self, key: &K) -> Option<&V> where K: PartialEq {{
                     self.entries.iter().find(|entry| entry.0 == *key).map(|entry| &entry.1)
                 }}
             }}
         }}
         #[allow(dead_code, unreachable_pub)] mod rt {{ include!(\"runtime.rs\"); }}
         #[allow(dead_code, unreachable_pub)] mod assets {{ include!(\"assets.rs\"); }}
         {main}"
    );
    write("main.rs", &game);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let warnings = ["nonstandard_style", "unused", "future_incompatible", "rust_2018_idioms", "unreachable_pub"];
    let output = Command::new(rustc)
        .args(["--emit=metadata", "--error-format=short", "main.rs"])
        .args(arguments)
        .args(warnings.iter().flat_map(|group| ["-W", group]))
        .current_dir(directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    said.lines().filter(|line| !line.ends_with("warnings emitted")).collect::<Vec<_>>().join("\n")
}

/// The example for a crate that has the runtime as `crate::rt`.
fn game() -> Module {
    Module { crate_path: "crate::rt".to_owned(), ..example() }
}

#[test]
fn unused_assets_are_allowed_by_default() {
    assert_eq!(rustc(&game(), "fn main() {}", "2024"), "");
}

#[test]
fn unused_assets_are_reported_if_asked_for_and_nothing_else() {
    let main = "fn main() { let id: rt::Id<rt::Image> = assets::PLAYER_PNG; std::process::exit(id.id as i32) }";
    for edition in ["2021", "2024"] {
        let said = rustc(&Module { unused: LintLevel::Warn, ..game() }, main, edition);
        let unused: Vec<&str> =
            said.lines().filter_map(|line| line.split_once("constant `")?.1.strip_suffix("` is never used")).collect();
        // rustc does not report names that start with an underscore, such as `_01_HOHE_OGG` and `_0`.
        assert_eq!(
            unused,
            [
                "PHOTO_1_JPG",
                "PHOTO_2_JPG",
                "PLAYER_IDLE_PNG",
                "TITLE_FONT",
                "LEVEL_1",
                "PLAN_LINK",
                "FOX_GLB",
                "NOTES_X_Y_MD",
                "RUN",
                "BEI_JING_TXT",
                "ALL_",
                "BUTTON_PRESSED_PNG",
                "SS_PNG",
                "U2605_PNG"
            ],
            "{said}"
        );
        assert_eq!(said.lines().count(), unused.len(), "{said}");
    }
}

/// What a game with this `main` uses, by the lint that allows nothing.
fn usage(module: &Module, main: &str) -> Usage {
    let said = rustc_with(module, main, &["--edition", "2024", "--force-warn", "dead_code"]);
    let dead: BTreeSet<(usize, &str)> = said
        .lines()
        .filter_map(|line| line.strip_prefix("assets.rs:"))
        .filter_map(|line| Some((line.split(':').next()?.parse().ok()?, line.split('`').nth(1)?)))
        .collect();
    Usage::of_module(&generate(module).unwrap(), |line, path| dead.contains(&(line, path.rsplit("::").next().unwrap())))
        .unwrap()
}

#[test]
fn groups_folders_and_paths_count_as_use() {
    let module = Module {
        crate_path: "crate::rt".to_owned(),
        groups: vec![Group {
            name: "level".to_owned(),
            members: vec![ResourceId::from_path("levels/a.txt")],
            doc: String::new(),
        }],
        ..of(vec![
            raw("a.bin"),
            raw("odd `name`.bin"),
            Constant { is_needed: true, ..raw("needed.bin") },
            // rustc does not report names that begin with an underscore, as `_1_BIN` does.
            raw("1.bin"),
            raw("ui/b.png"),
            raw("ui/deep/c.png"),
            raw("levels/a.txt"),
            raw("levels/b.txt"),
        ])
    };
    let cases: [(&str, &[&str], bool); 7] = [
        ("()", &["a.bin", "odd `name`.bin", "levels/a.txt", "levels/b.txt", "ui/b.png", "ui/deep/c.png"], true),
        (
            "(assets::A_BIN, assets::ui::B_PNG)",
            &["odd `name`.bin", "levels/a.txt", "levels/b.txt", "ui/deep/c.png"],
            true,
        ),
        ("assets::ui::ALL", &["a.bin", "odd `name`.bin", "levels/a.txt", "levels/b.txt"], true),
        ("assets::ui::deep::ALL", &["a.bin", "odd `name`.bin", "levels/a.txt", "levels/b.txt", "ui/b.png"], true),
        ("assets::groups::LEVEL", &["a.bin", "odd `name`.bin", "levels/b.txt", "ui/b.png", "ui/deep/c.png"], false),
        ("assets::ALL", &[], true),
        ("assets::by_path(\"x\")", &[], true),
    ];
    for (expression, unused, is_group_unused) in cases {
        let usage = usage(&module, &format!("fn main() {{ let _ = {expression}; }}"));
        assert_eq!(usage.unused.iter().map(|asset| asset.path.as_str()).collect::<Vec<_>>(), unused, "{expression}");
        assert_eq!(usage.unused_groups, if is_group_unused { vec!["level"] } else { vec![] }, "{expression}");
        assert_eq!((usage.assets, usage.uses_all), (7, unused.is_empty()), "{expression}");
    }
}

#[test]
fn numbered_files_are_an_array_too_which_counts_as_use() {
    let paths =
        ["g/grass0.png", "g/grass1.png", "g/grass2.png", "g/grass10.bin", "g/x_07.png", "g/x_08.png", "g/x_09.png"];
    let module = Module { crate_path: "crate::rt".to_owned(), ..of(paths.map(raw).into()) };
    let text = generate(&module).unwrap();
    assert!(text.contains("pub const GRASS_PNG: [RawId; 3] = [GRASS0_PNG, GRASS1_PNG, GRASS2_PNG];"), "{text}");
    assert!(text.contains("/// `x_07.png`: the first of 3 files up to x\\_09.png; index 0 is number 7"), "{text}");
    let unused = |main: &str| usage(&module, main).unused.len();
    assert_eq!(unused("fn main() {}"), 7);
    assert_eq!(unused("fn main() { let _ = assets::g::GRASS_PNG; }"), 4);
    assert_eq!(unused("fn main() { let _ = assets::g::X_PNG[2]; }"), 4);
    // A number that is missing, a name that another file has, and numbers that are alike are no series.
    let paths = [
        "a0.png", "a1.png", "a3.png", "b.png", "b0.png", "b1.png", "b2.png", "c1.png", "c01.png", "c2.png", "1.png",
        "2.png", "3.png",
    ];
    let text = generate(&of(paths.map(raw).into())).unwrap();
    assert!(!text.contains("; 3] ="), "{text}");
    // Nor are files of several types.
    let image = asset("a3.png", AssetKind::Image, 0, "");
    let mixed = [["a0.png", "a1.png", "a2.png"].map(raw).to_vec(), vec![image]].concat();
    let text = generate(&of(mixed)).unwrap();
    assert!(!text.contains("A_PNG"), "{text}");
}

#[test]
fn a_wrong_type_is_an_error_that_names_both() {
    let said = rustc(&game(), "fn main() { let _: rt::Id<rt::Sound> = assets::PLAYER_PNG; }", "2024");
    assert!(said.contains("expected `Id<Sound>`, found `Id<Image>`"), "{said}");
}

#[test]
fn a_game_without_assets_compiles_without_warning() {
    let empty = Module { crate_path: "crate::rt".to_owned(), ..Module::new("game") };
    assert_eq!(rustc(&empty, "fn main() {}", "2024"), "");
    let use_all = "fn main() { let _ = (assets::open().is_ok(), assets::ALL, assets::by_path(\"x\")); }";
    assert_eq!(rustc(&empty, use_all, "2024"), "");
}

#[test]
fn every_keyword_is_a_folder_and_every_character_a_file() {
    let keywords = "Self abstract as async await become box break const continue crate do dyn else enum extern false final fn \
                    for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super \
                    trait true try type typeof unsafe unsized use virtual where while yield auto default macro_rules raw safe \
                    static union core std phf rt assets Id ImageId";
    let mut paths: Vec<String> = keywords.split_whitespace().map(|word| format!("{word}/a.txt")).collect();
    paths.retain(|path| path != "Self/a.txt");
    paths.dedup();
    paths.sort();
    paths.dedup();
    // Characters that could end a comment or a string, or change the direction of the text.
    paths.extend(
        ["\"\\.png", "`.a", "``.b", "*/.c", "\u{202e}evil.d", "\u{2028}.e", "é\u{301}.f", "//.g"]
            .map(|name| format!("odd/{name}")),
    );
    let deep = "d/".repeat(500) + "deep.txt";
    paths.push(deep);
    let constants = paths.iter().map(|path| asset(path, AssetKind::Image, 0, path)).collect();
    let module = Module { crate_path: "crate::rt".to_owned(), unused: LintLevel::Warn, ..of(constants) };
    let said = rustc(&module, "fn main() { let _ = assets::ALL; }", "2024");
    let other: Vec<&str> = said.lines().filter(|line| !line.contains("is never used")).collect();
    assert!(other.is_empty(), "{other:?}");
    assert_eq!(said.lines().count(), paths.len(), "{said}");
}

#[test]
fn files_may_have_the_names_of_tables() {
    let module =
        Module { crate_path: "crate::rt".to_owned(), ..of(["paths", "facts", "all", "by_path"].map(raw).into()) };
    assert_eq!(rustc(&module, "fn main() {}", "2024"), "");
}
