//! The values that settings accept: how they are read from TOML, checked and described.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use rres_format::{ResourceId, normalize_path};
use toml::de::DeValue;

use super::shape::Shape;
use super::toml_reader::{TomlReader, Value, quoted, to_i64};
use super::toml_string::toml_string;
use super::values::Word;
use crate::byte_size::ByteSize;

/// The values that one setting accepts.
pub(crate) trait Domain {
    type Value;

    /// Reads a value of `key`; errors go to the reader.
    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Self::Value>;

    /// Writes a value as TOML, so that [`Self::read`] returns it. `None` if no value means it, because it is the same as
    /// no setting.
    fn write(&self, value: &Self::Value) -> Option<String>;

    /// What is wrong with a value that did not come from TOML.
    fn check(&self, _value: &Self::Value) -> Result<(), String> {
        Ok(())
    }

    /// The values, as described in the manual.
    fn values(&self) -> String;

    /// The TOML that [`Self::read`] accepts.
    fn shape(&self) -> Shape;
}

/// `true` or `false`.
pub(super) struct Flag;

impl Domain for Flag {
    type Value = bool;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<bool> {
        reader.boolean(key, value)
    }

    fn write(&self, value: &bool) -> Option<String> {
        Some(value.to_string())
    }

    fn values(&self) -> String {
        "true, false".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Flag
    }
}

/// One word of a list.
pub(super) struct OneOf<T>(PhantomData<T>);

impl<T: Word> OneOf<T> {
    pub(super) const ANY: Self = Self(PhantomData);
}

impl<T: Word> Domain for OneOf<T> {
    type Value = T;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<T> {
        reader.one_of(key, value, &T::words())
    }

    fn write(&self, value: &T) -> Option<String> {
        Some(toml_string(value.word()))
    }

    fn check(&self, value: &T) -> Result<(), String> {
        let words = T::words();
        if words.iter().any(|(_, known)| known == value) {
            return Ok(());
        }
        Err(format!("expected one of {}", quoted(words.iter().map(|(word, _)| *word))))
    }

    fn values(&self) -> String {
        quoted(T::words().into_iter().map(|(word, _)| word))
    }

    fn shape(&self) -> Shape {
        Shape::words(T::words().into_iter().map(|(word, _)| word))
    }
}

/// A value that rules may set, if the default cannot be expressed by a value.
pub(super) struct Given<D>(pub(super) D);

impl<D: Domain> Domain for Given<D> {
    type Value = Option<D::Value>;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Option<D::Value>> {
        self.0.read(reader, key, value).map(Some)
    }

    fn write(&self, value: &Option<D::Value>) -> Option<String> {
        self.0.write(value.as_ref()?)
    }

    fn check(&self, value: &Option<D::Value>) -> Result<(), String> {
        value.as_ref().map_or(Ok(()), |value| self.0.check(value))
    }

    fn values(&self) -> String {
        self.0.values()
    }

    fn shape(&self) -> Shape {
        self.0.shape()
    }
}

/// One word of a list, or the word `keep` for the format of the source.
pub(super) struct OrKeep<T>(PhantomData<T>);

impl<T: Word> OrKeep<T> {
    pub(super) const ANY: Self = Self(PhantomData);

    fn words() -> Vec<(&'static str, Option<T>)> {
        let words = T::words().into_iter().map(|(word, value)| (word, Some(value)));
        std::iter::once(("keep", None)).chain(words).collect()
    }
}

impl<T: Word> Domain for OrKeep<T> {
    type Value = Option<T>;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Option<T>> {
        reader.one_of(key, value, &Self::words())
    }

    fn write(&self, value: &Option<T>) -> Option<String> {
        Some(toml_string(value.map_or("keep", Word::word)))
    }

    fn check(&self, value: &Option<T>) -> Result<(), String> {
        value.as_ref().map_or(Ok(()), |value| OneOf::<T>::ANY.check(value))
    }

    fn values(&self) -> String {
        quoted(Self::words().into_iter().map(|(word, _)| word))
    }

    fn shape(&self) -> Shape {
        Shape::words(Self::words().into_iter().map(|(word, _)| word))
    }
}

/// A whole number in a range.
pub(super) struct Integer<T>(pub(super) RangeInclusive<T>);

