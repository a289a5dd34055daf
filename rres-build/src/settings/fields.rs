//! One rule table to the list of fields it sets, each with its place.

use std::ops::Range;

use rres_format::{AssetKind, ResourceId};
use toml::de::{DeTable, DeValue};

use super::culture;
use super::error::Source;
use super::nearest::{distance, nearest};
use super::types::{
    CharSet, CodeLang, ColorSpace, Compression, Filter, PixelFormatChoice, SampleFormat, Settings, SoundStore,
    TextEncoding, Wrap,
};
use super::walk::{Entry, Value, entries, quoted, to_i64};

pub(super) const RULE_KEYS: &[&str] =
    &["kind", "id", "rename", "ignore", "compression", "level", "image", "sound", "font", "text"];
pub(super) const IMAGE_KEYS: &[&str] = &["format", "mipmaps", "premultiply", "filter", "wrap", "color_space"];
pub(super) const SOUND_KEYS: &[&str] = &["store", "sample", "gain", "loop"];
pub(super) const FONT_KEYS: &[&str] = &["size", "chars", "padding"];
pub(super) const TEXT_KEYS: &[&str] = &["culture", "encoding", "lang"];

/// One field of [`Settings`] and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Field {
    Kind(AssetKind),
    Id(ResourceId),
    Rename(String),
    Ignore(bool),
    Compression(Compression),
    Level(i32),
    Format(Option<PixelFormatChoice>),
    Mipmaps(bool),
    Premultiply(bool),
    Filter(Filter),
    Wrap(Wrap),
    ColorSpace(ColorSpace),
    Store(SoundStore),
    Sample(Option<SampleFormat>),
    Gain(f32),
    Loop(bool),
    Size(Vec<u32>),
    Chars(Vec<CharSet>),
    Padding(u32),
    Culture(u32),
    Encoding(TextEncoding),
    Lang(CodeLang),
}

impl Field {
    pub(super) fn apply(&self, settings: &mut Settings) {
        match self.clone() {
            Self::Kind(kind) => settings.kind = Some(kind),
            Self::Id(id) => settings.id = Some(id),
            Self::Rename(name) => settings.rename = Some(name),
            Self::Ignore(ignore) => settings.ignore = ignore,
            Self::Compression(compression) => {
                // A level belongs to the compressor it was written for.
                if settings.compression != Some(compression) {
                    settings.level = None;
                }
                settings.compression = Some(compression);
            }
            Self::Level(level) => settings.level = Some(level),
            Self::Format(format) => settings.image.format = format,
            Self::Mipmaps(mipmaps) => settings.image.mipmaps = mipmaps,
            Self::Premultiply(premultiply) => settings.image.premultiply = premultiply,
            Self::Filter(filter) => settings.image.filter = filter,
            Self::Wrap(wrap) => settings.image.wrap = wrap,
            Self::ColorSpace(color_space) => settings.image.color_space = color_space,
            Self::Store(store) => settings.sound.store = store,
            Self::Sample(sample) => settings.sound.sample = sample,
            Self::Gain(gain) => settings.sound.gain = gain,
            Self::Loop(looped) => settings.sound.looped = looped,
            Self::Size(size) => settings.font.size = size,
            Self::Chars(chars) => settings.font.chars = chars,
            Self::Padding(padding) => settings.font.padding = padding,
            Self::Culture(culture) => settings.text.culture = Some(culture),
            Self::Encoding(encoding) => settings.text.encoding = Some(encoding),
            Self::Lang(lang) => settings.text.lang = Some(lang),
        }
    }

    /// The kind of asset that the field is about; `None` for fields of every kind.
    pub(super) fn table_kind(&self) -> Option<AssetKind> {
        match self {
            Self::Kind(_) | Self::Id(_) | Self::Rename(_) | Self::Ignore(_) => None,
            Self::Compression(_) | Self::Level(_) => None,
            Self::Format(_) | Self::Mipmaps(_) | Self::Premultiply(_) => Some(AssetKind::Image),
            Self::Filter(_) | Self::Wrap(_) | Self::ColorSpace(_) => Some(AssetKind::Image),
            Self::Store(_) | Self::Sample(_) | Self::Gain(_) | Self::Loop(_) => Some(AssetKind::Sound),
            Self::Size(_) | Self::Chars(_) | Self::Padding(_) => Some(AssetKind::Font),
            Self::Culture(_) | Self::Encoding(_) | Self::Lang(_) => Some(AssetKind::Text),
        }
    }
}

