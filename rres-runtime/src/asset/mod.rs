//! Typed assets: what the chunks of one resource mean. One file per kind.

mod font;
mod image;
mod link;
mod model;
mod raw;
mod sound;
mod text;

pub use font::{Font, Strike};
pub use image::{ColorSpace, Filter, Image, Wrap};
pub use link::Link;
pub use model::{Indices, Material, Model, Node, Primitive};
pub use raw::Raw;
pub use rres_format::chunk::glyphs::{FontStyle, Glyph};
pub use rres_format::chunk::image::PixelFormat;
pub use rres_format::chunk::model::Topology;
pub use rres_format::chunk::text::{CodeLanguage, TextEncoding};
pub use sound::{Samples, Sound};
pub use text::Text;

use std::fmt;
use std::ops::Deref;

use rres_format::chunk::PayloadView;
use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc, ResourceId};

use crate::Store;
use crate::data::Data;
use crate::error::{Error, ErrorKind, Result};
use crate::source::pack::chunk_of_kind;

/// A type that the chunks of a resource become.
///
/// Implemented for the kinds of this crate; make your own types from those with [`FromAsset`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind of asset",
    label = "not an asset",
    note = "assets are `Image`, `Sound`, `Font`, `Model`, `Text`, `Raw` and `Link`; \
            implement `rres_runtime::FromAsset` to make `{Self}` from one of them and load it with `Store::load_as`"
)]
pub trait Asset: Sized + Send + Sync + 'static {
    /// What the resource must be.
    const KIND: AssetKind;

    /// Makes the asset of its chunks.
    ///
    /// # Errors
    /// Where a chunk is missing or damaged, or the resource is of another kind.
    fn from_loaded(loaded: Loaded<'_>) -> Result<Self>;
}

/// A type that a program makes of an asset: a level of a text, a tile set of an image.
///
/// ```
/// use rres_runtime::{FromAsset, Store, Text};
///
/// struct Level { rows: Vec<String> }
///
/// impl FromAsset for Level {
///     type Source = Text;
///     type Error = std::io::Error;
///
///     fn from_asset(text: &Text, _: &Store) -> Result<Self, Self::Error> {
///         Ok(Level { rows: text.as_str().lines().map(str::to_owned).collect() })
///     }
/// }
/// // let level: Handle<Level> = store.load_as(assets::levels::_1_TXT)?;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from an asset",
    note = "implement `rres_runtime::FromAsset` for `{Self}`, or load the asset itself with `Store::load`"
)]
pub trait FromAsset: Sized + Send + Sync + 'static {
    /// What it is made from.
    type Source: Asset;
    /// What can go wrong; a `String` or `Box<dyn Error + Send + Sync>` will do.
    type Error: Into<Box<dyn std::error::Error + Send + Sync>>;

    /// Makes it; other assets may be loaded on the way. Each of them, and the source, makes this one anew when it changes.
    ///
    /// Loading itself, directly or through others, is an error: [`ErrorKind::Circle`].
    ///
    /// # Errors
    /// Whatever the program wants to say; the store adds the asset's path.
    fn from_asset(source: &Self::Source, store: &Store) -> Result<Self, Self::Error>;

    /// Bytes that it counts for in the store's sums and budget. By default those of the value itself, without what it
    /// points to.
    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// One decoded chunk.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its kind.
    pub kind: FourCc,
    pub(crate) block: Data,
}

impl Chunk {
    /// Properties and data; see [`rres_format::chunk`].
    ///
    /// # Errors
    /// Where the block is damaged.
    pub fn payload(&self) -> Result<PayloadView<'_>> {
        Ok(PayloadView::parse(&self.block)?)
    }

    /// Keeps a part that a view of [`Self::payload`] gave, without a copy.
    pub fn keep(&self, part: &[u8]) -> Data {
        self.block.keep(part)
    }
}

/// Chunks of one resource, in order: most have one, which takes no allocation.
#[derive(Clone, Default)]
pub struct Chunks(Few);

#[derive(Clone, Default)]
enum Few {
    #[default]
    None,
    One([Chunk; 1]),
    Many(Vec<Chunk>),
}

impl Chunks {
    pub(crate) fn push(&mut self, chunk: Chunk) {
        self.0 = match std::mem::take(&mut self.0) {
            Few::None => Few::One([chunk]),
            Few::One([first]) => Few::Many(vec![first, chunk]),
            Few::Many(mut chunks) => {
                chunks.push(chunk);
                Few::Many(chunks)
            }
        };
    }
}

impl Deref for Chunks {
    type Target = [Chunk];

    fn deref(&self) -> &[Chunk] {
        match &self.0 {
            Few::None => &[],
            Few::One(chunk) => chunk,
            Few::Many(chunks) => chunks,
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

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The chunks of one resource and what the index says of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<'a> {
    /// The resource.
    pub id: ResourceId,
    /// Its path, empty where the pack does not say.
    pub path: &'a str,
    /// What it is to a game; `None` for a kind of a later version.
    pub kind: Option<AssetKind>,
    /// Bytes of its chunks before compression.
    pub base_size: u32,
    /// Its chunks, in order.
    pub chunks: Chunks,
    /// What rres has no field for.
    pub meta: Meta,
    /// Resources that it needs.
    pub dependencies: Vec<ResourceId>,
}

impl Loaded<'_> {
    /// The first chunk of a kind.
    ///
    /// # Errors
    /// [`ErrorKind::MissingChunk`].
    pub fn chunk(&self, kind: FourCc) -> Result<&Chunk> {
        chunk_of_kind(&self.chunks, kind)
    }

    /// Names the asset in errors of `make`, after a look at its kind.
    fn make<T: Asset>(&self, make: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let made = match self.kind == Some(T::KIND) {
            true => make(self),
            false => Err(Error::new(ErrorKind::WrongKind { expected: T::KIND, found: self.kind })),
        };
        made.map_err(|e| e.of_asset(|| format!("\"{}\" ({})", self.path, self.id)))
    }
}
