//! The numbers, words and colours of a description, with their defaults.

use std::ops::RangeInclusive;

use rres_settings::{Entry, TomlReader, Value};
use toml::de::DeValue;

/// The entries of a description. Only the entries for its shape or pattern are read.
pub(super) struct Fields<'r, 't> {
    pub(super) reader: &'r mut TomlReader<'t>,
    pub(super) entries: &'r [Entry<'r>],
}

impl Fields<'_, '_> {
    /// One of these words.
    pub(super) fn word<T: Copy>(&mut self, entry: &Entry<'_>, words: &[(&str, T)]) -> Option<T> {
        self.reader.one_of(entry.key, entry.value, words)
    }

    /// Reports keys that are not `known`.
    pub(super) fn check_keys(&mut self, what: &str, word: &str, known: &[&str]) {
        for entry in self.entries.iter().filter(|entry| entry.key != what && !known.contains(&entry.key)) {
            let known: Vec<&str> = [what].iter().chain(known).copied().collect();
            self.reader.unknown_key(entry, &format!("the {what} \"{word}\""), &known);
        }
    }

    /// The value of a key.
    fn find(&self, key: &str) -> Option<&Value<'_>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value)
    }

    /// A number, or a default.
    pub(super) fn number(&mut self, key: &str, default: f64, range: RangeInclusive<f64>) -> f64 {
        let entry = self.entries.iter().find(|entry| entry.key == key);
        entry.and_then(|entry| self.reader.number(key, entry.value, range)).unwrap_or(default)
    }

    /// A whole number, or a default.
    pub(super) fn count(&mut self, key: &str, default: u32, range: RangeInclusive<i64>) -> u32 {
        let entry = self.entries.iter().find(|entry| entry.key == key);
        let count = entry.and_then(|entry| self.reader.integer(key, entry.value, range));
        count.and_then(|count| u32::try_from(count).ok()).unwrap_or(default)
    }

    /// As many whole numbers as `default` has: one for all, or an array.
    pub(super) fn counts<const N: usize>(
        &mut self,
        key: &str,
        default: [u32; N],
        range: RangeInclusive<i64>,
    ) -> [u32; N] {
        self.each(key, default, |reader, value| {
            reader.integer(key, value, range.clone()).and_then(|count| count.try_into().ok())
        })
    }

    /// As many numbers as `default` has: one for all, or an array.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        key: &str,
        default: [f64; N],
        range: RangeInclusive<f64>,
    ) -> [f64; N] {
        self.each(key, default, |reader, value| reader.number(key, value, range.clone()))
    }

    /// Reads each value of an array, or one value for all.
    fn each<T: Copy, const N: usize>(
        &mut self,
        key: &str,
        default: [T; N],
        read: impl Fn(&mut TomlReader<'_>, &Value<'_>) -> Option<T>,
    ) -> [T; N] {
        let Some(entry) = self.entries.iter().find(|entry| entry.key == key) else { return default };
        let mut values = default;
        match entry.value.get_ref() {
            DeValue::Array(array) if array.len() == N => {
                for (to, value) in values.iter_mut().zip(array) {
                    *to = read(self.reader, value).unwrap_or(*to);
                }
            }
            DeValue::Array(array) => {
                let found = array.len();
                let message = format!("wrong number of values for `{key}`: found {found}, expected 1 or {N}");
                self.reader.error(&entry.value.span(), message);
            }
            _ => values = read(self.reader, entry.value).map_or(default, |value| [value; N]),
        }
        values
    }

    /// Colours such as "#ff8000" or "#ff800080": one in a string, or as many as `default` has in an array.
    pub(super) fn colors<const N: usize>(&mut self, key: &str, default: [[u8; 4]; N]) -> [[u8; 4]; N] {
        let Some(entry) = self.entries.iter().find(|entry| entry.key == key) else { return default };
        let mut colors = default;
        match entry.value.get_ref() {
            DeValue::Array(array) if N > 1 && array.len() == N => {
                for (to, value) in colors.iter_mut().zip(array) {
                    *to = color(self.reader, key, value).unwrap_or(*to);
                }
            }
            DeValue::String(_) if N == 1 => {
                colors = [color(self.reader, key, entry.value).unwrap_or(default[0]); N];
            }
            _ => {
                let expected = if N == 1 { "a colour such as \"#ff8000\"" } else { "an array of two colours" };
                self.reader.wrong_type(key, entry.value, expected);
            }
        }
        colors
    }

    /// Reports that a key has a value that does not go with others.
    pub(super) fn contradiction(&mut self, key: &str, message: String) {
        if let Some(span) = self.find(key).map(Value::span) {
            self.reader.error(&span, message);
        }
    }
}

/// Red, green, blue and alpha of a colour in hexadecimal digits.
fn color(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<[u8; 4]> {
    let text = reader.string(key, value)?;
    let digits = text.strip_prefix('#').filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match (number, digits.map_or(0, str::len)) {
        (Some(number), 8) => Some(number.to_be_bytes()),
        (Some(number), 6) => Some((number << 8 | 0xff).to_be_bytes()),
        _ => {
            let message = format!("bad colour \"{text}\" for `{key}`, expected \"#rrggbb\" or \"#rrggbbaa\"");
            reader.error(&value.span(), message);
            None
        }
    }
}
