//! The values of settings about the contents of assets: sizes in pixels, colours, characters, axes of fonts, languages.

use std::ops::RangeInclusive;

use rres_protocol::nearest::{distance, nearest};
use toml::de::DeValue;

use super::culture;
use super::domain::{Domain, Integer};
use super::font_values::{CharSet, Variations};
use super::shape::{Key, Shape, Table};
use super::toml_reader::{TomlReader, Value, entries, quoted};
use super::toml_string::toml_string;
use super::values::Culture;

/// A width and a height in pixels: an array of two numbers.
pub(super) struct PixelSize(pub(super) RangeInclusive<u32>);

impl Domain for PixelSize {
    type Value = (u32, u32);

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<(u32, u32)> {
        let Some([width, height]) = value.get_ref().as_array().map(|array| &array[..]) else {
            reader.wrong_type(key, value, "an array of width and height such as [16, 16]");
            return None;
        };
        let edge = Integer(self.0.clone());
        Some((edge.read(reader, key, width)?, edge.read(reader, key, height)?))
    }

    fn write(&self, (width, height): &(u32, u32)) -> Option<String> {
        Some(format!("[{width}, {height}]"))
    }

    fn check(&self, (width, height): &(u32, u32)) -> Result<(), String> {
        let fits = self.0.contains(width) && self.0.contains(height);
        if fits { Ok(()) } else { Err(format!("expected {}", self.values())) }
    }

    fn values(&self) -> String {
        format!("[width, height], {} to {} each", self.0.start(), self.0.end())
    }

    fn shape(&self) -> Shape {
        let item = Box::new(Integer(self.0.clone()).shape());
        Shape::Array { item, length: 2..=2, is_distinct: false }
    }
}

/// A colour by its numbers of 8 bits: `#rrggbb`.
pub(super) struct Color;

impl Color {
    fn parse(text: &str) -> Option<[u8; 3]> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        // `from_str_radix` takes signs.
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some([byte(0)?, byte(2)?, byte(4)?])
    }
}

impl Domain for Color {
    type Value = [u8; 3];

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<[u8; 3]> {
        let text = reader.string(key, value)?;
        let color = Self::parse(text);
        if color.is_none() {
            let message = format!("unknown value {} for `{key}`, expected {}", toml_string(text), self.values());
            reader.push(&value.span(), message, Some("magenta is \"#ff00ff\"".to_owned()));
        }
        color
    }

    fn write(&self, [r, g, b]: &[u8; 3]) -> Option<String> {
        Some(format!("\"#{r:02x}{g:02x}{b:02x}\""))
    }

    fn values(&self) -> String {
        "a colour such as \"#ff00ff\"".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::text("^#[0-9a-fA-F]{6}$")
    }
}

/// A set of characters by name, or the characters themselves.
pub(super) struct Chars;

/// The keys of characters that are written as a table.
const TEXT: &str = "text";
const FILE: &str = "file";
const TEXTS: &str = "texts";

impl Domain for Chars {
    type Value = CharSet;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<CharSet> {
        // The characters of a string that is also the name of a set, which only code can ask for.
        let only = value.get_ref().as_table().filter(|table| table.len() == 1);
        if let Some(text) = only.and_then(|table| table.get(TEXT)) {
            return reader.string(key, text).map(|text| CharSet::Text(text.to_owned()));
        }
        if let Some(table) = value.get_ref().as_table() {
            let known =
                table.get(FILE).map(|value| (FILE, value)).or_else(|| table.get(TEXTS).map(|value| (TEXTS, value)));
            let Some((word, path)) = known.filter(|_| table.len() == 1) else {
                let message = format!("unknown table for `{key}`, expected {}", self.values());
                reader.push(&value.span(), message, Some("such as { texts = \"text/**\" }".to_owned()));
                return None;
            };
            let path = reader.string(key, path)?.to_owned();
            let set = if word == FILE { CharSet::File(path) } else { CharSet::Texts(path) };
            if let Err(message) = self.check(&set) {
                reader.error(&value.span(), format!("unknown value for `{key}`, {message}"));
                return None;
            }
            return Some(set);
        }
        let text = reader.string(key, value)?;
        let words: Vec<&str> = CharSet::NAMED.iter().map(|(word, _)| *word).collect();
        let set = CharSet::from(text);
        if text.is_empty() {
            let message = format!("unknown value \"\" for `{key}`, expected a set of characters or characters");
            reader.error(&value.span(), message);
            return None;
        }
        // Otherwise a misspelt set would silently become the letters of its name.
        let is_near = |word: &&str| distance(text, word, if word.len() > 4 { 2 } else { 1 }).is_some();
        if matches!(set, CharSet::Text(_)) && text.is_ascii() && words.iter().any(is_near) {
            let expected = quoted(words.iter().copied());
            let message = format!("unknown value \"{text}\" for `{key}`, expected one of {expected} or characters");
            let help = nearest(text, words).map(|word| format!("did you mean \"{word}\"?"));
            reader.push(&value.span(), message, help);
            return None;
        }
        Some(set)
    }

    fn write(&self, value: &CharSet) -> Option<String> {
        let named = CharSet::NAMED.iter().find(|(_, set)| set == value);
        Some(match (named, value) {
            (None, CharSet::Text(text)) => format!("{{ {TEXT} = {} }}", toml_string(text)),
            (None, CharSet::File(path)) => format!("{{ {FILE} = {} }}", toml_string(path)),
            (None, CharSet::Texts(glob)) => format!("{{ {TEXTS} = {} }}", toml_string(glob)),
            (None, CharSet::Range(first, last)) => format!("\"U+{:04X}-{:04X}\"", *first as u32, *last as u32),
            (named, _) => toml_string(named?.0),
        })
    }

