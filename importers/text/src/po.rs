//! PO files, which translators write → tables: a key, a tab and a text in each line, as the columns of CSV files become.
//!
//! The key is `msgctxt`, or `msgid` without one. A text that is not translated, or whose translation somebody has to look at, is that of the
//! first language, `msgid`: so every key has a text.

use rres_format::chunk::text::TextProps;
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError, NamedPart, Note};
use rres_settings::Culture;
use rres_translations::{Fault, Syntax, po};

use crate::escape::escape;

/// Imports a PO file. `culture` is the language of the file according to its settings.
pub(super) fn import(text: &str, culture: Option<&Culture>) -> Result<Vec<Asset>, ImportError> {
    let catalog = po::read(text).map_err(|faults| error(&faults))?;
    let (mut lines, mut parts) = (String::new(), Vec::new());
    let mut seen = std::collections::HashMap::new();
    let (mut faults, mut fuzzy, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    for unit in &catalog.units {
        let key = if unit.key.is_empty() { &unit.source } else { &unit.key };
        let mut fault = |message: String, help: &str| faults.push(Fault::new(unit.line, message, help));
        if key.is_empty() || key.contains(char::is_control) {
            fault("has an entry without a valid key".to_owned(), "write a key without line breaks as msgctxt");
            continue;
        }
        if let Some(first) = seen.insert(key.as_str(), unit.line) {
            fault(format!("has the key \"{key}\" twice, first in line {first}"), "remove or rename one of them");
        }
        if unit.plural.is_some() {
            let message = format!("has plural forms of \"{key}\", which tables of PO do not have");
            fault(message, "write a text without msgid_plural, or use a Fluent file");
            continue;
        }
        let target = unit.target().filter(|_| !unit.is_fuzzy);
        match target {
            Some(_) => {
                if let Some(found) = unit.other_placeholders(Syntax::Braces) {
                    fault(format!("{found} in the translation of \"{key}\""), "write the placeholders of msgid");
                }
            }
            None if unit.is_fuzzy => fuzzy.push(key.as_str()),
            None => missing.push(key.as_str()),
        }
        let text = target.unwrap_or(&unit.source);
        escape(key, &mut lines);
        lines.push('\t');
        escape(text, &mut lines);
        lines.push('\n');
        // The languages are compared by keys, and the first language has no translations.
        parts.push(NamedPart::of_key(key, Syntax::Braces.placeholders(text), unit.line));
    }
    if !faults.is_empty() {
        return Err(error(&faults));
    }
    let size = u32::try_from(lines.len()).map_err(|_| ImportError::new("became a text of 4 GiB or more"))?;
    let culture = culture.and_then(Culture::lcid).unwrap_or(0);
    let props = TextProps { culture, ..TextProps::utf8(size) };
    let block = Block::new(FourCc::TEXT, props.block(lines.as_bytes()));
    let count = parts.len();
    let summary = format!("{count} {}", if count == 1 { "text" } else { "texts" });
    let mut asset = Asset::new(AssetKind::Text, vec![block], summary);
    asset.parts = parts;
    // The file of the first language is a list of texts, none of which has a translation.
    if !missing.is_empty() && missing.len() + fuzzy.len() < count {
        asset
            .notes
            .push(Note::new("texts that are not translated are in the first language").with_detail(list(&missing)));
    }
    if !fuzzy.is_empty() {
        let note = Note::new("translations that are marked as fuzzy are not used").with_detail(list(&fuzzy));
        asset.notes.push(note);
    }
    Ok(vec![asset])
}

/// The first few keys.
fn list(keys: &[&str]) -> String {
    const MOST: usize = 5;
    let shown = keys[..keys.len().min(MOST)].join(", ");
    if keys.len() > MOST { format!("{shown} and {} more", keys.len() - MOST) } else { shown }
}

fn error(faults: &[Fault]) -> ImportError {
    let Some(first) = faults.first() else { return ImportError::new("is not valid PO") };
    let more = match &faults[1..] {
        [] => String::new(),
        more => {
            let lines: Vec<String> = more.iter().take(20).map(Fault::to_string).collect();
            format!("; and in line {}", lines.join("; in line "))
        }
    };
    ImportError::new(format!("{}{more}", first.message)).with_help(first.help.clone()).at(first.line, 1).without_fix()
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::text::TextView;
    use rres_import::{Asset, ImportError, MemoryFiles};
    use rres_settings::Settings;

    fn import(text: &str) -> Result<Asset, ImportError> {
        let mut settings = Settings::default();
        settings.text.strings = true;
        let files = MemoryFiles::new([("ui.de.po", text)]);
        Ok(files.with_settings(&settings).import(&crate::TextImporter, "ui.de.po")?.remove(0))
    }

    const HEADER: &str = "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n";

    #[test]
    fn every_key_has_a_text_and_fuzzy_ones_are_not_used() {
        let text = "msgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"Beenden\"\n\n#, fuzzy\nmsgctxt \"load\"\nmsgid \"Load\"\nmsgstr \"Last\"\n\n\
                    msgid \"hi {name}\\n\"\nmsgstr \"\"\n";
        let error = import(&format!("{HEADER}{text}")).unwrap_err();
        assert_eq!(error.to_string(), "has an entry without a valid key");
        let asset = import(&format!("{HEADER}{}", text.replace("{name}\\n", "{name}"))).unwrap();
        let payload = PayloadView::parse(&asset.blocks[0].bytes).unwrap();
        let decoded = TextView::parse(payload).unwrap().decode().unwrap().into_owned();
        assert_eq!(decoded, "quit\tBeenden\nload\tLoad\nhi {name}\thi {name}\n");
        let notes: Vec<String> = asset.notes.iter().map(|note| format!("{note:?}")).collect();
        assert!(notes.len() == 2 && notes[0].contains("hi {name}") && notes[1].contains("load"), "{notes:?}");
        let parts: Vec<String> =
            asset.parts.iter().map(|part| format!("{} {}", part.index, part.name.replace('\n', "+"))).collect();
        assert_eq!(parts, ["5 quit", "10 load", "13 hi {name}+name"]);
    }

    #[test]
    fn all_faults_have_their_lines() {
        let text = "msgctxt \"a\"\nmsgid \"{x}\"\nmsgstr \"y\"\n\nmsgctxt \"b\"\nmsgid \"p\"\nmsgid_plural \"q\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
        let error = import(text).unwrap_err().into_diagnostic("".as_ref(), "ui.de.po").to_string();
        let expected = "2:1: lacks {x} in the translation of \"a\"; and in line 6: has plural forms of \"b\", which tables of PO do not have";
        assert!(error.contains(expected), "{error}");
    }
}
