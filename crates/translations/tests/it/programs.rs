//! XLIFF, and what gettext, the translate-toolkit and xmllint write and say.

use std::path::Path;
use std::process::Command;

use rres_test_support::has_tools;
use rres_translations::xliff::{self, Version};
use rres_translations::{Catalog, Message, Syntax, po};

use crate::{catalog, essence};

#[test]
fn xliff_comes_back_in_both_versions() {
    for version in [Version::V1_2, Version::V2_0] {
        let mut expected = catalog();
        expected.units[3].key = "a key, \"x\" & <y>\tü".into();
        expected.units[4].targets = vec!["mit\r\nWagenrücklauf ".into()];
        let text = xliff::write(&expected, version).unwrap();
        let read = xliff::read(&text).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(essence(&read[0]), essence(&expected), "{text}");
        assert_eq!(read[0].units[0].comment, expected.units[0].comment);
        let names = (read[0].table.as_str(), read[0].source_language.as_str(), read[0].language.as_str());
        assert_eq!(names, ("text/ui.csv", "en", "de"));
    }
}

#[test]
fn xliff_1_2_has_these_bytes() {
    let mut catalog = catalog();
    catalog.units.truncate(2);
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="text/ui.csv" source-language="en" target-language="de" datatype="plaintext">
    <body>
      <trans-unit id="greeting" resname="greeting" xml:space="preserve" approved="yes">
        <source>Welcome back, {name}!
Line "two"</source>
        <target state="translated">Willkommen, {name}!
Zeile „zwei“</target>
        <context-group purpose="location">
          <context context-type="sourcefile">text/ui.csv</context>
          <context context-type="linenumber">2</context>
        </context-group>
        <note from="developer">with the player's name
in two lines</note>
      </trans-unit>
      <trans-unit id="quit" resname="quit" xml:space="preserve" approved="no">
        <source>Quit</source>
        <target state="needs-review-translation">Ende</target>
        <context-group purpose="location">
          <context context-type="sourcefile">text/ui.csv</context>
          <context context-type="linenumber">3</context>
        </context-group>
      </trans-unit>
    </body>
  </file>
</xliff>
"#;
    assert_eq!(xliff::write(&catalog, Version::V1_2).unwrap(), expected);
}

/// What the translate-toolkit and memoQ write: tags within texts, suggestions, several segments, plural forms.
#[test]
fn what_other_programs_add_is_read_or_refused() {
    let of = |inner: &str| {
        let start =
            "<xliff version=\"1.2\"><file original=\"a.csv\" source-language=\"en\" target-language=\"pt_BR\"><body>";
        xliff::read(&format!("{start}\n{inner}\n</body></file></xliff>"))
    };
    let units = of("<group><trans-unit id=\"1\"><source>a &amp; <mrk mtype=\"seg\">b</mrk></source><target><![CDATA[c < d]]>&#33;</target>\
                    <alt-trans><target>other</target></alt-trans></trans-unit></group>")
    .unwrap()
    .remove(0);
    assert_eq!(units.language, "pt-BR");
    assert_eq!((units.units[0].source.as_str(), units.units[0].target()), ("a & b", Some("c < d!")));
    let segments = "<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\"><file id=\"f\"><unit id=\"u\" name=\"key\">\
                    <segment><source>A. </source><target>X. </target></segment><segment><source>B.</source><target>Y.</target>\
                    </segment></unit></file></xliff>";
    let read = xliff::read(segments).unwrap().remove(0);
    assert_eq!((read.units[0].key.as_str(), read.units[0].target()), ("key", Some("X. Y.")));
    for (inner, fault) in [
        ("<trans-unit id=\"1\"><source>a <x id=\"1\"/></source></trans-unit>", "2: has <x> within a text"),
        ("<trans-unit id=\"1\"><source>&unknown;</source></trans-unit>", "2: has the reference &unknown;"),
        ("<trans-unit id=\"1\"><source>a</target></trans-unit>", "2: is not valid XML"),
        (&"<group>".repeat(100), "2: has elements that are nested more than 64 times"),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]>", "2: has a document type declaration"),
    ] {
        let faults = of(inner).unwrap_err();
        assert!(faults[0].to_string().starts_with(fault), "{faults:?}");
    }
    for (text, fault) in [
        ("", "1: has no element <xliff>"),
        ("<tmx/>", "1: has no element <xliff>"),
        ("<xliff version=\"3.0\"/>", "1: is XLIFF of version \"3.0\", expected 1.2 or 2.0"),
        ("<xliff version=\"1.2\">\n<file>", "2: ends within <xliff><file>"),
    ] {
        assert_eq!(xliff::read(text).unwrap_err()[0].to_string(), fault);
    }
    let mut control = catalog();
    control.units[0].source.push('\u{1}');
    let fault = "2: has the character U+0001 at \"greeting\", which XML does not have";
    assert_eq!(xliff::write(&control, Version::V1_2).unwrap_err()[0].to_string(), fault);
}

#[test]
fn damaged_xliff_neither_panics_nor_hangs() {
    let mut read = 0;
    for version in [Version::V1_2, Version::V2_0] {
        let text = xliff::write(&catalog(), version).unwrap();
        for bytes in rres_test_data::damage::scattered(text.as_bytes(), 1_500) {
            read += usize::from(xliff::read(&String::from_utf8_lossy(&bytes)).is_ok());
        }
    }
    assert!(read > 100, "{read}");
}