/// A field with the place of its key.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) at: Range<usize>,
    pub(super) field: Field,
}

/// Reads the rule `place`, which is its header as messages show it.
pub(super) fn read_rule(source: &mut Source<'_>, place: &str, table: &DeTable<'_>) -> Vec<Written> {
    let mut fields = Vec::new();
    for entry in entries(table) {
        let value = entry.value;
        let field = match entry.key {
            "kind" => source.choice("kind", value).map(Field::Kind),
            "id" => read_id(source, value).map(Field::Id),
            "rename" => read_rename(source, value).map(Field::Rename),
            "ignore" => source.boolean("ignore", value).map(Field::Ignore),
            "compression" => source.choice("compression", value).map(Field::Compression),
            "level" => read_level(source, value).map(Field::Level),
            "image" => {
                read_table(source, place, &entry, IMAGE_KEYS, read_image, &mut fields);
                continue;
            }
            "sound" => {
                read_table(source, place, &entry, SOUND_KEYS, read_sound, &mut fields);
                continue;
            }
            "font" => {
                read_table(source, place, &entry, FONT_KEYS, read_font, &mut fields);
                continue;
            }
            "text" => {
                read_table(source, place, &entry, TEXT_KEYS, read_text, &mut fields);
                continue;
            }
            _ => {
                source.unknown_key(&entry, place, RULE_KEYS);
                continue;
            }
        };
        fields.extend(field.map(|field| Written { at: entry.at, field }));
    }
    // The key that changes the compressor takes the level with it, wherever the two stand.
    fields.sort_by_key(|written| matches!(written.field, Field::Level(_)));
    fields
}

type ReadField = fn(&mut Source<'_>, &str, &Value<'_>) -> Option<Field>;

