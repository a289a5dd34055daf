//! PO → a catalog.

use std::collections::HashMap;

use super::{SOURCE_LANGUAGE, TABLE};
use crate::fault::Faults;
use crate::{Catalog, Fault, Unit};

/// The most plural forms that a language has in gettext.
const MAX_FORMS: usize = 6;

/// Reads a PO file or a template.
///
/// ```
/// let faults = rres_translations::po::read("msgid \"Quit\"\nmsgstr \"Beenden\n").unwrap_err();
/// assert_eq!(faults[0].to_string(), "2: has a text without a quotation mark at its end");
/// ```
///
/// # Errors
/// With everything that is wrong, in the order of the lines.
pub fn read(text: &str) -> Result<Catalog, Vec<Fault>> {
    Faults::check_size(text)?;
    let mut reader = Reader::default();
    for (line, text) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        reader.line(line, text.trim());
    }
    reader.end_entry();
    reader.check_twice();
    let Reader { catalog, faults, .. } = reader;
    faults.or(catalog)
}

/// The part of an entry that continues in the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Context,
    Source,
    Plural,
    Target(usize),
}

/// An entry that is being read.
#[derive(Debug, Default)]
struct Entry {
    line: u32,
    context: Option<String>,
    source: Option<String>,
    plural: Option<String>,
    targets: Vec<String>,
    is_fuzzy: bool,
    comments: Vec<String>,
    reference: Option<(String, u32)>,
    /// Whether there was a fault, so that no other one follows from it.
    is_broken: bool,
}

#[derive(Debug, Default)]
struct Reader {
    catalog: Catalog,
    faults: Faults,
    entry: Entry,
    part: Option<Part>,
    /// The number of plural forms that the header names.
    forms: Option<usize>,
}

impl Reader {
    fn line(&mut self, line: u32, text: &str) {
        if text.is_empty() {
            self.end_entry();
        } else if let Some(rest) = text.strip_prefix('#') {
            self.comment(rest);
        } else if text.starts_with('"') {
            self.add(line, text);
        } else {
            self.keyword(line, text);
        }
    }

    fn comment(&mut self, rest: &str) {
        // A comment begins an entry; what is obsolete begins with `~`, and what was before with `|`.
        if !self.entry.targets.is_empty() {
            self.end_entry();
        }
        if let Some(flags) = rest.strip_prefix(',') {
            self.entry.is_fuzzy |= flags.split(',').any(|flag| flag.trim() == "fuzzy");
        } else if let Some(text) = rest.strip_prefix('.') {
            self.entry.comments.push(text.trim().to_owned());
        } else if let Some(place) = rest.strip_prefix(':').map(str::trim)
            && self.entry.reference.is_none()
        {
            // The path may contain spaces: gettext puts it between these marks then.
            let place = place.trim_start_matches('\u{2068}').replacen('\u{2069}', "", 1);
            self.entry.reference = first_reference(&place);
        }
    }

    fn keyword(&mut self, line: u32, text: &str) {
        let end = text.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(text.len());
        let (keyword, rest) = (&text[..end], text[end..].trim_start());
        // Entries need no empty line between them.
        let begins = matches!(keyword, "msgctxt") || (keyword == "msgid" && self.part != Some(Part::Context));
        if begins && (self.entry.source.is_some() || self.entry.context.is_some()) {
            self.end_entry();
        }
        let entry = &mut self.entry;
        let part = match keyword {
            "msgctxt" => Part::Context,
            "msgid" => Part::Source,
            "msgid_plural" => Part::Plural,
            "msgstr" => Part::Target(0),
            _ => match keyword.strip_prefix("msgstr[").and_then(|rest| rest.strip_suffix(']')?.parse().ok()) {
                Some(number) if number < MAX_FORMS => Part::Target(number),
                _ => {
                    let message = format!("has \"{keyword}\", expected msgctxt, msgid, msgid_plural or msgstr");
                    self.broken(line, message, "check the file with `msgfmt -c`; other keywords are not supported");
                    return;
                }
            },
        };
        let is_in_order = match part {
            Part::Context => entry.context.is_none() && entry.source.is_none(),
            Part::Source => entry.source.is_none(),
            Part::Plural => entry.source.is_some() && entry.plural.is_none() && entry.targets.is_empty(),
            Part::Target(number) => {
                let is_plural = keyword != "msgstr";
                entry.source.is_some() && entry.targets.len() == number && entry.plural.is_some() == is_plural
            }
        };
        if !is_in_order {
            self.broken(
                line,
                format!("has {keyword} in another order than msgctxt, msgid, msgid_plural, msgstr"),
                "check the file with `msgfmt -c`",
            );
            return;
        }
        match part {
            Part::Context => (entry.context, entry.line) = (Some(String::new()), line),
            Part::Source => (entry.source, entry.line) = (Some(String::new()), line),
            Part::Plural => entry.plural = Some(String::new()),
            Part::Target(_) => entry.targets.push(String::new()),
        }
        self.part = Some(part);
        self.add(line, rest);
    }