impl<T: Copy + PartialOrd + Display + Into<i64> + TryFrom<i64>> Domain for Integer<T> {
    type Value = T;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<T> {
        let (low, high) = (*self.0.start(), *self.0.end());
        T::try_from(reader.integer(key, value, low.into()..=high.into())?).ok()
    }

    fn write(&self, value: &T) -> Option<String> {
        Some(value.to_string())
    }

    fn check(&self, value: &T) -> Result<(), String> {
        if self.0.contains(value) { Ok(()) } else { Err(format!("expected {}", self.values())) }
    }

    fn values(&self) -> String {
        format!("{} to {}", self.0.start(), self.0.end())
    }

    fn shape(&self) -> Shape {
        Shape::Integer((*self.0.start()).into()..=(*self.0.end()).into())
    }
}

/// A number in a range, with a unit or "" for none.
pub(super) struct Number(pub(super) RangeInclusive<f32>, pub(super) &'static str);

impl Number {
    /// The range as it is written: 0.001 as a number of 32 bits is a little more than 0.001.
    fn range(&self) -> RangeInclusive<f64> {
        decimal(*self.0.start())..=decimal(*self.0.end())
    }
}

/// The number of 64 bits that is written like this one of 32 bits.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

impl Domain for Number {
    type Value = f32;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<f32> {
        reader.number(key, value, self.range()).map(|number| number as f32)
    }

    fn write(&self, value: &f32) -> Option<String> {
        // As a number of 64 bits, so that reading rounds only once.
        Some(format!("{:?}", f64::from(*value)))
    }

    fn check(&self, value: &f32) -> Result<(), String> {
        if self.0.contains(value) { Ok(()) } else { Err(format!("expected {}", self.values())) }
    }

    fn values(&self) -> String {
        format!("{} to {} {}", self.0.start(), self.0.end(), self.1).trim_end().to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Number(self.range())
    }
}

/// One value or an array of distinct values.
pub(super) struct OneOrMore<D>(pub(super) D);

impl<D: Domain<Value: PartialEq>> Domain for OneOrMore<D> {
    type Value = Vec<D::Value>;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Vec<D::Value>> {
        let items = match value.get_ref() {
            DeValue::Array(array) if array.is_empty() => {
                reader.error(&value.span(), format!("empty array for `{key}`, expected at least one value"));
                return None;
            }
            DeValue::Array(array) => &array[..],
            _ => std::slice::from_ref(value),
        };
        let mut read: Vec<D::Value> = Vec::with_capacity(items.len());
        let mut is_whole = true;
        for item in items {
            match self.0.read(reader, key, item) {
                Some(value) if read.contains(&value) => {
                    reader.error(&item.span(), format!("contradictory values: `{key}` lists the same value twice"));
                    is_whole = false;
                }
                Some(value) => read.push(value),
                None => is_whole = false,
            }
        }
        is_whole.then_some(read)
    }

    fn write(&self, values: &Vec<D::Value>) -> Option<String> {
        let values: Option<Vec<String>> = values.iter().map(|value| self.0.write(value)).collect();
        Some(format!("[{}]", values?.join(", ")))
    }

    fn check(&self, values: &Vec<D::Value>) -> Result<(), String> {
        if values.is_empty() {
            return Err("expected at least one value".to_owned());
        }
        if values.iter().enumerate().any(|(i, value)| values[..i].contains(value)) {
            return Err("expected no value twice".to_owned());
        }
        values.iter().try_for_each(|value| self.0.check(value))
    }

    fn values(&self) -> String {
        format!("{}; or an array of these", self.0.values())
    }

    fn shape(&self) -> Shape {
        self.0.shape().one_or_more(true)
    }
}

/// A resource id, as an integer or as a string of hexadecimal digits.
pub(super) struct Id;

impl Domain for Id {
    type Value = ResourceId;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<ResourceId> {
        let (written, id) = match value.get_ref() {
            DeValue::Integer(integer) => (integer.to_string(), to_i64(integer)),
            DeValue::String(text) => {
                let digits =
                    text.strip_prefix("0x").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
                (format!("\"{text}\""), digits.and_then(|digits| i64::from_str_radix(digits, 16).ok()))
            }
            _ => {
                reader.wrong_type(key, value, "an integer or a string such as \"0x1234\"");
                return None;
            }
        };
        let read = id.and_then(|id| u32::try_from(id).ok()).map(ResourceId).filter(|id| *id != ResourceId::NONE);
        if read.is_none() {
            let message = format!("out of range: {written} for `{key}`, expected 0x1 to 0xffffffff");
            let help = (id == Some(0)).then(|| "0 means \"no resource\"".to_owned());
            reader.push(&value.span(), message, help);
        }
        read
    }

    fn write(&self, value: &ResourceId) -> Option<String> {
        Some(value.0.to_string())
    }

    fn check(&self, value: &ResourceId) -> Result<(), String> {
        if *value == ResourceId::NONE { Err(format!("expected {}", self.values())) } else { Ok(()) }
    }

    fn values(&self) -> String {
        "0x1 to 0xffffffff, or \"0x1234\"".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Integer(1..=i64::from(u32::MAX)).or(Shape::text("^0x0*[1-9a-fA-F][0-9a-fA-F]{0,7}$"))
    }
}

/// A path that an asset can have.
pub(super) struct AssetPath;

impl AssetPath {
    /// The reason why a text is not such a path, and the path that is probably meant.
    fn fault(path: &str) -> Option<(String, Option<String>)> {
        match normalize_path(path) {
            Ok(normal) if normal == path => None,
            Ok(normal) => Some(("it is not written as packs write paths".to_owned(), Some(normal))),
            Err(error) => Some((error.to_string(), None)),
        }
    }
}

impl Domain for AssetPath {
    type Value = String;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<String> {
        let path = reader.string(key, value)?;
        if let Some((why, meant)) = Self::fault(path) {
            let message = format!("unknown value {} for `{key}`, expected {}: {why}", toml_string(path), self.values());
            let help = match meant {
                Some(meant) => format!("did you mean {}?", toml_string(&meant)),
                None => "such as \"images/hero.png\"".to_owned(),
            };
            reader.push(&value.span(), message, Some(help));
            return None;
        }
        Some(path.to_owned())
    }

    fn write(&self, value: &String) -> Option<String> {
        Some(toml_string(value))
    }

    fn check(&self, value: &String) -> Result<(), String> {
        Self::fault(value).map_or(Ok(()), |(why, _)| Err(format!("expected {}: {why}", self.values())))
    }

    fn values(&self) -> String {
        "a path with `/` between folders".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::text(r"^[^/\\\x00-\x1f]([^\\\x00-\x1f]*[^/\\\x00-\x1f])?$")
    }
}

/// A value, or `false` for none: a later rule can take a file out.
pub(super) struct OrFalse<D>(pub(super) D);

impl<D: Domain> Domain for OrFalse<D> {
    type Value = Option<D::Value>;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Option<D::Value>> {
        match value.get_ref().as_bool() {
            Some(false) => Some(None),
            _ => self.0.read(reader, key, value).map(Some),
        }
    }

    fn write(&self, value: &Option<D::Value>) -> Option<String> {
        value.as_ref().map_or_else(|| Some("false".to_owned()), |value| self.0.write(value))
    }

    fn check(&self, value: &Option<D::Value>) -> Result<(), String> {
        value.as_ref().map_or(Ok(()), |value| self.0.check(value))
    }

    fn values(&self) -> String {
        format!("{}, or false", self.0.values())
    }

    fn shape(&self) -> Shape {
        self.0.shape().or(Shape::Only(false))
    }
}

/// A number of bytes in a range: an integer, or a string with a unit.
pub(super) struct Size(pub(super) RangeInclusive<u64>, pub(super) &'static str);

impl Domain for Size {
    type Value = u64;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<u64> {
        let size = reader.size(key, value)?.0;
        if !self.0.contains(&size) {
            reader.error(&value.span(), format!("out of range: {} for `{key}`, expected {}", ByteSize(size), self.1));
            return None;
        }
        Some(size)
    }

    fn write(&self, value: &u64) -> Option<String> {
        Some(value.to_string())
    }

    fn check(&self, value: &u64) -> Result<(), String> {
        if self.0.contains(value) { Ok(()) } else { Err(format!("expected {}", self.1)) }
    }

    fn values(&self) -> String {
        format!("a size, {}", self.1)
    }

    fn shape(&self) -> Shape {
        Shape::size(self.0.clone())
    }
}
