//! `cargo rres texts`: coverage, the way to translators and back, the pseudo-language.

use super::Sandbox;
use crate::show::json;

const RULES: &str = "[pack]\nlocales = [\"en\", \"de\", \"fr\", \"fr-CA\"]\n[\"ui.csv\"]\ntext = { strings = true }\n[\"text/*.ftl\"]\ntext = { strings = true }\n";

const CSV: &str = "key,en,de,fr,fr-CA,note\r\ngreeting,\"Welcome back, {name}!\",\"Willkommen, {name}!\",\"Salut, {name} !\",,with the name\r\n\
                   quit,Quit,,Quitter,,\r\n";

const FTL: &str = "### Menu\n\n# the button\nquit = Quit\nphotos = { $count ->\n    [one] one photo\n   *[other] { $count } photos\n}\n";

const GERMAN: &str = "# Deutsch\nquit = Quit\n# bleibt\nold   =   Alt\n";

pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (path, text) in [("assets.toml", RULES), ("ui.csv", CSV), ("text/menu.ftl", FTL), ("text/menu.de.ftl", GERMAN)]
    {
        sandbox.write(&format!("assets/{path}"), text.as_bytes());
    }
    sandbox
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.path(path)).unwrap()
}

/// Runs a subcommand about the assets.
fn texts(sandbox: &Sandbox, arguments: &[&str]) -> crate::Run {
    sandbox.run(["texts"].into_iter().chain(arguments.iter().copied()).chain(["--assets", "assets"]))
}

#[test]
fn coverage_counts_each_language() {
    let sandbox = sandbox();
    let expected = "LANGUAGE  TRANSLATED  OF        MISSING  FUZZY  SAME  EXTRA
de                 2   4  50 %        2      0     1      1
fr                 2   4  50 %        2      0     0      0
fr-CA              2   4  50 %        2      0     0      0
de missing  text/menu.ftl#photos
de missing  ui.csv#quit
de same  text/menu.ftl#quit
de extra  text/menu.ftl#old
fr missing  text/menu.ftl#quit
fr missing  text/menu.ftl#photos
fr-CA missing  text/menu.ftl#quit
fr-CA missing  text/menu.ftl#photos
";
    assert_eq!(texts(&sandbox, &["--keys"]).success().out, expected);
    texts(&sandbox, &["--check", "--min", "50"]).success();
    texts(&sandbox, &["--check"]).failed(1, &["less than 100 % of the texts are translated: de, fr, fr-CA"]);
    let json = json(texts(&sandbox, &["--json"]));
    assert_eq!((&json["text_count"], &json["languages"][0]["percent"]), (&4.into(), &50.into()));
}

