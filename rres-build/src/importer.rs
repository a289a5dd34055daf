//! Importers of a build script's own: files that this crate does not know become typed assets of the game.
//!
//! An importer is a type with a description and a function from the bytes of a file to assets. It is the trait that the
//! importers of this crate implement, so its assets are cached, packed, served to a running game and explained like all others.
//!
//! ```no_run
//! use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Setting, Source};
//!
//! /// Lists of numbers, one a line.
//! struct CurveImporter;
//!
//! impl Importer for CurveImporter {
//!     fn describe(&self) -> Description {
//!         Description::new("curve", 1)
//!             .reads(["curve"])
//!             .makes(AssetType::custom(*b"CURV", "crate::curve::Curve"))
//!             .with_setting(Setting::number("scale", 0.0..=100.0).with_default(1.0))
//!     }
//!
//!     fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
//!         let scale = source.settings().number("scale").unwrap_or(1.0);
//!         let mut data = Vec::new();
//!         for (number, line) in (1..).zip(source.text()?.lines()) {
//!             let value: f64 = line.parse().map_err(|_| ImportError::new(format!("expected a number, found {line:?}")).at(number, 1))?;
//!             data.extend(((value * scale) as f32).to_le_bytes());
//!         }
//!         Ok(vec![Asset::custom(*b"CURV", data)])
//!     }
//! }
//!
//! // fn main() of build.rs
//! rres_build::import("assets").importer(CurveImporter).build_or_exit();
//! ```
//!
//! The game has a type that implements `rres_runtime::CustomAsset`, which the constants then have: `assets::JUMP_CURVE` is an
//! `Id<crate::curve::Curve>`. Rules of `assets.toml` have a table for the settings: `["*.curve"] curve = { scale = 2 }`.
//!
//! `docs/importers.md` in the repository is the manual. With the feature `tool` instead of `engine` a build has no importers of a
//! build script, since the installed command imports the assets.

#[doc(inline)]
pub use rres_import::{
    Asset, AssetType, Description, ImportError, Importer, ImporterSettings, MemoryFiles, Samples, Setting,
    SettingValue, Source,
};
