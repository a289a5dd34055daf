//! The settings of importers of a build script: each is declared once, and read, checked and traced like the settings of this crate.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rres_protocol::nearest::nearest;

use super::fingerprint::Fingerprint;
use super::toml_reader::{TomlReader, Value, quoted};
use super::toml_string::toml_string;

/// A setting of an importer: a key of the table that has the importer's name, in rules of `assets.toml`.
///
/// ```
/// # use rres_settings::Setting;
/// # let _ =
/// // ["maps/*.tmx"] tiled = { scale = 2, layers = "visible" }
/// [
///     Setting::integer("scale", 1..=16).with_default(1),
///     Setting::one_of("layers", ["visible", "all"]).with_default("visible"),
/// ];
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub key: String,
    pub values: Values,
    pub default: Option<SettingValue>,
}

/// The values that a setting accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    Flag,
    Integer(RangeInclusive<i64>),
    Number(RangeInclusive<f64>),
    Text,
    OneOf(Vec<String>),
}

/// The value of a setting of an importer.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number with or without decimal point.
    Number(f64),
    /// A text.
    Text(String),
}

impl Setting {
    /// A setting that is `true` or `false`.
    pub fn flag(key: impl Into<String>) -> Self {
        Self::new(key, Values::Flag)
    }

    /// A whole number from a range, which contains both of its ends.
    pub fn integer(key: impl Into<String>, range: RangeInclusive<i64>) -> Self {
        Self::new(key, Values::Integer(range))
    }

    /// A number from a range, which contains both of its ends.
    pub fn number(key: impl Into<String>, range: RangeInclusive<f64>) -> Self {
        Self::new(key, Values::Number(range))
    }

    /// Any text.
    pub fn text(key: impl Into<String>) -> Self {
        Self::new(key, Values::Text)
    }

    /// One of a few words.
    pub fn one_of<W: Into<String>>(key: impl Into<String>, words: impl IntoIterator<Item = W>) -> Self {
        Self::new(key, Values::OneOf(words.into_iter().map(Into::into).collect()))
    }

    /// The same setting with the value that it has if no rule sets it. Without this, it has none.
    #[must_use]
    pub fn with_default(self, value: impl Into<SettingValue>) -> Self {
        Self { default: Some(value.into()), ..self }
    }

    fn new(key: impl Into<String>, values: Values) -> Self {
        Self { key: key.into(), values, default: None }
    }

    /// Reads a value of the key `key`, as it is shown in messages; errors go to the reader.
    pub fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<SettingValue> {
        Some(match &self.values {
            Values::Flag => SettingValue::Flag(reader.boolean(key, value)?),
            Values::Integer(range) => SettingValue::Integer(reader.integer(key, value, range.clone())?),
            Values::Number(range) => SettingValue::Number(reader.number(key, value, range.clone())?),
            Values::Text => SettingValue::Text(reader.string(key, value)?.to_owned()),
            Values::OneOf(words) => {
                let words: Vec<(&str, &str)> = words.iter().map(|word| (word.as_str(), word.as_str())).collect();
                SettingValue::Text(reader.one_of(key, value, &words)?.to_owned())
            }
        })
    }

    /// The same value in the type of this setting, or what is wrong with it: what was found, and what to do.
    pub fn check(&self, key: &str, value: &SettingValue) -> Result<SettingValue, (String, Option<String>)> {
        let out_of_range = |low: String, high: String| {
            let found = value.to_toml();
            Err((format!("out of range: {found} for `{key}`, expected {low} to {high}"), None))
        };
        match (&self.values, value) {
            (Values::Flag, SettingValue::Flag(_)) | (Values::Text, SettingValue::Text(_)) => Ok(value.clone()),
            (Values::Integer(range), SettingValue::Integer(number)) => match range.contains(number) {
                true => Ok(value.clone()),
                false => out_of_range(range.start().to_string(), range.end().to_string()),
            },
            (Values::Number(range), SettingValue::Number(_) | SettingValue::Integer(_)) => {
                let number = value.as_number().unwrap_or(f64::NAN);
                match range.contains(&number) {
                    true => Ok(SettingValue::Number(number)),
                    false => out_of_range(range.start().to_string(), range.end().to_string()),
                }
            }
            (Values::OneOf(words), SettingValue::Text(text)) => match words.contains(text) {
                true => Ok(value.clone()),
                false => {
                    let expected = quoted(words.iter().map(String::as_str));
                    let near = nearest(text, words.iter().map(String::as_str));
                    let help = near.map(|near| format!("did you mean \"{near}\"?"));
                    Err((format!("unknown value \"{text}\" for `{key}`, expected one of {expected}"), help))
                }
            },
            (values, found) => {
                let (found, expected) = (found.type_name(), values.in_words());
                Err((format!("wrong type for `{key}`: found {found}, expected {expected}"), None))
            }
        }
    }
}

