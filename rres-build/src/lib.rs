//! Turn an assets directory into rres packs and typed Rust constants, from `build.rs`.
//!
//! ```no_run
//! // fn main() of build.rs
//! rres_build::import("assets").build_or_exit();
//! ```
//!
//! The game includes what was generated with `rres_runtime::include_assets!()`. Debug builds get an index that leads
//! to the imported forms of loose files, release builds one pack.
//!
//! Every file of the directory becomes an asset, by its extension:
//!
//! | extension | becomes | importer's feature |
//! |---|---|---|
//! | `png jpg jpeg bmp tga gif hdr qoi dds` | image | `image` |
//! | `wav ogg flac mp3` | sound | `sound` |
//! | `ttf otf` | font: glyphs and atlas | `font` |
//! | `gltf glb` | model | `model` |
//! | texts and source code | text | always there |
//! | anything else | raw bytes | always there |
//!
//! What else there is to say goes into `assets/assets.toml` (every key is in `docs/settings.md`) or into rules in
//! `build.rs`:
//!
//! ```no_run
//! rres_build::import("assets")
//!     .rule("ui/**/*.png", |settings| settings.image.premultiply = true)
//!     .rule("**/*.psd", |settings| settings.ignore = true)
//!     .build_or_exit();
//! ```
//!
//! # Build speed
//!
//! Cargo compiles build dependencies without optimisation, in which decoders are many times slower. Put this
//! into the `Cargo.toml` of the workspace:
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 3
//! [profile.release.build-override]
//! opt-level = 3
//! ```
#![forbid(unsafe_code)]

mod advice;
pub mod cache;
mod cargo;
mod codegen;
mod config;
mod discover;
mod encode;
mod engine;
mod error;
mod guard;
pub mod import;
mod lock;
mod memory;
mod pack;
mod progress;
mod report;
mod run;
mod serve;
pub mod settings;
mod site;
mod work;

pub use config::{Build, PackMode, import};
pub use error::{Errors, Problem};
pub use progress::Progress;
pub use report::{AssetReport, Phases, Report};
pub use rres_format::AssetKind;
pub use serve::LockState;
