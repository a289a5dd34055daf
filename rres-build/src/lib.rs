//! Turn an assets directory into rres packs and typed Rust constants, from `build.rs`.
//!
//! ```no_run
//! // fn main() of build.rs
//! rres_build::import("assets").build_or_exit();
//! ```
//!
//! The game includes the generated module with `rres_runtime::include_assets!()`. Debug builds get an index of the
//! imported assets; release builds get one pack.
//!
//! Every file in the directory becomes an asset. Its extension determines the kind:
//!
//! | extension | becomes | importer's feature |
//! |---|---|---|
//! | `png jpg jpeg bmp tga gif hdr exr qoi dds ktx ktx2 webp aseprite ase cube cubemap channels` | image | `image` |
//! | `wav wave aiff aif aifc caf ogg oga opus flac mp3 m4a aac qoa` | sound | `sound`; `opus` for Opus |
//! | `ttf otf ttc otc fnt` | font: glyphs and atlas | `font` |
//! | `gltf glb obj` | model | `model` |
//! | `generate` | a shape or an image that the file describes | `image` |
//! | `nbr` | what Nikola's tool made of it: image, sound, text, model or font | `nbr` |
//! | `db txd sdb mod odb adb ssd rrc lvl` | what is in archives of the Riot engine; files of other programs stay raw | `srsc` |
//! | texts and source code | text; the feature `shader` validates shaders, `shader-compile` compiles them (`docs/shaders.md`) | always enabled |
//! | anything else | raw bytes | always enabled |
//!
//! Settings are optional. They are rules in `assets/assets.toml` (every key is in `docs/settings.md`) or in `build.rs`:
//!
//! ```no_run
//! rres_build::import("assets")
//!     .rule("ui/**/*.png", |rule| rule.image_premultiply(true))
//!     .rule("**/*.psd", |rule| rule.ignore(true))
//!     .build_or_exit();
//! ```
//!
//! # Build speed
//!
//! With `default-features = false` and the feature `tool`, this crate has no importers and compiles in seconds. An installed
//! `cargo-rres` of exactly its version then does the work. There is only [`Build::build_or_exit`]; `build`, `build_or_serve`,
//! `lock_state` and `progress` need the feature `engine`, which each importer enables. With both, `tool` has no effect.
//!
//! Cargo builds build scripts unoptimised, which makes decoding images and fonts several times slower. If that makes
//! importing take longer than a minute, the build prints lines to add to the `Cargo.toml` of the workspace. They optimise
//! the crates that do most of the work.
#![forbid(unsafe_code)]

#[cfg(not(any(feature = "engine", feature = "tool")))]
compile_error!(
    "rres-build needs one of its features: \"engine\" or importers, which import assets in the build script, or \"tool\", \
     which leaves that to an installed cargo-rres"
);

#[cfg(feature = "data")]
pub mod data;
#[cfg(feature = "engine")]
pub mod importer;
#[cfg(feature = "engine")]
mod importers;
pub mod settings;

use std::path::Path;

#[cfg(feature = "engine")]
#[doc(hidden)]
pub use importers::importers;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use rres_engine::{AssetReport, Outcome, Phases, Progress, Report, TargetFile, cache};
#[doc(inline)]
pub use rres_engine::{Build, PackMode};
#[cfg(feature = "seal")]
#[doc(inline)]
pub use rres_format::seal::Secret;
#[doc(inline)]
pub use rres_format::{AssetKind, Cipher, Compression};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use rres_settings::diagnostic::{BuildError, Diagnostic};
#[doc(inline)]
pub use rres_settings::{ByteSize, Rule};

/// Starts a build of the assets directory `dir`, relative to the package.
///
/// ```no_run
/// rres_build::import("assets").build_or_exit();
/// ```
#[must_use = "nothing happens until `build` or `build_or_exit` is called"]
pub fn import(dir: impl AsRef<Path>) -> Build {
    let build = Build::new(dir);
    #[cfg(feature = "engine")]
    let build = build.with_rres_importers(importers());
    build
}
