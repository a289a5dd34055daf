//! Importers: the bytes of one source file become typed blocks. One file per kind, each behind a feature.
//!
//! An importer is pure: the same bytes, settings and neighbouring files give the same blocks. It opens no file itself;
//! what it needs beside its source it asks of [`Source::neighbour`], which keeps a record for the cache.

#[cfg(feature = "font")]
mod font;
#[cfg(feature = "image")]
mod image;
mod link;
#[cfg(feature = "model")]
mod model;
mod raw;
#[cfg(any(feature = "image", feature = "sound"))]
mod sniff;
#[cfg(feature = "sound")]
mod sound;
mod text;

use std::fmt;
use std::sync::Arc;

use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc};

use crate::settings::Settings;

/// Turns sources of one kind into blocks.
pub trait Importer: Send + Sync {
    /// What the sources become.
    fn kind(&self) -> AssetKind;

    /// Part of the cache key: raised whenever the same input gives other output.
    fn version(&self) -> u32;

    /// File extensions that it takes by default: lower case, without dot.
    fn extensions(&self) -> &'static [&'static str];

    /// A guess at the bytes that importing and storing a source takes beside its own: imports that would take more
    /// than there is do not run at once. By default four times the source.
    fn memory(&self, bytes: &[u8], _settings: &Settings) -> u64 {
        bytes.len() as u64 * 4
    }

    /// Turns one source into what it holds; the first part is the asset itself.
    ///
    /// # Errors
    /// [`ImportError`], which says what was found and what to do.
    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Part>, ImportError>;
}

/// What an importer works on.
pub struct Source<'a> {
    /// The asset's path: `/`-separated, relative to the assets directory.
    pub path: &'a str,
    /// The file's bytes.
    pub bytes: &'a [u8],
    /// What to do with them.
    pub settings: &'a Settings,
    /// Where neighbouring files come from.
    pub neighbours: &'a mut dyn Neighbours,
}

/// Where files beside the source come from; the engine's own reads the disk and keeps a record for the cache.
pub trait Neighbours {
    /// The bytes of the file with this asset path.
    ///
    /// # Errors
    /// [`ImportError`], where it is not there or cannot be read.
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError>;
}

impl Source<'_> {
    /// The extension of the path: lower case, without dot, empty where there is none.
    pub fn extension(&self) -> String {
        extension_of(self.path).to_ascii_lowercase()
    }

    /// The asset path of `relative`, a path that the source mentions, relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`], where it leads out of the assets directory.
    pub fn neighbour_path(&self, relative: &str) -> Result<String, ImportError> {
        let is_absolute = relative.starts_with(['/', '\\']) || relative.contains(':');
        beside(self.path, relative).ok().filter(|_| !is_absolute).ok_or_else(|| {
            ImportError::new(format!("refers to \"{relative}\", which is not inside the assets directory"))
                .help("move the file beside this one and refer to it by a relative path")
        })
    }

    /// The bytes of a file that the source mentions, relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`], where it leads out of the assets directory, is not there, or cannot be read.
    pub fn neighbour(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = self.neighbour_path(relative)?;
        self.neighbours.read(&path)
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("path", &self.path).field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The asset path of `relative`, seen from the directory of the asset `path`.
pub(crate) fn beside(path: &str, relative: &str) -> Result<String, rres_format::PathError> {
    match path.rsplit_once('/') {
        Some((directory, _)) => rres_format::normalize_path(&format!("{directory}/{relative}")),
        None => rres_format::normalize_path(relative),
    }
}

/// The extension of a path as written, without dot, empty where there is none.
pub(crate) fn extension_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(stem, extension)| if stem.is_empty() { "" } else { extension })
}

/// One resource that a source became.
#[derive(Clone, Debug)]
pub struct Part {
    /// What is appended to the asset's path, after `#`: `image/0`. Empty for the asset itself.
    pub name: String,
    /// What it is to a game.
    pub kind: AssetKind,
    /// Its chunks before compression, in order.
    pub blocks: Vec<Block>,
    /// What rres has no field for.
    pub meta: Meta,
    /// Resources that it needs, in the order in which chunks refer to them by number.
    pub dependencies: Vec<Dependency>,
    /// Shape, length or format in a few words, for the constant's documentation: `64×64 RGBA8`.
    pub summary: String,
}

