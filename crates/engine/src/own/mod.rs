//! The importers that need no crate of their own: any file as raw bytes, or as a link to it.

mod link;
mod raw;

use std::sync::Arc;

use rres_import::Importer;

/// The importer of this crate with this name.
pub(crate) fn own_importer(name: &str) -> Option<Arc<dyn Importer>> {
    match name {
        "link" => Some(Arc::new(link::LinkImporter)),
        "raw" => Some(Arc::new(raw::RawImporter)),
        _ => None,
    }
}
