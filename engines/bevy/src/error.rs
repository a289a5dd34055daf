//! Why an asset cannot be loaded.

use std::fmt;

use rres_runtime::asset::PixelFormat;

/// Why an asset of the store could not be loaded: the source of Bevy's `AssetLoadError`.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The store reports it.
    Store(rres_runtime::Error),
    /// The file could not be read.
    Io(std::io::Error),
    /// A text is not UTF-8.
    NotText,
    /// wgpu has no format for these pixels, and they cannot be turned into RGBA.
    Format(PixelFormat),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::NotText => f.write_str("it is not UTF-8; load it as `RawAsset`"),
            Self::Format(format) => {
                write!(f, "wgpu has no format for {format:?}; set format = \"gpu\" in the asset's rule")
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::Io(error) => error.source(),
            Self::NotText | Self::Format(_) => None,
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
