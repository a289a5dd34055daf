//! The options of a build as a TOML document, which a build script without importers gives to the command that does its work,
//! and which every build script leaves for the command (`recorded.rs`).
//!
//! ```toml
//! dir = "assets"
//! crate_path = "::rres_runtime"
//! pack_mode = "release"
//! memory = "536870912 B"
//! always_run = false
//! pack.name = "game"
//! importers = [{ name = "tiled", version = 1, extensions = ["tmx"], types = [], settings = [], place = { … } }]
//! [[rule]]
//! place = { file = "build.rs", line = 3, column = 9 }
//! glob = "ui/**/*.png"
//! settings.image.premultiply = true
//! [[group]]
//! place = { file = "build.rs", line = 4, column = 9 }
//! name = "menu"
//! globs = ["ui/**"]
//! [[budget]]
//! place = { file = "build.rs", line = 5, column = 9 }
//! size = "80000000 B"
//! ```
//!
//! Settings have the keys and values of `assets.toml`. Each row of the table of settings writes and reads its own.

#[cfg(feature = "engine")]
mod importers;
#[cfg(feature = "engine")]
mod reader;
mod values;
mod writer;

#[cfg(all(test, feature = "engine"))]
mod tests;

#[cfg(feature = "engine")]
pub(crate) use reader::read_options;
pub(crate) use writer::write_options;