    /// Adds a text in quotation marks to the part that is being read.
    fn add(&mut self, line: u32, quoted: &str) {
        if self.entry.is_broken {
            return;
        }
        let text = match unquote(quoted) {
            Ok(text) => text,
            Err(message) => {
                self.broken(line, message, "write it as \"text\", with \\\" for a quotation mark within");
                return;
            }
        };
        let entry = &mut self.entry;
        let place = match self.part {
            Some(Part::Context) => entry.context.as_mut(),
            Some(Part::Source) => entry.source.as_mut(),
            Some(Part::Plural) => entry.plural.as_mut(),
            Some(Part::Target(number)) => entry.targets.get_mut(number),
            None => None,
        };
        match place {
            Some(place) => place.push_str(&text),
            None => self.broken(line, "has a text without a keyword before it", "write msgid or msgstr before it"),
        }
    }

    fn broken(&mut self, line: u32, message: impl Into<String>, help: &str) {
        if !self.entry.is_broken {
            self.faults.add(line, message, help);
        }
        self.entry.is_broken = true;
        self.part = None;
    }

    fn end_entry(&mut self) {
        self.part = None;
        let entry = std::mem::take(&mut self.entry);
        if entry.is_broken {
            return;
        }
        let Some(source) = entry.source else {
            // Comments alone are no entry, but a context is.
            if entry.context.is_some() {
                self.faults.add(entry.line.max(1), "has a msgctxt without a msgid", "write the msgid after it");
            }
            return;
        };
        if entry.targets.is_empty() {
            self.faults.add(entry.line, "has a msgid without a msgstr", "write `msgstr \"\"` after it");
            return;
        }
        if entry.context.is_none() && source.is_empty() {
            self.header(entry.line, &entry.targets[0]);
            return;
        }
        let count = entry.targets.len();
        if let Some(expected) = self.forms.filter(|forms| entry.plural.is_some() && *forms != count) {
            let message = format!("has {count} plural forms, expected {expected} by Plural-Forms of the header");
            self.faults.add(entry.line, message, "write a msgstr for each form");
        }
        let (table, table_line) = entry.reference.map_or((None, 0), |(table, line)| (Some(table), line));
        self.catalog.units.push(Unit {
            key: entry.context.unwrap_or_default(),
            source,
            plural: entry.plural,
            targets: entry.targets,
            is_fuzzy: entry.is_fuzzy,
            comment: entry.comments.join("\n"),
            table,
            table_line,
            line: entry.line,
        });
    }

    fn header(&mut self, line: u32, text: &str) {
        for (name, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            let catalog = &mut self.catalog;
            match name.trim() {
                "Language" => catalog.language = tag_of(value),
                TABLE => catalog.table = value.to_owned(),
                SOURCE_LANGUAGE => catalog.source_language = value.to_owned(),
                "Plural-Forms" => {
                    let count =
                        value.strip_prefix("nplurals=").and_then(|rest| rest.split(';').next()?.trim().parse().ok());
                    self.forms = count.filter(|count| (1..=MAX_FORMS).contains(count));
                }
                "Content-Type" => {
                    let charset = value.split_once("charset=").map(|(_, charset)| charset.trim());
                    let is_utf8 = |charset: &str| {
                        ["utf-8", "utf8", "ascii", "us-ascii", "charset"]
                            .contains(&charset.to_ascii_lowercase().as_str())
                    };
                    if let Some(charset) = charset.filter(|charset| !is_utf8(charset)) {
                        let message = format!("is in the character set {charset}, expected UTF-8");
                        self.faults.add(line, message, "convert it with `msgconv -t UTF-8`");
                    }
                }
                _ => {}
            }
        }
    }

