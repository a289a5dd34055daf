//! Reads TOML values: whatever is not as expected becomes an error with its place, and reading continues.

use std::ops::Range;
use std::path::Path;

use rres_protocol::nearest::nearest;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::byte_size::ByteSize;
use crate::diagnostic::{Diagnostic, Place, Position};

/// The text that is being read, and the errors found so far.
pub struct TomlReader<'t> {
    file: &'t Path,
    text: &'t str,
    line_starts: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> TomlReader<'t> {
    pub fn new(file: &'t Path, text: &'t str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { file, text, line_starts, diagnostics: Vec::new() }
    }

    /// The place of the byte at offset `at`.
    pub fn position(&self, at: usize) -> Position {
        // An offset inside a character has the position of that character.
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let line = self.line_starts.partition_point(|&start| start <= at) - 1;
        let column = self.text[self.line_starts[line]..at].chars().count();
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The place of a key or value.
    pub fn place(&self, at: &Range<usize>) -> Place {
        Place::File(self.file.to_owned(), Some(self.position(at.start)))
    }

    pub fn error(&mut self, at: &Range<usize>, message: String) {
        self.push(at, message, None);
    }

    pub fn push(&mut self, at: &Range<usize>, message: String, help: Option<String>) {
        self.diagnostics.push(Diagnostic::new(self.place(at), message).with_help(help));
    }

    /// Adds an error.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The number of errors so far.
    pub fn error_count(&self) -> usize {
        self.diagnostics.len()
    }

    /// Converts an error of the TOML parser, with a better message if there is one.
    pub fn toml_error(&mut self, error: &toml::de::Error) {
        let at = error.span().unwrap_or(self.text.len()..self.text.len());
        if error.message() == "duplicate key" {
            let found = self.text.get(at.clone()).unwrap_or_default().trim();
            let is_group = self.text.get(..at.start).is_some_and(|before| before.ends_with("[group."));
            let what = if is_group { "group" } else { "key" };
            let help = "two tables or keys have the same name: merge them".into();
            return self.push(&at, format!("duplicate {what} `{found}`"), Some(help));
        }
        self.error(&at, format!("invalid TOML: {}", error.message()));
    }

    /// All errors.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}

pub type Value<'v> = Spanned<DeValue<'v>>;

/// One key of a table with its place.
pub struct Entry<'v> {
    pub key: &'v str,
    pub at: Range<usize>,
    pub value: &'v Value<'v>,
}

/// The entries of `table` in the order of the text; the parser sorts them by key.
pub fn entries<'v>(table: &'v DeTable<'v>) -> Vec<Entry<'v>> {
    let mut entries: Vec<_> =
        table.iter().map(|(key, value)| Entry { key: key.get_ref().as_ref(), at: key.span(), value }).collect();
    entries.sort_by_key(|entry| entry.at.start);
    entries
}

