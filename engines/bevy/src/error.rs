//! Why an asset cannot be loaded.

use std::fmt;

use bevy_image::{ImageLoaderError, TextureReinterpretationError};
use rres_runtime::ResourceId;
use rres_runtime::asset::PixelFormat;
use wgpu_types::TextureFormat;

/// Why an asset of the store could not be loaded: the source of Bevy's `AssetLoadError`.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The store reports it.
    Store(rres_runtime::Error),
    /// The file could not be read.
    Io(std::io::Error),
    /// Bevy's loader could not make an image of a file that is not from a pack.
    File(ImageLoaderError),
    /// A text is not UTF-8.
    NotText,
    /// No pack has the atlas of a picture, or its pack records no paths, which Bevy needs.
    Atlas(ResourceId),
    /// wgpu has no format for these pixels, and they cannot be turned into RGBA.
    Format(PixelFormat),
    /// The graphics card does not take blocks of this format.
    Device(TextureFormat),
    /// The image consists of blocks, and its size is not a multiple of their size.
    Blocks {
        /// The width of the image, in pixels.
        width: u32,
        /// The height of the image, or of each of its layers, in pixels.
        height: u32,
        /// The width and height of a block, in pixels.
        block: (u32, u32),
    },
    /// The image cannot be cut into the layers that `ImageLoaderSettings::array_layout` asks for.
    Layers(TextureReinterpretationError),
    /// The same setting asks for layers of an image with mip levels.
    LayersOfLevels,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::NotText => f.write_str("it is not UTF-8; load it as `RawAsset`"),
            Self::Atlas(id) => write!(f, "no pack has its atlas {id} with a path, which Bevy needs"),
            Self::Format(format) => {
                write!(f, "wgpu has no format for {format:?}; set format = \"gpu\" in the asset's rule")
            }
            Self::Device(format) => write!(
                f,
                "the graphics card has no {format:?}; set a format that it has in the asset's rule, such as format = \"rgba8\", or build a pack \
                 for such cards"
            ),
            Self::Blocks { width, height, block: (columns, rows) } => write!(
                f,
                "it has {width} × {height} pixels, and graphics cards want multiples of the blocks of {columns} × {rows}; set \
                 image.pad = \"block\" or another format in the asset's rule, or export a file of blocks in such a size"
            ),
            Self::Layers(error) => write!(f, "it cannot be cut into layers: {error}"),
            Self::LayersOfLevels => {
                f.write_str("an image with mip levels cannot be cut into layers; remove `image.mipmaps` from its rule")
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::Io(error) => error.source(),
            Self::File(error) => error.source(),
            Self::Layers(error) => Some(error),
            _ => None,
        }
    }
}

impl From<rres_runtime::Error> for LoadError {
    fn from(error: rres_runtime::Error) -> Self {
        Self::Store(error)
    }
}

impl From<std::io::Error> for LoadError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
