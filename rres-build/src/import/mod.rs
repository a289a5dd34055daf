//! The importers of a build, and which of them reads a source.

mod choice;
mod lfs_pointer;
mod registered;

pub(crate) use choice::choose_importer;
pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
pub(crate) use registered::{Origin, RegisteredImporter, importers_of_rres, of_kind};