fn run(dir: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(dir).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {text}");
    text
}

fn read(dir: &Path, file: &str) -> String {
    std::fs::read_to_string(dir.join(file)).unwrap()
}

/// gettext accepts what is written, and what it writes comes in equal.
#[test]
fn gettext_changes_nothing() {
    if !has_tools(&["msgfmt", "msgmerge", "msgcat"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut own = catalog();
    own.units.push(rres_translations::Unit {
        key: "photos".into(),
        source: "one photo".into(),
        plural: Some("{ $count } photos".into()),
        targets: vec!["ein Foto".into(), "{ $count } Fotos".into()],
        table_line: 9,
        ..rres_translations::Unit::default()
    });
    std::fs::write(dir.path().join("de.po"), po::write(&own, Syntax::Braces)).unwrap();
    let template = Catalog { language: String::new(), ..own.clone() };
    let template = Catalog {
        units: template
            .units
            .into_iter()
            .map(|unit| rres_translations::Unit { targets: Vec::new(), is_fuzzy: false, ..unit })
            .collect(),
        ..template
    };
    std::fs::write(dir.path().join("ui.pot"), po::write(&template, Syntax::Braces)).unwrap();
    run(dir.path(), "msgfmt", &["-c", "-o", "de.mo", "de.po"]);
    run(dir.path(), "msgcat", &["--no-wrap", "-o", "cat.po", "de.po"]);
    assert_eq!(read(dir.path(), "cat.po"), read(dir.path(), "de.po"), "the form is that of gettext");
    run(dir.path(), "msgmerge", &["-q", "-o", "merged.po", "de.po", "ui.pot"]);
    run(dir.path(), "msgcat", &["--width=30", "-s", "-o", "narrow.po", "de.po"]);
    for file in ["merged.po", "narrow.po"] {
        let catalog = po::read(&read(dir.path(), file)).unwrap();
        let (mut found, mut expected) = (essence(&catalog), essence(&own));
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{file}");
        assert_eq!((catalog.table.as_str(), catalog.language.as_str()), ("text/ui.csv", "de"));
    }
    // A placeholder that a translator has lost is found by gettext, too.
    std::fs::write(dir.path().join("bad.po"), read(dir.path(), "de.po").replace("Willkommen, {name}", "Willkommen"))
        .unwrap();
    let output =
        Command::new("msgfmt").args(["-c", "-o", "bad.mo", "bad.po"]).current_dir(dir.path()).output().unwrap();
    assert!(!output.status.success());
}

/// The table of which the units of a catalog are.
fn table_of(catalog: &Catalog) -> Vec<Message> {
    let message = |unit: &rres_translations::Unit| Message {
        key: unit.key.clone(),
        text: unit.source.clone(),
        ..Message::default()
    };
    catalog.units.iter().map(message).collect()
}

/// What version 3.20 of the translate-toolkit, by which Weblate reads and writes, has made of `po::write`: it drops the keys.
#[test]
fn files_of_the_translate_toolkit_come_in_equal() {
    let own = catalog();
    let mut of_po = xliff::read(include_str!("../files/po.xlf")).unwrap().remove(0);
    let mut of_xliff = po::read(include_str!("../files/xlf.po")).unwrap();
    for catalog in [&mut of_po, &mut of_xliff] {
        catalog.find_keys(&table_of(&own), Syntax::Braces).unwrap();
        assert_eq!(essence(catalog), essence(&own));
    }
}

/// The same with the toolkit of this machine.
#[test]
#[ignore = "long: each program of the toolkit takes seconds to start"]
fn the_translate_toolkit_changes_nothing() {
    if !has_tools(&["po2xliff", "xliff2po", "pofilter"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let own = catalog();
    std::fs::write(dir.path().join("de.po"), po::write(&own, Syntax::Braces)).unwrap();
    std::fs::write(dir.path().join("own.xlf"), xliff::write(&own, Version::V1_2).unwrap()).unwrap();
    run(dir.path(), "po2xliff", &["-i", "de.po", "-o", "po.xlf"]);
    run(dir.path(), "xliff2po", &["-i", "own.xlf", "-o", "xlf.po"]);
    let table = table_of(&own);
    let mut of_po = xliff::read(&read(dir.path(), "po.xlf")).unwrap().remove(0);
    let mut of_xliff = po::read(&read(dir.path(), "xlf.po")).unwrap();
    for catalog in [&mut of_po, &mut of_xliff] {
        catalog.find_keys(&table, Syntax::Braces).unwrap();
        assert_eq!(essence(catalog), essence(&own));
    }
    run(dir.path(), "pofilter", &["-t", "variables", "-t", "newlines", "-i", "de.po", "-o", "faults.po"]);
    assert!(!dir.path().join("faults.po").exists(), "{}", read(dir.path(), "faults.po"));
}

#[test]
fn xmllint_accepts_xliff() {
    if !has_tools(&["xmllint"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, version) in [("a.xlf", Version::V1_2), ("b.xlf", Version::V2_0)] {
        std::fs::write(dir.path().join(name), xliff::write(&catalog(), version).unwrap()).unwrap();
        run(dir.path(), "xmllint", &["--noout", name]);
    }
}
