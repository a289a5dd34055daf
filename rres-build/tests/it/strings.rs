//! Tables of texts in several languages: what the pack contains, and what the build finds.

use std::collections::BTreeMap;
use std::fs;

use rres_format::index::MetaKey;
use rres_format::{LanguageTag, PackView};

use super::Project;

const RULES: &str = "[pack]\nlocales = [\"en\", \"fr\", \"fr-CA\"]\n[\"*.*\"]\ntext = { strings = true }\n";

fn project(rules: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::new(&[("assets.toml", rules.as_bytes())]);
    files.iter().for_each(|(path, text)| project.write(path, text.as_bytes()));
    project
}

/// What the build warns about.
fn findings(project: &Project) -> Vec<String> {
    project
        .run()
        .lints
        .iter()
        .map(|finding| format!("{}: {}", finding.asset.as_deref().unwrap(), finding.message()))
        .collect()
}

const CSV: &str = "key,en,fr,fr-CA,note\nmenu.start,Start,Commencer,Débuter,a button\nmenu.quit,Quit,Quitter,,\n\
                   hello,\"Hello, {name}!\",\"Salut, {name}\u{a0}!\",,\n";

#[test]
fn each_column_is_a_variant_and_each_key_a_constant() {
    let project = project(RULES, &[("ui.csv", CSV)]);
    let report = project.run();
    assert_eq!(report.lints, []);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["columns that are not for a language are left out: ui.csv (note)"]);
    let pack = fs::read(&report.packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let base = index.id(index.find_path("ui.csv").unwrap()).unwrap();
    let of = |slot: u32| {
        let (meta, path) = (index.meta(slot).unwrap(), index.entry(slot).unwrap().path);
        let decoded = view.find(index.id(slot).unwrap()).unwrap().unwrap().decode(&mut Default::default()).unwrap();
        let text = rres_format::chunk::text::TextView::parse(decoded.view().unwrap()).unwrap();
        let is_variant = meta.get(MetaKey::VARIANT_OF) == Some(base.0);
        (
            path.to_owned(),
            (
                LanguageTag::of(&meta).unwrap().to_string(),
                is_variant,
                text.props().culture,
                text.decode().unwrap().into_owned(),
            ),
        )
    };
    let found: BTreeMap<_, _> = (0..index.len() as u32).map(of).collect();
    let entry = |path: &str, locale: &str, is_variant, culture, text: &str| {
        (path.to_owned(), (locale.to_owned(), is_variant, culture, text.to_owned()))
    };
    let french = "menu.start\tCommencer\nmenu.quit\tQuitter\nhello\tSalut, {name}\u{a0}!\n";
    let expected = [
        entry("ui.csv", "en", false, 9, "menu.start\tStart\nmenu.quit\tQuit\nhello\tHello, {name}!\n"),
        entry("ui.csv#fr", "fr", true, 12, french),
        entry("ui.csv#fr-CA", "fr-CA", true, 0x0c0c, &french.replace("Commencer", "Débuter")),
    ];
    assert_eq!(found, expected.into());

    let module = project.module();
    for part in [
        "pub const UI_CSV: TextId",
        "variants: fr, fr-CA\n",
        "/// Keys of a table of texts.\npub mod ui_csv {",
        "pub const MENU_START: &str = \"menu.start\";",
        "/// `hello`: with name\n",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
    assert!(!module.contains("ui.csv#fr"), "{module}");
    // A second build, whose imported forms come from the cache, is the same.
    project.run();
    assert_eq!((fs::read(&report.packs[0]).unwrap() == pack, project.module()), (true, module));
}

#[test]
fn differences_between_languages_are_findings_of_the_level_that_rules_set() {
    let table = "key,en,de,fr\na,one,eins,un\nb,\"{n} and {m}\",,\"{n} et {x}\"\nc,three,drei,\n";
    let rules = "[pack]\nlocales = [\"fr\", \"en\", \"it\"]\n[\"*\"]\ntext = { strings = true }\n";
    let found = [
        "t.csv: has no texts in it, but `locales` under [pack] lists it",
        "t.csv: has en as its first language, but fr is the first one of `locales` under [pack]",
        "t.csv: has texts in de, but `locales` under [pack] does not list it",
        "t.csv: lacks \"b\" (line 3) in de, but every language has every text",
        "t.csv: lacks \"c\" (line 4) in fr, but every language has every text",
        "t.csv: has other placeholders in fr for \"b\" (line 3: n, x, expected m, n), but a text has the placeholders of the first \
         language",
    ];
    assert_eq!(findings(&project(rules, &[("t.csv", table)])), found);
    let allowed = rules.replace("[\"*\"]", "[\"*\"]\nlint = \"allow\"");
    assert_eq!(findings(&project(&allowed, &[("t.csv", table)])), [""; 0]);
    let denied = rules.replace("[\"*\"]", "[\"*\"]\nlint = \"deny\"");
    let message = project(&denied, &[("t.csv", table)]).fail().to_string();
    found.iter().for_each(|found| assert!(message.contains(found.trim_start_matches("t.csv: ")), "{found}: {message}"));
}

#[test]
fn a_region_has_what_its_language_has_and_columns_of_rare_languages_are_languages() {
    let rules = "[pack]\nlocales = [\"en\", \"en-GB\", \"eo\", \"yue\"]\n[\"*\"]\ntext = { strings = true }\n";
    let table = "key,en,en-GB,eo,yue,comment,context\ncolour,color,colour,koloro,顏色,x,y\nquit,Quit,,Eliri,退出,,\n";
    let project = project(rules, &[("t.csv", table)]);
    let report = project.run();
    assert_eq!(report.lints, []);
    assert!(project.module().contains("variants: en-GB, eo, yue"), "{}", project.module());
}

#[test]
#[cfg(feature = "fluent")]
fn fluent_files_are_compared_with_their_variants() {
    let english = "hello = Hello, { $user }!\nquit = Quit\nlogin = Log in\n    .title = Title\n-brand = X\n";
    let files = [
        ("ui.ftl", english),
        ("ui.fr.ftl", "hello = Salut !\nquit = Quitter\nlogin = Entrer\n    .title = Titre\nqiut = Typo\n"),
        ("ui.fr-CA.ftl", "hello = Salut, { $user } !\nlogin = Entrer\n"),
    ];
    let project = project(RULES, &files);
    assert_eq!(
        findings(&project),
        [
            "ui.fr-CA.ftl: lacks \"login.title\" (line 4), \"quit\" (line 2) of ui.ftl in fr-CA, but every language has every text",
            "ui.fr.ftl: has \"qiut\" (line 5), but ui.ftl does not have it",
            "ui.fr.ftl: has other placeholders in fr for \"hello\" (line 1: none, expected $user), but a text has the \
             placeholders of the first language",
        ]
    );
    assert!(project.module().contains("pub const LOGIN_TITLE: &str = \"login.title\";"), "{}", project.module());
    // An edit of the first language is compared with variants that did not change.
    project.write("ui.ftl", b"hello = Hello, { $user }!\nlogin = Log in\n");
    let found = findings(&project);
    assert!(found.iter().any(|found| found.contains("ui.fr.ftl: has \"login.title\"")), "{found:?}");

    project.write("ui.fr.ftl", b"hello = { $user\n");
    let message = project.fail().to_string();
    assert!(message.contains("ui.fr.ftl:2:1: is not valid Fluent: "), "{message}");
}

#[test]
fn a_table_is_only_checked_if_a_rule_says_so() {
    let project = project("", &[("a.csv", "just, \"some\ndata"), ("b.ftl", "not } fluent")]);
    assert_eq!(project.run().assets.len(), 2);
    project.write("assets.toml", b"[\"a.csv\"]\ntext = { strings = true }\n");
    let message = project.fail().to_string();
    assert!(message.contains("a.csv:1:"), "{message}");
}
