//! The origin of the settings of one asset: the rules that match it, and for each setting the one that decides.

use crate::asset_kinds::described;
use crate::diagnostic::Place;
use rres_format::AssetKind;

use super::declare::Affects;
use super::importer_setting::{Setting, SettingValue};
use super::matching_rule::MatchingRule;
use super::profile::Storage;
use super::rules::Rules;
use super::table::{RuleRow, RuleValues, all_rows};
use super::values::Profile;
use crate::asset_kinds::settings_apply;

/// The key of the setting that chooses others.
const PROFILE: &str = "profile";

/// One setting of an asset, and what decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOrigin {
    /// The key, as in `assets.toml`: `image.mipmaps`.
    pub key: String,
    /// The value in TOML, or in words if it is a default that has no value of its own.
    pub value: String,
    /// What set it; `None` for the default.
    pub set_by: Option<SetBy>,
    /// The rules that set it before, in order. A later rule won.
    pub overridden: Vec<SetBy>,
}

/// A rule, or `[pack]`, that sets a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetBy {
    /// The key that sets it: the setting's own, or `profile` for what a profile chooses.
    pub key: String,
    /// The glob of the rule; `[pack]` for a setting of the pack.
    pub rule: String,
    /// File, line and column of the key in `assets.toml`, or of the call in `build.rs`.
    pub place: String,
    /// The value in TOML.
    pub value: String,
    /// The condition of a rule for some targets, as it is written: `cfg(target_os = "android")`.
    pub when: Option<String>,
}

/// A rule that matches an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedRule {
    /// Its glob.
    pub rule: String,
    /// File, line and column of the rule.
    pub place: String,
    /// The keys that it sets, in the order of the text.
    pub keys: Vec<String>,
    /// The condition of a rule for some targets, as it is written.
    pub when: Option<String>,
    /// Whether the rule takes effect, since the target meets its condition.
    pub holds: bool,
}

impl Rules {
    /// The rules that `path` matches, in order, also those for other targets.
    pub fn matched(&self, path: &str) -> Vec<MatchedRule> {
        let matched = self.matching_for_any_target(path).map(|rule| MatchedRule {
            rule: rule.pattern.as_str().to_owned(),
            place: rule.place.to_string(),
            keys: keys(rule),
            when: rule.condition.as_ref().map(|condition| condition.text.clone()),
            holds: rule.holds(),
        });
        matched.collect()
    }

    /// The settings of an importer of the build script for the asset at `path`, with what decided each.
    pub fn trace_importer(&self, path: &str, importer: &str) -> Vec<SettingOrigin> {
        let spec = described(self.importers(), importer);
        let trace = |setting: &Setting| {
            let key = format!("{importer}.{}", setting.key);
            let set_by = |rule: &MatchingRule| {
                let value = rule.values.importers.get(&(importer.to_owned(), setting.key.clone()))?;
                Some(SetBy {
                    key: key.clone(),
                    rule: rule.pattern.as_str().to_owned(),
                    place: rule.place_of_setting(importer, &setting.key)?.to_string(),
                    value: value.to_toml(),
                    when: rule.condition.as_ref().map(|condition| condition.text.clone()),
                })
            };
            let mut all: Vec<SetBy> = self.matching(path).filter_map(set_by).collect();
            let last = all.pop();
            let default = || setting.default.as_ref().map_or_else(|| "none".to_owned(), SettingValue::to_toml);
            let value = last.as_ref().map_or_else(default, |last| last.value.clone());
            SettingOrigin { key: key.clone(), value, set_by: last, overridden: all }
        };
        spec.into_iter().flat_map(|spec| &spec.settings).map(trace).collect()
    }

