//! The importers of a build, and which of them reads a source.

mod lfs_pointer;
mod registered;
mod set;

pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
pub(crate) use registered::{Origin, RegisteredImporter};
pub(crate) use set::ImporterSet;
pub use set::{OpenRemoteCache, RresImporters};
