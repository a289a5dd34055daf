//! Reads any text as each file of translators and as each table of texts. What is read is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_translations::csv::Csv;
use rres_translations::fluent::Fluent;
use rres_translations::{Catalog, Coverage, Message, Syntax, Unit, plural, po, pseudo, xliff};

// The first byte chooses the sort of file.
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let syntax = if choice & 4 == 0 { Syntax::Braces } else { Syntax::Fluent };
    match choice & 3 {
        0 => po::read(text).iter().for_each(|catalog| {
            let again = po::read(&po::write(catalog, syntax)).expect("what is written should be read");
            assert_eq!(contents(&again), contents(catalog));
            check(catalog, syntax);
        }),
        1 => xliff::read(text).iter().flatten().for_each(|catalog| {
            for version in [xliff::Version::V1_2, xliff::Version::V2_0] {
                // Some characters have no place in XML.
                let Ok(written) = xliff::write(catalog, version) else { continue };
                xliff::read(&written).expect("what is written should be read");
            }
            check(catalog, syntax);
        }),
        2 => {
            let Ok(mut fluent) = Fluent::read(text) else { return };
            let messages = fluent.messages();
            messages.iter().for_each(|message| fluent.set(&message.key, &message.text));
            let written = fluent.finish();
            let again = Fluent::read(&written).expect("what is written should be read");
            assert_eq!(texts(&again.messages()), texts(&messages));
            messages.iter().for_each(|message| drop((plural::split(&message.text), pseudo(&message.text, syntax))));
            Coverage::of(&messages, &again.messages(), &[]);
        }
        _ => {
            let Ok(mut table) = Csv::read(text, |name| Some(name.to_owned())) else { return };
            let languages: Vec<String> = table.languages().map(str::to_owned).collect();
            for language in &languages {
                for message in table.messages(language) {
                    table.set(language, &message.key, &message.text);
                }
            }
            let written = table.finish();
            Csv::read(&written, |name| Some(name.to_owned())).expect("what is written should be read");
        }
    }
});

fn check(catalog: &Catalog, syntax: Syntax) {
    let table: Vec<Message> = catalog
        .units
        .iter()
        .map(|unit| Message { key: unit.key.clone(), text: unit.source.clone(), ..Message::default() })
        .collect();
    let _ = catalog.clone().find_keys(&table, syntax);
    catalog.units.iter().for_each(|unit| drop(unit.other_placeholders(syntax)));
}

/// What a file of translators says about each text. Comments, places and flags of texts without a translation may differ.
fn contents(catalog: &Catalog) -> Vec<(&str, &str, Option<&str>, Vec<&str>)> {
    catalog.units.iter().map(content).collect()
}

fn content(unit: &Unit) -> (&str, &str, Option<&str>, Vec<&str>) {
    let targets = unit.targets.iter().map(String::as_str).filter(|target| !target.is_empty()).collect();
    (&unit.key, &unit.source, unit.plural.as_deref(), targets)
}

fn texts(messages: &[Message]) -> Vec<(&str, &str)> {
    messages.iter().map(|message| (message.key.as_str(), message.text.as_str())).collect()
}