impl TomlReader<'_> {
    /// Reports that `value` has the wrong type for `key`.
    pub fn wrong_type(&mut self, key: &str, value: &Value<'_>, expected: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.error(&value.span(), format!("wrong type for `{key}`: found {found}, expected {expected}"));
    }

    /// Reports a key that is unknown in `place`.
    pub fn unknown_key(&mut self, entry: &Entry<'_>, place: &str, known: &[&str]) {
        let meant = match entry.key {
            // Names that other tools use.
            "audio" | "wave" | "music" => known.iter().copied().find(|key| *key == "sound"),
            "texture" | "sprite" => known.iter().copied().find(|key| *key == "image"),
            "type" => known.iter().copied().find(|key| *key == "kind"),
            "mapping" | "stored_path" | "store_path" | "alias" | "address" => {
                known.iter().copied().find(|key| *key == "path")
            }
            "name" => known.iter().copied().find(|key| *key == "rename"),
            "mips" => known.iter().copied().find(|key| *key == "mipmaps"),
            key => nearest(key, known.iter().copied()),
        };
        let expected = if known.len() == 1 { "expected" } else { "expected one of" };
        let message = format!("unknown key `{}` in {place}, {expected} {}", entry.key, known.join(", "));
        let help = match meant {
            Some(key) => Some(format!("did you mean `{key}`?")),
            // [ui.png] is the table `png` of the table `ui`, and its header is not in braces.
            None if place.starts_with("[\"") && entry.value.get_ref().is_table() => {
                let is_inline = self.text.get(entry.value.span()).is_some_and(|text| text.starts_with('{'));
                Some(match is_inline {
                    true => "settings of importers of a build script are known to that script only: name no directory to the \
                             command, so that it takes the rules of the script"
                        .into(),
                    false => "quote globs that contain a dot: [\"ui.png\"]".into(),
                })
            }
            None => None,
        };
        self.push(&entry.at, message, help);
    }

    pub fn table<'v>(&mut self, key: &str, value: &'v Value<'v>) -> Option<&'v DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, value, "a table of settings");
        }
        table
    }

    pub fn boolean(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        boolean
    }

    pub fn string<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<&'v str> {
        let string = value.get_ref().as_str();
        if string.is_none() {
            self.wrong_type(key, value, "a string");
        }
        string
    }

    /// An integer from `range`.
    pub fn integer(&mut self, key: &str, value: &Value<'_>, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let Some(written) = value.get_ref().as_integer() else {
            self.wrong_type(key, value, "an integer");
            return None;
        };
        let integer = to_i64(written).filter(|integer| range.contains(integer));
        if integer.is_none() {
            let (low, high) = range.into_inner();
            self.error(&value.span(), format!("out of range: {written} for `{key}`, expected {low} to {high}"));
        }
        integer
    }

    /// A number from `range`, with or without a decimal point.
    pub fn number(&mut self, key: &str, value: &Value<'_>, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
        let (written, number) = match value.get_ref() {
            DeValue::Integer(integer) => (integer.to_string(), to_i64(integer).map(|integer| integer as f64)),
            DeValue::Float(float) => (float.to_string(), float.as_str().parse().ok()),
            _ => {
                self.wrong_type(key, value, "a number");
                return None;
            }
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let (low, high) = range.into_inner();
            self.error(&value.span(), format!("out of range: {written} for `{key}`, expected {low} to {high}"));
        }
        number
    }

    /// One word of a list.
    pub fn one_of<T: Copy>(&mut self, key: &str, value: &Value<'_>, words: &[(&str, T)]) -> Option<T> {
        let expected = || quoted(words.iter().map(|(word, _)| *word));
        let Some(found) = value.get_ref().as_str() else {
            let one_of = if words.len() == 1 { "" } else { "one of " };
            self.wrong_type(key, value, &format!("{one_of}{}", expected()));
            return None;
        };
        let known = words.iter().find(|(word, _)| *word == found).map(|(_, value)| *value);
        if known.is_none() {
            let one_of = if words.len() == 1 { "expected" } else { "expected one of" };
            let message = format!("unknown value \"{found}\" for `{key}`, {one_of} {}", expected());
            let near = nearest(found, words.iter().map(|(word, _)| *word));
            self.push(&value.span(), message, near.map(|word| format!("did you mean \"{word}\"?")));
        }
        known
    }

    /// A number of bytes: an integer, or a string with a unit.
    pub fn size(&mut self, key: &str, value: &Value<'_>) -> Option<ByteSize> {
        let (written, size) = match value.get_ref() {
            DeValue::Integer(integer) => {
                (integer.to_string(), to_i64(integer).and_then(|size| u64::try_from(size).ok()).map(ByteSize))
            }
            DeValue::String(text) => (format!("\"{text}\""), ByteSize::parse(text)),
            _ => {
                self.wrong_type(key, value, "a size such as \"80 MB\"");
                return None;
            }
        };
        if size.is_none() {
            let message = format!("bad size {written} for `{key}`, expected a number and a unit");
            self.push(&value.span(), message, Some(ByteSize::UNITS_HELP.to_owned()));
        }
        size
    }
}

pub(crate) fn to_i64(integer: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

pub(crate) fn quoted<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = TomlReader::new(Path::new("x"), "ab\nä★c\r\n");
        for (at, line, column) in
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 2), (6, 2, 2), (8, 2, 3), (11, 3, 1), (99, 3, 1)]
        {
            assert_eq!(source.position(at), Position { line, column }, "byte {at}");
        }
        assert_eq!(TomlReader::new(Path::new("x"), "").position(0), Position { line: 1, column: 1 });
    }
}