/// Reads one of the tables of a rule, such as `image`; `read` gets the dotted key.
fn read_table(
    source: &mut Source<'_>,
    place: &str,
    entry: &Entry<'_>,
    keys: &[&'static str],
    read: ReadField,
    fields: &mut Vec<Written>,
) {
    for field in source.table(entry.key, entry.value).map(entries).unwrap_or_default() {
        if keys.contains(&field.key) {
            let read = read(source, &format!("{}.{}", entry.key, field.key), field.value);
            fields.extend(read.map(|read| Written { at: field.at, field: read }));
        } else {
            source.unknown_key(&field, &format!("`{}` of {place}", entry.key), keys);
        }
    }
}

fn read_image(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<Field> {
    match key {
        "image.format" => source.choice_or(key, value, Some("keep")).map(Field::Format),
        "image.mipmaps" => source.boolean(key, value).map(Field::Mipmaps),
        "image.premultiply" => source.boolean(key, value).map(Field::Premultiply),
        "image.filter" => source.choice(key, value).map(Field::Filter),
        "image.wrap" => source.choice(key, value).map(Field::Wrap),
        _ => source.choice(key, value).map(Field::ColorSpace),
    }
}

fn read_sound(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<Field> {
    match key {
        "sound.store" => source.choice(key, value).map(Field::Store),
        "sound.sample" => source.choice_or(key, value, Some("keep")).map(Field::Sample),
        // Beyond this no player hears a difference or survives it.
        "sound.gain" => source.number(key, value, -120.0..=60.0).map(|gain| Field::Gain(gain as f32)),
        _ => source.boolean(key, value).map(Field::Loop),
    }
}

fn read_font(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<Field> {
    match key {
        "font.size" => {
            let mut seen = Vec::new();
            let read = |source: &mut Source<'_>, value: &Value<'_>| {
                let size = source.integer(key, value, 1..=1024)? as u32;
                if seen.contains(&size) {
                    source.error(&value.span(), format!("contradictory values: `{key}` lists {size} twice"));
                    return None;
                }
                seen.push(size);
                Some(size)
            };
            source.one_or_many(key, value, read).map(Field::Size)
        }
        "font.chars" => {
            source.one_or_many(key, value, |source, value| read_char_set(source, key, value)).map(Field::Chars)
        }
        _ => source.integer(key, value, 0..=64).map(|padding| Field::Padding(padding as u32)),
    }
}

fn read_text(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<Field> {
    match key {
        "text.culture" => read_culture(source, key, value).map(Field::Culture),
        "text.encoding" => source.choice(key, value).map(Field::Encoding),
        _ => source.choice(key, value).map(Field::Lang),
    }
}

/// The words of `font.chars` and what they stand for; other strings are characters.
const CHAR_SETS: [(&str, CharSet); 4] =
    [("ascii", CharSet::Ascii), ("latin", CharSet::Latin), ("greek", CharSet::Greek), ("cyrillic", CharSet::Cyrillic)];

fn read_char_set(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<CharSet> {
    let text = source.string(key, value)?;
    if let Some((_, set)) = CHAR_SETS.iter().find(|(word, _)| *word == text) {
        return Some(set.clone());
    }
    if text.is_empty() {
        let message = format!("unknown value \"\" for `{key}`, expected a set of characters or characters");
        source.error(&value.span(), message);
        return None;
    }
    // A misspelt set would silently become the few letters of its name.
    let letters: Vec<char> = text.to_lowercase().chars().collect();
    let is_near = |word: &str| distance(&letters, &word.chars().collect::<Vec<_>>()) <= 2;
    if text.is_ascii() && CHAR_SETS.iter().any(|(word, _)| is_near(word)) {
        let words = CHAR_SETS.map(|(word, _)| word);
        let message = format!("unknown value \"{text}\" for `{key}`, expected one of {} or characters", quoted(&words));
        let help = nearest(text, words).map(|word| format!("did you mean \"{word}\"?"));
        source.push(&value.span(), message, help);
        return None;
    }
    Some(CharSet::Text(text.to_owned()))
}

fn read_id(source: &mut Source<'_>, value: &Value<'_>) -> Option<ResourceId> {
    let (written, id) = match value.get_ref() {
        DeValue::Integer(integer) => (integer.to_string(), to_i64(integer)),
        DeValue::String(text) => {
            let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            (format!("\"{text}\""), digits.and_then(|digits| i64::from_str_radix(digits, 16).ok()))
        }
        _ => {
            source.wrong_type("id", value, "an integer or a string such as \"0x1234\"");
            return None;
        }
    };
    let found = id.and_then(|id| u32::try_from(id).ok()).map(ResourceId).filter(|id| *id != ResourceId::NONE);
    if found.is_none() {
        let message = format!("out of range: {written} for `id`, expected 0x1 to 0xffffffff");
        let help = (id == Some(0)).then(|| "0 means that there is no resource".to_owned());
        source.push(&value.span(), message, help);
    }
    found
}

fn read_rename(source: &mut Source<'_>, value: &Value<'_>) -> Option<String> {
    let name = source.string("rename", value)?;
    let mut bytes = name.bytes();
    let starts_well = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_name = starts_well && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && name != "_";
    if !is_name {
        let message = format!("unknown value \"{name}\" for `rename`, expected the name of a constant");
        source.error_with_help(&value.span(), message, "letters, digits and `_`, such as \"HERO_PNG\"".into());
    }
    is_name.then(|| name.to_owned())
}

/// A level that some compressor has; `contradictions` checks it against the one that the rule names.
pub(super) fn read_level(source: &mut Source<'_>, value: &Value<'_>) -> Option<i32> {
    source.integer("level", value, 1..=22).map(|level| level as i32)
}

fn read_culture(source: &mut Source<'_>, key: &str, value: &Value<'_>) -> Option<u32> {
    let tag = match value.get_ref() {
        DeValue::String(tag) => tag,
        DeValue::Integer(_) => return source.integer(key, value, 0..=u32::MAX.into()).map(|code| code as u32),
        _ => {
            source.wrong_type(key, value, "a language tag or an integer");
            return None;
        }
    };
    let code = culture::lcid(tag);
    if code.is_none() {
        let message = format!("unknown value \"{tag}\" for `{key}`, expected a language tag or a Windows LCID");
        let help = match nearest(tag, culture::tags()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "such as \"en-US\", \"pt\" or 0x0409".into(),
        };
        source.error_with_help(&value.span(), message, help);
    }
    code
}