    fn check(&self, value: &CharSet) -> Result<(), String> {
        match value {
            CharSet::Texts(glob) => super::pattern::Pattern::new(glob).map(drop).map_err(|bad| bad.message),
            CharSet::File(path) if path.is_empty() => Err("expected the path of a text file".to_owned()),
            _ => Ok(()),
        }
    }

    fn values(&self) -> String {
        let words = quoted(CharSet::NAMED.iter().map(|(word, _)| *word));
        format!(
            "{words}, a range such as \"U+4E00-9FFF\", {{ file = \"PATH\" }}, {{ texts = \"GLOB\" }}, or the characters themselves"
        )
    }

    fn shape(&self) -> Shape {
        let table = |key: &str, doc: &str| {
            let key = Key { is_required: true, ..Key::new(key, doc, Shape::some_text()) };
            Shape::Table(Table::of(doc, vec![key]))
        };
        Shape::words(CharSet::NAMED.iter().map(|(word, _)| *word))
            .or(Shape::some_text())
            .or(table(FILE, "The characters of a text file, by its path relative to the font."))
            .or(table(TEXTS, "The characters of all files that the glob matches: the texts of the game."))
            .or(table(TEXT, "These characters, even if the string is the name of a set."))
    }
}

/// A place of a variable font: the name of an instance, or a table of axes.
pub(super) struct Axes;

impl Domain for Axes {
    type Value = Variations;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Variations> {
        match value.get_ref() {
            DeValue::String(name) => Some(Variations::Instance(name.clone().into_owned())),
            DeValue::Table(table) => {
                let mut axes = Vec::new();
                for entry in entries(table) {
                    if entry.key.len() != 4 || !entry.key.is_ascii() {
                        let message =
                            format!("unknown axis `{}` in `{key}`, expected a tag of four letters", entry.key);
                        let help = "the weight is `wght`, the width `wdth`, the slant `slnt`".to_owned();
                        reader.push(&entry.at, message, Some(help));
                        return None;
                    }
                    let number = reader.number(key, entry.value, f64::from(-MAX_AXIS)..=f64::from(MAX_AXIS))?;
                    axes.push((entry.key.to_owned(), number as f32));
                }
                axes.sort_by(|a, b| a.0.cmp(&b.0));
                Some(Variations::Axes(axes))
            }
            _ => {
                reader.wrong_type(key, value, "the name of an instance, or axes such as { wght = 700 }");
                None
            }
        }
    }

    fn write(&self, value: &Variations) -> Option<String> {
        Some(match value {
            Variations::Instance(name) => toml_string(name),
            Variations::Axes(axes) => {
                let axes: Vec<String> =
                    axes.iter().map(|(tag, value)| format!("{} = {:?}", toml_string(tag), f64::from(*value))).collect();
                format!("{{ {} }}", axes.join(", "))
            }
        })
    }

    fn check(&self, value: &Variations) -> Result<(), String> {
        let Variations::Axes(axes) = value else { return Ok(()) };
        let is_axis = |(tag, value): &(String, f32)| tag.len() == 4 && tag.is_ascii() && value.abs() <= MAX_AXIS;
        if axes.iter().all(is_axis) {
            Ok(())
        } else {
            Err("expected tags of four letters with a number each".to_owned())
        }
    }

    fn values(&self) -> String {
        "the name of an instance, or axes such as { wght = 700 }".to_owned()
    }

    fn shape(&self) -> Shape {
        let number = Shape::Number(f64::from(-MAX_AXIS)..=f64::from(MAX_AXIS));
        let axes = Table::of_any("The values of axes, by their tags of four letters.", r"^[\x00-\x7f]{4}$", number);
        Shape::text("").or(Shape::Table(axes))
    }
}

/// The largest value that a font can give an axis.
const MAX_AXIS: f32 = 32_768.0;

/// A language: a tag or the number that rres stores.
pub(super) struct Language;

impl Domain for Language {
    type Value = Culture;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Culture> {
        match value.get_ref() {
            DeValue::Integer(_) => {
                reader.integer(key, value, 0..=u32::MAX.into()).map(|code| Culture::Lcid(code as u32))
            }
            DeValue::String(tag) => {
                let culture = Culture::Tag(tag.clone().into_owned());
                if culture.lcid().is_none() {
                    let message =
                        format!("unknown value \"{tag}\" for `{key}`, expected a language tag or a Windows LCID");
                    let help = match nearest(tag, culture::tags()) {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => "such as \"en-US\", \"pt\" or 0x0409".into(),
                    };
                    reader.push(&value.span(), message, Some(help));
                    return None;
                }
                Some(culture)
            }
            _ => {
                reader.wrong_type(key, value, "a language tag or an integer");
                None
            }
        }
    }

    fn write(&self, value: &Culture) -> Option<String> {
        Some(match value {
            Culture::Tag(tag) => toml_string(tag),
            Culture::Lcid(code) => code.to_string(),
        })
    }

    fn check(&self, value: &Culture) -> Result<(), String> {
        if value.lcid().is_some() { Ok(()) } else { Err(format!("expected {}", self.values())) }
    }

    fn values(&self) -> String {
        "a tag such as \"en-US\" or \"pt\", or a Windows LCID such as 0x0409".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::words(culture::tags())
            .or(Shape::text("^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$"))
            .or(Shape::Integer(0..=i64::from(u32::MAX)))
    }
}
