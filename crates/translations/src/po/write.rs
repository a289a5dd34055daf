//! A catalog → PO.

use std::fmt::Write as _;

use super::{SOURCE_LANGUAGE, TABLE};
use crate::{Catalog, Syntax, plural};

/// Writes a PO file, or a template (`.pot`) if the catalog has no language. It has no times and no names of people, so equal texts give equal
/// bytes. Lines are not wrapped, as by `msgcat --no-wrap`.
///
/// A text with `{name}` gets the flag `python-brace-format`, by which `msgfmt -c`, Poedit and Weblate check placeholders, unless it has other
/// braces.
///
/// ```
/// use rres_translations::{Catalog, Syntax, Unit, po};
///
/// let unit = Unit { key: "quit".into(), source: "Quit".into(), ..Unit::default() };
/// let text = po::write(&Catalog { units: vec![unit], ..Catalog::default() }, Syntax::Braces);
/// assert!(text.ends_with("\nmsgctxt \"quit\"\nmsgid \"Quit\"\nmsgstr \"\"\n"));
/// ```
pub fn write(catalog: &Catalog, syntax: Syntax) -> String {
    let mut out = header(catalog);
    for unit in &catalog.units {
        out.push('\n');
        for line in unit.comment.lines() {
            let _ = writeln!(out, "{}", format!("#. {line}").trim_end());
        }
        if !catalog.table.is_empty() {
            // gettext takes a space for the end of a path that is not between these marks.
            let table = &catalog.table;
            let table = if table.contains(' ') { format!("\u{2068}{table}\u{2069}") } else { table.clone() };
            let _ = match unit.table_line {
                0 => writeln!(out, "#: {table}"),
                line => writeln!(out, "#: {table}:{line}"),
            };
        }
        let has_target = unit.targets.iter().any(|target| !target.is_empty());
        let flags = [
            (unit.is_fuzzy && has_target).then_some("fuzzy"),
            (syntax == Syntax::Braces && is_brace_format(&unit.source)).then_some("python-brace-format"),
        ];
        let flags: Vec<&str> = flags.into_iter().flatten().collect();
        if !flags.is_empty() {
            let _ = writeln!(out, "#, {}", flags.join(", "));
        }
        if !unit.key.is_empty() {
            field("msgctxt", &unit.key, &mut out);
        }
        field("msgid", &unit.source, &mut out);
        match &unit.plural {
            None => field("msgstr", unit.targets.first().map_or("", String::as_str), &mut out),
            Some(text) => {
                field("msgid_plural", text, &mut out);
                let count = plural::forms(&catalog.language).map_or(2, |forms| forms.categories.len());
                for number in 0..count.max(unit.targets.len()) {
                    let text = unit.targets.get(number).map_or("", String::as_str);
                    field(&format!("msgstr[{number}]"), text, &mut out);
                }
            }
        }
    }
    out
}

fn header(catalog: &Catalog) -> String {
    let mut lines = String::new();
    let _ = write!(
        lines,
        "Project-Id-Version: {}\nPO-Revision-Date: \nLast-Translator: \nLanguage-Team: \nLanguage: ",
        catalog.table
    );
    let _ = writeln!(lines, "{}", catalog.language.replace('-', "_"));
    lines += "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
    if catalog.units.iter().any(|unit| unit.plural.is_some()) {
        let forms = plural::forms(&catalog.language);
        let _ = writeln!(lines, "Plural-Forms: {}", forms.map_or("nplurals=2; plural=(n != 1);", |forms| forms.header));
    }
    let _ = writeln!(lines, "{TABLE}: {}\n{SOURCE_LANGUAGE}: {}", catalog.table, catalog.source_language);
    let mut out = String::new();
    field("msgid", "", &mut out);
    field("msgstr", &lines, &mut out);
    out
}

/// Whether all braces of a text are those of placeholders, of which it has some.
fn is_brace_format(text: &str) -> bool {
    let placeholders = Syntax::Braces.placeholders(text);
    let is_numbered = |name: &String| name.starts_with(|c: char| c.is_ascii_digit());
    let braces = text.matches(['{', '}']).count();
    !placeholders.is_empty() && braces == 2 * placeholders.len() && !placeholders.iter().any(is_numbered)
}

/// Writes a keyword with its text: in one line, or in one for each line of the text.
fn field(keyword: &str, text: &str, out: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let _ = write!(out, "{keyword} ");
    if lines.len() > 1 {
        out.push_str("\"\"\n");
    }
    for line in &lines {
        quote(line, out);
    }
    if lines.is_empty() {
        quote("", out);
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_ascii_control() => _ = write!(out, "\\{:03o}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push_str("\"\n");
}
