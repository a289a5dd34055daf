//! Writes assets as files of common formats: what `extract` puts into a directory, and what pages and previews show.
//!
//! | asset | file |
//! |---|---|
//! | image | `.png` of 8 or 16 bits; `.hdr` or `.dds` for floats that no `.png` can hold; `.dds`, `.ktx2` and `.ktx` for blocks |
//! | sprite | `.png`: its picture, cut out of the atlas |
//! | sound | `.wav` |
//! | font | for each size a `.png` with the glyphs, and a `.json` that says where they are |
//! | model | glTF: `.glb`, or `.gltf` with its buffer inside |

mod dds;
mod font;
mod hdr;
mod image;
mod ktx;
mod ktx2;
mod model;
mod sound;
mod sprite;

pub(crate) use dds::dds;
pub(crate) use font::font;
pub(crate) use hdr::hdr;
pub(crate) use image::{ImageForm, png, png_of_level, rgba8};
pub(crate) use ktx::ktx;
pub(crate) use ktx2::ktx2;
pub(crate) use model::{Container, ModelExport, Texture, TextureSource, base64, model};
pub(crate) use rres_import_srsc::json::float;
pub(crate) use sound::{wav, wav_of_samples};
pub(crate) use sprite::{cut, sprite};

use std::borrow::Cow;

/// The contents of a file.
pub(crate) struct Contents<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    /// How the bytes differ from the source file, or `None` if they do not.
    pub(crate) conversion: Option<String>,
}

impl Contents<'_> {
    /// Returns contents that are not the source file, with the words for the difference.
    fn converted(bytes: Vec<u8>, conversion: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), conversion: Some(conversion.into()) }
    }
}

/// The reason why a file cannot be made.
#[derive(Debug)]
pub(crate) enum ExportError {
    /// The format cannot represent the asset.
    Unsupported(String),
    /// The asset is damaged.
    Damaged(String),
}

impl<E: std::error::Error> From<E> for ExportError {
    fn from(error: E) -> Self {
        Self::Damaged(error.to_string())
    }
}
