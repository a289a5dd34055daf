//! Variants that a rule names: folders for languages, files with other names, packs of their own.

use super::Project;
use super::variants::{expect, project, variants};

const LOCALES: &str = "[pack]\nlocales = [\"en\", \"fr\", \"pt-BR\"]\ndensities = 2\n";

fn with(rules: &str) -> String {
    format!("{LOCALES}{rules}")
}

#[test]
fn one_rule_makes_folders_languages() {
    let files = [
        "voice/en/hello.txt",
        "voice/fr/hello.txt",
        "voice/pt_br/hello.txt",
        "voice/en/act1/bye.txt",
        "voice/fr/act1/bye.txt",
        "menu.txt",
    ];
    let project =
        project(&with("[\"voice/*/**\"]\nvariant_of = \"voice/en/**\"\n[group.v]\ninclude = \"voice/**\"\n"), &files);
    let expected = [
        ("voice/en/act1/bye.txt", "en"),
        ("voice/en/hello.txt", "en"),
        ("voice/fr/act1/bye.txt", "fr of voice/en/act1/bye.txt"),
        ("voice/fr/hello.txt", "fr of voice/en/hello.txt"),
        ("voice/pt_br/hello.txt", "pt-BR of voice/en/hello.txt"),
    ];
    expect(&variants(&project), &expected);
    let module = project.module();
    assert!(module.contains("variants: fr, pt-BR") && module.contains("2 assets, "), "{module}");
    assert!(!module.contains("voice/fr/"), "variants have no constants: {module}");
    assert!(project.run().note_lines().is_empty(), "{:?}", project.run().notes);
}

#[test]
fn a_file_with_another_name_is_a_variant_for_its_language() {
    let rules = "[\"mod/bonjour.txt\"]\nvariant_of = \"hello.txt\"\nlocale = \"fr\"\n\
        [\"sharp/*.txt\"]\nvariant_of = \"*.txt\"\n[\"sharp/other.txt\"]\nvariant_of = false\n";
    let files =
        ["hello.txt", "hello.pt-BR.txt", "mod/bonjour.txt", "sharp/hello@2x.txt", "sharp/other.txt", "hello@2x.txt"];
    // The wildcard takes the density with it, so the base is the file of that density.
    let message = project(&with(rules), &files).fail().to_string();
    assert!(message.contains("is a variant of \"hello@2x.txt\" by a rule, and that is a variant itself"), "{message}");
    let project = project(&with(rules), &[&files[..3], &files[4..]].concat());
    let expected = [
        ("hello.pt-BR.txt", "pt-BR of hello.txt"),
        ("hello.txt", "en"),
        ("hello@2x.txt", " @2 of hello.txt"),
        ("mod/bonjour.txt", "fr of hello.txt"),
    ];
    expect(&variants(&project), &expected);
    assert!(project.module().contains("OTHER_TXT"), "`false` takes a file out of an earlier rule");
}

#[test]
fn a_pack_of_voices_names_assets_of_the_game() {
    let rules = "[\"**\"]\nvariant_of = \"voice/**\"\nlocale = \"fr\"\n";
    let voices = project(rules, &["hello.txt", "act1/bye.txt"]);
    let report = voices.run();
    let pack = std::fs::read(&report.packs[0]).unwrap();
    let index = rres_format::PackView::parse(&pack).unwrap().index().unwrap();
    for (slot, base) in [(0, "voice/act1/bye.txt"), (1, "voice/hello.txt")] {
        let slot = index.entries().position(|entry| "voice/".to_owned() + entry.unwrap().path == base).unwrap_or(slot);
        let meta = index.meta(slot as u32).unwrap();
        let id = rres_format::ResourceId::from_path(base).0;
        assert_eq!(meta.get(rres_format::index::MetaKey::VARIANT_OF), Some(id), "{base}");
        assert_eq!(rres_format::LanguageTag::of(&meta).map(|tag| tag.to_string()).as_deref(), Some("fr"));
    }
    assert!(!voices.module().contains("HELLO_TXT"), "{}", voices.module());
    // A misspelt path looks the same, so the build names the assets.
    let notes = report.note_lines().join("\n");
    assert!(
        notes.contains(
            "a variant of an asset that another pack has to contain (2 files): act1/bye.txt (voice/act1/bye.txt)"
        ),
        "{notes}"
    );
    // A build from the cache says the same.
    assert_eq!(voices.run().note_lines().join("\n"), notes);
}

