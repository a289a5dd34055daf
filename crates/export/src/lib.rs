//! Writes assets as files of common formats: what `cargo rres extract` puts into a directory, and what its pages and previews show.
//!
//! | asset | file |
//! |---|---|
//! | image | `.png` of 8 or 16 bits; `.hdr` or `.dds` for floats that no `.png` can hold; `.dds`, `.ktx2` and `.ktx` for blocks |
//! | sprite | `.png`: its picture, cut out of the atlas |
//! | sound | `.wav` |
//! | font | for each size a `.png` with the glyphs, and a `.json` that says where they are |
//! | model | glTF: `.glb`, or `.gltf` with its buffer inside |
//!
//! A build that imports the file gives the same asset, as far as the format can say it; [`Contents::conversion`] names what it cannot.
//!
//! ```
//! use rres_export::ImageForm;
//! use rres_runtime::Image;
//!
//! // In a tool, `pack.load(id)?` gives the image.
//! let image = Image::from_rgba8(1, 1, vec![255, 0, 0, 255])?;
//! let form = ImageForm::lossless(&image, "ui/dot.png");
//! let file = form.encode(&image)?;
//! assert_eq!(form.extension(), ".png");
//! assert!(file.bytes.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod dds;
mod font;
mod hdr;
mod image;
mod ktx;
mod ktx2;
mod layers;
mod model;
mod sound;
mod sprite;

use dds::dds;
pub use font::font;
use hdr::hdr;
pub use image::{ImageForm, png, png_of_level, rgba8};
use ktx::ktx;
use ktx2::ktx2;
pub use model::{Container, ModelExport, Texture, TextureSource, base64, model};
pub use sound::{wav, wav_of_samples};
pub use sprite::{cut, sprite};

use std::borrow::Cow;
use std::fmt;

use rres_format::shortest_f64;
use serde_json::Value;

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// All bytes of the file.
    pub bytes: Cow<'a, [u8]>,
    /// How the bytes differ from the source file, or `None` if they do not.
    pub conversion: Option<String>,
}

impl Contents<'_> {
    /// Returns contents that are not the source file, with the words for the difference.
    fn converted(bytes: Vec<u8>, conversion: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), conversion: Some(conversion.into()) }
    }
}

/// The reason why a file cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// The format cannot represent the asset, which is intact. Says what the asset has.
    Unsupported(String),
    /// The asset is damaged, or cannot be loaded. Says why.
    Damaged(String),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(why) | Self::Damaged(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<rres_format::Error> for ExportError {
    fn from(error: rres_format::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<rres_runtime::Error> for ExportError {
    fn from(error: rres_runtime::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Returns the number as JSON, so that reading it as an `f32` gives the same bits. Numbers that are not finite have no form in JSON and
/// become `null`.
fn float(value: f32) -> Value {
    shortest_f64(value).into()
}
