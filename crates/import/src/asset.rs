//! What a source becomes: the asset itself and its sub-assets, each of typed blocks.

use rres_format::chunk::text::TextProps;
use rres_format::index::Meta;
use rres_format::limits::MAX_EXTENSION_LEN;
use rres_format::{AssetKind, FourCc, chunk};
use rres_settings::{ByteSize, extension_of};

use crate::{ImportError, NamedPart, Note};

/// One asset or sub-asset that a source became.
#[derive(Clone, Debug)]
pub struct Asset {
    /// What is appended to the asset's path after `#`, such as `image/0`; empty for the asset itself.
    pub name: String,
    /// Its kind, which decides the type that a game loads it as.
    pub kind: AssetKind,
    /// Its chunks before compression, in order.
    pub blocks: Vec<Block>,
    /// Its file as it is, which is stored instead of the blocks if that is smaller.
    pub source_form: Option<SourceForm>,
    /// What is stored instead of it if that is smaller.
    pub alternative: Option<Box<Alternative>>,
    /// Metadata that has no field in an rres chunk.
    pub meta: Meta,
    /// Resources that it needs at run time. Chunks refer to them by their position in this list.
    pub dependencies: Vec<Dependency>,
    /// Shape, length or format in a few words, for the constant's documentation: `64×64 RGBA8`.
    pub summary: String,
    /// What a user should know about it.
    pub notes: Vec<Note>,
    /// The parts of a model that have a name.
    pub parts: Vec<NamedPart>,
}

impl Asset {
    /// The asset itself, without dependencies.
    pub fn new(kind: AssetKind, blocks: Vec<Block>, summary: impl Into<String>) -> Self {
        Self {
            name: String::new(),
            kind,
            blocks,
            source_form: None,
            alternative: None,
            meta: Meta::default(),
            dependencies: Vec::new(),
            summary: summary.into(),
            notes: Vec::new(),
            parts: Vec::new(),
        }
    }
}

/// The public constructors, for importers of a build script.
impl Asset {
    /// Creates a custom asset: data of a type of the game, in a chunk of this kind. The importer lists kind and type in
    /// its [`Description`](crate::Description::makes). Data of 4 GiB or more is an error of the file.
    pub fn custom(fourcc: [u8; 4], data: impl AsRef<[u8]>) -> Self {
        let data = data.as_ref();
        let summary = format!("{} of {}", ByteSize(data.len() as u64), FourCc(fourcc));
        // Too much data does not fit a chunk, which `RegisteredImporter::complete` reports.
        let block = chunk::custom::custom_block(data).ok().map(|block| Block::new(FourCc(fourcc), block));
        Self::new(AssetKind::Custom, block.into_iter().collect(), summary)
    }

    /// Creates a raw asset: bytes with an extension, which the game reads as `Raw::extension`; without dot, empty for none.
    pub fn raw(bytes: impl AsRef<[u8]>, extension: &str) -> Self {
        let dotted = if extension.is_empty() { String::new() } else { format!(".{extension}") };
        let block = Block::new(FourCc::RAWD, chunk::raw::raw_block(&dotted, bytes.as_ref()));
        Self::new(AssetKind::Raw, vec![block], "raw")
    }

    /// Creates a text.
    ///
    /// # Errors
    /// [`ImportError`] if it has 4 GiB or more.
    pub fn text(text: &str) -> Result<Self, ImportError> {
        let size = u32::try_from(text.len()).map_err(|_| ImportError::new("became a text of 4 GiB or more"))?;
        let lines = text.lines().count();
        let summary = format!("{lines} {} UTF-8", if lines == 1 { "line" } else { "lines" });
        let block = Block::new(FourCc::TEXT, TextProps::utf8(size).block(text.as_bytes()));
        Ok(Self::new(AssetKind::Text, vec![block], summary))
    }

