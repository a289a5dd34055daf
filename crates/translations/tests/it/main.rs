//! PO and XLIFF as other programs write them, what they say of ours, and damaged files.

#[cfg(feature = "xliff")]
mod programs;

use rres_translations::{Catalog, Message, Syntax, Unit, plural, po};

fn unit(key: &str, source: &str, target: &str) -> Unit {
    let targets = if target.is_empty() { Vec::new() } else { vec![target.to_owned()] };
    Unit { key: key.into(), source: source.into(), targets, ..Unit::default() }
}

/// A table with everything that texts can have.
pub(crate) fn catalog() -> Catalog {
    let mut units = vec![
        unit("greeting", "Welcome back, {name}!\nLine \"two\"", "Willkommen, {name}!\nZeile „zwei“"),
        unit("quit", "Quit", "Ende"),
        unit("load", "Load", ""),
        unit("path", "C:\\tmp\ttab & <b>", "C:\\tmp\ttab & <b>!"),
        unit("end", "with a line break\n", "mit Zeilenumbruch\n"),
    ];
    units[0].comment = "with the player's name\nin two lines".into();
    units[1].is_fuzzy = true;
    for (number, unit) in (2..).zip(&mut units) {
        unit.table_line = number;
    }
    Catalog { table: "text/ui.csv".into(), source_language: "en".into(), language: "de".into(), units }
}

/// Key, text, text of several, translations, whether it is fuzzy.
type Essence = (String, String, Option<String>, Vec<String>, bool);

/// What of a catalog no program may change.
pub(crate) fn essence(catalog: &Catalog) -> Vec<Essence> {
    let of = |unit: &Unit| {
        let targets: Vec<String> = unit.targets.iter().filter(|target| !target.is_empty()).cloned().collect();
        (unit.key.clone(), unit.source.clone(), unit.plural.clone(), targets, unit.is_fuzzy)
    };
    catalog.units.iter().map(of).collect()
}

#[test]
fn po_has_these_bytes_and_comes_back() {
    let text = po::write(&catalog(), Syntax::Braces);
    let expected = r#"msgid ""
msgstr ""
"Project-Id-Version: text/ui.csv\n"
"PO-Revision-Date: \n"
"Last-Translator: \n"
"Language-Team: \n"
"Language: de\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"X-Table: text/ui.csv\n"
"X-Source-Language: en\n"

#. with the player's name
#. in two lines
#: text/ui.csv:2
#, python-brace-format
msgctxt "greeting"
msgid ""
"Welcome back, {name}!\n"
"Line \"two\""
msgstr ""
"Willkommen, {name}!\n"
"Zeile „zwei“"

#: text/ui.csv:3
#, fuzzy
msgctxt "quit"
msgid "Quit"
msgstr "Ende"

#: text/ui.csv:4
msgctxt "load"
msgid "Load"
msgstr ""

#: text/ui.csv:5
msgctxt "path"
msgid "C:\\tmp\ttab & <b>"
msgstr "C:\\tmp\ttab & <b>!"

#: text/ui.csv:6
msgctxt "end"
msgid "with a line break\n"
msgstr "mit Zeilenumbruch\n"
"#;
    assert_eq!(text, expected);
    let read = po::read(&text).unwrap();
    assert_eq!(essence(&read), essence(&catalog()));
    assert_eq!(
        (read.table.as_str(), read.language.as_str(), read.source_language.as_str()),
        ("text/ui.csv", "de", "en")
    );
    assert_eq!(po::write(&read, Syntax::Braces), text);
}

#[test]
fn faults_of_po_are_found_in_one_run() {
    let text = "msgid \"a\"\nmsgstr \"b\n\nmsgid \"c\"\n\nmsgctxt \"k\"\n\nmsgfoo \"x\"\n\nmsgid \"d\\q\"\nmsgstr \"\"\n\nmsgid \"e\"\nmsgstr \"x\" y\n\n\
                msgid \"f\"\nmsgstr[0] \"x\"\n\nmsgid \"g\"\nmsgstr \"1\"\n\nmsgid \"g\"\nmsgstr \"2\"\n";
    let found: Vec<String> = po::read(text).unwrap_err().iter().map(ToString::to_string).collect();
    let expected = [
        "2: has a text without a quotation mark at its end",
        "4: has a msgid without a msgstr",
        "6: has a msgctxt without a msgid",
        "8: has \"msgfoo\", expected msgctxt, msgid, msgid_plural or msgstr",
        "10: has the escape sequence \\q, which PO does not have",
        "14: has something after the quotation mark that ends a text",
        "17: has msgstr[0] in another order than msgctxt, msgid, msgid_plural, msgstr",
        "22: has an entry twice, first in line 19",
    ];
    assert_eq!(found, expected);
    let latin = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n";
    assert_eq!(po::read(latin).unwrap_err()[0].to_string(), "1: is in the character set ISO-8859-1, expected UTF-8");
}

