//! The decoded chunks of one resource: [`crate::source`] reads them, and [`crate::asset`] makes typed assets from them.

use std::ops::Deref;

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::ImageProps;
use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc, Limits, ResourceId};

use crate::bytes::AssetBytes;
use crate::error::{Error, ErrorKind, Result};

/// A resource, read from a pack, with its facts from the index.
#[derive(Debug)]
pub struct LoadedResource<'a> {
    pub(crate) id: ResourceId,
    /// Empty if the pack does not record paths.
    pub(crate) path: &'a str,
    /// `None` if this version does not know the kind.
    pub(crate) kind: Option<AssetKind>,
    /// Bytes of its chunks before compression.
    pub(crate) base_size: u32,
    pub(crate) chunks: Chunks,
    /// What an image is in the pack, if a limit has left out its largest levels.
    pub(crate) whole_image: Option<ImageProps>,
    /// Metadata for which rres has no field.
    pub(crate) meta: Meta,
    /// Resources that it needs at run time, such as the images of a model.
    pub(crate) dependencies: Vec<ResourceId>,
    /// The caps of the pack.
    pub(crate) limits: Limits,
    /// Whether the pack is used only if it is signed.
    pub(crate) must_be_signed: bool,
}

impl LoadedResource<'_> {
    /// Returns the first chunk of a kind.
    pub(crate) fn chunk(&self, kind: FourCc) -> Result<&Chunk> {
        let chunk = self.chunks.iter().find(|chunk| chunk.kind == kind);
        chunk.ok_or_else(|| Error::new(ErrorKind::MissingChunk(kind)))
    }
}

/// One decoded chunk.
#[derive(Debug)]
pub struct Chunk {
    pub(crate) kind: FourCc,
    /// Properties and data, as [`rres_format::chunk`] describes them.
    pub(crate) block: AssetBytes,
}

impl Chunk {
    pub(crate) fn payload(&self) -> Result<PayloadView<'_>> {
        Ok(PayloadView::parse(&self.block)?)
    }

    /// Shares a part of the payload without a copy.
    pub(crate) fn share(&self, part: &[u8]) -> AssetBytes {
        self.block.share(part)
    }
}

/// The chunks of one resource, in order. Most resources have one chunk, which takes no allocation.
#[derive(Debug, Default)]
pub(crate) enum Chunks {
    #[default]
    None,
    One([Chunk; 1]),
    Many(Vec<Chunk>),
}

impl Chunks {
    pub(crate) fn push(&mut self, chunk: Chunk) {
        *self = match std::mem::take(self) {
            Self::None => Self::One([chunk]),
            Self::One([first]) => Self::Many(vec![first, chunk]),
            Self::Many(mut chunks) => {
                chunks.push(chunk);
                Self::Many(chunks)
            }
        };
    }
}

impl Deref for Chunks {
    type Target = [Chunk];

    fn deref(&self) -> &[Chunk] {
        match self {
            Self::None => &[],
            Self::One(chunk) => chunk,
            Self::Many(chunks) => chunks,
        }
    }
}

impl FromIterator<Chunk> for Chunks {
    fn from_iter<I: IntoIterator<Item = Chunk>>(chunks: I) -> Self {
        let mut out = Self::default();
        chunks.into_iter().for_each(|chunk| out.push(chunk));
        out
    }
}
