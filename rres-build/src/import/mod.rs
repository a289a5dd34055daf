//! Importers: the bytes of one source file become typed blocks. One file per kind, each behind a feature.
//!
//! An importer is pure: the same bytes, settings and input files give the same blocks. It opens no file itself; other
//! files that it needs come from [`Source::read_input`], which records them for the cache.

mod asset;
mod choice;
#[cfg(feature = "data")]
pub(crate) mod data;
#[cfg(feature = "image")]
mod description;
mod error;
#[cfg(feature = "image")]
mod exact_math;
#[cfg(feature = "font")]
mod font;
#[cfg(feature = "image")]
mod generated;
#[cfg(feature = "image")]
pub(crate) mod image;
mod lfs_pointer;
mod link;
#[cfg(any(feature = "image", feature = "sound"))]
mod media;
#[cfg(feature = "model")]
pub(crate) mod model;
#[cfg(any(feature = "nbr", feature = "srsc"))]
mod model_chunks;
#[cfg(feature = "image")]
mod model_settings;
#[cfg(feature = "nbr")]
pub(crate) mod nbr;
mod raw;
mod registered;
#[cfg(any(feature = "image", feature = "sound", feature = "font"))]
mod sniff;
#[cfg(feature = "sound")]
mod sound;
mod source;
#[cfg(feature = "srsc")]
mod srsc;
mod text;

use std::sync::Arc;

use crate::asset_kinds::importer_named;
use crate::settings::Description;

pub use asset::Asset;
pub(crate) use asset::{Asset as ImportedResource, Block, SourceForm};
pub(crate) use choice::choose_importer;
pub use error::ImportError;
pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
#[cfg(feature = "model")]
pub(crate) use model::parts::parts as model_parts;
pub(crate) use registered::{Origin, RegisteredImporter, importers_of_rres, of_kind};
pub use source::Source;
pub(crate) use source::{InputFiles, Source as ImportContext};

/// Turns source files into assets. The importers of this crate implement it, too.
///
/// Register one with [`Build::importer`](crate::Build::importer). An importer is pure: the same bytes, settings and input files give
/// the same assets, so that the result can be kept in the import cache. It opens no files itself: other files that it needs come
/// from [`Source::read_input`], which makes them a part of the cache key and of what hot reload watches.
pub trait Importer: Send + Sync + 'static {
    /// Describes the importer: its name and version, the files that it reads, what it makes of them, its settings.
    fn describe(&self) -> Description;

    /// Returns an estimate of the memory in bytes that importing a source takes besides the source itself, so that a build with many
    /// threads keeps to its limit. Default: four times the size of the source.
    fn memory(&self, source: &Source<'_>) -> u64 {
        source.bytes.len() as u64 * 4
    }

    /// Imports one source. The first asset is the file itself, the others are sub-assets with names of their own.
    ///
    /// A panic, and an import that takes longer than its limit, are errors that name the file.
    ///
    /// # Errors
    /// [`ImportError`], which states what was found and what to do about it.
    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError>;
}

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

#[cfg(test)]
pub(crate) mod testing {
    //! Imports from memory, for the tests of the importers.

    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::settings::Settings;

    /// Input files by asset path.
    #[derive(Default)]
    pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

    impl InputFiles for Files {
        fn find(&mut self, path: &str) -> Option<String> {
            let lower = path.to_lowercase();
            self.0.keys().find(|known| known.to_lowercase() == lower).cloned()
        }

        fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
            let bytes = self.0.get(path).ok_or_else(|| ImportError::new(format!("{path} does not exist")))?;
            Ok(bytes.as_slice().into())
        }

        fn list(&mut self, glob: &str) -> Result<Vec<String>, ImportError> {
            let paths = crate::settings::glob_matches(glob, self.0.keys().map(String::as_str));
            Ok(paths.map_err(ImportError::new)?.into_iter().map(str::to_owned).collect())
        }
    }

    /// Imports `bytes` as `path`, without input files.
    pub(crate) fn import(
        importer: &dyn Importer,
        path: &str,
        bytes: &[u8],
        settings: &Settings,
    ) -> Result<Vec<ImportedResource>, ImportError> {
        importer.import(&mut Source::new(path, bytes, settings, &mut Files::default()))
    }
}