    /// The settings of the asset at `path` that have an effect on assets of these kinds, with what decided each.
    pub fn trace(&self, path: &str, kinds: &[AssetKind]) -> Vec<SettingOrigin> {
        let settings = self.resolve(path);
        let applies = |row: &&RuleRow| row.kind().is_none_or(|of| kinds.iter().any(|kind| settings_apply(of, *kind)));
        let trace = |row: &'static RuleRow| {
            let set_by = |rule: &MatchingRule| {
                let place = rule.place_of(row.key)?.to_string();
                Some(SetBy {
                    key: row.key.to_owned(),
                    rule: rule.pattern.as_str().to_owned(),
                    place,
                    value: (row.write)(&rule.values).unwrap_or_default(),
                    when: rule.condition.as_ref().map(|condition| condition.text.clone()),
                })
            };
            let of_pack = self.profile_of_pack(row).into_iter().chain(self.set_by_pack(row.key));
            let of_rules = self.profile_of_rules(path, row).into_iter().chain(self.matching(path).filter_map(set_by));
            let mut all: Vec<SetBy> = of_pack.chain(of_rules).collect();
            let mut bytes = Vec::new();
            (row.fingerprint)(&settings, &mut bytes);
            let is_default = bytes.is_empty();
            let shown = (row.show)(&settings);
            // A rule with another compression drops the level of earlier rules, and the level of the pack is for its own.
            let decides = |set_by: &SetBy| shown.as_ref() == Some(&set_by.value);
            let last = all.pop_if(|set_by| decides(set_by));
            let value = shown.filter(|_| !is_default || last.is_some()).unwrap_or_else(|| row.default.to_owned());
            SettingOrigin { key: row.key.to_owned(), value, set_by: last, overridden: all }
        };
        all_rows().filter(applies).map(trace).collect()
    }

    /// Where a setting of the pack, such as `lints.unlicensed`, is set.
    pub fn pack_place(&self, key: &str) -> Option<&Place> {
        self.pack_origins.iter().rev().find(|(known, ..)| *known == key).map(|(_, place, _)| place)
    }

    /// What sets the default of `key` under `[pack]`, or in the builder.
    fn set_by_pack(&self, key: &str) -> Option<SetBy> {
        let (key, place, value) = self.pack_origins.iter().rev().find(|(known, ..)| *known == key)?;
        let is_shared =
            all_rows().any(|row| row.key == *key && matches!(row.affects, Affects::Import | Affects::Cipher));
        is_shared.then(|| SetBy {
            key: (*key).to_owned(),
            rule: "[pack]".to_owned(),
            place: place.to_string(),
            value: value.clone(),
            when: None,
        })
    }

    /// The profile of `[pack]`, or of the builder, if it chooses the setting of this row.
    fn profile_of_pack(&self, row: &RuleRow) -> Option<SetBy> {
        let value = self.choice(self.pack().profile?, row)?;
        Some(SetBy { key: PROFILE.to_owned(), value, ..self.set_by_pack(PROFILE)? })
    }

    /// The last profile that rules set for the asset at `path`, if it chooses the setting of this row.
    fn profile_of_rules(&self, path: &str, row: &RuleRow) -> Option<SetBy> {
        let set = |rule: &MatchingRule| {
            let value = self.choice(rule.values.asset.profile??, row)?;
            let place = rule.place_of(PROFILE)?.to_string();
            let when = rule.condition.as_ref().map(|condition| condition.text.clone());
            Some(SetBy { key: PROFILE.to_owned(), rule: rule.pattern.as_str().to_owned(), place, value, when })
        };
        self.matching(path).rev().find_map(set)
    }

    /// What a profile chooses for the setting of this row, in TOML.
    fn choice(&self, profile: Profile, row: &RuleRow) -> Option<String> {
        let Storage { compression, level, filters } = profile.storage(self.pack().compat);
        let mut values = RuleValues::default();
        (values.asset.compression, values.asset.level) = (Some(Some(compression)), Some(level));
        values.asset.filters = Some(filters);
        (row.write)(&values)
    }
}

/// The keys that a rule sets, in the order of the text.
fn keys(rule: &MatchingRule) -> Vec<String> {
    let rows = rule.rows().map(|(row, place)| (place, row.key.to_owned()));
    let of_importers = rule.importer_places.iter().map(|(importer, key, place)| (place, format!("{importer}.{key}")));
    let mut keys: Vec<_> = rows.chain(of_importers).collect();
    keys.sort_by_key(|(place, _)| *place);
    keys.into_iter().map(|(_, key)| key).collect()
}
