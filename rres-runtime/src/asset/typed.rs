//! What makes a type an asset: it is made from the chunks of one resource.

use rres_format::{AssetKind, FourCc};

use crate::error::{Error, ErrorKind, Result};
use crate::id::{AnyId, Id};
use crate::resource::LoadedResource;

/// A type that a resource loads as.
///
/// Only the kinds of this crate implement it, and each [`crate::CustomAsset`]. Make your own types from those with [`crate::FromAsset`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an asset type",
    label = "not an asset",
    note = "assets are `Image`, `Sound`, `Font`, `Model`, `Text`, `Raw`, `Link` and `Sprite`; \
            implement `rres_runtime::FromAsset` to make `{Self}` from one of them and load `id.into_type::<{Self}>()`, or \
            `rres_runtime::CustomAsset` if an importer of your build script writes its data"
)]
pub trait Asset: sealed::FromResource + Send + Sync + 'static {
    /// The kind of the resources that load as this type.
    const KIND: AssetKind;
}

mod sealed {
    use crate::error::Result;
    use crate::resource::{Chunk, LoadedResource};

    /// The part of [`super::Asset`] that other crates cannot implement.
    pub trait FromResource: Sized {
        /// Makes the asset from the chunks of a resource of its kind.
        fn from_resource(resource: &LoadedResource<'_>) -> Result<Self>;

        /// Makes the asset from the file in a RAWD chunk; `None` if the file is none of this kind. Other programs pack
        /// files as they are.
        fn from_file(_file: &Chunk, _resource: &LoadedResource<'_>) -> Option<Result<Self>> {
            None
        }

        /// Returns the bytes that the asset takes, if they may be more than its blocks take.
        fn decoded_size(&self) -> u64 {
            0
        }
    }
}

pub(crate) use sealed::FromResource;

/// Makes an asset from a resource of its kind, or from a file that was packed as it is. Errors name the asset.
pub(crate) fn from_resource<T: Asset>(resource: &LoadedResource<'_>) -> Result<T> {
    let made = match resource.kind {
        Some(kind) if kind == T::KIND => T::from_resource(resource),
        Some(AssetKind::Raw | AssetKind::Text) => from_file(resource),
        found => Err(wrong_kind::<T>(found)),
    };
    made.map_err(|e| e.with_asset(resource.path, resource.id))
}

fn from_file<T: Asset>(resource: &LoadedResource<'_>) -> Result<T> {
    let file = resource.chunks.iter().find(|chunk| matches!(chunk.kind, FourCc::RAWD | FourCc::TEXT));
    file.and_then(|file| T::from_file(file, resource)).unwrap_or_else(|| Err(wrong_kind::<T>(resource.kind)))
}

fn wrong_kind<T: Asset>(found: Option<AssetKind>) -> Error {
    Error::new(ErrorKind::WrongKind { expected: T::KIND, found })
}

impl AnyId {
    /// Returns the id with its type, or `None` if the asset is of another kind.
    pub fn typed<T: Asset>(self) -> Option<Id<T>> {
        (self.kind() == Some(T::KIND)).then_some(Id::new(self.resource(), self.slot()))
    }
}

impl<T: Asset> From<Id<T>> for AnyId {
    fn from(id: Id<T>) -> Self {
        Self::new(id.resource(), id.slot(), T::KIND)
    }
}