#[test]
fn what_translators_send_back_is_written_and_nothing_else_changes() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let (menu, ui) = (read(&sandbox, "tr/text/menu.de.po"), read(&sandbox, "tr/ui.de.po"));
    assert!(sandbox.path("tr/text/menu.pot").exists() && sandbox.path("tr/ui.fr-CA.po").exists());
    // What was exported changes nothing.
    texts(&sandbox, &["import", "tr/text/menu.de.po", "tr/ui.de.po", "tr/ui.fr.po"]).success();
    assert_eq!(
        (read(&sandbox, "assets/ui.csv"), read(&sandbox, "assets/text/menu.de.ftl")),
        (CSV.into(), GERMAN.into())
    );

    let menu = menu
        .replace("msgstr \"Quit\"", "msgstr \"Beenden\"")
        .replace("msgstr[0] \"\"", "msgstr[0] \"ein Foto\"")
        .replace("msgstr[1] \"\"", "msgstr[1] \"{ $count } Fotos\"");
    sandbox.write("tr/text/menu.de.po", menu.as_bytes());
    sandbox
        .write("tr/ui.de.po", ui.replace("msgid \"Quit\"\nmsgstr \"\"", "msgid \"Quit\"\nmsgstr \"Ende\"").as_bytes());
    let run = texts(&sandbox, &["import", "tr/text/menu.de.po", "tr/ui.de.po"]).success();
    assert_eq!(run.out, "text/menu.ftl: 2 texts in de, 2 changed\nui.csv: 2 texts in de, 1 changed\n");
    assert_eq!(read(&sandbox, "assets/ui.csv"), CSV.replace("quit,Quit,,", "quit,Quit,Ende,"));
    let expected = GERMAN.replace("quit = Quit", "quit = Beenden")
        + "photos = { $count ->\n    [one] ein Foto\n   *[other] { $count } Fotos\n}\n";
    assert_eq!(read(&sandbox, "assets/text/menu.de.ftl"), expected);
    // A language without a file gets one.
    texts(&sandbox, &["export", "--to", "xliff", "--language", "fr", "--out", "x"]).success();
    let xliff = read(&sandbox, "x/text/menu.fr.xlf");
    let target = "<target state=\"needs-translation\"></target>";
    sandbox
        .write("x/text/menu.fr.xlf", xliff.replacen(target, "<target state=\"final\">Quitter</target>", 1).as_bytes());
    texts(&sandbox, &["import", "x/text/menu.fr.xlf"]).success();
    assert_eq!(read(&sandbox, "assets/text/menu.fr.ftl"), "quit = Quitter\n");
    // The build takes all of it.
    sandbox.run(["pack", "assets", "-o", "x.rres"]);
    assert!(sandbox.path("x.rres").exists());
}

#[test]
fn an_export_keeps_the_work_of_translators() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let german =
        read(&sandbox, "tr/ui.de.po").replace("msgid \"Quit\"\nmsgstr \"\"", "msgid \"Quit\"\nmsgstr \"Ende\"");
    sandbox.write("tr/ui.de.po", german.as_bytes());
    sandbox.write("assets/ui.csv", CSV.replace("Quitter", "Sortir").as_bytes());
    let french = read(&sandbox, "tr/ui.fr.po");
    texts(&sandbox, &["export", "--out", "tr"])
        .failed(1, &["ui.de.po", "has 1 translation that the tables do not have", "cargo rres texts import"]);
    assert_eq!((read(&sandbox, "tr/ui.de.po"), read(&sandbox, "tr/ui.fr.po")), (german, french));
    texts(&sandbox, &["import", "tr/ui.de.po", "tr/ui.fr.po"]).success();
    texts(&sandbox, &["export", "--out", "tr"]).success();
}

#[test]
fn an_export_does_not_lose_translations_whose_key_has_changed() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let german =
        read(&sandbox, "tr/ui.de.po").replace("msgid \"Quit\"\nmsgstr \"\"", "msgid \"Quit\"\nmsgstr \"Ende\"");
    sandbox.write("tr/ui.de.po", german.as_bytes());
    sandbox.write("assets/ui.csv", CSV.replace("quit,Quit", "leave,Quit").as_bytes());
    texts(&sandbox, &["export", "--out", "tr"])
        .failed(1, &["ui.de.po", "has translations of what the table does not have: quit", "if they were renamed"]);
    assert_eq!(read(&sandbox, "tr/ui.de.po"), german);
}

