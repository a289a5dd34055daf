//! Assets that importers of the game itself make.

use std::error::Error as StdError;
use std::fmt;

use rres_format::chunk::custom::CustomView;
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc, ResourceId};
use rres_protocol::packed_id::Slot;

use super::{Asset, FromResource};
use crate::bytes::AssetBytes;
use crate::error::{Error, ErrorKind, Result};
use crate::id::Id;
use crate::resource::LoadedResource;

/// A type of the game whose data an importer of the game writes: a map, a dialogue, a behaviour tree.
///
/// The importer, which is registered in `build.rs`, chooses the kind of chunk and names this type. The constants of its
/// assets are `Id`s of this type, so [`crate::Store::load`] returns it, and a constant of another type does not compile.
/// That the chunk has the kind [`Self::FOURCC`] is checked when the game is compiled, for its own assets, and when an asset is
/// loaded. See `docs/importers.md` in the repository.
///
/// ```
/// use rres_runtime::{CustomAsset, CustomChunk, FourCc};
///
/// struct Curve { points: Vec<f32> }
///
/// impl CustomAsset for Curve {
///     const FOURCC: FourCc = FourCc(*b"CURV");
///     type Error = String;
///
///     fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, String> {
///         let (points, rest) = chunk.data().as_chunks::<4>();
///         if !rest.is_empty() {
///             return Err(format!("has {} bytes, expected a multiple of 4", chunk.data().len()));
///         }
///         Ok(Curve { points: points.iter().map(|point| f32::from_le_bytes(*point)).collect() })
///     }
/// }
/// // let curve: Handle<Curve> = store.load(assets::JUMP_CURVE)?;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asset type",
    label = "not an asset",
    note = "assets are `Image`, `Sound`, `Font`, `Model`, `Text`, `Raw`, `Link` and `Sprite`; \
            implement `rres_runtime::FromAsset` to make `{Self}` from one of them and load `id.into_type::<{Self}>()`, or \
            `rres_runtime::CustomAsset` if an importer of your build script writes its data"
)]
pub trait CustomAsset: Sized + Send + Sync + 'static {
    /// The kind of the chunk that the importer writes.
    const FOURCC: FourCc;
    /// Why a chunk is none of this type; a `String` or `Box<dyn Error + Send + Sync>` will do.
    type Error: Into<Box<dyn StdError + Send + Sync>>;

    /// Makes a value from the data of a chunk. A pack may come from a stranger, so nothing in the data is certain.
    ///
    /// # Errors
    /// Whatever the program reports. The store adds the asset's path and returns it as [`ErrorKind::Conversion`].
    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, Self::Error>;

    /// Returns the number of bytes that the value counts for in [`crate::Stats`] and the budget, if that is more than the size of
    /// the chunk.
    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The chunk that a [`CustomAsset`] is made from.
pub struct CustomChunk<'a> {
    data: AssetBytes,
    dependencies: &'a [ResourceId],
}

impl CustomChunk<'_> {
    /// Returns the data that the importer wrote.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Returns the same data to keep it without a copy.
    pub fn shared(&self) -> AssetBytes {
        self.data.clone()
    }

    /// Returns the id of the asset that the importer declared as dependency number `at`, from 0; `None` if there are fewer. The
    /// asset is loaded with this one, and lives as long. That it is a `T` is checked when it is loaded by this id.
    pub fn dependency<T: Asset>(&self, at: usize) -> Option<Id<T>> {
        self.dependencies.get(at).map(|id| Id::new(*id, Slot(0)))
    }

    /// Returns the ids of all dependencies.
    #[cfg(feature = "data")]
    pub(crate) fn dependencies(&self) -> &[ResourceId] {
        self.dependencies
    }

    /// Returns the number of dependencies.
    pub fn dependency_count(&self) -> usize {
        self.dependencies.len()
    }
}

impl fmt::Debug for CustomChunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, dependencies) = (self.data.len(), self.dependencies.len());
        f.debug_struct("CustomChunk").field("bytes", &bytes).field("dependencies", &dependencies).finish()
    }
}

impl<T: CustomAsset> Asset for T {
    const KIND: AssetKind = AssetKind::Custom;
}

impl<T: CustomAsset> FromResource for T {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let data = custom_data(resource, T::FOURCC)?;
        let chunk = CustomChunk { data, dependencies: &resource.dependencies };
        T::from_chunk(&chunk).map_err(|e| Error::new(ErrorKind::Conversion(e.into())))
    }

    fn decoded_size(&self) -> u64 {
        self.size() as u64
    }
}

/// The data of a custom asset whose type this program does not have, such as `cargo rres ship`. It is not an [`Asset`], so that the
/// compiler does not propose it to games.
pub(crate) struct Unpacked(AssetBytes);

impl Unpacked {
    pub(crate) fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        // The type that the game has for the recorded kind expects a chunk of that kind.
        let recorded = resource.meta.get(MetaKey::CUSTOM_KIND).map(|kind| FourCc(kind.to_le_bytes()));
        let expected = recorded.ok_or_else(|| Error::new(ErrorKind::UnregisteredType(None)))?;
        Ok(Self(custom_data(resource, expected)?))
    }

    pub(crate) fn decoded_size(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Returns the data of a custom asset, whose chunk must be of this kind.
fn custom_data(resource: &LoadedResource<'_>, expected: FourCc) -> Result<AssetBytes> {
    let chunk = resource.chunks.first().ok_or_else(|| Error::new(ErrorKind::MissingChunk(expected)))?;
    if chunk.kind != expected {
        return Err(Error::new(ErrorKind::WrongChunk { expected, found: chunk.kind }));
    }
    Ok(chunk.share(CustomView::parse(chunk.payload()?)?.data()))
}
