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
//! | `png jpg jpeg bmp tga gif hdr exr qoi dds ktx2 webp aseprite ase cubemap` | image | `image` |
//! | `wav wave aiff aif aifc caf ogg oga opus flac mp3 m4a aac` | sound | `sound` |
//! | `ttf otf ttc otc fnt` | font: glyphs and atlas | `font` |
//! | `gltf glb obj` | model | `model` |
//! | `generate` | a shape or an image that the file describes | `image` |
//! | `nbr` | what Nikola's tool made of it: image, sound, text, model or font | `nbr` |
//! | `db txd sdb mod odb adb ssd rrc lvl` | what is in archives of the Riot engine; files of other programs stay raw | `srsc` |
//! | texts and source code | text; the feature `shader` validates shaders (`docs/shaders.md`) | always enabled |
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
// Code for settings and input files is unused if not all importers are enabled.
#![cfg_attr(
    not(all(feature = "image", feature = "sound", feature = "font", feature = "model")),
    allow(dead_code, unused_imports)
)]

#[cfg(not(any(feature = "engine", feature = "tool")))]
compile_error!(
    "rres-build needs one of its features: \"engine\" or importers, which import assets in the build script, or \"tool\", \
     which leaves that to an installed cargo-rres"
);

#[cfg(feature = "engine")]
mod build;
#[cfg(feature = "engine")]
pub mod cache;
mod cargo;
#[cfg(feature = "engine")]
mod codegen;
#[cfg(feature = "engine")]
mod context;
#[cfg(feature = "data")]
pub mod data;
#[cfg(feature = "engine")]
mod explain;
#[cfg(feature = "engine")]
mod facts;
#[cfg(feature = "engine")]
mod for_targets;
#[cfg(feature = "engine")]
mod foreign_file;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod fuzz;
#[cfg(feature = "engine")]
mod growth;
#[cfg(feature = "engine")]
mod hosted_script;
#[cfg(feature = "engine")]
mod import;
#[cfg(feature = "engine")]
pub mod importer;
#[cfg(feature = "engine")]
mod importers;
#[cfg(feature = "engine")]
mod key;
#[cfg(feature = "engine")]
mod libraries;
#[cfg(feature = "engine")]
mod listing;
#[cfg(feature = "engine")]
mod lock_file;
#[cfg(feature = "engine")]
mod memory_budget;
#[cfg(feature = "engine")]
mod model;
#[cfg(feature = "engine")]
mod note_group;
#[cfg(feature = "engine")]
mod opt_level_hint;
mod options;
#[cfg(feature = "engine")]
mod pack;
#[cfg(feature = "engine")]
mod pipeline;
#[cfg(feature = "engine")]
mod planned;
#[cfg(feature = "engine")]
mod progress;
#[cfg(feature = "engine")]
mod read_file;
#[cfg(feature = "engine")]
mod record_file;
#[cfg(feature = "engine")]
mod recorded;
#[cfg(feature = "engine")]
mod report;
#[cfg(feature = "engine")]
mod scope;
#[cfg(feature = "engine")]
mod script;
mod script_exit;
mod script_options;
#[cfg(feature = "engine")]
mod serve;
#[cfg(feature = "engine")]
mod session;
#[cfg(feature = "engine")]
mod source_dir;
#[cfg(feature = "engine")]
mod staging;
#[cfg(feature = "engine")]
mod temp_file;
#[cfg(feature = "engine")]
mod thread_clock;
#[cfg(feature = "engine")]
mod timed_out;
#[cfg(not(feature = "engine"))]
mod tool;
#[cfg(feature = "engine")]
mod worker_pool;

pub(crate) use rres_settings::{self as settings, asset_kinds, diagnostic};

#[cfg(feature = "engine")]
pub use build::{Listing, Outcome};
#[cfg(feature = "engine")]
pub use codegen::unused::{UnusedAsset, Usage};
#[cfg(feature = "engine")]
pub use codegen::{HeaderEntry, c_header, constant_path};
#[cfg(feature = "engine")]
pub use explain::{ChunkFacts, Explained, Explanation, ImportFacts, ResourceFacts, Standing};
#[cfg(feature = "engine")]
pub use for_targets::TargetBuild;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use for_targets::{target_cfg, target_directory};
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use foreign_file::{ForeignFile, import_foreign, is_foreign};
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use hosted_script::host_build_script;
#[cfg(feature = "engine")]
pub use lock_file::{LockChange, LockFile};
#[cfg(feature = "engine")]
pub use note_group::NoteGroup;
pub use options::{Build, PackMode, import};
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use pack::chunks_hash;
#[cfg(feature = "engine")]
pub use pipeline::{
    AssetFile, ImporterFeature, SourceChange, SourceStamps, asset_files, importer_features, runtime_features,
};
#[cfg(feature = "engine")]
pub use planned::PlannedAsset;
#[cfg(feature = "engine")]
pub use progress::Progress;
#[cfg(feature = "engine")]
pub use recorded::RecordedBuild;
#[cfg(feature = "engine")]
pub use report::{AssetReport, Phases, Report, TargetFile};
pub use rres_format::chunk::image::PixelFormat;
pub use rres_format::chunk::text::CodeLanguage;
pub use rres_format::index::{ColorSpace, Filter, Wrap};
#[cfg(feature = "seal")]
pub use rres_format::seal::Secret;
pub use rres_format::{AssetKind, Cipher, Compression, ResourceId};
#[cfg(feature = "engine")]
pub use serve::LockState;
#[doc(inline)]
pub use settings::ByteSize;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub use settings::asset_kinds::kind_of_extension;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use settings::diagnostic::{BuildError, Diagnostic};
#[doc(inline)]
pub use settings::{
    BlockEffort, CharSet, Compat, Culture, Filters, GlslStage, GlyphField, ImageFormat, ImageFrames, ImagePadding,
    ImageSequence, ImageStorage, LintLevel, MeshletSize, NormalFormat, NormalMode, OrNone, PixelOrder, PositionFormat,
    Profile, RefusedFiles, Rule, SampleFormat, ShaderImport, SoundChannels, SoundStorage, SourceEncoding, TangentMode,
    TexCoordFormat, Variations, WeightFormat,
};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use settings::{BudgetUse, LintFinding, MatchedRule, SetBy, SettingOrigin};
#[cfg(feature = "engine")]
#[doc(inline)]
pub use settings::{glob_of, rule_header};
#[cfg(feature = "engine")]
pub use source_dir::AssetDirectory;
