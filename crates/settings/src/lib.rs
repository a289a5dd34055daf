//! The settings of rres builds: one optional `assets.toml` plus rules from `build.rs`, resolved to [`Settings`].
//!
//! [`table`] declares every setting once: key, type, default, words, and the method of a builder. [`SettingsFile`] reads the
//! file, and [`Rules`] returns plain data for each path, which is all that importers see. [`Description`] is what an importer
//! says about itself, its own settings included. `docs/settings.md` is the manual; its tables are generated from the same rows.
//!
//! Games use these types through `rres-build`, and importers through `rres-import`.
#![forbid(unsafe_code)]
// The rows of the tables are the documentation.
#![allow(missing_docs, missing_debug_implementations)]

pub mod asset_kinds;
mod asset_path;
mod braces;
mod byte_size;
mod captures;
mod characters;
mod collision;
mod condition;
mod content_domain;
mod contradictions;
mod culture;
mod declare;
pub mod diagnostic;
mod domain;
mod file;
mod file_shape;
mod fingerprint;
mod folder;
mod font_values;
mod image_table;
mod image_values;
mod importer_description;
mod importer_rules;
mod importer_setting;
mod length;
mod lint;
mod matching_rule;
mod model_table;
mod model_values;
mod name_domain;
mod pack_table;
mod pattern;
mod profile;
mod rule;
mod rules;
mod sections;
mod shader_values;
pub mod shape;
mod suggested;
pub mod table;
mod target_cfg;
mod target_names;
mod toml_reader;
mod toml_string;
mod trace;
mod unmatched;
mod values;
mod variant_name;

#[cfg(test)]
mod tests;

pub use asset_path::{Naming, extension_of, file_name};
pub use byte_size::ByteSize;
pub use characters::Chosen;
pub use collision::{Collision, CollisionKind};
pub use declare::OrNone;
pub use declare::faults;
pub use declare::{SettingRow, pairs, same, some, strings};
pub use file::RuleReader;
pub use file_shape::file_shape;
pub use font_values::{CharSet, FontStorage, GlyphField, Variations};
pub use image_values::{
    BlockEffort, ColorProfile, ImageFormat, ImageFrames, ImagePadding, ImageSequence, ImageStorage,
};
pub use importer_description::FileType;
pub use importer_description::{AssetType, Description};
pub use importer_setting::Values;
pub use importer_setting::{ImporterSettings, Setting, SettingValue};
pub use length::Length;
pub use lint::Limit;
pub use lint::{BudgetUse, LintFinding};
pub use model_values::{
    MeshletSize, NormalFormat, NormalMode, PositionFormat, TangentMode, TexCoordFormat, WeightFormat,
};
pub use pattern::glob_matches;
pub use pattern::{glob_of, rule_header};
pub use rule::Rule;
pub use rules::{Rules, SETTINGS_FILE, SettingsFile};
pub use shader_values::{DefineValue, GlslStage, ShaderDefines, ShaderImport, ShaderTarget, ShaderVariants};
pub use suggested::suggested_rules;
pub use table::FontSettings;
pub use table::ModelSettings;
pub use table::RuleValues;
pub use table::TextSettings;
pub use table::{GlobalValues, ImageSettings, PACK_ROWS, PackSettings, Settings, SoundSettings, all_rows};
pub use target_cfg::TargetCfg;
pub use toml_reader::{Entry, TomlReader, Value, entries};
pub use toml_string::toml_string;
pub use trace::{MatchedRule, SetBy, SettingOrigin};
pub use values::{AssetSize, BudgetFor, Measure, Word};
pub use values::{
    Compat, Culture, Filters, LintLevel, Profile, RefusedFiles, SampleFormat, SoundChannels, SoundEncoding,
    SoundStorage, SourceEncoding,
};
pub use variant_name::{TargetName, VariantName};
