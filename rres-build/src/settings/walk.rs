//! Typed reading of TOML values: what is not as expected becomes an error with its place, and reading goes on.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::error::Source;
use super::nearest::nearest;
use super::size::parse_size;
use super::types::Choice;

pub(super) type Value<'v> = Spanned<DeValue<'v>>;

/// One key of a table with its place.
pub(super) struct Entry<'v> {
    pub(super) key: &'v str,
    pub(super) at: Range<usize>,
    pub(super) value: &'v Value<'v>,
}

/// The entries of `table` in the order of the text; the parser sorts them by key.
pub(super) fn entries<'v>(table: &'v DeTable<'v>) -> Vec<Entry<'v>> {
    let mut entries: Vec<_> =
        table.iter().map(|(key, value)| Entry { key: key.get_ref().as_ref(), at: key.span(), value }).collect();
    entries.sort_by_key(|entry| entry.at.start);
    entries
}

impl Source<'_> {
    /// `value` is not what `key` takes.
    pub(super) fn wrong_type(&mut self, key: &str, value: &Value<'_>, expected: &str) {
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

    /// A key that `place` does not know.
    pub(super) fn unknown_key(&mut self, entry: &Entry<'_>, place: &str, known: &[&'static str]) {
        let meant = match entry.key {
            // What other tools call it.
            "audio" | "wave" | "music" => known.iter().copied().find(|key| *key == "sound"),
            "texture" | "sprite" => known.iter().copied().find(|key| *key == "image"),
            "type" => known.iter().copied().find(|key| *key == "kind"),
            "name" => known.iter().copied().find(|key| *key == "rename"),
            "mips" => known.iter().copied().find(|key| *key == "mipmaps"),
            key => nearest(key, known.iter().copied()),
        };
        let expected = if known.len() == 1 { "expected" } else { "expected one of" };
        let message = format!("unknown key `{}` in {place}, {expected} {}", entry.key, known.join(", "));
        let help = match meant {
            Some(key) => Some(format!("did you mean `{key}`?")),
            // [ui.png] is the table `png` of the table `ui`.
            None if place.starts_with("[\"") && entry.value.get_ref().is_table() => {
                Some("a glob with a dot stands in quotes: [\"ui.png\"]".into())
            }
            None => None,
        };
        self.push(&entry.at, message, help);
    }

    pub(super) fn table<'v>(&mut self, key: &str, value: &'v Value<'v>) -> Option<&'v DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, value, "a table of settings");
        }
        table
    }

    pub(super) fn boolean(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        boolean
    }

    pub(super) fn string<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<&'v str> {
        let string = value.get_ref().as_str();
        if string.is_none() {
            self.wrong_type(key, value, "a string");
        }
        string
    }

    /// An integer from `range`.
    pub(super) fn integer(
        &mut self,
        key: &str,
        value: &Value<'_>,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
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

    /// A number from `range`, with or without a point.
    pub(super) fn number(&mut self, key: &str, value: &Value<'_>, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
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

    /// One word of a fixed list.
    pub(super) fn choice<C: Choice>(&mut self, key: &str, value: &Value<'_>) -> Option<C> {
        self.choice_or(key, value, None).flatten()
    }

    /// One word of a fixed list, or the word `none` for `None`.
    pub(super) fn choice_or<C: Choice>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        none: Option<&str>,
    ) -> Option<Option<C>> {
        let found = value.get_ref().as_str();
        if found.is_some() && found == none {
            return Some(None);
        }
        let words: Vec<&str> = none.into_iter().chain(C::VALUES.iter().map(|value| value.word())).collect();
        let Some(found) = found else {
            self.wrong_type(key, value, &format!("one of {}", quoted(&words)));
            return None;
        };
        let choice = C::VALUES.iter().copied().find(|value| value.word() == found);
        if choice.is_none() {
            self.unknown_value(key, value, found, &words);
        }
        choice.map(Some)
    }

    pub(super) fn unknown_value(&mut self, key: &str, value: &Value<'_>, found: &str, words: &[&str]) {
        let expected = if words.len() == 1 { "expected" } else { "expected one of" };
        let message = format!("unknown value \"{found}\" for `{key}`, {expected} {}", quoted(words));
        let help = nearest(found, words.iter().copied()).map(|word| format!("did you mean \"{word}\"?"));
        self.push(&value.span(), message, help);
    }

    /// A number of bytes: an integer, or a string with a unit.
    pub(super) fn size(&mut self, key: &str, value: &Value<'_>) -> Option<u64> {
        let (written, size) = match value.get_ref() {
            DeValue::Integer(integer) => {
                (integer.to_string(), to_i64(integer).and_then(|size| u64::try_from(size).ok()))
            }
            DeValue::String(text) => (format!("\"{text}\""), parse_size(text)),
            _ => {
                self.wrong_type(key, value, "a size such as \"80 MB\"");
                return None;
            }
        };
        if size.is_none() {
            let message = format!("bad size {written} for `{key}`, expected a number and a unit");
            let help = "units are B, KB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024): \"80 MB\"";
            self.error_with_help(&value.span(), message, help.into());
        }
        size
    }

    /// One value or an array of them, at least one; each is read with `read`.
    pub(super) fn one_or_many<T>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        mut read: impl FnMut(&mut Self, &Value<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = match value.get_ref() {
            DeValue::Array(array) if array.is_empty() => {
                self.error(&value.span(), format!("empty array for `{key}`, expected at least one value"));
                return None;
            }
            DeValue::Array(array) => &array[..],
            _ => std::slice::from_ref(value),
        };
        // All are read before any failure counts, so that all errors are told.
        let read: Vec<Option<T>> = items.iter().map(|item| read(self, item)).collect();
        read.into_iter().collect()
    }
}

pub(super) fn to_i64(integer: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

pub(super) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
