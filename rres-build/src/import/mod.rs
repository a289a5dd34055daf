//! Importers: the bytes of one source file become typed blocks. One file per kind, each behind a feature.
//!
//! An importer is pure: the same bytes, settings and input files give the same blocks. It opens no file itself; other
//! files that it needs come from [`ImportContext::read_input`], which records them for the cache.

#[cfg(feature = "font")]
mod font;
#[cfg(feature = "image")]
pub(crate) mod image;
mod link;
#[cfg(feature = "model")]
mod model;
mod raw;
#[cfg(any(feature = "image", feature = "sound", feature = "font"))]
mod sniff;
#[cfg(feature = "sound")]
mod sound;
mod text;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc};

use crate::asset_kinds;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::{Dependency, NamedPart, extension_of, resolve_relative};
use crate::note::Note;
use crate::settings::Settings;

/// Turns sources of one kind into resources.
pub(crate) trait Importer: Send + Sync {
    /// Part of the cache key. Must be increased whenever the same input gives different output.
    fn version(&self) -> u32;

    /// An estimate of the memory in bytes that importing and storing a source takes besides the source itself. By
    /// default four times the size of the source.
    fn memory(&self, bytes: &[u8], _settings: &Settings) -> u64 {
        bytes.len() as u64 * 4
    }

    /// Imports one source; the first resource is the asset itself.
    ///
    /// # Errors
    /// [`ImportError`], which states what was found and what to do about it.
    fn import(&self, source: &mut ImportContext<'_>) -> Result<Vec<ImportedResource>, ImportError>;
}

/// One source to import, and everything that its importer may use.
pub(crate) struct ImportContext<'a> {
    /// The asset's path.
    pub(crate) path: &'a str,
    /// The file's bytes.
    pub(crate) bytes: &'a [u8],
    /// How to import it.
    pub(crate) settings: &'a Settings,
    /// Reads the other files that the source refers to.
    pub(crate) inputs: &'a mut dyn InputFiles,
}

/// The files that an importer reads besides its source.
pub(crate) trait InputFiles {
    /// The bytes of the file with this asset path.
    ///
    /// # Errors
    /// [`ImportError`] if it does not exist or cannot be read.
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError>;
}

impl ImportContext<'_> {
    /// The extension of the path: lower case, without dot, empty if there is none.
    pub(crate) fn extension(&self) -> String {
        extension_of(self.path).to_ascii_lowercase()
    }

    /// The asset path of `relative`, a path in the source that is relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory.
    pub(crate) fn input_path(&self, relative: &str) -> Result<String, ImportError> {
        let is_absolute = relative.starts_with(['/', '\\']) || relative.contains(':');
        resolve_relative(self.path, relative).ok().filter(|_| !is_absolute).ok_or_else(|| {
            ImportError::new(format!("refers to \"{relative}\", which is not inside the assets directory"))
                .with_help("move the file beside this one and refer to it by a relative path")
        })
    }

    /// The bytes of a file that the source refers to, relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory, does not exist or cannot be read.
    pub(crate) fn read_input(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = self.input_path(relative)?;
        self.inputs.read(&path)
    }
}

/// One resource that a source became.
#[derive(Clone, Debug)]
pub(crate) struct ImportedResource {
    /// What is appended to the asset's path after `#`, such as `image/0`; empty for the asset itself.
    pub(crate) name: String,
    /// Its kind, which decides the type that a game loads it as.
    pub(crate) kind: AssetKind,
    /// Its chunks before compression, in order.
    pub(crate) blocks: Vec<Block>,
    /// Its file as it is, which is stored instead of the blocks if that is smaller.
    pub(crate) source_form: Option<SourceForm>,
    /// Metadata that has no field in an rres chunk.
    pub(crate) meta: Meta,
    /// Resources that it needs at run time. Chunks refer to them by their position in this list.
    pub(crate) dependencies: Vec<Dependency>,
    /// Shape, length or format in a few words, for the constant's documentation: `64×64 RGBA8`.
    pub(crate) summary: String,
    /// What a user should know about it.
    pub(crate) notes: Vec<Note>,
    /// The parts of a model that have a name.
    pub(crate) parts: Vec<NamedPart>,
}

impl ImportedResource {
    /// The asset itself, without dependencies.
    pub(crate) fn new(kind: AssetKind, blocks: Vec<Block>, summary: impl Into<String>) -> Self {
        Self {
            name: String::new(),
            kind,
            blocks,
            source_form: None,
            meta: Meta::default(),
            dependencies: Vec::new(),
            summary: summary.into(),
            notes: Vec::new(),
            parts: Vec::new(),
        }
    }
}

