//! Where the settings of one asset come from: the rules that match it, and for each setting the one that decides.

use rres_format::AssetKind;

use super::declare::Affects;
use super::rules::Rules;
use super::table::{RuleRow, all_rows};
use crate::asset_kinds::settings_apply;

/// One setting of an asset, and what decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingOrigin {
    /// The key, as in `assets.toml`: `image.mipmaps`.
    pub key: &'static str,
    /// The value in TOML, or in words if it is a default that has no value of its own.
    pub value: String,
    /// What set it; `None` for the default.
    pub set_by: Option<SetBy>,
    /// The rules that set it before, in order. A later rule won.
    pub overridden: Vec<SetBy>,
}

/// A rule, or `[pack]`, that sets a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetBy {
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
#[non_exhaustive]
pub struct MatchedRule {
    /// Its glob.
    pub rule: String,
    /// File, line and column of the rule.
    pub place: String,
    /// The keys that it sets, in the order of the text.
    pub keys: Vec<&'static str>,
    /// The condition of a rule for some targets, as it is written.
    pub when: Option<String>,
    /// Whether the rule takes effect, since the target meets its condition.
    pub holds: bool,
}

impl Rules {
    /// The rules that `path` matches, in order, also those for other targets.
    pub(crate) fn matched(&self, path: &str) -> Vec<MatchedRule> {
        let matched = self.matching_for_any_target(path).map(|rule| MatchedRule {
            rule: rule.pattern.as_str().to_owned(),
            place: rule.place.to_string(),
            keys: rule.rows().map(|(row, _)| row.key).collect(),
            when: rule.condition.as_ref().map(|condition| condition.text.clone()),
            holds: rule.holds(),
        });
        matched.collect()
    }

    /// The settings of the asset at `path` that have an effect on assets of kind `kind`, with what decided each.
    pub(crate) fn trace(&self, path: &str, kind: AssetKind) -> Vec<SettingOrigin> {
        let settings = self.resolve(path);
        let applies = |row: &&RuleRow| row.kind().is_none_or(|of| settings_apply(of, kind));
        let trace = |row: &'static RuleRow| {
            let set_by = |rule: &super::matching_rule::MatchingRule| {
                let place = rule.place_of(row.key)?.to_string();
                Some(SetBy {
                    rule: rule.pattern.as_str().to_owned(),
                    place,
                    value: (row.write)(&rule.values).unwrap_or_default(),
                    when: rule.condition.as_ref().map(|condition| condition.text.clone()),
                })
            };
            let of_pack = self.set_by_pack(row.key).into_iter();
            let mut all: Vec<SetBy> = of_pack.chain(self.matching(path).filter_map(set_by)).collect();
            let mut bytes = Vec::new();
            (row.fingerprint)(&settings, &mut bytes);
            let is_default = bytes.is_empty();
            let shown = (row.show)(&settings);
            // A rule with another compression drops the level of earlier rules, and the level of the pack is for its own.
            let decides = |set_by: &SetBy| shown.as_ref() == Some(&set_by.value);
            let last = all.pop_if(|set_by| decides(set_by));
            let value = shown.filter(|_| !is_default || last.is_some()).unwrap_or_else(|| row.default.to_owned());
            SettingOrigin { key: row.key, value, set_by: last, overridden: all }
        };
        all_rows().filter(applies).map(trace).collect()
    }

    /// What sets the default of `key` under `[pack]`, or in the builder.
    fn set_by_pack(&self, key: &str) -> Option<SetBy> {
        let (_, place, value) = self.pack_origins.iter().rev().find(|(known, ..)| *known == key)?;
        let is_shared = all_rows().any(|row| row.key == key && row.affects == Affects::Import);
        is_shared.then(|| SetBy {
            rule: "[pack]".to_owned(),
            place: place.to_string(),
            value: value.clone(),
            when: None,
        })
    }
}
