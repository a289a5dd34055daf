//! The importers of a build script in the document: everything but their code.
//!
//! A program that reads it knows which files they read, how their settings are written, and their keys in the import cache. It
//! cannot import with them: that is what [`RecordedImporter`] says.

use std::fmt::Write as _;
use std::sync::Arc;

use rres_format::AssetKind;

use super::values::{number, place, place_in_toml, string, strings, table};
use crate::diagnostic::Place;
use crate::import::{Asset, ImportError, Importer, OwnImporter, Source};
use crate::settings::{AssetType, Entry, ImporterSpec, Setting, SettingValue, TomlReader, Value, Values, toml_string};

/// Represents an importer of a build script in another program.
struct RecordedImporter {
    name: String,
    version: u32,
}

impl Importer for RecordedImporter {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn types(&self) -> Vec<AssetType> {
        Vec::new()
    }

    fn import(&self, _: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        // The pipeline has the script run instead (`pipeline/script_importers.rs`).
        Err(ImportError::new(format!("is read by the importer `{}`, which only the build script has", self.name)))
    }
}

/// The importers of a build as a TOML array; `None` if there are none.
pub(super) fn write(importers: &[(Place, Arc<OwnImporter>)]) -> Option<String> {
    let importers: Vec<String> = importers.iter().map(|(place, own)| importer(place, &own.spec)).collect();
    (!importers.is_empty()).then(|| array(&importers))
}

fn importer(place: &Place, spec: &ImporterSpec) -> String {
    let ImporterSpec { name, version, extensions, types, settings, .. } = spec;
    let extensions: Vec<String> = extensions.iter().map(|extension| toml_string(extension)).collect();
    let types: Vec<String> = types.iter().map(asset_type).collect();
    let settings: Vec<String> = settings.iter().map(setting).collect();
    let mut text = format!("{{ name = {}, version = {version}", toml_string(name));
    // Writing to memory never fails.
    _ = write!(text, ", extensions = {}, types = {}", array(&extensions), array(&types));
    _ = write!(text, ", settings = {}", array(&settings));
    if let Some(place) = place_in_toml(place) {
        _ = write!(text, ", place = {place}");
    }
    text + " }"
}

fn array(items: &[String]) -> String {
    format!("[{}]", items.join(", "))
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
pub(super) fn read(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Vec<(Place, Arc<OwnImporter>)> {
    items(value).iter().map(|item| read_importer(reader, key, item)).collect()
}

fn items<'v>(value: &'v Value<'v>) -> &'v [Value<'v>] {
    value.get_ref().as_array().map(|array| &array[..]).unwrap_or_default()
}

fn read_importer(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> (Place, Arc<OwnImporter>) {
    let mut at = Place::Name("build.rs".to_owned());
    let mut spec = ImporterSpec {
        name: String::new(),
        version: 0,
        extensions: Vec::new(),
        types: Vec::new(),
        kinds: Vec::new(),
        settings: Vec::new(),
    };
    for entry in table(reader, key, item) {
        let Entry { key, value, .. } = entry;
        match key {
            "name" => spec.name = string(reader, key, value).unwrap_or_default(),
            "version" => spec.version = number(reader, key, value),
            "extensions" => spec.extensions = strings(reader, key, value),
            "types" => spec.types = items(value).iter().filter_map(|item| read_type(reader, key, item)).collect(),
            "settings" => {
                spec.settings = items(value).iter().filter_map(|item| read_setting(reader, key, item)).collect()
            }
            "place" => at = place(reader, key, value),
            _ => reader.unknown_key(&entry, "the options", &[]),
        }
    }
    spec.kinds = spec.types.iter().map(|of| of.kind).collect();
    spec.kinds.sort_unstable();
    spec.kinds.dedup();
    let importer = Arc::new(RecordedImporter { name: spec.name.clone(), version: spec.version });
    (at, Arc::new(OwnImporter { importer, spec, is_recorded: true }))
}

fn read_type(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>) -> Option<AssetType> {
    let (mut kind, mut chunk, mut path, mut is_data) = (None, None, None, false);
    for Entry { key, value, .. } in table(reader, key, item) {
        match key {
            "kind" => kind = AssetKind::from_name(&string(reader, key, value)?),
            "chunk" => {
                let bytes = items(value).iter().map(|byte| u8::try_from(number(reader, key, byte)).unwrap_or_default());
                chunk = bytes.collect::<Vec<u8>>().try_into().ok();
            }
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