/// The file that a resource was made from, as another form in which it can be stored.
#[derive(Clone, Debug)]
pub(crate) struct SourceForm {
    /// A RAWD chunk.
    pub(crate) block: Block,
    /// What the metadata has in addition in this form: what a reader needs to decode the file, or to know without it.
    pub(crate) meta: Meta,
    /// The name of its format, for the summary.
    pub(crate) format: &'static str,
}

impl ImportedResource {
    /// The same resource, stored as its file, if it has that form.
    #[must_use]
    pub(crate) fn in_source_form(mut self) -> Self {
        if let Some(SourceForm { block, meta, format }) = self.source_form.take() {
            // Other blocks, such as markers, stay.
            if let Some(first) = self.blocks.first_mut() {
                *first = Block { linked: first.linked, ..block };
            }
            meta.records().iter().for_each(|(key, value)| self.meta.set(*key, *value));
            self.summary += &format!(", {format} kept");
        }
        self
    }
}

/// One chunk before compression.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The chunk's kind.
    pub(crate) kind: FourCc,
    /// Property count, properties, data; see [`rres_format::chunk`].
    pub(crate) bytes: Vec<u8>,
    /// Whether the next chunk of the resource is linked to this one, so that C readers load both.
    pub(crate) linked: bool,
    /// Whether to try to compress it; `false` for bytes that are compressed already.
    pub(crate) compressible: bool,
}

impl Block {
    /// A linked, compressible chunk.
    pub(crate) fn new(kind: FourCc, bytes: Vec<u8>) -> Self {
        Self { kind, bytes, linked: true, compressible: true }
    }
}

/// Why a source could not be imported: what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportError {
    message: String,
    help: Option<String>,
    /// Whether the file is as good as lost, so that a rule may be the only way to go on.
    is_damage: bool,
    /// The keys of a rule that settle it; `None` if a rule is not the way to settle it.
    fix: Option<&'static str>,
}

impl ImportError {
    /// An error with a message: lower case, no full stop. A rule that stores the file as it is settles it.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, is_damage: false, fix: Some(Fix::RAW) }
    }

    /// An error of a file that is damaged or cut off.
    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::new(message).with_damage_help("copy or save it again")
    }

    /// The same error of a file that is damaged, with what to do if it can be made again.
    #[must_use]
    pub(crate) fn with_damage_help(self, help: impl Into<String>) -> Self {
        Self { is_damage: true, ..self.with_help(help) }
    }

    /// The same error, settled by a rule with these keys.
    #[must_use]
    pub(crate) fn with_fix(self, fix: &'static str) -> Self {
        Self { fix: Some(fix), ..self }
    }

    /// Adds what to do about the error.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Names the part of the source that the error is about: `what` precedes the message.
    #[cfg(feature = "model")]
    pub(crate) fn within(self, what: &str) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }

    /// What to do about it.
    #[cfg(test)]
    pub(crate) fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The diagnostic for this error in `file`, the source of the asset `path`.
    pub(crate) fn into_diagnostic(self, file: &Path, path: &str) -> Diagnostic {
        let help = match self.help {
            // Other people's files cannot be saved again.
            Some(help) if self.is_damage => Some(format!(
                "{help}; or leave it out with ignore = true, or store its bytes with kind = \"raw\", under [\"{path}\"] in \
                 assets.toml"
            )),
            help => help,
        };
        let diagnostic = Diagnostic::file(file, self.message).with_help(help).with_asset(path);
        match self.fix {
            Some(fix) => diagnostic.with_fix(path, fix),
            None => diagnostic,
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}

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
            let message = format!("would be imported as {kind}, but the feature `{feature}` of rres-build is disabled");
            let help = format!(
                "enable it with `cargo add --build rres-build --features {feature}`, or set kind = \"raw\" for the file in \
                 assets.toml"
            );
            return Err(ImportError { fix: None, ..ImportError::new(message).with_help(help) });
        }
    })
}

#[cfg(test)]
pub(crate) mod testing {
    //! Imports from memory, for the tests of the importers.

    use std::collections::BTreeMap;

    use super::*;

    /// Input files by asset path.
    #[derive(Default)]
    pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

    impl InputFiles for Files {
        fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
            let bytes = self.0.get(path).ok_or_else(|| ImportError::new(format!("{path} does not exist")))?;
            Ok(bytes.as_slice().into())
        }
    }

    /// Imports `bytes` as `path`, without input files.
    pub(crate) fn import(
        importer: &dyn Importer,
        path: &str,
        bytes: &[u8],
        settings: &Settings,
    ) -> Result<Vec<ImportedResource>, ImportError> {
        importer.import(&mut ImportContext { path, bytes, settings, inputs: &mut Files::default() })
    }
}
