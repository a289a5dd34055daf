//! The importers that the features of this crate choose: the one place that knows their crates, and the two that need none.

mod link;
mod raw;

use std::sync::{Arc, OnceLock};

use rres_import::{Encoders, Importer};

use crate::import::RresImporters;

/// The importers of rres, which all builds of a program share.
pub(crate) fn rres_importers() -> &'static Arc<RresImporters> {
    static IMPORTERS: OnceLock<Arc<RresImporters>> = OnceLock::new();
    IMPORTERS.get_or_init(|| Arc::new(RresImporters::new(importer_of_rres, ENCODERS)))
}

/// The importer of rres with this name; `None` if its feature is disabled.
fn importer_of_rres(name: &str) -> Option<Arc<dyn Importer>> {
    Some(match name {
        "link" => Arc::new(link::LinkImporter),
        "raw" => Arc::new(raw::RawImporter),
        "text" => Arc::new(rres_import_text::TextImporter),
        #[cfg(feature = "font")]
        "font" => Arc::new(rres_import_font::FontImporter),
        #[cfg(feature = "image")]
        "generate" => Arc::new(rres_import_generate::GeneratedImporter),
        #[cfg(feature = "image")]
        "image" => Arc::new(rres_import_image::ImageImporter),
        #[cfg(feature = "model")]
        "model" => Arc::new(rres_import_model::ModelImporter),
        #[cfg(feature = "nbr")]
        "nbr" => Arc::new(rres_import_nbr::NbrImporter),
        #[cfg(feature = "sound")]
        "sound" => Arc::new(rres_import_sound::SoundImporter),
        #[cfg(feature = "srsc")]
        "srsc" => Arc::new(rres_import_srsc::SrscImporter),
        _ => return None,
    })
}

/// What encodes decoded content in this build.
const ENCODERS: Encoders = Encoders {
    #[cfg(feature = "image")]
    images: Some(&rres_import_image::ImageImporter),
    #[cfg(not(feature = "image"))]
    images: None,
    #[cfg(feature = "sound")]
    sounds: Some(&rres_import_sound::SoundImporter),
    #[cfg(not(feature = "sound"))]
    sounds: None,
    #[cfg(feature = "model")]
    models: Some(&rres_import_model::ModelImporter),
    #[cfg(not(feature = "model"))]
    models: None,
};
