//! The importers of a build script in the document: everything but their code.
//!
//! A program that reads it knows which files they read, how their settings are written, and their keys in the import cache. It
//! cannot import with them: the pipeline has the script run instead (`pipeline/script_importers.rs`).

use std::fmt::Write as _;
use std::sync::Arc;

use rres_format::AssetKind;

use super::values::{number, place, place_in_toml, string, strings, table};
use crate::diagnostic::Place;
use crate::import::RegisteredImporter;
use crate::settings::{
    AssetType, Description, Entry, FileType, Setting, SettingValue, TomlReader, Value, Values, toml_string,
};

/// The importers of a build as a TOML array; `None` if there are none.
pub(super) fn write(importers: &[(Place, Arc<RegisteredImporter>)]) -> Option<String> {
    let importers: Vec<String> = importers.iter().map(|(place, own)| importer(place, &own.description)).collect();
    (!importers.is_empty()).then(|| array(&importers))
}

fn importer(place: &Place, description: &Description) -> String {
    let Description { name, version, files, types, kinds: _, settings, folders_are_groups, sees_path } = description;
    let files: Vec<String> = files.iter().map(file_type).collect();
    let types: Vec<String> = types.iter().map(asset_type).collect();
    let settings: Vec<String> = settings.iter().map(setting).collect();
    let mut text = format!("{{ name = {}, version = {version}", toml_string(name));
    // Writing to memory never fails.
    _ = write!(text, ", files = {}, types = {}, settings = {}", array(&files), array(&types), array(&settings));
    _ = write!(text, ", folders_are_groups = {folders_are_groups}, sees_path = {sees_path}");
    if let Some(place) = place_in_toml(place) {
        _ = write!(text, ", place = {place}");
    }
    text + " }"
}

fn array(items: &[String]) -> String {
    format!("[{}]", items.join(", "))
}

fn file_type(FileType { extension, start }: &FileType) -> String {
    format!("{{ extension = {}, start = {start:?} }}", toml_string(extension))
}

fn asset_type(AssetType { kind, custom, is_data }: &AssetType) -> String {
    let custom = custom.as_ref().map(|(fourcc, path)| {
        let fourcc = fourcc.0.map(|byte| byte.to_string());
        let data = if *is_data { ", data = true" } else { "" };
        format!(", chunk = {}, type = {}{data}", array(&fourcc), toml_string(path))
    });
    format!("{{ kind = \"{kind}\"{} }}", custom.unwrap_or_default())
}

fn setting(Setting { key, values, default }: &Setting) -> String {
    let values = match values {
        Values::Flag => "values = \"flag\"".to_owned(),
        Values::Text => "values = \"text\"".to_owned(),
        Values::Integer(range) => format!("values = \"integer\", range = [{}, {}]", range.start(), range.end()),
        Values::Number(range) => format!("values = \"number\", range = [{:?}, {:?}]", range.start(), range.end()),
        Values::OneOf(words) => {
            let words: Vec<String> = words.iter().map(|word| toml_string(word)).collect();
            format!("values = \"words\", words = {}", array(&words))
        }
    };
    let default = default.as_ref().map(|default| format!(", default = {}", default.to_toml())).unwrap_or_default();
    format!("{{ key = {}, {values}{default} }}", toml_string(key))
}

/// Reads the array of [`write`].
pub(super) fn read(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Vec<(Place, Arc<RegisteredImporter>)> {
    items(value).iter().map(|item| read_importer(reader, key, item)).collect()
}

fn items<'v>(value: &'v Value<'v>) -> &'v [Value<'v>] {
    value.get_ref().as_array().map(|array| &array[..]).unwrap_or_default()
}

fn read_importer(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> (Place, Arc<RegisteredImporter>) {
    let mut at = Place::Name("build.rs".to_owned());
    let mut description = Description::new("", 0);
    for entry in table(reader, key, item) {
        let Entry { key, value, .. } = entry;
        match key {
            "name" => description.name = string(reader, key, value).unwrap_or_default(),
            "version" => description.version = number(reader, key, value),
            "files" => {
                description.files = items(value).iter().filter_map(|item| read_file(reader, key, item)).collect()
            }
            "types" => {
                let types = items(value).iter().filter_map(|item| read_type(reader, key, item));
                description = types.fold(description, Description::makes);
            }
            "settings" => {
                description.settings = items(value).iter().filter_map(|item| read_setting(reader, key, item)).collect()
            }
            "folders_are_groups" => description.folders_are_groups = reader.boolean(key, value).unwrap_or_default(),
            "sees_path" => description.sees_path = reader.boolean(key, value).unwrap_or(true),
            "place" => at = place(reader, key, value),
            _ => reader.unknown_key(&entry, "the options", &[]),
        }
    }
    (at, Arc::new(RegisteredImporter::of_record(description)))
}

fn read_file(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> Option<FileType> {
    let (mut extension, mut start) = (None, Vec::new());
    for Entry { key, value, .. } in table(reader, key, item) {
        match key {
            "extension" => extension = string(reader, key, value),
            _ => start = bytes(reader, key, value),
        }
    }
    Some(FileType { extension: extension?, start })
}

fn bytes(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Vec<u8> {
    items(value).iter().map(|byte| u8::try_from(number(reader, key, byte)).unwrap_or_default()).collect()
}

fn read_type(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> Option<AssetType> {
    let (mut kind, mut chunk, mut path, mut is_data) = (None, None, None, false);
    for Entry { key, value, .. } in table(reader, key, item) {
        match key {
            "kind" => kind = AssetKind::from_name(&string(reader, key, value)?),
            "chunk" => chunk = bytes(reader, key, value).try_into().ok(),
            "data" => is_data = true,
            _ => path = string(reader, key, value),
        }
    }
    match (chunk, path) {
        (Some(chunk), Some(path)) => Some(AssetType { is_data, ..AssetType::custom(chunk, path) }),
        _ => kind.map(AssetType::from),
    }
}

fn read_setting(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> Option<Setting> {
    let entries = table(reader, key, item);
    let get = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value);
    let name = string(reader, "key", get("key")?)?;
    let range = get("range").map(items).unwrap_or_default();
    let setting = match reader.string("values", get("values")?)? {
        "flag" => Setting::flag(name),
        "text" => Setting::text(name),
        "integer" => {
            let mut end = |at: usize| reader.integer("range", range.get(at)?, i64::MIN..=i64::MAX);
            Setting::integer(name, end(0)?..=end(1)?)
        }
        "number" => {
            let mut end = |at: usize| reader.number("range", range.get(at)?, f64::NEG_INFINITY..=f64::INFINITY);
            Setting::number(name, end(0)?..=end(1)?)
        }
        _ => Setting::one_of(name, strings(reader, "words", get("words")?)),
    };
    let Some(default) = get("default") else { return Some(setting) };
    let value: SettingValue = setting.read(reader, "default", default)?;
    Some(setting.with_default(value))
}
