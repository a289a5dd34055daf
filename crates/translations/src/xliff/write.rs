//! A catalog → XLIFF.

use std::fmt::Write as _;

use super::Version;
use crate::fault::Faults;
use crate::{Catalog, Fault};

/// Writes an XLIFF file. A catalog without a language is written without translations.
///
/// # Errors
/// If a text has a character that XML does not have, with its line in the table. If a unit has plural forms, which XLIFF does not have.
pub fn write(catalog: &Catalog, version: Version) -> Result<String, Vec<Fault>> {
    let mut faults = Faults::default();
    for unit in &catalog.units {
        let line = unit.table_line.max(1);
        let texts = [&unit.key, &unit.source, &unit.comment];
        if let Some(c) = texts.into_iter().chain(&unit.targets).flat_map(|text| text.chars()).find(|c| !is_of_xml(*c)) {
            let message =
                format!("has the character U+{:04X} at \"{}\", which XML does not have", u32::from(c), unit.key);
            faults.add(line, message, "remove it, or export as PO");
        }
        if unit.plural.is_some() {
            let message = format!("has plural forms at \"{}\", which XLIFF does not have", unit.key);
            faults.add(line, message, "export as PO");
        }
    }
    faults.or(match version {
        Version::V1_2 => version_1_2(catalog),
        Version::V2_0 => version_2_0(catalog),
    })
}

fn is_of_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn version_1_2(catalog: &Catalog) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\">\n  <file";
    attribute("original", &catalog.table, &mut out);
    attribute("source-language", &catalog.source_language, &mut out);
    if !catalog.language.is_empty() {
        attribute("target-language", &catalog.language, &mut out);
    }
    out += " datatype=\"plaintext\">\n    <body>\n";
    for unit in &catalog.units {
        let target = unit.target();
        out += "      <trans-unit";
        attribute("id", &unit.key, &mut out);
        attribute("resname", &unit.key, &mut out);
        out += " xml:space=\"preserve\"";
        if target.is_some() {
            out += if unit.is_fuzzy { " approved=\"no\"" } else { " approved=\"yes\"" };
        }
        out += ">\n        <source>";
        text(&unit.source, &mut out);
        out += "</source>\n";
        if !catalog.language.is_empty() {
            let state = match target {
                None => "needs-translation",
                Some(_) if unit.is_fuzzy => "needs-review-translation",
                Some(_) => "translated",
            };
            let _ = write!(out, "        <target state=\"{state}\">");
            text(target.unwrap_or_default(), &mut out);
            out += "</target>\n";
        }
        if unit.table_line > 0 {
            out += "        <context-group purpose=\"location\">\n          <context context-type=\"sourcefile\">";
            text(&catalog.table, &mut out);
            let _ = writeln!(
                out,
                "</context>\n          <context context-type=\"linenumber\">{}</context>",
                unit.table_line
            );
            out += "        </context-group>\n";
        }
        if !unit.comment.is_empty() {
            out += "        <note from=\"developer\">";
            text(&unit.comment, &mut out);
            out += "</note>\n";
        }
        out += "      </trans-unit>\n";
    }
    out + "    </body>\n  </file>\n</xliff>\n"
}

fn version_2_0(catalog: &Catalog) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\"";
    attribute("srcLang", &catalog.source_language, &mut out);
    if !catalog.language.is_empty() {
        attribute("trgLang", &catalog.language, &mut out);
    }
    out += ">\n  <file id=\"f1\"";
    attribute("original", &catalog.table, &mut out);
    // A file without a unit is not valid.
    out += ">\n";
    for unit in &catalog.units {
        out += "    <unit";
        attribute("id", &token(&unit.key), &mut out);
        attribute("name", &unit.key, &mut out);
        out += " xml:space=\"preserve\">\n";
        if !unit.comment.is_empty() {
            out += "      <notes>\n        <note category=\"developer\">";
            text(&unit.comment, &mut out);
            out += "</note>\n      </notes>\n";
        }
        let target = unit.target();
        let state = if target.is_some() && !unit.is_fuzzy { "translated" } else { "initial" };
        let _ = write!(out, "      <segment state=\"{state}\">\n        <source>");
        text(&unit.source, &mut out);
        out += "</source>\n";
        if let Some(target) = target.filter(|_| !catalog.language.is_empty()) {
            out += "        <target>";
            text(target, &mut out);
            out += "</target>\n";
        }
        out += "      </segment>\n    </unit>\n";
    }
    out + "  </file>\n</xliff>\n"
}

/// A key as an id of XLIFF 2.0, which has letters, digits and a few signs. Other characters are written by their numbers, so that two keys never
/// have one id.
fn token(key: &str) -> String {
    let mut out = String::new();
    for c in key.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') => out.push(c),
            c => _ = write!(out, ":{:x}:", u32::from(c)),
        }
    }
    out
}

fn attribute(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, " {name}=\"");
    for c in value.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            // Readers take these for spaces otherwise.
            '\n' | '\t' => _ = write!(out, "&#{};", u32::from(c)),
            c => escape(c, out),
        }
    }
    out.push('"');
}

fn text(text: &str, out: &mut String) {
    text.chars().for_each(|c| escape(c, out));
}

fn escape(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\r' => out.push_str("&#13;"),
        c => out.push(c),
    }
}