/// What an import leaves out does not block the next export, and is not lost by it.
#[test]
fn an_export_takes_over_what_an_import_leaves_out() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let fuzzy = "#, fuzzy\nmsgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"Ende\"\n";
    let german = read(&sandbox, "tr/ui.de.po").replace("msgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"\"\n", fuzzy);
    sandbox.write("tr/ui.de.po", german.as_bytes());
    let menu = read(&sandbox, "tr/text/menu.de.po")
        .replace("msgctxt \"photos\"", "#, fuzzy\nmsgctxt \"photos\"")
        .replace("msgstr[0] \"\"", "msgstr[0] \"ein Foto\"")
        .replace("msgstr[1] \"\"", "msgstr[1] \"{ $count } Fotos\"");
    sandbox.write("tr/text/menu.de.po", menu.as_bytes());
    let run = texts(&sandbox, &["import", "tr/ui.de.po", "tr/text/menu.de.po"]).success();
    assert!(run.out.contains("fuzzy, so left out: quit\n") && run.out.contains("left out: photos\n"), "{}", run.out);
    texts(&sandbox, &["export", "--out", "tr"]).success();
    assert_eq!((read(&sandbox, "tr/ui.de.po"), read(&sandbox, "tr/text/menu.de.po")), (german.clone(), menu));
    // The same for a translation whose text changes afterwards, and for one that an import refuses.
    let translated = german.replace("#, fuzzy\n", "").replace("Willkommen, {name}", "Willkommen");
    sandbox.write("tr/ui.de.po", translated.as_bytes());
    sandbox.write("assets/ui.csv", CSV.replace("quit,Quit", "quit,Leave").as_bytes());
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let expected = german
        .replace("msgid \"Quit\"", "msgid \"Leave\"")
        .replace("Willkommen, {name}", "Willkommen")
        .replace("#, python-brace-format", "#, fuzzy, python-brace-format");
    assert_eq!(read(&sandbox, "tr/ui.de.po"), expected);
    // In XLIFF, too.
    texts(&sandbox, &["export", "--to", "xliff", "--out", "x"]).success();
    let target = |text: &str, state: &str| format!("<target state=\"{state}\">{text}</target>");
    let (none, some) = (target("", "needs-translation"), target("Ende", "needs-review-translation"));
    let xliff =
        read(&sandbox, "x/ui.de.xlf").replace(&none, &some).replace("preserve\">", "preserve\" approved=\"no\">");
    sandbox.write("x/ui.de.xlf", xliff.as_bytes());
    texts(&sandbox, &["export", "--to", "xliff", "--out", "x"]).success();
    assert_eq!(read(&sandbox, "x/ui.de.xlf"), xliff);
}

/// Spaces at the ends have another form in Fluent, or none.
#[test]
fn an_import_changes_nothing_the_second_time() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let menu = read(&sandbox, "tr/text/menu.de.po")
        .replace("msgstr \"Quit\"", "msgstr \"Beenden \"")
        .replace("msgstr[0] \"\"", "msgstr[0] \" ein Foto \"")
        .replace("msgstr[1] \"\"", "msgstr[1] \"{ $count } Fotos\"");
    sandbox.write("tr/text/menu.de.po", menu.as_bytes());
    texts(&sandbox, &["import", "tr/text/menu.de.po"]).success();
    let written = read(&sandbox, "assets/text/menu.de.ftl");
    assert!(written.contains("quit = Beenden{ \" \" }\n") && written.contains("[one] ein Foto\n"), "{written}");
    // Whoever edits the table may write a choice in another form.
    let by_hand = written.replace("    [one]", "  [one]").replace("   *[other]", " *[other]");
    sandbox.write("assets/text/menu.de.ftl", by_hand.as_bytes());
    let run = texts(&sandbox, &["import", "tr/text/menu.de.po"]).success();
    assert_eq!(run.out, "text/menu.ftl: 2 texts in de, 0 changed\n");
    assert_eq!(read(&sandbox, "assets/text/menu.de.ftl"), by_hand);
    texts(&sandbox, &["export", "--out", "tr"]).success();
}

#[test]
fn a_language_that_the_build_does_not_know_is_named() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr", "--language", "it"]).success();
    let italian =
        read(&sandbox, "tr/text/menu.it.po").replace("msgid \"Quit\"\nmsgstr \"\"", "msgid \"Quit\"\nmsgstr \"Esci\"");
    sandbox.write("tr/text/menu.it.po", italian.as_bytes());
    let run = texts(&sandbox, &["import", "tr/text/menu.it.po"]).success();
    assert!(run.out.contains("add \"it\" to `locales` under [pack]"), "{}", run.out);
}

