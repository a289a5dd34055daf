//! Reads the document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::AssetKind;
use toml::de::{DeTable, DeValue};

use super::importers;
use super::values::{path, place, string, strings, table};
use crate::diagnostic::{BuildError, Place};
use crate::import::RresImporters;
use crate::options::{Build, PackMode};
use crate::settings::{
    BudgetFor, Description, Entry, Measure, PACK_ROWS, Rule, RuleReader, TargetCfg, TomlReader, Value, entries,
};

/// Reads the options of a build from the text of the document `file`.
///
/// # Errors
/// If it is not such a document. Options and command have the same version, so that is a fault of this project.
pub(crate) fn read_options(file: &Path, text: &str, rres_importers: &Arc<RresImporters>) -> Result<Build, BuildError> {
    let mut reader = TomlReader::new(file, text);
    let mut build = Build::new("").with_rres_importers(Arc::clone(rres_importers));
    match DeTable::parse(text) {
        Ok(document) => {
            for entry in entries(document.get_ref()) {
                build.read_option(&mut reader, &entry);
            }
        }
        Err(error) => reader.toml_error(&error),
    }
    BuildError::check(reader.into_diagnostics())?;
    Ok(build)
}

impl Build {
    fn read_option(&mut self, reader: &mut TomlReader<'_>, entry: &Entry<'_>) {
        let Entry { key, value, .. } = entry;
        match *key {
            "dir" => self.dir = path(reader, key, value).unwrap_or_default(),
            "crate_path" => self.crate_path = string(reader, key, value).unwrap_or_default(),
            "module" => self.module = string(reader, key, value),
            "out_dir" => self.out_dir = path(reader, key, value),
            "cache_dir" => self.cache_dir = path(reader, key, value),
            "package" => self.package = string(reader, key, value),
            "target" => self.target = Some(TargetCfg::new(strings(reader, key, value))),
            "script" => self.script = path(reader, key, value),
            "pack_mode" => self.pack_mode = reader.one_of(key, value, &PackMode::WORDS).unwrap_or_default(),
            "memory" => self.memory = reader.size(key, value).unwrap_or_default().0,
            "always_run" => self.always_run = reader.boolean(key, value).unwrap_or_default(),
            "threads" => {
                self.threads =
                    reader.integer(key, value, 0..=i64::MAX).and_then(|threads| usize::try_from(threads).ok());
            }
            "trust_stamps" => self.trust_stamps = reader.boolean(key, value),
            "debug" => self.debug = reader.boolean(key, value),
            "only" => {
                self.only = strings(reader, key, value).iter().filter_map(|name| AssetKind::from_name(name)).collect();
            }
            "library" => self.is_library = reader.boolean(key, value).unwrap_or_default(),
            "allow_missing" => self.allows_missing = reader.boolean(key, value).unwrap_or_default(),
            "libraries" => self.libraries = Some(strings(reader, key, value).into_iter().map(PathBuf::from).collect()),
            "earlier" => self.earlier = strings(reader, key, value),
            "pack" => {
                for entry in table(reader, key, value) {
                    if entry.key == LINTS {
                        let lints = table(reader, LINTS, entry.value);
                        lints.iter().for_each(|entry| self.read_global(reader, entry, Some(LINTS)));
                    } else {
                        self.read_global(reader, &entry, None);
                    }
                }
            }
            "importers" => self.importers = importers::read(reader, key, value),
            "rule" => {
                let specs: Vec<_> = self.importers.iter().map(|(_, own)| own.description.clone()).collect();
                let added = added(reader, key, value, &specs).into_iter();
                self.rules.extend(added.map(|added| {
                    (added.place, added.glob.unwrap_or_default(), Rule { values: added.settings.values })
                }));
            }
            "group" => {
                self.groups.extend(
                    added(reader, key, value, &[]).into_iter().map(|added| (added.place, added.name, added.globs)),
                );
            }
            "budget" => {
                self.budgets.extend(added(reader, key, value, &[]).into_iter().map(|added| {
                    let of = match (added.glob, added.name) {
                        (Some(glob), _) => BudgetFor::Glob(glob),
                        (None, name) if !name.is_empty() => BudgetFor::Group(name),
                        (None, _) => BudgetFor::All,
                    };
                    (added.place, of, added.measure, added.size)
                }));
            }
            _ => reader.unknown_key(entry, "the options", &[]),
        }
    }

    /// Reads a setting of the pack as a whole, in this table of it.
    fn read_global(&mut self, reader: &mut TomlReader<'_>, entry: &Entry<'_>, within: Option<&str>) {
        match PACK_ROWS.iter().find(|row| row.table() == within && row.name() == entry.key) {
            Some(row) => (row.read)(reader, entry.value, &mut self.values),
            None => reader.unknown_key(entry, "pack", &[]),
        }
    }
}

/// The table of levels among the settings of the pack as a whole.
const LINTS: &str = "lints";

/// A rule, a group or a budget.
struct Added<'s> {
    place: Place,
    glob: Option<String>,
    settings: RuleReader<'s>,
    name: String,
    globs: Vec<String>,
    size: crate::settings::ByteSize,
    /// What a budget limits.
    measure: Measure,
}

/// The entries of `[[key]]`.
fn added<'s>(
    reader: &mut TomlReader<'_>,
    key: &str,
    value: &Value<'_>,
    importers: &'s [Description],
) -> Vec<Added<'s>> {
    let DeValue::Array(items) = value.get_ref() else {
        reader.wrong_type(key, value, "an array");
        return Vec::new();
    };
    items.iter().map(|item| read_added(reader, key, item, importers)).collect()
}

fn read_added<'s>(reader: &mut TomlReader<'_>, key: &str, item: &Value<'_>, importers: &'s [Description]) -> Added<'s> {
    let mut added = Added {
        place: Place::Name("build.rs".to_owned()),
        glob: None,
        settings: RuleReader::new(importers),
        name: String::new(),
        globs: Vec::new(),
        size: Default::default(),
        measure: Measure::Stored,
    };
    for entry in table(reader, key, item) {
        let Entry { key, value, .. } = entry;
        match key {
            "place" => added.place = place(reader, key, value),
            "glob" => added.glob = string(reader, key, value),
            "name" => added.name = string(reader, key, value).unwrap_or_default(),
            "globs" => added.globs = strings(reader, key, value),
            "size" | "vram" => {
                added.measure = if key == "vram" { Measure::VideoMemory } else { Measure::Stored };
                added.size = reader.size(key, value).unwrap_or_default();
            }
            "settings" => {
                if let Some(table) = reader.table(key, value) {
                    added.settings.read_table(reader, None, table);
                }
            }
            _ => reader.unknown_key(&entry, "the options", &[]),
        }
    }
    added
}
