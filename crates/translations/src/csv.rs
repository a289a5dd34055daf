//! Tables as CSV, with a column for each language.
//!
//! Texts are changed in place: fields, line ends and quotation marks of everything else stay as they are.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fault::Faults;
use crate::{Fault, Message};

/// A CSV file with a column for each language.
#[derive(Debug)]
pub struct Csv<'t> {
    text: &'t str,
    separator: char,
    rows: Vec<Row>,
    /// Column and tag of each language.
    columns: Vec<(usize, String)>,
    /// The texts to write, by row and column.
    changes: BTreeMap<(usize, usize), String>,
    /// The columns to add.
    added: Vec<String>,
}

#[derive(Debug)]
struct Row {
    fields: Vec<Field>,
    /// Where the line break begins.
    end: usize,
    line: u32,
}

#[derive(Debug)]
struct Field {
    text: String,
    /// Where it is in the file, with its quotation marks.
    range: Range<usize>,
}

impl<'t> Csv<'t> {
    /// Reads a file. `language_of` returns the tag of a language for the name of a column, or `None` if it is no language.
    ///
    /// # Errors
    /// If a quotation mark is not closed, or no column has a language.
    pub fn read(text: &'t str, language_of: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<Fault>> {
        Faults::check_size(text)?;
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let first = text[start..].lines().next().unwrap_or_default();
        let separator = [',', ';', '\t'].into_iter().find(|separator| first.contains(*separator)).unwrap_or(',');
        let rows = rows(text, start, separator)?;
        let header = rows.first().map(|row| &row.fields[..]).unwrap_or_default();
        let columns = header.iter().enumerate().skip(1);
        let columns: Vec<_> = columns.filter_map(|(at, field)| Some((at, language_of(field.text.trim())?))).collect();
        if columns.is_empty() {
            let help = "the first line is such as `key,en,fr`: the key, then a tag of BCP 47 for each language";
            return Err(vec![Fault::new(1, "has no column for a language", help)]);
        }
        // A new column would take the place of what is there.
        let wide = rows.iter().filter(|row| row.fields.len() > header.len());
        let wide: Vec<Fault> = wide
            .map(|row| {
                let message = format!("has {} fields in this row, expected at most {}", row.fields.len(), header.len());
                Fault::new(row.line, message, "put a text that contains the separator in quotes")
            })
            .collect();
        if !wide.is_empty() {
            return Err(wide);
        }
        Ok(Self { text, separator, rows, columns, changes: BTreeMap::new(), added: Vec::new() })
    }

    /// The languages, in the order of their columns.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(_, tag)| tag.as_str()).chain(self.added.iter().map(String::as_str))
    }

    /// The texts of a language, in the order of the rows. Other columns that are not for a language are its comments.
    pub fn messages(&self, language: &str) -> Vec<Message> {
        let Some(column) = self.column(language) else { return Vec::new() };
        let width = self.rows.first().map_or(0, |row| row.fields.len());
        let others: Vec<usize> = (1..width).filter(|at| self.columns.iter().all(|(column, _)| column != at)).collect();
        let message = |row: &Row| {
            let text = |at: usize| row.fields.get(at).map(|field| field.text.as_str()).unwrap_or_default();
            let key = text(0).trim();
            let comments: Vec<&str> =
                others.iter().map(|at| text(*at).trim()).filter(|text| !text.is_empty()).collect();
            let message = Message {
                key: key.to_owned(),
                text: text(column).to_owned(),
                line: row.line,
                comment: comments.join("\n"),
            };
            Some(message).filter(|message| !key.is_empty() && !message.text.is_empty())
        };
        self.rows.iter().skip(1).filter_map(message).collect()
    }

    fn column(&self, language: &str) -> Option<usize> {
        let own = self.columns.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(language)).map(|(at, _)| *at);
        let width = self.rows.first().map_or(0, |row| row.fields.len());
        own.or_else(|| Some(width + self.added.iter().position(|tag| tag.eq_ignore_ascii_case(language))?))
    }

    /// Writes a text of a language, for which a column is added if there is none. Returns whether the table has the key.
    pub fn set(&mut self, language: &str, key: &str, text: &str) -> bool {
        let Some(row) = self.rows.iter().skip(1).position(|row| row.fields[0].text.trim() == key) else { return false };
        let column = self.column(language).unwrap_or_else(|| {
            self.added.push(language.to_owned());
            self.column(language).unwrap_or_default()
        });
        let is_same = self.rows[row + 1].fields.get(column).is_some_and(|field| field.text == text);
        if !is_same {
            self.changes.insert((row + 1, column), text.to_owned());
        }
        true
    }

    /// The file with the new texts.
    pub fn finish(mut self) -> String {
        let width = self.rows.first().map_or(0, |row| row.fields.len());
        for (number, language) in self.added.iter().enumerate() {
            self.changes.insert((0, width + number), language.clone());
        }
        let mut out = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (number, row) in self.rows.iter().enumerate() {
            let mut columns = row.fields.len();
            for (&(_, column), text) in self.changes.range((number, 0)..(number + 1, 0)) {
                let start = row.fields.get(column).map_or(row.end, |field| field.range.start);
                out.push_str(&self.text[copied..start]);
                // A row may end before the column.
                for _ in columns..column + 1 {
                    out.push(self.separator);
                }
                columns = columns.max(column + 1);
                self.write(text, &mut out);
                copied = row.fields.get(column).map_or(row.end, |field| field.range.end);
            }
        }
        out + &self.text[copied..]
    }

    fn write(&self, text: &str, out: &mut String) {
        let is_special = |c: char| c == self.separator || matches!(c, '"' | '\n' | '\r');
        let is_quoted = text.contains(is_special) || text.trim() != text;
        if !is_quoted {
            out.push_str(text);
            return;
        }
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    }
}