impl Part {
    /// The asset itself: nothing appended, nothing needed.
    pub fn new(kind: AssetKind, blocks: Vec<Block>, summary: impl Into<String>) -> Self {
        Self {
            name: String::new(),
            kind,
            blocks,
            meta: Meta::default(),
            dependencies: Vec::new(),
            summary: summary.into(),
        }
    }
}

/// A resource that a part needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// Another part of the same source, by name.
    Part(String),
    /// Another asset, by a path relative to the source's directory.
    Asset(String),
}

/// One chunk before compression.
#[derive(Clone, Debug)]
pub struct Block {
    /// The chunk's kind.
    pub kind: FourCc,
    /// Property count, properties, data; see [`rres_format::chunk`].
    pub bytes: Vec<u8>,
    /// Whether the next chunk of the resource is linked to this one, so that C readers load both.
    pub linked: bool,
    /// Whether trying to compress it is worth the time; not so for what is encoded already.
    pub compressible: bool,
}

impl Block {
    /// A linked, compressible chunk.
    pub fn new(kind: FourCc, bytes: Vec<u8>) -> Self {
        Self { kind, bytes, linked: true, compressible: true }
    }
}

/// Why a source could not be imported: what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    message: String,
    help: Option<String>,
}

impl ImportError {
    /// An error with a message: lower case, no full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to do about it.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}

/// The importers of this build, one per kind.
fn importers() -> &'static [&'static dyn Importer] {
    &[
        #[cfg(feature = "image")]
        &image::ImageImporter,
        #[cfg(feature = "sound")]
        &sound::SoundImporter,
        #[cfg(feature = "font")]
        &font::FontImporter,
        #[cfg(feature = "model")]
        &model::ModelImporter,
        &text::TextImporter,
        &link::LinkImporter,
        &raw::RawImporter,
    ]
}

/// Extensions of the kinds whose importers may be switched off, so that a build without one says so instead of
/// storing the file raw.
const BEHIND_FEATURES: &[(AssetKind, &[&str])] = &[
    (AssetKind::Image, &["png", "jpg", "jpeg", "bmp", "tga", "gif", "hdr", "qoi", "dds"]),
    (AssetKind::Sound, &["wav", "wave", "ogg", "oga", "flac", "mp3"]),
    (AssetKind::Font, &["ttf", "otf"]),
    (AssetKind::Model, &["gltf", "glb"]),
];

/// The importer of a kind.
pub(crate) fn importer_for(kind: AssetKind) -> Result<&'static dyn Importer, ImportError> {
    importers().iter().copied().find(|importer| importer.kind() == kind).ok_or_else(|| {
        ImportError::new(format!("is to be a {kind}, which this build cannot import")).help(format!(
            "switch on the feature \"{kind}\" of rres-build, or set kind = \"raw\" for it in assets.toml"
        ))
    })
}

/// What files with `extension` (lower case, no dot) become.
pub(crate) fn kind_of_extension(extension: &str) -> Result<AssetKind, ImportError> {
    let taken = importers().iter().find(|importer| importer.extensions().contains(&extension));
    if let Some(importer) = taken {
        return Ok(importer.kind());
    }
    match BEHIND_FEATURES.iter().find(|(_, extensions)| extensions.contains(&extension)) {
        Some((kind, _)) => importer_for(*kind).map(|importer| importer.kind()),
        None => Ok(AssetKind::Raw),
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A source without a disk, for the tests of the importers.

    use std::collections::BTreeMap;

    use super::*;

    /// Neighbouring files by asset path.
    #[derive(Default)]
    pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

    impl Neighbours for Files {
        fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
            let bytes = self.0.get(path).ok_or_else(|| ImportError::new(format!("{path} is not there")))?;
            Ok(bytes.as_slice().into())
        }
    }

    /// Imports `bytes` as `path`, with nothing beside it.
    pub(crate) fn import(
        importer: &dyn Importer,
        path: &str,
        bytes: &[u8],
        settings: &Settings,
    ) -> Result<Vec<Part>, ImportError> {
        importer.import(&mut Source { path, bytes, settings, neighbours: &mut Files::default() })
    }
}