    /// Reports entries with context and text of an earlier one.
    fn check_twice(&mut self) {
        let mut seen: HashMap<(&str, &str), u32> = HashMap::new();
        for unit in &self.catalog.units {
            if let Some(first) = seen.insert((&unit.key, &unit.source), unit.line) {
                let message = format!("has an entry twice, first in line {first}");
                self.faults.add(unit.line, message, "remove one of them, or merge them with `msguniq`");
            }
        }
    }
}

/// The tag of BCP 47 of a language such as `pt_BR` or `sr@latin`. What no tag can say stays as it is, so that it is not taken for another language.
fn tag_of(name: &str) -> String {
    let name = name.replace('_', "-");
    let Some((tag, modifier)) = name.split_once('@') else { return name };
    let (language, rest) = tag.split_at(tag.find('-').unwrap_or(tag.len()));
    match modifier {
        "latin" => format!("{language}-Latn{rest}"),
        "cyrillic" => format!("{language}-Cyrl{rest}"),
        "valencia" => format!("{tag}-valencia"),
        _ => name,
    }
}

/// The text of a line in quotation marks.
fn unquote(quoted: &str) -> Result<String, String> {
    let Some(inner) = quoted.strip_prefix('"') else {
        return Err("has a keyword without a text in quotation marks".to_owned());
    };
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' if chars.as_str().trim().is_empty() => return Ok(out),
            '"' => return Err("has something after the quotation mark that ends a text".to_owned()),
            '\\' => {
                let escaped = chars.next().unwrap_or('\n');
                out.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'v' => '\u{b}',
                    '"' | '\\' | '\'' | '?' => escaped,
                    '0'..='7' => {
                        let mut value = escaped.to_digit(8).unwrap_or(0);
                        for _ in 0..2 {
                            let Some(digit) = chars.clone().next().and_then(|c| c.to_digit(8)) else { break };
                            (value, _) = (value * 8 + digit, chars.next());
                        }
                        ascii(value)?
                    }
                    'x' => {
                        let digits: String = chars.clone().take(2).take_while(char::is_ascii_hexdigit).collect();
                        digits.chars().for_each(|_| _ = chars.next());
                        ascii(u32::from_str_radix(&digits, 16).unwrap_or(u32::MAX))?
                    }
                    '\n' => return Err("has a text without a quotation mark at its end".to_owned()),
                    other => return Err(format!("has the escape sequence \\{other}, which PO does not have")),
                });
            }
            c => out.push(c),
        }
    }
    Err("has a text without a quotation mark at its end".to_owned())
}

/// A byte that was written as a number: a character of its own only in ASCII.
fn ascii(value: u32) -> Result<char, String> {
    let found = char::from_u32(value).filter(char::is_ascii);
    found.ok_or_else(|| "has a number for a byte that is not ASCII; expected the character itself".to_owned())
}

/// The first of the references in a line, which end in a number each: the table and its line.
fn first_reference(places: &str) -> Option<(String, u32)> {
    places.match_indices(':').find_map(|(at, _)| {
        let rest = &places[at + 1..];
        let number = rest.split(char::is_whitespace).next().unwrap_or_default();
        Some((places[..at].to_owned(), number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::first_reference;

    #[test]
    fn the_first_of_several_references_counts() {
        let found = |places| first_reference(places).map(|(table, line)| format!("{table}, {line}"));
        assert_eq!(found("ui.csv:3 ui.csv:9").as_deref(), Some("ui.csv, 3"));
        assert_eq!(found("my texts/ui.csv:3").as_deref(), Some("my texts/ui.csv, 3"));
        assert_eq!(found("c:/ui.csv:3").as_deref(), Some("c:/ui.csv, 3"));
        assert_eq!(found("ui.csv"), None);
    }
}