/// Splits a file into rows and fields.
fn rows(text: &str, start: usize, separator: char) -> Result<Vec<Row>, Vec<Fault>> {
    let mut rows = vec![Row { fields: Vec::new(), end: start, line: 1 }];
    let (mut at, mut line) = (start, 1);
    while at < text.len() {
        let (begins, first_line) = (at, line);
        let mut field = String::new();
        let mut is_quoted = text[at..].starts_with('"');
        at += usize::from(is_quoted);
        let mut ends_row = false;
        // Where the field ends, and the next one begins.
        let (end, next) = loop {
            let Some(c) = text[at..].chars().next() else {
                if is_quoted {
                    let help = "close it; a quotation mark within a text is written twice";
                    return Err(vec![Fault::new(first_line, "has a quotation mark that is not closed", help)]);
                }
                break (at, at);
            };
            let rest = &text[at + c.len_utf8()..];
            line += u32::from(c == '\n');
            match c {
                '"' if is_quoted && rest.starts_with('"') => {
                    field.push('"');
                    at += 1;
                }
                '"' if is_quoted => is_quoted = false,
                c if is_quoted => field.push(c),
                c if c == separator => break (at, at + c.len_utf8()),
                '\r' if rest.starts_with('\n') => {
                    line += 1;
                    ends_row = true;
                    break (at, at + 2);
                }
                '\n' => {
                    ends_row = true;
                    break (at, at + 1);
                }
                c => field.push(c),
            }
            at += c.len_utf8();
        };
        at = next;
        if let Some(row) = rows.last_mut() {
            row.fields.push(Field { text: field, range: begins..end });
            row.end = end;
        }
        // The file may end with a separator, and so with an empty field.
        let ends_with_separator = at == text.len() && !ends_row && text[end..].starts_with(separator);
        if let Some(row) = rows.last_mut().filter(|_| ends_with_separator) {
            row.fields.push(Field { text: String::new(), range: at..at });
            row.end = at;
        }
        if ends_row && at < text.len() {
            rows.push(Row { fields: Vec::new(), end: at, line });
        }
    }
    rows.retain(|row| !row.fields.is_empty());
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Csv<'_> {
        Csv::read(text, |name| (name.len() == 2).then(|| name.to_owned())).unwrap()
    }

    #[test]
    fn only_the_texts_change() {
        let text = "\u{feff}key,en,note,de\r\n\r\nquit, Quit ,\"a \"\"b\"\"\",Ende\r\nlong,\"a\r\nb\"\r\n# x,,,\r\nlast,Last,,";
        let mut csv = read(text);
        assert_eq!(csv.languages().collect::<Vec<_>>(), ["en", "de"]);
        let found: Vec<_> =
            csv.messages("en").iter().map(|m| (m.line, m.key.clone(), m.text.clone(), m.comment.clone())).collect();
        let expected = [(3, "quit", " Quit ", "a \"b\""), (4, "long", "a\r\nb", ""), (7, "last", "Last", "")];
        assert_eq!(found, expected.map(|(line, key, text, comment)| (line, key.into(), text.into(), comment.into())));
        assert!(csv.set("de", "quit", "Beenden") && csv.set("de", "long", "x, \"y\"") && !csv.set("de", "none", ""));
        assert!(csv.set("de", "last", "Letzte") && csv.set("fr", "last", "Fin"));
        let expected = "\u{feff}key,en,note,de,fr\r\n\r\nquit, Quit ,\"a \"\"b\"\"\",Beenden\r\nlong,\"a\r\nb\",,\"x, \"\"y\"\"\"\r\n# x,,,\r\nlast,Last,,Letzte,Fin";
        assert_eq!(csv.finish(), expected);
        assert_eq!(read(text).finish(), text);
    }

    #[test]
    fn a_file_without_languages_is_refused() {
        assert_eq!(Csv::read("key\na\n", |_| None).unwrap_err()[0].to_string(), "1: has no column for a language");
        assert_eq!(
            Csv::read("key,en\na,\"b\n", |_| None).unwrap_err()[0].to_string(),
            "2: has a quotation mark that is not closed"
        );
    }
}
