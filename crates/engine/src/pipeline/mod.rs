//! The pipeline: one function per step, which takes the result of the previous step.
//!
//! ```text
//! BuildContext ─► Plan ─► Imported ─► Resolved ─► Outputs
//!                 │       │           │           └ packs or dev index, and the module: written last, all or none
//!                 │       │           └ ids, dependencies, names, groups, budgets
//!                 │       └ blobs, from the cache or from the importers
//!                 └ source files with settings and kinds
//! ```
//!
//! Each step collects diagnostics and continues. A build with diagnostics fails and writes nothing (`crate::build`); a
//! serving script replaces broken assets by their last good versions (`crate::serve`).

mod discover;
mod encode;
mod facts;
mod farm;
mod found_source;
mod import;
mod input_reader;
mod large_source;
mod link;
mod model_parts;
mod only;
mod output;
mod placeholder;
mod plan;
mod portable;
mod raylib;
mod refuse;
mod remote;
mod runtime_features;
mod script_importers;
mod set;
mod sizes;
mod source_keys;
mod source_stamps;
mod target_files;
mod task;
mod time_limit;
mod unusual;

pub use discover::{AssetFile, ImporterFeature, asset_files, importer_features};
pub(crate) use discover::{clutter_in, missing_directory};
pub(crate) use encode::why;
pub(crate) use found_source::is_left_out;
pub(crate) use import::{Imported, Known, import};
pub(crate) use input_reader::find_in;
pub(crate) use only::drop_unneeded;
pub(crate) use output::{OutputError, Outputs, check_outputs, named, write, write_listed};
pub(crate) use plan::{Plan, PlannedSource, UnavailableSource, all_paths, plan};
pub(crate) use refuse::{refuse_dependents, split_refusals};
pub use runtime_features::runtime_features;
pub(crate) use set::{Resolution, folder_groups, missing_dependencies, resolve, resource_paths};
pub(crate) use sizes::asset_sizes;
pub use source_stamps::{SourceChange, SourceStamps};