#[test]
fn faults_are_found_in_one_run_and_nothing_is_written() {
    let sandbox = sandbox();
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let ui = read(&sandbox, "tr/ui.de.po");
    sandbox.write("tr/ui.de.po", ui.replace("Willkommen, {name}", "Willkommen").as_bytes());
    let menu = read(&sandbox, "tr/text/menu.de.po").replace("msgstr \"Quit\"", "msgstr \"Ende }\"");
    sandbox.write("tr/text/menu.de.po", menu.as_bytes());
    sandbox.write("tr/other.po", b"msgid \"x\"\nmsgstr \"y\n");
    texts(&sandbox, &["import", "tr/ui.de.po", "tr/text/menu.de.po", "tr/other.po"]).failed(
        1,
        &[
            "tr/ui.de.po:18: lacks {name} in the translation of \"greeting\"",
            "tr/text/menu.de.po:18: has a brace } without the brace { before it in the translation of \"quit\"",
            "tr/other.po:2: has a text without a quotation mark at its end",
        ],
    );
    assert_eq!(
        (read(&sandbox, "assets/ui.csv"), read(&sandbox, "assets/text/menu.de.ftl")),
        (CSV.into(), GERMAN.into())
    );
}

#[test]
fn a_plural_form_that_has_lost_a_placeholder_is_a_fault() {
    let sandbox = sandbox();
    let source =
        "found = { $count ->\n    [one] { $who } has { $count } photo\n   *[other] { $who } has { $count } photos\n}\n";
    sandbox.write("assets/text/menu.ftl", source.as_bytes());
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let menu = read(&sandbox, "tr/text/menu.de.po");
    let translated = |one: &str| {
        menu.replace("msgstr[0] \"\"", &format!("msgstr[0] \"{one}\""))
            .replace("msgstr[1] \"\"", "msgstr[1] \"{ $who } hat { $count } Fotos\"")
    };
    sandbox.write("tr/text/menu.de.po", translated("Ein Foto").as_bytes());
    let expected = "lacks { $who } for \"one\" in the translation of \"found\"";
    texts(&sandbox, &["import", "tr/text/menu.de.po"]).failed(1, &[expected]);
    sandbox.write("tr/text/menu.de.po", translated("{ $who } hat ein Foto").as_bytes());
    texts(&sandbox, &["import", "tr/text/menu.de.po"]).success();
}

#[test]
fn what_cannot_be_used_is_named() {
    let sandbox = sandbox();
    let po = "msgid \"\"\nmsgstr \"Language: de\\nX-Table: ui.csv\\n\"\n\n#, fuzzy\nmsgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"Ende\"\n\n\
              msgctxt \"greeting\"\nmsgid \"Hello, {name}!\"\nmsgstr \"Hallo, {name}!\"\n\nmsgctxt \"gone\"\nmsgid \"Gone\"\nmsgstr \"Weg\"\n";
    sandbox.write("a.po", po.as_bytes());
    let expected = "ui.csv: 0 texts in de, 0 changed
  fuzzy, so left out: quit
  of a text that has changed since, so left out: greeting
  not in the table, so left out: gone
";
    assert_eq!(texts(&sandbox, &["import", "a.po"]).success().out, expected);
    sandbox.write("b.po", po.replace("X-Table: ui.csv", "X-Table: none.csv").as_bytes());
    texts(&sandbox, &["import", "b.po"])
        .failed(1, &["b.po:1: is of the table none.csv", "--table, one of: text/menu.ftl, ui.csv"]);
    sandbox.write("c.po", po.replace("Language: de\\n", "").as_bytes());
    texts(&sandbox, &["import", "c.po"]).failed(1, &["c.po:1: does not say which language it is in"]);
    texts(&sandbox, &["import", "c.po", "--language", "de"]).success();
}

