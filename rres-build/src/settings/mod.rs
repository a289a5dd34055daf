//! What assets are imported with: one optional `assets.toml` plus rules from `build.rs`, turned into [`Settings`].
//!
//! [`Rules`] reads the file and answers, for each asset path, with plain data; importers see nothing else. Whatever is
//! wrong with the file comes back as one [`SettingsError`] each, with its line and column. `docs/settings.md` is the
//! manual.

mod characters;
mod contradictions;
mod culture;
mod error;
mod fields;
mod fingerprint;
mod nearest;
mod pack;
mod pattern;
mod rules;
mod size;
mod types;
mod unmatched;
mod walk;

#[cfg(test)]
mod tests;

pub use error::SettingsError;
pub use pack::PackSettings;
pub use rules::{Group, Rules};
pub(crate) use size::parse_size;
pub use types::{
    CharSet, CodeLang, ColorSpace, Compat, Compression, Filter, FontSettings, ImageSettings, PixelFormatChoice,
    SampleFormat, Settings, SoundSettings, SoundStore, TextEncoding, TextSettings, Wrap,
};
