//! How an image shows more than one picture of one size: the faces of a cube, the layers of an array, the slices of a volume.
//!
//! All are one above the other, so readers that know nothing of shapes see an ordinary image.

use super::{Meta, MetaKey};

/// What the pictures of an image are that are one above the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageShape {
    /// One picture.
    #[default]
    Flat,
    /// The six square faces of a cube: +X, -X, +Y, -Y, +Z, -Z.
    Cube,
    /// The layers of a texture array, at least one. Each level has all of them.
    Array(u32),
    /// The slices of a 3D texture, at least one. There is one level, since smaller ones would have fewer slices.
    Volume(u32),
}

impl ImageShape {
    /// The shape that the metadata of an image states. `get` looks up the value of a key.
    ///
    /// ```
    /// use rres_format::index::{ImageShape, Meta, MetaKey};
    ///
    /// let mut meta = Meta::default();
    /// ImageShape::Array(4).set(&mut meta);
    /// assert_eq!(meta.get(MetaKey::LAYERS), Some(4));
    /// assert_eq!(ImageShape::of(|key| meta.get(key)), ImageShape::Array(4));
    /// ```
    pub fn of(get: impl Fn(MetaKey) -> Option<u32>) -> Self {
        let count = |key| get(key).filter(|count| *count > 0);
        if get(MetaKey::CUBEMAP) == Some(1) {
            return Self::Cube;
        }
        let slices = count(MetaKey::SLICES).map(Self::Volume);
        slices.or_else(|| count(MetaKey::LAYERS).map(Self::Array)).unwrap_or_default()
    }

    /// States the shape in the metadata of an image.
    pub fn set(self, meta: &mut Meta) {
        match self {
            Self::Flat => {}
            Self::Cube => meta.set(MetaKey::CUBEMAP, 1),
            Self::Array(layers) => meta.set(MetaKey::LAYERS, layers),
            Self::Volume(slices) => meta.set(MetaKey::SLICES, slices),
        }
    }

    /// The number of pictures, at least 1.
    pub fn layers(self) -> u32 {
        match self {
            Self::Flat => 1,
            Self::Cube => 6,
            Self::Array(layers) | Self::Volume(layers) => layers.max(1),
        }
    }
}
