//! The sections of `assets.toml`: rules, `[pack]`, `[lints]`, `[group.name]`, `[budget]` and `[target.'cfg(…)']`.

use crate::asset_kinds::described;
use std::ops::Range;
use std::path::Path;

use rres_protocol::nearest::nearest;
use toml::de::{DeTable, DeValue};

use super::condition::{BadCondition, Condition};
use super::declare::Affects;
use super::importer_description::Description;
use super::matching_rule::{ImporterKey, MatchingRule};
use super::pattern::{Pattern, is_section_word};
use super::sections::{Budget, BudgetOf, Group, VRAM, check_group};
use super::table::{GlobalValues, PACK_ROWS, PackRow, PackSettings, RuleRow, RuleValues, all_rows};
use super::target_cfg::TargetCfg;
use super::toml_reader::{Entry, TomlReader, entries};
use super::values::Measure;
use crate::diagnostic::{Diagnostic, Place};

pub(super) const SECTIONS: [&str; 5] = ["pack", "lints", "group", "budget", "target"];

/// A key of `[pack]` or `[lints]`, its place and its value in TOML.
pub(super) type PackOrigin = (&'static str, Place, String);

/// The contents of a settings file, as far as it could be read.
#[derive(Default)]
pub(super) struct File<'s> {
    /// The importers of the build script.
    importers: &'s [Description],
    pub(super) pack: PackSettings,
    /// The keys of `[pack]` with their places and their values in TOML.
    pub(super) pack_origins: Vec<PackOrigin>,
    pub(super) rules: Vec<MatchingRule>,
    pub(super) groups: Vec<Group>,
    pub(super) budgets: Vec<Budget>,
    /// The globs of rules that could not be read in full.
    pub(super) uncertain: Vec<Pattern>,
    /// Whether the file is TOML and `[pack]` could be read in full.
    pub(super) is_usable: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads the text of the settings file `path` for builds for `target` with these importers.
pub(super) fn read<'s>(path: &Path, text: &str, target: &TargetCfg, importers: &'s [Description]) -> File<'s> {
    let mut reader = TomlReader::new(path, text);
    let mut file = File { is_usable: true, importers, ..File::default() };
    let (document, errors) = toml::de::DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        errors.iter().for_each(|error| reader.toml_error(error));
        return File { is_usable: false, diagnostics: reader.into_diagnostics(), ..file };
    }
    for entry in entries(document.get_ref()) {
        match entry.key {
            section @ ("pack" | "lints") => {
                let errors_before = reader.error_count();
                if let Some(table) = reader.table(section, entry.value) {
                    file.read_pack(&mut reader, section, table);
                }
                file.is_usable &= reader.error_count() == errors_before;
            }
            "group" => file.read_groups(&mut reader, &entry),
            "budget" => {
                if let Some(table) = reader.table("budget", entry.value) {
                    file.read_budgets(&mut reader, table, Measure::Stored);
                }
            }
            "target" => file.read_targets(&mut reader, &entry, target),
            _ => file.read_rule(&mut reader, &entry, None),
        }
    }
    // Rules for some targets are among the others, wherever the parser puts the table that they are in.
    file.rules.sort_by(|a, b| a.place.cmp(&b.place));
    File { diagnostics: reader.into_diagnostics(), ..file }
}

