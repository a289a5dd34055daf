//! Rules: a glob and the values that it sets, from `assets.toml` or from `build.rs`.

use super::declare::{declare_methods, same, some};
use super::pattern::Pattern;
use super::table::{
    RuleRow, RuleValues, all_rows, asset_settings, font_settings, image_settings, sound_settings, text_settings,
};
use super::values::{CharSet, Culture, ImageFormat, SampleFormat, SoundStorage, SourceEncoding};
use crate::diagnostic::{Diagnostic, Place};
use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Compression, ResourceId};

/// The settings that a rule of `build.rs` gives to the files that it matches; see [`Build::rule`](crate::Build::rule).
///
/// There is a method for every key of a rule in `assets.toml`: `image = { mipmaps = true }` is `.image_mipmaps(true)`.
///
/// ```no_run
/// use rres_build::Filter;
///
/// rres_build::import("assets")
///     .rule("ui/**/*.png", |rule| rule.image_premultiply(true).image_filter(Filter::Nearest))
///     .rule("fonts/*.ttf", |rule| rule.font_size([20, 48]).font_chars(["latin".into(), "★".into()]))
///     .rule("**/*.psd", |rule| rule.ignore(true))
///     .build_or_exit();
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Rule {
    pub(super) values: RuleValues,
}

impl Rule {
    asset_settings!(declare_methods(values));
    image_settings!(declare_methods(values));
    sound_settings!(declare_methods(values));
    font_settings!(declare_methods(values));
    text_settings!(declare_methods(values));
}

/// A rule, checked and ready to match.
#[derive(Clone, Debug)]
pub(super) struct MatchingRule {
    pub(super) pattern: Pattern,
    pub(super) place: Place,
    pub(super) values: RuleValues,
    /// The place of each key of the rule, in the order of the text.
    pub(super) key_places: Vec<(&'static str, Place)>,
}

impl MatchingRule {
    /// Creates a rule of `build.rs`, whose keys have no places of their own. Faults in its values go to `diagnostics`.
    pub(super) fn of_code(pattern: Pattern, place: Place, rule: Rule, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let values = rule.values;
        let is_set = |row: &&RuleRow| (row.is_set)(&values);
        for row in all_rows().filter(is_set) {
            if let Err(expected) = (row.check)(&values) {
                let message = format!("unknown value for `{}`, {expected}", row.key);
                diagnostics.push(Diagnostic::new(place.clone(), message));
            }
        }
        let key_places = all_rows().filter(is_set).map(|row| (row.key, place.clone())).collect();
        Self { pattern, place, values, key_places }
    }

    /// The place where the rule sets `key`, if it does.
    pub(super) fn place_of(&self, key: &str) -> Option<&Place> {
        self.key_places.iter().find(|(known, _)| *known == key).map(|(_, place)| place)
    }

    /// The rows of the keys that the rule sets, in the order of the text.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'static RuleRow, &Place)> {
        self.key_places.iter().filter_map(|(key, place)| Some((all_rows().find(|row| row.key == *key)?, place)))
    }
}
