//! The names of files and folders.

use crate::{constant_name, is_module_file, module_name, root_module_name};

fn constants(cases: &[(&str, &str)]) {
    for (file, name) in cases {
        assert_eq!(constant_name(file), *name, "{file}");
    }
}

#[test]
fn words_are_split_at_separators() {
    constants(&[
        ("player.png", "PLAYER_PNG"),
        ("a-b.png", "A_B_PNG"),
        ("a b.png", "A_B_PNG"),
        ("a - b.png", "A_B_PNG"),
        ("a__b_.png", "A_B_PNG"),
        ("_a.png", "A_PNG"),
        ("c++.png", "C_PNG"),
        ("a+b.tar.gz", "A_B_TAR_GZ"),
        ("Armature|Run.001", "ARMATURE_RUN_001"),
        ("Makefile", "MAKEFILE"),
        (".gitkeep", "GITKEEP"),
        ("end.", "END"),
    ]);
}

#[test]
fn capitals_start_words() {
    constants(&[
        ("playerIdle.png", "PLAYER_IDLE_PNG"),
        ("PlayerIdle.PNG", "PLAYER_IDLE_PNG"),
        ("XMLFile", "XML_FILE"),
        ("HUD.png", "HUD_PNG"),
        ("run2Idle.png", "RUN2_IDLE_PNG"),
        ("icon3D.png", "ICON3D_PNG"),
        ("64X64.png", "_64X64_PNG"),
        ("großeÄpfel.png", "GROSSE_APFEL_PNG"),
        ("Æther.ogg", "AETHER_OGG"),
    ]);
}

#[test]
fn digits_and_reserved_names() {
    constants(&[
        ("1.png", "_1_PNG"),
        ("01-intro.ogg", "_01_INTRO_OGG"),
        ("all", "ALL_"),
        ("All", "ALL_"),
        ("all.png", "ALL_PNG"),
    ]);
}

#[test]
fn letters_of_every_script_are_transliterated() {
    constants(&[
        ("höhe.png", "HOHE_PNG"),
        ("ho\u{308}he.png", "HOHE_PNG"),
        ("ß★.png", "SS_PNG"),
        ("北京.txt", "BEI_JING_TXT"),
        ("Привет.txt", "PRIVET_TXT"),
        ("🦀🐍.png", "CRAB_SNAKE_PNG"),
        ("a🦀b.png", "A_CRAB_B_PNG"),
    ]);
}

#[test]
fn names_without_letters_become_code_points() {
    constants(&[
        ("+.png", "U2B_PNG"),
        ("-.png", "U2D_PNG"),
        ("★.png", "U2605_PNG"),
        ("☆★", "U2606_U2605"),
        ("...", "U2E_U2E"),
        ("\u{e000}.png", "UE000_PNG"),
        ("", "UNNAMED"),
    ]);
}

#[test]
fn folders() {
    for (folder, name) in [
        ("ui", "ui"),
        ("UI Elements", "ui_elements"),
        ("playerIdle", "player_idle"),
        ("fox.glb", "fox_glb"),
        ("type", "r#type"),
        ("Type", "r#type"),
        ("gen", "r#gen"),
        ("async", "r#async"),
        ("self", "self_"),
        ("Self", "self_"),
        ("super", "super_"),
        ("crate", "crate_"),
        ("2d", "_2d"),
        ("höhe", "hohe"),
        ("★", "u2605"),
        ("union", "union"),
    ] {
        assert_eq!(module_name(folder), name, "{folder}");
    }
}

#[test]
fn the_module_of_an_assets_directory_is_also_a_file() {
    for (directory, name) in [
        ("assets", "assets"),
        ("gameAssets", "game_assets"),
        ("2d", "_2d"),
        ("static", "static_assets"),
        ("self", "self_"),
        ("★", "u2605"),
    ] {
        assert!(root_module_name(directory) == name && is_module_file(name), "{directory}");
    }
}

#[test]
fn every_character_gives_an_identifier() {
    // All small alphabets and symbols, and a sample of the long runs of ideographs, syllables and unassigned
    // characters.
    let code_points = (0..0x3400).chain((0x3400..0xf900).step_by(61)).chain(0xf900..0x10000).chain(0x1f000..0x20000);
    for c in code_points.chain((0x10000..=0x10ffff).step_by(61)).filter_map(char::from_u32) {
        for text in [c.to_string(), format!("{c}.{c}x")] {
            let name = constant_name(&text);
            assert!(is_identifier(&name, |c| c.is_ascii_uppercase()), "{c:?} {name}");
            let name = module_name(&text);
            let name = name.strip_prefix("r#").unwrap_or(&name);
            assert!(is_identifier(name, |c| c.is_ascii_lowercase()), "{c:?} {name}");
        }
    }
}

/// Whether this is an identifier that the lints about case and underscores accept.
fn is_identifier(name: &str, is_letter: fn(char) -> bool) -> bool {
    let starts_well = name.starts_with(|c| c == '_' || is_letter(c));
    let is_part = |c: char| c == '_' || c.is_ascii_digit() || is_letter(c);
    starts_well && name != "_" && !name.contains("__") && name.chars().all(is_part)
}
