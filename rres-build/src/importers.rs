//! The importers that the features of this crate choose: the one place that knows their crates.

use std::sync::{Arc, OnceLock};

use rres_engine::RresImporters;
use rres_import::{Encoders, Importer};

/// The importers of rres that this crate is compiled with, and the remote cache.
pub fn importers() -> Arc<RresImporters> {
    static IMPORTERS: OnceLock<Arc<RresImporters>> = OnceLock::new();
    let make = || {
        let importers = RresImporters::new(importer_named, ENCODERS).with_hot_crates(HOT_CRATES);
        #[cfg(feature = "remote-cache")]
        let importers = importers.with_remote_cache(rres_remote_cache::from_environment);
        Arc::new(importers)
    };
    Arc::clone(IMPORTERS.get_or_init(make))
}

/// The importer with this name; `None` if its feature is disabled.
fn importer_named(name: &str) -> Option<Arc<dyn Importer>> {
    Some(match name {
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

/// The crates that do most of the work of importers, with an optimisation level that is worth its compilation.
const HOT_CRATES: &[(&str, u8)] = &[
    #[cfg(feature = "image")]
    ("rres-import-image", 1),
    #[cfg(feature = "sound")]
    ("rres-import-sound", 1),
    #[cfg(feature = "model")]
    ("rres-import-model", 1),
    #[cfg(feature = "collision")]
    ("rres-collision", 1),
    #[cfg(feature = "collision")]
    ("parry3d", 3),
    #[cfg(any(feature = "image", feature = "sound", feature = "font"))]
    ("rres-decode", 3),
    #[cfg(feature = "image")]
    ("image", 3),
    #[cfg(feature = "image")]
    ("png", 3),
    #[cfg(feature = "image")]
    ("fdeflate", 3),
    #[cfg(feature = "image")]
    ("zune-jpeg", 3),
    #[cfg(feature = "exr")]
    ("exr", 3),
    #[cfg(feature = "gpu")]
    ("block_compression", 3),
    #[cfg(feature = "gpu")]
    ("bcdec_rs", 3),
    #[cfg(feature = "sound")]
    ("symphonia-core", 3),
    #[cfg(feature = "sound")]
    ("symphonia-codec-vorbis", 3),
    #[cfg(feature = "sound")]
    ("symphonia-bundle-mp3", 3),
    #[cfg(feature = "font")]
    ("fontdue", 3),
];

/// What encodes decoded content in a build.
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
