//! What a source becomes: the asset itself and its sub-assets, each of typed blocks.

use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc};

use crate::model::Dependency;
use crate::note::Note;

/// One resource that a source became.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
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
}

impl Asset {
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

impl Asset {
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
