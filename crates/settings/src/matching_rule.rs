//! Rules: a glob and the values that it sets, from `assets.toml` or from `build.rs`.

use super::condition::Condition;
use super::declare::faults;
use super::pattern::Pattern;
use super::rule::Rule;
use super::table::{RuleRow, RuleValues, all_rows};
use crate::diagnostic::{Diagnostic, Place};

/// A setting of an importer of the build script: importer, key, place.
pub(super) type ImporterKey = (String, String, Place);

/// A rule, checked and ready to match.
#[derive(Clone, Debug)]
pub(super) struct MatchingRule {
    pub(super) pattern: Pattern,
    pub(super) place: Place,
    /// The condition of a rule for some targets.
    pub(super) condition: Option<Condition>,
    pub(super) values: RuleValues,
    /// The place of each key of the rule, in the order of the text.
    pub(super) key_places: Vec<(&'static str, Place)>,
    /// The place of each setting of an importer of the build script: importer, key, place.
    pub(super) importer_places: Vec<ImporterKey>,
}

impl MatchingRule {
    /// Creates a rule of `build.rs`, whose keys have no places of their own. Faults in its values go to `diagnostics`.
    pub(super) fn of_code(pattern: Pattern, place: Place, rule: Rule, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let values = rule.values;
        let is_set = |row: &&RuleRow| (row.is_set)(&values);
        diagnostics.extend(faults(all_rows(), &values, &place));
        let key_places = all_rows().filter(is_set).map(|row| (row.key, place.clone())).collect();
        let keys = values.importers.keys();
        let importer_places = keys.map(|(importer, key)| (importer.clone(), key.clone(), place.clone())).collect();
        Self { pattern, place, condition: None, values, key_places, importer_places }
    }

    /// Whether the rule is one for the target.
    pub(super) fn holds(&self) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.holds)
    }

    /// The place where the rule sets `key`, if it does.
    pub(super) fn place_of(&self, key: &str) -> Option<&Place> {
        self.key_places.iter().find(|(known, _)| *known == key).map(|(_, place)| place)
    }

    /// The place where the rule sets `key` of an importer of the build script, if it does.
    pub(super) fn place_of_setting(&self, importer: &str, key: &str) -> Option<&Place> {
        let is_it = |(of, known, _): &&ImporterKey| of == importer && known == key;
        self.importer_places.iter().find(is_it).map(|(.., place)| place)
    }

    /// Whether all that the rule does is to leave files out, or to silence notes about them.
    pub(super) fn only_leaves_out(&self) -> bool {
        let leaves_out = |key: &str| key == "notes" || key == "ignore" && self.values.asset.ignore == Some(true);
        !self.key_places.is_empty()
            && self.importer_places.is_empty()
            && self.key_places.iter().all(|(key, _)| leaves_out(key))
    }

    /// The rows of the keys that the rule sets, in the order of the text.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'static RuleRow, &Place)> {
        self.key_places.iter().filter_map(|(key, place)| Some((all_rows().find(|row| row.key == *key)?, place)))
    }
}
