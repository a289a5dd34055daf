//! Variants of assets for languages and densities, from the names of files to a game that switches.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rres_format::index::MetaKey;
use rres_format::{LanguageTag, PackView};
use rres_test_support::fresh::{Fresh, in_profiles};

use super::{CASE_MATTERS, Project};

const LOCALES: &str = "[pack]\nlocales = [\"en\", \"fr\", \"fr-CA\", \"zh-Hant\"]\n";

pub(super) fn project(rules: &str, files: &[&str]) -> Project {
    let project = Project::new(&[("assets.toml", rules.as_bytes())]);
    files.iter().for_each(|path| project.write(path, path.as_bytes()));
    project
}

/// Language, density and base of each asset of the pack that has one of them.
pub(super) fn variants(project: &Project) -> BTreeMap<String, String> {
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    let index = PackView::parse(&pack).unwrap().index().unwrap();
    let entries: Vec<_> = index.entries().map(Result::unwrap).collect();
    let of = |slot: u32, path: &str| {
        let meta = index.meta(slot).unwrap();
        let locale = LanguageTag::of(&meta).map_or_else(String::new, |locale| locale.to_string());
        let density = meta.get_f32(MetaKey::DENSITY).map_or_else(String::new, |density| format!(" @{density}"));
        let base = meta.get(MetaKey::VARIANT_OF).map_or_else(String::new, |base| {
            format!(" of {}", entries.iter().find(|entry| entry.id.0 == base).unwrap().path)
        });
        (path.to_owned(), format!("{locale}{density}{base}"))
    };
    let all = (0..).zip(&entries).map(|(slot, entry)| of(slot, entry.path));
    all.filter(|(_, what)| !what.is_empty()).collect()
}

pub(super) fn expect(found: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
    let expected: BTreeMap<_, _> = expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    assert_eq!(*found, expected);
}

#[test]
fn names_are_only_read_by_projects_that_list_languages() {
    let files = ["menu.txt", "menu.fr.txt", "menu.fr-CA.txt", "button@2x.txt", "button.txt"];
    let project = project("", &files);
    expect(&variants(&project), &[]);
    assert!(project.module().contains("pub const MENU_FR_TXT"));
    // A changed list imports nothing: the texts have no number for their language before, and have one then.
    project.write("assets.toml", b"[pack]\nlocales = [\"en\", \"fr\", \"fr-CA\"]\ndensities = 2\n");
    let expected = [
        ("button@2x.txt", " @2 of button.txt"),
        ("menu.fr-CA.txt", "fr-CA of menu.txt"),
        ("menu.fr.txt", "fr of menu.txt"),
        ("menu.txt", "en"),
    ];
    expect(&variants(&project), &expected);
    let module = project.module();
    assert!(!module.contains("MENU_FR_TXT") && !module.contains("menu.fr.txt"), "{module}");
    assert!(module.contains("variants: fr, fr-CA\n") && module.contains("variants: @2x\n"), "{module}");
    // And back.
    project.write("assets.toml", b"");
    expect(&variants(&project), &[]);
}

#[test]
fn the_file_in_the_first_language_is_the_asset_if_there_is_no_other() {
    let project = project(LOCALES, &["voice.en.txt", "voice.fr.txt", "menu.txt", "menu.en.txt", "menu.fr.txt"]);
    let expected = [
        ("menu.en.txt", "en of menu.txt"),
        ("menu.fr.txt", "fr of menu.txt"),
        ("voice.en.txt", "en"),
        ("voice.fr.txt", "fr of voice.en.txt"),
    ];
    expect(&variants(&project), &expected);
    assert!(project.module().contains("pub const VOICE_EN_TXT"));
}

#[test]
fn texts_have_the_number_of_their_language_for_c_programs() {
    let project = project(LOCALES, &["menu.txt", "menu.fr-CA.txt"]);
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let culture = |path: &str| {
        let chunk = view.find(rres_format::ResourceId::from_path(path)).unwrap().unwrap();
        let decoded = chunk.decode(&mut Default::default()).unwrap();
        rres_format::chunk::text::TextView::parse(decoded.view().unwrap()).unwrap().props().culture
    };
    assert_eq!((culture("menu.txt"), culture("menu.fr-CA.txt")), (0, 0x0c0c));
}

#[test]
fn groups_have_the_asset_only() {
    let rules = format!("{LOCALES}[group.all]\ninclude = \"**\"\n");
    let project = project(&rules, &["menu.txt", "menu.fr.txt"]);
    project.run();
    assert!(project.module().contains("1 asset, "), "{}", project.module());
}

#[test]
fn mistakes_are_refused_with_what_to_do() {
    for (files, rules, parts) in [
        (
            &["menu.fr.txt"][..],
            "",
            &[
                "menu.fr.txt: is for the language fr by its name, and there is no asset \"menu.txt\"",
                "or one for en, the first language",
            ][..],
        ),
        (&["a.txt", "a.fr.txt", "a.FR.txt"], "", &["is for the same language and density as"]),
        (
            &["a.txt", "a.fr.txt"],
            "[\"a.fr.txt\"]\nkind = \"raw\"\n",
            &["a.fr.txt: has the kind raw, and a.txt, whose variant it is, text"],
        ),
        (&["a.fr.fr-CA.txt", "a.fr.txt", "a.txt"], "", &["\"a.fr.txt\" is a variant itself"]),
    ] {
        if !CASE_MATTERS && files.contains(&"a.FR.txt") {
            continue;
        }
        let message = project(&format!("{LOCALES}{rules}"), files).fail().to_string();
        parts.iter().for_each(|part| assert!(message.contains(part), "{part}: {message}"));
        assert!(message.contains("variants = false"), "{message}");
    }
    // The help is right.
    let project = project(&format!("{LOCALES}[\"menu.fr.txt\"]\nvariants = false\n"), &["menu.fr.txt"]);
    expect(&variants(&project), &[]);
}

