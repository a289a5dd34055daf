//! Values of the document that several of its parts have.

#[cfg(feature = "engine")]
use std::path::PathBuf;

use crate::diagnostic::Place;
#[cfg(feature = "engine")]
use crate::diagnostic::Position;
use crate::settings::toml_string;
#[cfg(feature = "engine")]
use crate::settings::{Entry, TomlReader, Value, entries};

/// A place in a file as an inline table.
pub(super) fn place_in_toml(place: &Place) -> Option<String> {
    let Place::File(file, Some(position)) = place else { return None };
    let file = toml_string(&file.to_string_lossy());
    Some(format!("{{ file = {file}, line = {}, column = {} }}", position.line, position.column))
}

#[cfg(feature = "engine")]
pub(super) fn place(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Place {
    let (mut file, mut position) = (PathBuf::new(), Position { line: 1, column: 1 });
    for Entry { key, value, .. } in table(reader, key, value) {
        match key {
            "file" => file = path(reader, key, value).unwrap_or_default(),
            "line" => position.line = number(reader, key, value),
            _ => position.column = number(reader, key, value),
        }
    }
    Place::File(file, Some(position))
}

#[cfg(feature = "engine")]
pub(super) fn number(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> u32 {
    reader.integer(key, value, 0..=u32::MAX.into()).and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
}

#[cfg(feature = "engine")]
pub(super) fn string(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<String> {
    reader.string(key, value).map(str::to_owned)
}

#[cfg(feature = "engine")]
pub(super) fn path(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<PathBuf> {
    reader.string(key, value).map(PathBuf::from)
}

#[cfg(feature = "engine")]
pub(super) fn strings(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Vec<String> {
    let items = value.get_ref().as_array().map(|array| &array[..]).unwrap_or_default();
    items.iter().filter_map(|item| string(reader, key, item)).collect()
}

#[cfg(feature = "engine")]
pub(super) fn table<'v>(reader: &mut TomlReader<'_>, key: &str, value: &'v Value<'v>) -> Vec<Entry<'v>> {
    reader.table(key, value).map(entries).unwrap_or_default()
}
