//! Which importer reads a source, and the importers that need no crate.

mod choice;
mod lfs_pointer;
mod link;
mod raw;
mod registered;

pub(crate) use choice::choose_importer;
pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
pub(crate) use link::LinkImporter;
pub(crate) use raw::RawImporter;
pub(crate) use registered::{Origin, RegisteredImporter, importers_of_rres, of_kind};