impl File<'_> {
    /// Reads `[pack]` or `[lints]`.
    fn read_pack(&mut self, reader: &mut TomlReader<'_>, section: &str, table: &DeTable<'_>) {
        let mut values = GlobalValues::default();
        for entry in entries(table) {
            let is_here = |row: &&PackRow| row.table().unwrap_or("pack") == section;
            match PACK_ROWS.iter().find(|row| is_here(row) && row.name() == entry.key) {
                Some(row) => {
                    (row.read)(reader, entry.value, &mut values);
                    self.pack_origins.push((
                        row.key,
                        reader.place(&entry.at),
                        (row.write)(&values).unwrap_or_default(),
                    ));
                }
                None => {
                    if let Some(row) = PACK_ROWS.iter().find(|row| row.name() == entry.key) {
                        let message = format!("unknown key `{}` in [{section}]", entry.key);
                        let help = format!("move it to [{}]", row.table().unwrap_or("pack"));
                        reader.push(&entry.at, message, Some(help));
                        continue;
                    }
                    let known: Vec<_> = PACK_ROWS.iter().filter(is_here).map(|row| row.name()).collect();
                    reader.unknown_key(&entry, &format!("[{section}]"), &known);
                }
            }
        }
        values.pack.apply(&mut self.pack);
    }

    /// Reads the rules for some targets: for each condition a table of rules.
    fn read_targets(&mut self, reader: &mut TomlReader<'_>, entry: &Entry<'_>, target: &TargetCfg) {
        for entry in reader.table("target", entry.value).map(entries).unwrap_or_default() {
            let condition = Condition::new(entry.key, target);
            if let Err(BadCondition { message, help }) = &condition {
                reader.push(&entry.at, message.clone(), help.clone());
            }
            // Rules with a wrong condition are read, too, for their faults.
            let known = condition.as_ref().ok().cloned();
            let condition = known.unwrap_or_else(|| Condition { text: entry.key.to_owned(), holds: false });
            let Some(rules) = reader.table(&format!("target.'{}'", entry.key), entry.value) else { continue };
            for rule in entries(rules) {
                self.read_rule(reader, &rule, Some(&condition));
            }
        }
    }

    fn read_rule(&mut self, reader: &mut TomlReader<'_>, entry: &Entry<'_>, condition: Option<&Condition>) {
        let Entry { key, at, value } = entry;
        if let Some(section) = nearest(key, SECTIONS).filter(|_| is_section_word(key)) {
            let (message, help) = match condition {
                Some(Condition { text, .. }) => (
                    format!("unknown section [target.'{text}'.{key}], expected a glob"),
                    format!("[{section}] is for every target. A rule for a file of this name is \"./{key}\""),
                ),
                None => (
                    format!(
                        "unknown section [{key}], expected [pack], [lints], [group.name], [budget], [target.'cfg(…)'] or a glob"
                    ),
                    format!("did you mean [{section}]? A rule for a file of this name is [\"./{key}\"]"),
                ),
            };
            return reader.push(at, message, Some(help));
        }
        let errors_before = reader.error_count();
        let pattern = reader.pattern(at, key);
        let Some(table) = reader.table(key, value) else { return };
        let prefix = condition.map(|condition| format!("target.'{}'.", condition.text)).unwrap_or_default();
        let section = format!("[{prefix}\"{key}\"]");
        let mut rule = RuleReader { section, importers: self.importers, ..RuleReader::default() };
        rule.read_table(reader, None, table);
        let Some(pattern) = pattern else { return };
        if reader.error_count() > errors_before {
            self.uncertain.push(pattern.clone());
        }
        let RuleReader { values, key_places, importer_places, .. } = rule;
        let (place, condition) = (reader.place(at), condition.cloned());
        let is_for_some = condition.is_some();
        let rule = MatchingRule { pattern, place, condition, values, key_places, importer_places };
        if is_for_some {
            refuse_other_sets(&rule, reader);
        }
        self.rules.push(rule);
    }

    fn read_groups(&mut self, reader: &mut TomlReader<'_>, entry: &Entry<'_>) {
        for entry in reader.table("group", entry.value).map(entries).unwrap_or_default() {
            let (name, place) = (entry.key, reader.place(&entry.at));
            let section = format!("[group.{name}]");
            if let Err((message, help)) = check_group(name, &self.groups) {
                reader.push(&entry.at, message, help);
            }
            let mut group = Group { name: name.to_owned(), place, include: Vec::new() };
            let Some(table) = reader.table(&format!("group.{name}"), entry.value) else { continue };
            let mut has_include = false;
            for key in entries(table) {
                match key.key {
                    "include" => {
                        has_include = true;
                        group.include = reader.patterns("include", key.value);
                    }
                    budget @ ("budget" | VRAM) => {
                        if let Some(bytes) = reader.size(budget, key.value) {
                            let measure = if budget == VRAM { Measure::VideoMemory } else { Measure::Stored };
                            let (of, place) = (BudgetOf::Group(name.to_owned()), reader.place(&key.at));
                            self.budgets.push(Budget { of, measure, bytes: bytes.0, place });
                        }
                    }
                    _ => reader.unknown_key(&key, &section, &["include", "budget", VRAM]),
                }
            }
            if !has_include {
                let help = "add `include = [\"levels/1/**\"]`".to_owned();
                reader.push(&entry.at, format!("missing key `include` in {section}"), Some(help));
            }
            self.groups.push(group);
        }
    }

    /// Reads `[budget]`, or the table of budgets of video memory in it.
    fn read_budgets(&mut self, reader: &mut TomlReader<'_>, table: &DeTable<'_>, measure: Measure) {
        for entry in entries(table) {
            let mut measure = measure;
            let of = match entry.key {
                "total" => Some(BudgetOf::Total),
                VRAM if measure == Measure::Stored => {
                    measure = Measure::VideoMemory;
                    if let DeValue::Table(table) = entry.value.get_ref() {
                        self.read_budgets(reader, table, measure);
                        continue;
                    }
                    Some(BudgetOf::Total)
                }
                glob => reader.pattern(&entry.at, glob).map(BudgetOf::Glob),
            };
            let bytes = reader.size(entry.key, entry.value);
            let place = reader.place(&entry.at);
            if let (Some(bytes), Some(of)) = (bytes, of) {
                self.budgets.push(Budget { of, measure, bytes: bytes.0, place });
            }
        }
    }
}

/// Whether the setting decides which assets there are, or their ids or constants.
pub(super) fn is_same_for_all_targets(row: &RuleRow) -> bool {
    matches!(row.affects, Affects::Selection | Affects::Identity)
        || matches!(row.key, "image.atlas" | "variants" | "variant_of")
}

