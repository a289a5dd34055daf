//! The interface of importers: the bytes of one source become typed assets.
//!
//! An [`Importer`] is a description and a function from a [`Source`] to [`Asset`]s. It is pure: the same bytes, settings and input
//! files give the same assets, so that the import cache can keep them. It opens no file itself; other files that it needs come from
//! [`Source::read_input`], which records them for the cache and for hot reload. The importers of `rres-build`, of games and of
//! other crates implement the same trait and use nothing but this crate.
//!
//! Pixels and samples become assets by the settings of their kind, which the engine applies: [`Source::image`], [`Source::sound`].
//! [`MemoryFiles`] imports without an engine, for tests of importers.
#![forbid(unsafe_code)]

mod asset;
pub mod atlas;
pub mod content;
mod encoders;
mod error;
pub mod exact_math;
mod font;
mod memory_files;
pub mod model;
mod note;
mod part;
mod path;
mod source;
mod toml_source;

pub use asset::{Alternative, Asset, Block, Dependency, SourceForm};
pub use encoders::{Encoders, ImageEncoder, ModelEncoder, PictureFile, Samples, SoundEncoder};
pub use error::ImportError;
pub use font::FontBuilder;
pub use memory_files::MemoryFiles;
pub use note::Note;
pub use part::{NamedPart, PartSort};
pub use path::{relative_to, resolve_relative};
#[doc(inline)]
pub use rres_settings::{AssetType, Description, ImporterSettings, Setting, SettingValue, Settings};
pub use source::{InputFiles, Source};
pub use toml_source::read_toml;

/// Turns source files into assets. The importers of rres-build implement it too.
///
/// Register one with `Build::importer`. An importer is pure: the same bytes, settings and input files give the same assets, so that the
/// result can be kept in the import cache. It opens no files itself: other files that it needs come from [`Source::read_input`], which
/// makes them a part of the cache key and of what hot reload watches.
pub trait Importer: Send + Sync + 'static {
    /// Describes the importer: its name and version, the files that it reads, what it makes of them, its settings.
    fn describe(&self) -> Description;

    /// Returns an estimate of the memory in bytes that importing a source takes besides the source itself, so that a build with many
    /// threads keeps to its limit. Default: four times the size of the source.
    fn memory(&self, source: &Source<'_>) -> u64 {
        source.bytes.len() as u64 * 4
    }

    /// Returns whether what becomes of the source at `path` follows from its path too. Asked only if the
    /// [description](Description::sees_path) says that paths may matter; they do by default.
    fn sees_path(&self, _path: &str, _settings: &Settings) -> bool {
        true
    }

    /// Imports one source. The first asset is the file itself, the others are sub-assets with names of their own.
    ///
    /// A panic, and an import that takes longer than its limit, are errors that name the file.
    ///
    /// # Errors
    /// [`ImportError`], which states what was found and what to do about it.
    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError>;
}