#[test]
fn tags_of_the_list_are_checked() {
    for (list, part) in [
        ("[\"fr_CA\"]", "2:12: unknown value \"fr_CA\" for `locales`, expected the tag of a language"),
        ("[\"en\", \"en\"]", "2:18: contradictory values: `locales` lists the same value twice"),
        ("[\"EN\"]", "in this case of letters"),
        ("[]", "empty array for `locales`"),
    ] {
        let message = project(&format!("[pack]\nlocales = {list}\n"), &["a.txt"]).fail().to_string();
        assert!(message.contains(part), "{list}: {message}");
    }
    let project = project("", &["a.txt", "a.fr.txt"]);
    let message = project.build().locales(["en", "not a tag"]).build().unwrap_err().to_string();
    assert!(message.contains("unknown value for `locales`"), "{message}");
    project.build().locales(["en", "fr"]).build().unwrap();
    assert!(project.module().contains("variants: fr"));
}

#[test]
fn a_language_that_was_not_listed_is_named() {
    let project = project(LOCALES, &["menu.txt", "menu.de.txt", "menu.old.txt", "other.it.txt"]);
    let notes: Vec<String> = project.run().notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "not a variant, because its language is not in `locales`: menu.de.txt (de); add the language to `locales` under \
          [pack], or set `variants = false` for the files"
        ]
    );
}

#[test]
fn an_explanation_of_one_variant_needs_no_other_file() {
    let project = project(LOCALES, &["menu.txt", "menu.fr.txt"]);
    project.run();
    let explained = project.build().explain(&["menu.fr.txt".to_owned()]).unwrap();
    assert!(!format!("{explained:?}").contains("no asset"), "{explained:?}");
}

#[test]
fn a_build_script_takes_another_file_for_some_targets() {
    let project = project("", &["hint.txt", "hint.touch.txt"]);
    let build = |has_touch: bool| {
        let (used, other) = if has_touch { ("hint.touch.txt", "hint.txt") } else { ("hint.txt", "hint.touch.txt") };
        let build = project.build().rule(used, |rule| rule.path("hint.txt")).rule(other, |rule| rule.ignore(true));
        let report = build.build().unwrap();
        let pack = fs::read(&report.packs[0]).unwrap();
        let chunk =
            PackView::parse(&pack).unwrap().find(rres_format::ResourceId::from_path("hint.txt")).unwrap().unwrap();
        let decoded = chunk.decode(&mut Default::default()).unwrap();
        let text =
            rres_format::chunk::text::TextView::parse(decoded.view().unwrap()).unwrap().decode().unwrap().into_owned();
        (
            text,
            project
                .module()
                .lines()
                .filter(|line| line.contains("pub const ") && !line.contains(" fn "))
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        )
    };
    let (desktop, constants) = build(false);
    assert_eq!((desktop.as_str(), constants.len()), ("hint.txt", 2), "{constants:?}");
    assert_eq!(build(true), ("hint.touch.txt".to_owned(), constants));
}

const MAIN: &str = r#"
rres_runtime::include_assets!();

use std::time::{Duration, Instant};

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let menu = store.load(assets::MENU_TXT)?;
    print!("{}", menu.get());
    for locale in ["fr-CA", "fr-BE", "zh-TW", "de"] {
        store.set_locale(locale)?;
        print!("|{}", menu.get());
    }
    println!("|{}", store.load(assets::MENU_TXT.in_locale("fr"))?.get());
    if std::env::args().nth(1).is_some() {
        store.set_locale("fr-CA")?;
        let (mut watch, end) = (menu.watch(), Instant::now() + Duration::from_secs(1200));
        println!("ready");
        while Instant::now() < end {
            if let Some(value) = watch.changed() {
                println!("{value}");
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}
"#;

#[test]
fn a_game_switches_its_language_in_debug_and_in_release_builds() {
    let fresh = Fresh::new("languages", MAIN);
    fresh.write("assets/assets.toml", LOCALES);
    for (path, text) in [("menu.txt", "start"), ("menu.fr.txt", "commencer"), ("menu.fr-CA.txt", "débuter")] {
        fresh.write(&format!("assets/{path}"), text);
    }
    fresh.write("assets/menu.zh_hant.txt", "開始");
    let expected = "start|débuter|commencer|開始|start|commencer\n";
    for arguments in in_profiles(&["run", "-q"]) {
        let (out, err) = fresh.cargo(&arguments);
        assert_eq!(out, expected, "{arguments:?}: {err}");
    }

    // Hot reload: the edit of a variant reaches the handle of the asset.
    let mut game = fresh.command(fresh.executable("debug")).arg("wait").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(game.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!((lines.next().unwrap() + "\n", lines.next().unwrap()), (expected.to_owned(), "ready".to_owned()));
    fresh.write("assets/menu.fr-CA.txt", "c'est parti");
    assert_eq!(lines.next().as_deref(), Some("c'est parti"));
    assert!(game.wait().unwrap().success());
}