/// Refuses what would give a target other assets, ids or constants: the lock file and the code of the game are the same for all.
fn refuse_other_sets(rule: &MatchingRule, reader: &mut TomlReader<'_>) {
    for (row, place) in rule.rows().filter(|(row, _)| is_same_for_all_targets(row)) {
        let message = format!("`{}` cannot depend on the target: the set of assets is the same for all", row.key);
        let help = "set it outside of [target], or in build.rs, which knows the target".to_owned();
        reader.report(Diagnostic::new(place.clone(), message).with_help(Some(help)));
    }
}

/// A rule being read.
#[derive(Default)]
pub struct RuleReader<'s> {
    /// Its header, as shown in messages.
    section: String,
    /// The importers of the build script.
    pub importers: &'s [Description],
    pub values: RuleValues,
    key_places: Vec<(&'static str, Place)>,
    importer_places: Vec<ImporterKey>,
}

impl<'s> RuleReader<'s> {
    /// A rule of a build with these importers.
    pub fn new(importers: &'s [Description]) -> Self {
        Self { importers, ..Self::default() }
    }

    /// Reads the keys of the rule itself, or of one of its tables, such as `image`.
    pub fn read_table(&mut self, reader: &mut TomlReader<'_>, name: Option<&str>, table: &DeTable<'_>) {
        for entry in entries(table) {
            let row = all_rows().find(|row| row.table() == name && row.name() == entry.key);
            let is_table = name.is_none() && all_rows().any(|row| row.table() == Some(entry.key));
            if let Some(row) = row {
                (row.read)(reader, entry.value, &mut self.values);
                self.key_places.push((row.key, reader.place(&entry.at)));
            } else if let Some(spec) = described(self.importers, entry.key).filter(|_| name.is_none()) {
                if let Some(table) = reader.table(entry.key, entry.value) {
                    self.read_importer(reader, spec, table);
                }
            } else if is_table {
                if let Some(table) = reader.table(entry.key, entry.value) {
                    self.read_table(reader, Some(entry.key), table);
                }
            } else {
                let section = match name {
                    Some(name) => format!("`{name}` of {}", self.section),
                    None => self.section.clone(),
                };
                let own = self.importers.iter().filter(|_| name.is_none()).map(|spec| spec.name.as_str());
                let known: Vec<&str> = known_keys(name).into_iter().chain(own).collect();
                reader.unknown_key(&entry, &section, &known);
            }
        }
    }

    /// Reads the table of an importer.
    fn read_importer(&mut self, reader: &mut TomlReader<'_>, spec: &Description, table: &DeTable<'_>) {
        for entry in entries(table) {
            let Some(setting) = spec.setting(entry.key) else {
                if spec.settings.is_empty() {
                    reader.error(
                        &entry.at,
                        format!("unknown key `{}`: the importer `{}` has no settings", entry.key, spec.name),
                    );
                    continue;
                }
                let known: Vec<&str> = spec.settings.iter().map(|setting| setting.key.as_str()).collect();
                reader.unknown_key(&entry, &format!("`{}` of {}", spec.name, self.section), &known);
                continue;
            };
            let Some(value) = setting.read(reader, &format!("{}.{}", spec.name, setting.key), entry.value) else {
                continue;
            };
            self.values.importers.insert((spec.name.clone(), setting.key.clone()), value);
            self.importer_places.push((spec.name.clone(), setting.key.clone(), reader.place(&entry.at)));
        }
    }
}

/// The keys of one table of a rule, or the rule's own keys and the names of its tables.
fn known_keys(table: Option<&str>) -> Vec<&'static str> {
    let mut keys: Vec<_> = all_rows().filter(|row| row.table() == table).map(|row| row.name()).collect();
    if table.is_none() {
        keys.extend(all_rows().filter_map(|row| row.table()));
        keys.dedup();
    }
    keys
}

impl TomlReader<'_> {
    /// Compiles a glob, or reports why it is invalid.
    fn pattern(&mut self, at: &Range<usize>, glob: &str) -> Option<Pattern> {
        Pattern::new(glob).map_err(|bad| self.push(at, bad.message, bad.help)).ok()
    }

    /// One glob or an array of them.
    fn patterns(&mut self, key: &str, value: &super::toml_reader::Value<'_>) -> Vec<(Pattern, Place)> {
        let items = match value.get_ref() {
            DeValue::Array(array) if array.is_empty() => {
                self.error(&value.span(), format!("empty array for `{key}`, expected at least one value"));
                return Vec::new();
            }
            DeValue::Array(array) => &array[..],
            _ => std::slice::from_ref(value),
        };
        let read = |item: &super::toml_reader::Value<'_>| {
            let glob = self.string(key, item)?;
            Some((self.pattern(&item.span(), glob)?, self.place(&item.span())))
        };
        items.iter().filter_map(read).collect()
    }
}
