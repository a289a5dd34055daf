//! How assets are imported: one optional `assets.toml` plus rules from `build.rs`, resolved to [`Settings`].
//!
//! [`table`] declares every setting once. [`SettingsFile`] reads the file, and [`Rules`] returns plain data for each
//! asset path, which is all that importers see. `docs/settings.md` is the manual; its tables are generated from the
//! same rows.

#[cfg(feature = "engine")]
mod captures;
#[cfg(feature = "engine")]
mod characters;
#[cfg(feature = "engine")]
mod condition;
mod content_domain;
#[cfg(feature = "engine")]
mod contradictions;
mod culture;
mod declare;
mod domain;
#[cfg(feature = "engine")]
mod file;
mod fingerprint;
#[cfg(feature = "engine")]
mod folder;
mod font_values;
mod image_table;
mod image_values;
#[cfg(feature = "engine")]
mod importer_description;
#[cfg(feature = "engine")]
mod importer_rules;
#[cfg(feature = "engine")]
mod importer_setting;
#[cfg(feature = "engine")]
mod lint;
#[cfg(feature = "engine")]
mod matching_rule;
mod model_values;
mod name_domain;
mod pack_table;
#[cfg(feature = "engine")]
mod pattern;
mod profile;
mod rule;
#[cfg(feature = "engine")]
mod rules;
#[cfg(feature = "engine")]
mod sections;
#[cfg(feature = "engine")]
mod suggested;
mod table;
mod target_cfg;
mod target_names;
mod toml_reader;
mod toml_string;
#[cfg(feature = "engine")]
mod trace;
#[cfg(feature = "engine")]
mod unmatched;
mod values;
#[cfg(feature = "engine")]
mod variant_name;

#[cfg(all(test, feature = "engine"))]
mod tests;

#[cfg(feature = "engine")]
pub(crate) use characters::Chosen;
pub use declare::OrNone;
#[cfg(not(feature = "engine"))]
pub(crate) use declare::faults;
pub(crate) use declare::{SettingRow, declare_methods, pairs, same, some, strings};
#[cfg(feature = "engine")]
pub(crate) use file::RuleReader;
pub use font_values::{CharSet, GlyphField, Variations};
pub use image_values::{BlockEffort, ImageFormat, ImageFrames, ImagePadding, ImageSequence, ImageStorage, PixelOrder};
#[cfg(feature = "engine")]
pub(crate) use importer_description::FileType;
#[cfg(feature = "engine")]
pub use importer_description::{AssetType, Description};
#[cfg(feature = "engine")]
pub(crate) use importer_setting::Values;
#[cfg(feature = "engine")]
pub use importer_setting::{ImporterSettings, Setting, SettingValue};
#[cfg(feature = "engine")]
pub(crate) use lint::Limit;
#[cfg(feature = "engine")]
pub use lint::{BudgetUse, LintFinding};
pub use model_values::{
    MeshletSize, NormalFormat, NormalMode, PositionFormat, TangentMode, TexCoordFormat, WeightFormat,
};
#[cfg(feature = "engine")]
pub(crate) use pattern::glob_matches;
#[cfg(feature = "engine")]
pub use pattern::{glob_of, rule_header};
pub use rule::Rule;
#[cfg(feature = "engine")]
pub(crate) use rules::{Rules, SETTINGS_FILE, SettingsFile};
#[cfg(feature = "engine")]
pub(crate) use suggested::suggested_rules;
#[cfg(feature = "font")]
pub(crate) use table::FontSettings;
#[cfg(feature = "model")]
pub(crate) use table::ModelSettings;
#[cfg(test)]
pub(crate) use table::RuleValues;
pub(crate) use table::{
    GlobalValues, ImageSettings, PACK_ROWS, PackSettings, Settings, SoundSettings, all_rows, pack_settings,
};
pub(crate) use target_cfg::TargetCfg;
#[cfg(feature = "engine")]
pub(crate) use toml_reader::{Entry, TomlReader, Value, entries};
pub(crate) use toml_string::toml_string;
#[cfg(feature = "engine")]
pub use trace::{MatchedRule, SetBy, SettingOrigin};
pub(crate) use values::{BudgetFor, Word};
pub use values::{
    Compat, Culture, Filters, GlslStage, LintLevel, Profile, RefusedFiles, SampleFormat, ShaderImport, SoundChannels,
    SoundStorage, SourceEncoding,
};
#[cfg(feature = "engine")]
pub(crate) use variant_name::{TargetName, VariantName};
