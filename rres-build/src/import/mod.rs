//! Importers: the bytes of one source file become typed blocks. One file per kind, each behind a feature.
//!
//! An importer is pure: the same bytes, settings and input files give the same blocks. It opens no file itself; other
//! files that it needs come from [`Source::read_input`], which records them for the cache.

mod choice;
#[cfg(feature = "data")]
pub(crate) mod data;
#[cfg(feature = "image")]
mod description;
#[cfg(feature = "font")]
mod font;
#[cfg(feature = "image")]
mod generated;
#[cfg(feature = "image")]
pub(crate) mod image;
mod lfs_pointer;
mod link;
#[cfg(feature = "model")]
pub(crate) mod model;
#[cfg(feature = "nbr")]
pub(crate) mod nbr;
mod raw;
mod registered;
#[cfg(feature = "sound")]
mod sound;
#[cfg(feature = "srsc")]
mod srsc;
mod text;

use std::sync::Arc;

use crate::asset_kinds::importer_named;
use crate::settings::Description;

pub(crate) use choice::choose_importer;
pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
#[cfg(feature = "model")]
pub(crate) use model::parts::parts as model_parts;
pub(crate) use registered::{Origin, RegisteredImporter, importers_of_rres, of_kind};
pub(crate) use rres_import::{
    Asset, Block, Encoders, ImportError, Importer, InputFiles, Source, SourceForm, content as sniff, exact_math,
};

/// The importer of this crate with this name; `None` if its feature is disabled.
fn code_of(name: &str) -> Option<Arc<dyn Importer>> {
    Some(match name {
        #[cfg(feature = "image")]
        "image" => Arc::new(image::ImageImporter),
        #[cfg(feature = "sound")]
        "sound" => Arc::new(sound::SoundImporter),
        #[cfg(feature = "font")]
        "font" => Arc::new(font::FontImporter),
        #[cfg(feature = "model")]
        "model" => Arc::new(model::ModelImporter),
        "text" => Arc::new(text::TextImporter),
        "link" => Arc::new(link::LinkImporter),
        "raw" => Arc::new(raw::RawImporter),
        #[cfg(feature = "image")]
        "generate" => Arc::new(generated::GeneratedImporter),
        #[cfg(feature = "nbr")]
        "nbr" => Arc::new(nbr::NbrImporter),
        #[cfg(feature = "srsc")]
        "srsc" => Arc::new(srsc::SrscImporter),
        _ => return None,
    })
}

/// What the build knows of the importer of this crate with this name, whose code has this version.
fn describe_own(name: &str, version: u32) -> Description {
    registered::describe(importer_named(name).expect("every importer has a row"), version)
}

/// What encodes decoded content in this build.
pub(crate) const ENCODERS: Encoders = Encoders {
    #[cfg(feature = "image")]
    images: Some(&image::ImageImporter),
    #[cfg(not(feature = "image"))]
    images: None,
    #[cfg(feature = "sound")]
    sounds: Some(&sound::SoundImporter),
    #[cfg(not(feature = "sound"))]
    sounds: None,
    #[cfg(feature = "model")]
    models: Some(&model::ModelImporter),
    #[cfg(not(feature = "model"))]
    models: None,
};

#[cfg(test)]
pub(crate) mod testing {
    //! Imports from memory, for the tests of the importers.

    use super::*;
    use crate::settings::Settings;

    pub(crate) use rres_import::MemoryFiles as Files;

    /// Imports `bytes` as `path`, without input files.
    pub(crate) fn import(
        importer: &dyn Importer,
        path: &str,
        bytes: &[u8],
        settings: &Settings,
    ) -> Result<Vec<Asset>, ImportError> {
        let mut inputs = Files::default();
        importer.import(&mut Source::new(path, bytes, settings, &mut inputs).with_encoders(ENCODERS))
    }
}