#[test]
fn keys_are_found_by_texts_if_those_are_unique() {
    let message = |key: &str, text: &str| Message { key: key.into(), text: text.into(), ..Message::default() };
    let table = [message("a", "One"), message("b", "Two"), message("c", "Two")];
    let mut catalog =
        Catalog { units: vec![unit("17", "One", "Eins"), unit("b", "Two", "Zwei")], ..Catalog::default() };
    catalog.find_keys(&table, Syntax::Braces).unwrap();
    assert_eq!(catalog.units[0].key, "a");
    catalog.units.push(unit("", "Two", "Zwei"));
    catalog.units.push(unit("a", "One", "Eins"));
    let faults = catalog.find_keys(&table, Syntax::Braces).unwrap_err();
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["0: has a text without a key that b, c have", "0: has the key \"a\" twice, first in line 0"]);
}

#[test]
fn a_key_that_the_table_lacks_is_not_looked_up_by_its_text() {
    let message = |key: &str| Message { key: key.into(), text: "OK".into(), ..Message::default() };
    let units = vec![unit("confirm", "OK", "Gut"), unit("renamed", "OK", "Ja")];
    let mut catalog = Catalog { units, ..Catalog::default() };
    catalog.find_keys(&[message("confirm")], Syntax::Braces).unwrap();
    assert_eq!((catalog.units[0].key.as_str(), catalog.units[1].key.as_str()), ("confirm", "renamed"));
    catalog.find_keys(&[message("accept"), message("agree")], Syntax::Braces).unwrap();
    assert_eq!((catalog.units[0].key.as_str(), catalog.units[1].key.as_str()), ("confirm", "renamed"));
}

#[test]
fn the_language_of_a_header_becomes_a_tag() {
    for (name, tag) in [
        ("de", "de"),
        ("pt_BR", "pt-BR"),
        ("sr@latin", "sr-Latn"),
        ("sr_RS@latin", "sr-Latn-RS"),
        ("uz@cyrillic", "uz-Cyrl"),
        ("ca_ES@valencia", "ca-ES-valencia"),
        // No tag, so that an import asks for one.
        ("be@tarask", "be@tarask"),
    ] {
        let text = format!("msgid \"\"\nmsgstr \"Language: {name}\\n\"\n");
        assert_eq!(po::read(&text).unwrap().language, tag);
    }
}

#[test]
fn placeholders_are_compared() {
    for (source, target, found) in [
        ("{a} {b}", "{b} {a}", None),
        ("{a}", "x", Some("lacks {a}")),
        ("a", "{b}", Some("has {b}, which the source does not have")),
        ("{a}", "{b}", Some("lacks {a}, and has {b}, which the source does not have")),
    ] {
        assert_eq!(unit("k", source, target).other_placeholders(Syntax::Braces).as_deref(), found);
    }
    let mut plural = unit("k", "one photo", "");
    plural.plural = Some("{ $n } photos".into());
    plural.targets = vec!["ein Foto".into(), "{ $n } Fotos".into()];
    assert_eq!(plural.other_placeholders(Syntax::Fluent), None);
    plural.targets[1] = "Fotos".into();
    assert_eq!(plural.other_placeholders(Syntax::Fluent).as_deref(), Some("lacks { $n }"));
}

#[test]
fn each_plural_form_has_what_both_forms_of_the_source_have() {
    let lost = |language: &str, source: &str, targets: &[&str]| {
        let mut plural = unit("k", source, "");
        plural.plural = Some("{ $n } of { $who }".into());
        plural.targets = targets.iter().map(|target| (*target).to_owned()).collect();
        assert_eq!(plural.other_placeholders(Syntax::Fluent), None);
        plural.lost_in_a_form("n", plural::forms(language).unwrap())
    };
    let (both, one) = ("{ $n } of { $who }", "one of { $who }");
    assert_eq!(lost("de", both, &["{ $n } { $who }", "{ $n } { $who }"]), None);
    assert_eq!(lost("de", both, &["{ $n } { $who }", "{ $n }"]).as_deref(), Some("lacks { $who } for \"other\""));
    assert_eq!(lost("de", one, &["ein", "{ $n } { $who }"]).as_deref(), Some("lacks { $who } for \"one\""));
    // "One" is 1 alone in German, so that a word can say it, but also 21 in Russian and 0 in French.
    assert_eq!(lost("de", both, &["ein { $who }", "{ $n } { $who }"]), None);
    assert_eq!(lost("ru", both, &["odin { $who }", both, both]).as_deref(), Some("lacks { $n } for \"one\""));
    assert_eq!(lost("fr", both, &["un { $who }", both]).as_deref(), Some("lacks { $n } for \"one\""));
    // What the source may say in words in one of its forms, each form may.
    assert_eq!(lost("ru", one, &["odin { $who }", both, both]), None);
    assert_eq!(lost("ar", both, &["{ $who }", "{ $who }", "{ $who }", both, both, both]), None);
}

/// Damaged copies of files are read or refused, and what is read can be written.
#[test]
fn damaged_files_neither_panic_nor_hang() {
    let text = po::write(&catalog(), Syntax::Braces);
    let mut read = 0;
    for bytes in rres_test_data::damage::scattered(text.as_bytes(), 3_000) {
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(catalog) = po::read(&text) {
            read += 1;
            let again = po::read(&po::write(&catalog, Syntax::Braces)).unwrap();
            assert_eq!(essence(&again), essence(&catalog), "{text}");
        }
    }
    assert!(read > 100, "{read}");
    for start in [
        "msgid \"",
        "#",
        "\\",
        "msgstr[99999999999999999999] \"x\"",
        "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=99999999999\\n\"\n",
    ] {
        let _ = po::read(start);
    }
}
