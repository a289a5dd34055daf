//! Files that are variants of others, or for some targets: by rules, or by their names.

use super::Rules;
use crate::condition::Condition;
use crate::matching_rule::MatchingRule;
use crate::pattern::split_path;
use crate::table::{PackSettings, Settings};
use crate::variant_name::{TargetName, VariantName};

impl Rules {
    /// Whether names of files can make them variants of others.
    pub fn have_variants(&self) -> bool {
        let has_base = |rule: &MatchingRule| matches!(rule.values.asset.variant_of, Some(Some(_)));
        let lists_any = |pack: &PackSettings| !pack.locales.is_empty() || !pack.densities.is_empty();
        self.all_packs().any(lists_any) || self.rules.iter().any(has_base)
    }

    /// What a rule or the name of the asset at `path` says, if that makes it a variant of another one.
    pub fn variant_name(&self, path: &str) -> Option<VariantName> {
        self.variant_by(path, &self.resolve(path))
    }

    /// The same for an asset with these settings.
    pub(super) fn variant_by(&self, path: &str, settings: &Settings) -> Option<VariantName> {
        let Settings { asset, .. } = settings;
        let by_rule = asset.variant_of.as_ref().and_then(|base| {
            let rule = self.matching(path).rev().find(|rule| rule.values.asset.variant_of.is_some())?;
            // Within the rule's glob, the asset itself is none of its variants.
            let base = rule.pattern.captures(&split_path(path))?.fill(base)?;
            Some(base).filter(|base| base != path)
        });
        let name = match (by_rule, &asset.variant_of) {
            (Some(base), _) => Some(VariantName::by_rule(path, base, asset.locale.as_deref(), self.pack_of(path))),
            (None, Some(_)) => None,
            (None, None) => VariantName::of(path, self.pack_of(path)),
        };
        name.filter(|_| asset.variants)
    }

    /// Whether names of files can make them files for some targets.
    pub fn have_targets(&self) -> bool {
        self.all_packs().any(|pack| !pack.targets.is_empty())
    }

    /// What the name of the file at `path` says, if that makes it a file for some targets.
    pub fn target_name(&self, path: &str) -> Option<TargetName> {
        TargetName::of(path, self.pack_of(path)).filter(|_| self.resolve(path).asset.variants)
    }

    /// Whether `name` in the name of the file at `path`, which the pack lists, stands for the target.
    pub fn is_target(&self, path: &str, name: &str) -> bool {
        let condition =
            self.pack_of(path).targets.iter().find(|(known, _)| known == name).map(|(_, condition)| condition);
        condition.is_some_and(|text| Condition::new(text, &self.target).is_ok_and(|condition| condition.holds))
    }

    /// The tag in the name of a file that the pack does not list, and the path without it.
    pub fn unlisted_variant<'p>(&self, path: &'p str) -> Option<(String, &'p str)> {
        VariantName::unlisted(path).filter(|_| VariantName::of(path, self.pack_of(path)).is_none())
    }
}