#[test]
fn mistakes_in_rules_are_refused() {
    let two = &["a.txt", "x/a.txt", "y/a.txt"][..];
    for (rules, files, part, help) in [
        (
            "[\"x/*.txt\"]\nvariant_of = \"*.txt\"\n",
            &["a.txt", "x/a.txt"][..],
            "x/a.txt: is a variant of \"a.txt\" by a rule, and its language is not known",
            "add `locale` to the rule",
        ),
        (
            "[\"*/*.txt\"]\nvariant_of = \"*.txt\"\nlocale = \"fr\"\n",
            two,
            "y/a.txt: is for the same language and density as ",
            "remove or rename one",
        ),
        (
            "[\"x/*.txt\"]\nvariant_of = \"*/*.txt\"\nlocale = \"fr\"\n",
            &["x/a.txt"],
            "`variant_of` = \"*/*.txt\" has more wildcards than \"x/*.txt\"",
            "of the same sort",
        ),
        ("[\"a.txt\"]\nlocale = \"fr\"\n", &["a.txt"], "`locale` has no effect without `variant_of`", "it is set at"),
        (
            "[\"x/a.txt\"]\nvariant_of = \"a.txt\"\nlocale = \"fr\"\nvariants = false\n",
            &["a.txt", "x/a.txt"],
            "`variant_of` has no effect with `variants` = false",
            "",
        ),
        (
            "[\"a.txt\"]\nvariant_of = \"../b.txt\"\n",
            &["a.txt"],
            "unknown value \"../b.txt\" for `variant_of`",
            "voice/en/**",
        ),
        ("[\"a.txt\"]\nvariant_of = 3\n", &["a.txt"], "wrong type for `variant_of`", ""),
        (
            "[\"a.txt\"]\nvariant_of = \"b.txt\"\nlocale = \"fr_FR\"\n",
            &["a.txt"],
            "unknown value \"fr_FR\" for `locale`",
            "",
        ),
        (
            "[target.'cfg(unix)'.\"a.txt\"]\nvariant_of = \"b.txt\"\n",
            &["a.txt"],
            "`variant_of` cannot depend on the target",
            "outside of [target]",
        ),
        (
            "[\"x/a.bin\"]\nvariant_of = \"a.txt\"\nlocale = \"fr\"\n",
            &["a.txt", "x/a.bin"],
            "x/a.bin: has the kind raw, and a.txt, whose variant it is, text",
            "variants = false",
        ),
    ] {
        let message = project(&with(rules), files).fail().to_string().replace('\\', "/");
        assert!(message.contains(part) && message.contains(help), "{part} … {help} in:\n{message}");
    }
}

/// A table has its languages in columns, so a table for one language contradicts it.
#[test]
fn a_table_cannot_be_a_variant_of_a_table() {
    let rules = with("[\"*.csv\"]\ntext = { strings = true }\n");
    let table = |path: &str, text: &[u8], other: &str| {
        let project = Project::new(&[("assets.toml", rules.as_bytes()), (path, text)]);
        project.write(other, b"key,en,fr\nquit,Quit,Quitter\n");
        project
    };
    for rows in [&b"key,en,fr\nquit,Quit,Quitter\n"[..], b"key,en,fr\n"] {
        let message = table("ui.csv", rows, "ui.fr.csv").fail().to_string();
        assert!(message.contains("ui.fr.csv: is a variant of \"ui.csv\", and "), "{message}");
        assert!(message.contains("put all languages into columns of one file"), "{message}");
    }
    // A table without rows yet has no constants but its own, as it has later.
    let project = table("ui.csv", b"key,en,fr\n", "other.csv");
    let expected =
        [("other.csv", "en"), ("other.csv#fr", "fr of other.csv"), ("ui.csv", "en"), ("ui.csv#fr", "fr of ui.csv")];
    expect(&variants(&project), &expected);
    assert!(!project.module().contains("UI_CSV_FR") && !project.module().contains("ui.csv#fr"), "{}", project.module());
    // And again from the cache.
    expect(&variants(&project), &expected);
}
