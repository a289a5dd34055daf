//! Importers: the bytes of one source file become typed blocks. One file per kind, each behind a feature.
//!
//! An importer is pure: the same bytes, settings and input files give the same blocks. It opens no file itself; other
//! files that it needs come from [`Source::read_input`], which records them for the cache.

mod asset;
#[cfg(any(feature = "nbr", feature = "srsc"))]
pub(crate) mod asset_pack;
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
mod own;
mod raw;
#[cfg(any(feature = "image", feature = "sound", feature = "font"))]
mod sniff;
#[cfg(feature = "sound")]
mod sound;
mod source;
#[cfg(feature = "srsc")]
pub(crate) mod srsc;
mod text;

use rres_format::AssetKind;

use crate::asset_kinds::{self, ContainerRow};
use crate::settings::{AssetType, Setting};

pub use asset::Asset;
pub(crate) use asset::{Asset as ImportedResource, Block, SourceForm};
pub(crate) use choice::ChosenImporter;
pub use error::ImportError;
pub(crate) use lfs_pointer::{is_lfs_pointer, refuse_pointer, refuse_pointer_input};
#[cfg(feature = "model")]
pub(crate) use model::parts::parts as model_parts;
pub(crate) use own::OwnImporter;
pub use source::Source;
pub(crate) use source::{InputFiles, Source as ImportContext};
pub(crate) use text::sees_path as text_sees_path;

/// Turns source files into assets. The importers of this crate implement it, too.
///
/// Register one with [`Build::importer`](crate::Build::importer). An importer is pure: the same bytes, settings and input files give
/// the same assets, so that the result can be kept in the import cache. It opens no files itself: other files that it needs come
/// from [`Source::read_input`], which makes them a part of the cache key and of what hot reload watches.
pub trait Importer: Send + Sync + 'static {
    /// Returns its name: its table of settings has this name, and `importer = …` in rules. Small letters, digits, `_` and `-`. It is
    /// part of the cache key, together with the version.
    fn name(&self) -> &str;

    /// Returns its version. Increase it whenever the same input gives other assets than before; otherwise the cache keeps the old
    /// ones.
    fn version(&self) -> u32;

    /// Returns the extensions of the files that it reads, without dot, in any case. It comes before an importer of this crate that
    /// reads the same files, and a rule with `kind` or `importer` before both. Default: none, so that only rules choose it.
    fn extensions(&self) -> &[&str] {
        &[]
    }

    /// Returns the types of assets that it makes. The settings of these kinds apply to its files.
    fn types(&self) -> Vec<AssetType>;

    /// Returns its settings. Default: none.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

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

/// The importer of a kind.
///
/// # Errors
/// [`ImportError`] if its feature is disabled.
pub(crate) fn importer_for(kind: AssetKind) -> Result<&'static dyn Importer, ImportError> {
    Ok(match kind {
        #[cfg(feature = "image")]
        AssetKind::Image => &image::ImageImporter,
        #[cfg(feature = "sound")]
        AssetKind::Sound => &sound::SoundImporter,
        #[cfg(feature = "font")]
        AssetKind::Font => &font::FontImporter,
        #[cfg(feature = "model")]
        AssetKind::Model => &model::ModelImporter,
        AssetKind::Text => &text::TextImporter,
        AssetKind::Link => &link::LinkImporter,
        AssetKind::Raw => &raw::RawImporter,
        _ => {
            let feature = asset_kinds::row(kind).feature.unwrap_or_default();
            return Err(disabled(&format!("as {kind}"), feature));
        }
    })
}

/// The importer of files that become assets of several kinds.
///
/// # Errors
/// [`ImportError`] if its feature is disabled.
fn importer_of_container(row: &ContainerRow) -> Result<&'static dyn Importer, ImportError> {
    // A row of [`asset_kinds::CONTAINERS`] is an arm here: `#[cfg(feature = "x")] "x" => Ok(&x::XImporter)`.
    match row.name {
        #[cfg(feature = "image")]
        "generate" => Ok(&generated::GeneratedImporter),
        #[cfg(feature = "nbr")]
        "nbr" => Ok(&nbr::NbrImporter),
        #[cfg(feature = "srsc")]
        "srsc" => Ok(&srsc::SrscImporter),
        name => Err(disabled(&format!("by the importer `{name}`"), row.feature)),
    }
}

/// The error about a source whose importer is not compiled in.
fn disabled(how: &str, feature: &str) -> ImportError {
    let message = format!("would be imported {how}, but the feature `{feature}` of rres-build is disabled");
    let help = format!(
        "enable it with `cargo add --build rres-build --features {feature}`, or set kind = \"raw\" for the file in assets.toml"
    );
    ImportError::new(message).with_help(help).without_fix()
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
