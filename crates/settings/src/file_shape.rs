//! The shape of `assets.toml`: its sections, rules and their tables, from the tables of settings and the importers of a build.

use super::asset_kinds::all_described;
use super::declare::SettingRow;
use super::file::{SECTIONS, is_same_for_all_targets};
use super::importer_description::{Description, importer_names};
use super::importer_setting::{Setting, Values};
use super::sections::VRAM;
use super::shape::{Key, Others, Shape, Table};
use super::table::{PACK_ROWS, PackRow, RuleRow, all_rows};

/// What the names of groups match.
const GROUP_NAME: &str = "^[A-Za-z0-9_-]+$";

/// What all globs match: no `/` at an end, no backslash, no `!` at the beginning.
const GLOB: &str = r"^(\./)?[^/!\\\x00-\x1f]([^\\\x00-\x1f]*[^/\\\x00-\x1f])?$";

/// The tables of rules, what each is for, and the name of the same table in rules for some targets if that has fewer keys.
const TABLES: &[(&str, &str, &str)] = &[
    ("image", "Settings of images.", "image_of_target"),
    ("sound", "Settings of sounds.", "sound"),
    ("font", "Settings of fonts.", "font"),
    ("text", "Settings of texts.", "text"),
    ("model", "Settings of models.", "model"),
];

/// The shape of the settings file of a build with these importers of its build script.
pub fn file_shape(importers: &[Description]) -> Table {
    let rule = Shape::Table(rule(importers, false));
    let keys = vec![
        Key::new("pack", "Settings of the pack as a whole.", pack_section("pack", "Settings of the pack as a whole.")),
        Key::new("lints", "What a build does about what it finds.", pack_section("lints", "Levels of findings.")),
        Key::new("group", "Assets that are loaded and dropped together, by the name of the group.", groups()),
        Key::new("budget", "How many bytes assets may take in the pack.", budgets()),
        Key::new("target", TARGET, targets(importers)),
    ];
    let others = Others { names: GLOB.to_owned(), refused: Vec::new(), shape: rule };
    let doc = "The settings of the assets in the directory of this file. All tables but the known ones are rules for the files that \
               match a glob, such as [\"ui/**/*.png\"]. Later rules win.";
    Table { others: Some(Box::new(others)), ..Table::of(doc, keys) }
}

const TARGET: &str =
    "Rules for some targets, by a condition as in Cargo.toml: [target.'cfg(target_os = \"android\")'.\"**/*.png\"].";

/// The keys of `[pack]` or `[lints]`.
fn pack_section(section: &str, doc: &str) -> Shape {
    let is_here = |row: &&PackRow| row.table().unwrap_or("pack") == section;
    Shape::Table(Table::of(doc, PACK_ROWS.iter().filter(is_here).map(PackRow::key).collect()))
}

fn groups() -> Shape {
    let include = Key {
        is_required: true,
        ..Key::new("include", "The globs of the assets of the group.", Shape::text(GLOB).one_or_more(false))
    };
    let stored = Key::new("budget", "How many bytes the assets of the group may take in the pack.", budget());
    let vram = Key::new(VRAM, "How many bytes of video memory they and what they need may take.", budget());
    let group = Table::of("Assets that are loaded and dropped together.", vec![include, stored, vram]);
    Shape::Table(Table::of_any("The groups.", GROUP_NAME, Shape::Table(group)))
}

fn budgets() -> Shape {
    let sizes = |total: &str| {
        let total = Key::new("total", total, budget());
        let by_glob = Table::of_any("Sizes such as \"80 MB\", by the glob of the assets.", GLOB, budget());
        Table { keys: vec![total], ..by_glob }
    };
    let of_video_memory = sizes("How many bytes of video memory all assets together may take.");
    let shape = Shape::AnyOf(vec![budget(), Shape::Table(of_video_memory)]);
    let vram = Key::new(VRAM, "How many bytes of video memory assets may take.", shape);
    let mut sizes = sizes("How many bytes all assets together may take in the pack.");
    sizes.keys.push(vram);
    Shape::Table(sizes)
}

fn budget() -> Shape {
    Shape::size(0..=u64::MAX)
}

fn targets(importers: &[Description]) -> Shape {
    let refused = SECTIONS.into_iter().map(str::to_owned).collect();
    let rules = Others { names: GLOB.to_owned(), refused, shape: Shape::Table(rule(importers, true)) };
    let rules = Table { others: Some(Box::new(rules)), ..Table::of("Rules for these targets.", Vec::new()) };
    Shape::Table(Table::of_any(TARGET, r"^cfg\([\s\S]*\)$", Shape::Table(rules)))
}

