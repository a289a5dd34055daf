//! How assets are imported: one optional `assets.toml` plus rules from `build.rs`, resolved to [`Settings`].
//!
//! [`table`] declares every setting once. [`SettingsFile`] reads the file, and [`Rules`] returns plain data for each
//! asset path, which is all that importers see. `docs/settings.md` is the manual; its tables are generated from the
//! same rows.

mod characters;
mod contradictions;
mod culture;
mod declare;
mod domain;
mod file;
mod fingerprint;
mod pattern;
mod rule;
mod rules;
mod sections;
mod suggested;
mod table;
mod toml_reader;
mod unmatched;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use characters::Chosen;
pub(crate) use declare::{declare_methods, same, some};
pub use rule::Rule;
pub(crate) use rules::{Rules, SETTINGS_FILE, SettingsFile};
pub(crate) use suggested::suggested_rules;
pub(crate) use table::{GlobalValues, ImageSettings, PackSettings, Settings, SoundSettings, pack_settings};
pub(crate) use values::Word;
pub use values::{
    CharSet, Compat, Culture, ImageFormat, LintLevel, RefusedFiles, SampleFormat, SoundStorage, SourceEncoding,
};