impl Values {
    /// What is expected, for messages.
    fn in_words(&self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Integer(_) => "an integer".to_owned(),
            Self::Number(_) => "a number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::OneOf(words) => format!("one of {}", quoted(words.iter().map(String::as_str))),
        }
    }
}

impl SettingValue {
    fn type_name(&self) -> &'static str {
        match self {
            Self::Flag(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a float",
            Self::Text(_) => "a string",
        }
    }

    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// The value as it is written in `assets.toml`.
    pub fn to_toml(&self) -> String {
        match self {
            Self::Flag(flag) => flag.to_string(),
            Self::Integer(number) => number.to_string(),
            // With a decimal point, so that it is a float.
            Self::Number(number) => format!("{number:?}"),
            Self::Text(text) => toml_string(text),
        }
    }
}

impl Fingerprint for SettingValue {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.to_toml().fingerprint(out);
    }
}

/// Values of importers' settings, by importer and key.
pub(crate) type ImporterValues = BTreeMap<(String, String), SettingValue>;

/// The settings of one importer for one source: what rules set, and the defaults of the rest.
///
/// # Panics
/// Every method does if the importer has not declared the setting, or has declared it with another type. That is a mistake in the
/// importer, and the build reports it for the file.
#[derive(Clone, Debug)]
pub struct ImporterSettings<'a> {
    importer: &'a str,
    declared: &'a [Setting],
    values: &'a ImporterValues,
}

impl<'a> ImporterSettings<'a> {
    pub fn new(importer: &'a str, declared: &'a [Setting], values: &'a ImporterValues) -> Self {
        Self { importer, declared, values }
    }

    fn get(&self, key: &str) -> (&'a Setting, Option<&'a SettingValue>) {
        let declared = self.declared.iter().find(|setting| setting.key == key).unwrap_or_else(|| {
            panic!("the importer `{}` asks for a setting `{key}` that it does not declare", self.importer)
        });
        let set = self.values.get(&(self.importer.to_owned(), key.to_owned()));
        (declared, set.or(declared.default.as_ref()))
    }

    fn wrong_type(&self, key: &str, declared: &Setting) -> ! {
        panic!("the importer `{}` declares its setting `{key}` as {}", self.importer, declared.values.in_words())
    }

    /// Returns the value of a [`Setting::flag`]; `None` if no rule sets it and it has no default.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key) {
            (Setting { values: Values::Flag, .. }, value) => match value? {
                SettingValue::Flag(flag) => Some(*flag),
                _ => None,
            },
            (declared, _) => self.wrong_type(key, declared),
        }
    }

    /// Returns the value of a [`Setting::integer`]; `None` if no rule sets it and it has no default.
    pub fn integer(&self, key: &str) -> Option<i64> {
        match self.get(key) {
            (Setting { values: Values::Integer(_), .. }, value) => match value? {
                SettingValue::Integer(number) => Some(*number),
                _ => None,
            },
            (declared, _) => self.wrong_type(key, declared),
        }
    }

    /// Returns the value of a [`Setting::number`]; `None` if no rule sets it and it has no default.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.get(key) {
            (Setting { values: Values::Number(_), .. }, value) => value?.as_number(),
            (declared, _) => self.wrong_type(key, declared),
        }
    }

    /// Returns the value of a [`Setting::text`] or [`Setting::one_of`]; `None` if no rule sets it and it has no default.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        match self.get(key) {
            (Setting { values: Values::Text | Values::OneOf(_), .. }, value) => match value? {
                SettingValue::Text(text) => Some(text),
                _ => None,
            },
            (declared, _) => self.wrong_type(key, declared),
        }
    }
}

/// Declares what a value can be made of.
macro_rules! from {
    ($($type:ty => $variant:ident,)+) => {$(
        impl From<$type> for SettingValue {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}

from! {
    bool => Flag,
    i32 => Integer,
    u32 => Integer,
    i64 => Integer,
    f32 => Number,
    f64 => Number,
    &str => Text,
    String => Text,
}
