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
//! | `png jpg jpeg bmp tga gif hdr qoi dds` | image | `image` |
//! | `wav wave ogg oga flac mp3` | sound | `sound` |
//! | `ttf otf ttc otc` | font: glyphs and atlas | `font` |
//! | `gltf glb` | model | `model` |
//! | texts and source code | text | always enabled |
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
//! Cargo builds build scripts unoptimised, which makes decoding images and fonts several times slower. If that makes
//! importing take longer than a minute, the build prints lines to add to the `Cargo.toml` of the workspace. They optimise
//! the crates that do most of the work.
#![forbid(unsafe_code)]
// Code for settings and input files is unused if not all importers are enabled.
#![cfg_attr(
    not(all(feature = "image", feature = "sound", feature = "font", feature = "model")),
    allow(dead_code, unused_imports)
)]

mod asset_kinds;
mod build;
mod byte_size;
pub mod cache;
mod cargo;
mod codegen;
mod context;
mod diagnostic;
mod import;
mod key;
mod lock_file;
mod memory_budget;
mod model;
mod note;
mod opt_level_hint;
mod options;
mod pack;
mod pipeline;
mod progress;
mod read_file;
mod report;
mod serve;
mod settings;
mod staging;
mod temp_file;
mod worker_pool;

pub use build::Outcome;
pub use byte_size::ByteSize;
pub use codegen::unused::{UnusedAsset, Usage};
pub use diagnostic::{BuildError, Diagnostic};
pub use lock_file::{LockChange, LockFile};
pub use note::NoteGroup;
pub use options::{Build, PackMode, import};
pub use pipeline::{ImporterFeature, importer_features};
pub use progress::Progress;
pub use report::{AssetReport, Phases, Report};
pub use rres_format::chunk::image::PixelFormat;
pub use rres_format::chunk::text::CodeLanguage;
pub use rres_format::index::{ColorSpace, Filter, Wrap};
pub use rres_format::{AssetKind, Compression, ResourceId};
pub use serve::LockState;
pub use settings::{
    CharSet, Compat, Culture, ImageFormat, LintLevel, RefusedFiles, Rule, SampleFormat, SoundStorage, SourceEncoding,
};
