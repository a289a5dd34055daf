//! The engine of [rres](https://github.com/rres-rs/rres): what a build does with an assets directory.
//!
//! Build scripts use `rres-build`, which has a page for authors of games. This crate is for programs that build or look at assets themselves,
//! such as `cargo rres`. It knows the importers by the interface in `rres-import` alone: a program passes those that it is compiled with as
//! [`RresImporters`].
//!
//! Without the feature `engine` there are only the options of a build, and [`Build::build_or_exit`] leaves the work to the installed command.
#![forbid(unsafe_code)]
// What reads the environment of a build script is for the engine.
#![cfg_attr(not(feature = "engine"), allow(dead_code, unused_imports))]

#[cfg(not(any(feature = "engine", feature = "tool")))]
compile_error!(
    "rres-engine needs one of its features: \"engine\" or importers, which import assets in the build script, or \"tool\", \
     which leaves that to an installed cargo-rres"
);

#[cfg(feature = "engine")]
mod build;
#[cfg(feature = "engine")]
pub mod cache;
mod cargo;
#[cfg(feature = "engine")]
mod context;
#[cfg(feature = "engine")]
mod elsewhere;
#[cfg(feature = "engine")]
mod explain;
#[cfg(feature = "engine")]
mod farm;
#[cfg(feature = "engine")]
mod file_range;
#[cfg(feature = "engine")]
mod for_targets;
#[cfg(feature = "engine")]
mod foreign_file;
#[cfg(feature = "engine")]
mod fresh;
#[cfg(feature = "engine")]
pub mod fuzz;
#[cfg(feature = "engine")]
mod growth;
#[cfg(feature = "engine")]
mod hosted_script;
#[cfg(feature = "engine")]
mod import;
#[cfg(feature = "engine")]
mod import_only;
#[cfg(feature = "engine")]
mod key;
#[cfg(feature = "engine")]
mod libraries;
#[cfg(feature = "licenses")]
mod licensed;
#[cfg(feature = "engine")]
#[cfg_attr(not(feature = "licenses"), path = "licenses/disabled.rs")]
mod licenses;
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
mod own;
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
mod source_list;
#[cfg(feature = "engine")]
mod staging;
#[cfg(feature = "engine")]
mod strip;
#[cfg(feature = "engine")]
mod temp_file;
#[cfg(feature = "engine")]
mod text_tables;
#[cfg(feature = "engine")]
mod thread_clock;
#[cfg(feature = "engine")]
mod timed_out;
#[cfg(feature = "tool")]
mod tool;
#[cfg(feature = "engine")]
mod worker_pool;

pub(crate) use rres_settings::{self as settings, asset_kinds, diagnostic};

#[cfg(feature = "engine")]
pub use build::{Listing, Outcome};
#[cfg(feature = "engine")]
pub use explain::{ChunkFacts, Explained, Explanation, ImportFacts, ResourceFacts, Standing};
#[cfg(feature = "engine")]
pub use farm::{Farm, FarmJob, FarmUse};
#[cfg(feature = "engine")]
pub use for_targets::TargetBuild;
#[cfg(feature = "engine")]
pub use for_targets::{target_cfg, target_directory};
#[cfg(feature = "engine")]
pub use foreign_file::{ForeignFile, import_foreign, is_foreign};
#[cfg(feature = "engine")]
pub use hosted_script::host_build_script;
#[cfg(feature = "engine")]
pub use import::{OpenRemoteCache, RresImporters};
#[cfg(feature = "engine")]
pub use import_only::{Difference, ImportCheck, ImportedOnly, Portion};
#[cfg(feature = "licenses")]
pub use licensed::LicensedSource;
#[cfg(feature = "engine")]
pub use lock_file::{LockChange, LockFile};
#[cfg(feature = "engine")]
pub use note_group::NoteGroup;
pub use options::{Build, PackMode};
#[cfg(feature = "engine")]
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
#[cfg(feature = "engine")]
pub use rres_codegen::unused::{UnusedAsset, Usage};
#[cfg(feature = "engine")]
pub use rres_codegen::{HeaderEntry, LANGUAGES, Language, constant_path, root_module_name};
#[cfg(feature = "engine")]
pub use serve::LockState;
#[cfg(feature = "engine")]
pub use source_dir::AssetDirectory;
#[cfg(feature = "engine")]
pub use source_list::{ListedSource, SourceList};
#[cfg(feature = "engine")]
pub use text_tables::{TextTable, TextTables};