    /// Makes it a sub-asset: `name` follows the path of the file and `#`, such as `maps/town.tmx#spawn/1`. The constant is in a module
    /// with the name of the file's constant: `maps::town_tmx::spawn::_1`.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Adds an asset that this one needs at run time, by its path relative to the directory of the source. The game loads it together
    /// with this one. The first one added is `CustomChunk::dependency(0)` in the game.
    #[must_use]
    pub fn with_dependency(mut self, relative: impl Into<String>) -> Self {
        self.dependencies.push(Dependency::Asset(relative.into()));
        self
    }

    /// Adds a sub-asset of the same source that this one needs at run time, by its name.
    #[must_use]
    pub fn with_sub_asset(mut self, name: impl Into<String>) -> Self {
        self.dependencies.push(Dependency::SubAsset(name.into()));
        self
    }

    /// Sets what the constant's documentation says about it, in a few words: `20×15 tiles`.
    #[must_use]
    pub fn with_summary(self, summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..self }
    }

    /// Adds what a user should know although nothing is broken: `what` without a full stop, such as "only visible layers are stored", and
    /// what to do about it, empty for nothing. The build prints one line for all files with the same text, unless a rule says
    /// `notes = false`.
    #[must_use]
    pub fn with_note(mut self, what: impl Into<String>, help: impl Into<String>) -> Self {
        self.notes.push(Note::new(what).with_help(help));
        self
    }
}

/// An asset that a setting asks for in place of another one, as far as that makes it smaller. It may differ in everything but its name
/// and its kind.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// What is stored if it takes fewer bytes.
    pub asset: Asset,
    /// What a user should know if it does not.
    pub otherwise: Note,
}

/// The file that a resource was made from, as another form that can be stored.
#[derive(Clone, Debug)]
pub struct SourceForm {
    /// A RAWD chunk.
    pub block: Block,
    /// What the metadata has in addition in this form: what a reader needs to decode the file, or to know without it.
    pub meta: Meta,
    /// The name of its format, for the summary.
    pub format: &'static str,
}

impl Asset {
    /// The same resource, stored as its file, if it has that form.
    #[must_use]
    pub fn in_source_form(mut self) -> Self {
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
pub struct Block {
    /// The chunk's kind.
    pub kind: FourCc,
    /// Property count, properties, data; see [`rres_format::chunk`].
    pub bytes: Vec<u8>,
    /// Whether the next chunk of the resource is linked to this one, so that C readers load both.
    pub linked: bool,
    /// Whether to try to compress it; `false` for bytes that are compressed already.
    pub compressible: bool,
}

impl Block {
    /// A linked, compressible chunk.
    pub fn new(kind: FourCc, bytes: Vec<u8>) -> Self {
        Self { kind, bytes, linked: true, compressible: true }
    }

    /// A RAWD chunk of the whole file at `path`. An extension that does not fit the chunk is left out.
    pub fn raw_file(path: &str, bytes: &[u8]) -> Self {
        Self::new(FourCc::RAWD, chunk::raw::raw_block(&dotted_extension(path), bytes))
    }

    /// What precedes the `len` bytes of the file at `path` in the block of [`Self::raw_file`].
    pub fn raw_file_head(path: &str, len: u32) -> Vec<u8> {
        chunk::raw::raw_block_head(&dotted_extension(path), len)
    }
}

/// The extension of the file at `path` with its dot; empty if it has none that fits a chunk.
fn dotted_extension(path: &str) -> String {
    match extension_of(path) {
        "" => String::new(),
        extension if extension.len() < MAX_EXTENSION_LEN => format!(".{extension}"),
        _ => String::new(),
    }
}

/// A resource that another one needs at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dependency {
    /// A sub-asset of the same source, by name.
    SubAsset(String),
    /// Another asset, by a path relative to the directory of the source.
    Asset(String),
    /// The same, of this kind if one is given.
    Typed(String, Option<AssetKind>),
    /// The same, an image of quantities such as normals: a note of the build says so if it is imported as colours.
    Quantities(String),
}