#[test]
fn the_pseudo_language_is_written_beside_the_others() {
    let sandbox = sandbox();
    let run = texts(&sandbox, &["pseudo"]).success();
    assert!(run.out.starts_with("4 texts in x-pseudo, 2 files written\nadd \"x-pseudo\" to `locales`"), "{}", run.out);
    assert!(read(&sandbox, "assets/ui.csv").contains("[Wélçömé báçk, {name}! ~~~~]"));
    let menu = read(&sandbox, "assets/text/menu.x-pseudo.ftl");
    assert_eq!(
        menu,
        "quit = [Qüît ~~]\nphotos = { $count ->\n    [one] [öñé phötö ~~~]\n   *[other] [{ $count } phötös ~~]\n}\n"
    );
    assert!(texts(&sandbox, &["pseudo"]).success().out.starts_with("4 texts in x-pseudo, 0 files written"));
}

#[test]
fn a_po_file_in_the_assets_is_a_table() {
    let sandbox = Sandbox::new();
    let rules = "[pack]\nlocales = [\"en\", \"de\"]\n[\"*.po\"]\ntext = { strings = true }\n";
    sandbox.write("assets/assets.toml", rules.as_bytes());
    let entry = |target: &str| format!("msgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"{target}\"\n");
    sandbox.write("assets/ui.po", entry("").as_bytes());
    sandbox.write("assets/ui.de.po", entry("Ende").as_bytes());
    assert!(texts(&sandbox, &[]).success().out.contains("de                 1   1  100 %"));
    sandbox.run(["pack", "assets", "-o", "x.rres"]).success();
    assert_eq!(sandbox.run(["cat", "x.rres", "ui.de.po"]).out, "quit\tEnde\n");
    assert_eq!(sandbox.run(["cat", "x.rres", "ui.po"]).out, "quit\tQuit\n");
}

/// The texts of a PO file are those of the first language because of its place, whatever is translated in it.
#[test]
fn a_po_file_that_nobody_has_translated_has_no_translations() {
    let sandbox = Sandbox::new();
    let rules = "[pack]\nlocales = [\"en\", \"de\"]\n[\"*.po\"]\ntext = { strings = true }\n";
    sandbox.write("assets/assets.toml", rules.as_bytes());
    let entries = |quit: &str| {
        format!(
            "msgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"{quit}\"\n\nmsgctxt \"load\"\nmsgid \"Load\"\nmsgstr \"\"\n"
        )
    };
    // One text of the first language is filled in.
    sandbox.write("assets/ui.po", entries("Quit the game").as_bytes());
    sandbox.write("assets/ui.de.po", entries("").as_bytes());
    let run = texts(&sandbox, &["--keys"]).success();
    assert!(run.out.contains("de missing  ui.po#quit\nde missing  ui.po#load\n"), "{}", run.out);
    texts(&sandbox, &["export", "--out", "tr"]).success();
    let german = read(&sandbox, "tr/ui.de.po");
    assert!(
        german.contains("msgid \"Quit the game\"\nmsgstr \"\"\n") && german.contains("msgid \"Load\"\nmsgstr \"\"\n")
    );
}

#[test]
fn a_language_that_is_no_tag_is_refused() {
    let sandbox = sandbox();
    for command in [&["export", "--out", "tr"][..], &["import", "x.po"], &["pseudo"]] {
        texts(&sandbox, &[command, &["--language", "pt_BR"]].concat()).failed(2, &["pt_BR"]);
    }
    assert!(!sandbox.path("tr").exists());
    sandbox.write("a.po", b"msgid \"\"\nmsgstr \"Language: be@tarask\\nX-Table: ui.csv\\n\"\n");
    texts(&sandbox, &["import", "a.po"])
        .failed(1, &["a.po:1: is in the language \"be@tarask\"", "name the language with --language"]);
}