/// The shape of a rule, or of one for some targets.
fn rule(importers: &[Description], is_for_some: bool) -> Table {
    let rows = |table: Option<&'static str>| {
        let is_here = move |row: &&RuleRow| row.table() == table && !(is_for_some && is_same_for_all_targets(row));
        all_rows().filter(is_here).map(RuleRow::key)
    };
    let mut keys: Vec<Key> = rows(None).collect();
    if let Some(importer) = keys.iter_mut().find(|key| key.name == "importer") {
        importer.shape = Shape::OneOf(importer_names(importers));
    }
    for &(name, doc, name_for_some) in TABLES {
        let name_of_table = if is_for_some { name_for_some } else { name };
        let table = Table { name: Some(name_of_table), ..Table::of(doc, rows(Some(name)).collect()) };
        keys.push(Key::new(name, doc, Shape::Table(table)));
    }
    for described in all_described(importers) {
        let doc = format!("Settings of the importer `{}`.", described.name);
        let table = Table::of(&doc, described.settings.iter().map(Setting::described).collect());
        keys.push(Key::new(&described.name, &doc, Shape::Table(table)));
    }
    let name = if is_for_some { "rule_of_target" } else { "rule" };
    Table { name: Some(name), ..Table::of("Settings of the files that match the glob.", keys) }
}

impl<V: 'static, S: Default> SettingRow<V, S> {
    /// The key and what it accepts.
    fn key(&self) -> Key {
        // No value means that an array or a table is empty.
        let default = (self.show)(&S::default()).filter(|toml| !matches!(&**toml, "[]" | "{  }"));
        Key {
            default_in_words: self.default.to_owned(),
            default,
            ..Key::new(self.name(), self.doc.trim(), (self.shape)())
        }
    }
}

impl Setting {
    /// The key and what it accepts.
    fn described(&self) -> Key {
        let shape = match &self.values {
            Values::Flag => Shape::Flag,
            Values::Integer(range) => Shape::Integer(range.clone()),
            Values::Number(range) => Shape::Number(range.clone()),
            Values::Text => Shape::text(""),
            Values::OneOf(words) => Shape::OneOf(words.clone()),
        };
        Key { default: self.default.as_ref().map(|default| default.to_toml()), ..Key::new(&self.key, "", shape) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_of_the_tables_is_in_the_shape() {
        let Table { keys, others, .. } = file_shape(&[]);
        let Shape::Table(Table { keys: of_rule, .. }) = others.unwrap().shape else { panic!("rules are tables") };
        let keys_of = |keys: &[Key]| {
            let mut all = BTreeSet::new();
            for key in keys {
                match &key.shape {
                    Shape::Table(table) if table.others.is_none() => {
                        all.extend(table.keys.iter().map(|inner| format!("{}.{}", key.name, inner.name)));
                    }
                    _ => _ = all.insert(key.name.clone()),
                }
            }
            all
        };
        let expected: BTreeSet<String> = all_rows().map(|row| row.key.to_owned()).collect();
        assert_eq!(&keys_of(&of_rule) & &expected, expected);

        let of_pack = |row: &PackRow| format!("{}.{}", row.table().unwrap_or("pack"), row.name());
        let expected: BTreeSet<String> = PACK_ROWS.iter().map(of_pack).collect();
        assert_eq!(&keys_of(&keys) & &expected, expected);
        assert_eq!(keys.iter().map(|key| &*key.name).collect::<Vec<_>>(), SECTIONS);
    }

    #[test]
    fn importers_of_the_build_script_have_tables() {
        let tiled = Description::new("tiled", 1).with_setting(Setting::integer("scale", 1..=16).with_default(1));
        let rule = rule(&[tiled], false);
        let find = |keys: &[Key], name: &str| keys.iter().find(|key| key.name == name).unwrap().shape.clone();
        let Shape::OneOf(names) = find(&rule.keys, "importer") else { panic!("a list of names") };
        assert!(names.iter().any(|name| name == "tiled"), "{names:?}");
        let Shape::Table(table) = find(&rule.keys, "tiled") else { panic!("a table") };
        assert_eq!((find(&table.keys, "scale"), table.keys[0].default.as_deref()), (Shape::Integer(1..=16), Some("1")));
    }
}
