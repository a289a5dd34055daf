//! The bytes of the file that a resource becomes.

use std::borrow::Cow;

use png::{BitDepth, ColorType, Encoder};
use rres_runtime::asset::PixelFormat;
use rres_runtime::{Image, Pack, Sound};

use super::plan::{Extraction, Form};
use super::wav;
use crate::cmd::cat::source_bytes;

/// The contents of a file.
pub(super) struct Contents<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// How the bytes differ from the source file, or `None` if they do not.
    pub(super) conversion: Option<String>,
}

/// The reason why a file cannot be made.
#[derive(Debug)]
pub(super) enum ContentsError {
    /// The form cannot represent the resource.
    Unsupported(String),
    /// The resource is damaged.
    Damaged(String),
}

impl<E: std::error::Error> From<E> for ContentsError {
    fn from(error: E) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl<'a> Contents<'a> {
    pub(super) fn of(extraction: &'a Extraction<'_>) -> Result<Self, ContentsError> {
        let Extraction { pack, resource, form, .. } = extraction;
        let loaded_pack = || -> Result<&Pack, ContentsError> {
            pack.runtime_pack().ok_or_else(|| ContentsError::Damaged("the pack is damaged".to_owned()))
        };
        match form {
            Form::Source => {
                let missing = || ContentsError::Damaged("the chunk with the source file is missing".to_owned());
                Ok(Self { bytes: source_bytes(resource)?.ok_or_else(missing)?, conversion: None })
            }
            Form::Png => png(&loaded_pack()?.load(resource.id)?),
            Form::Wav => {
                let sound: Sound = loaded_pack()?.load(resource.id)?;
                let bytes = wav::file(&sound).map_err(|why| ContentsError::Unsupported(why.to_owned()))?;
                Ok(Self { bytes: bytes.into(), conversion: Some("samples as .wav".to_owned()) })
            }
        }
    }
}

/// Encodes the largest mip level of an image.
fn png(image: &Image) -> Result<Contents<'static>, ContentsError> {
    let mut conversion = "pixels as .png".to_owned();
    let direct = match image.format() {
        PixelFormat::GRAY8 => Some(ColorType::Grayscale),
        PixelFormat::GRAY_ALPHA8 => Some(ColorType::GrayscaleAlpha),
        PixelFormat::RGB8 => Some(ColorType::Rgb),
        PixelFormat::RGBA8 => Some(ColorType::Rgba),
        _ => None,
    };
    let (color, pixels): (ColorType, Cow<'_, [u8]>) = match (direct, image.level(0)) {
        (Some(color), Some(level)) => (color, level.pixels.into()),
        _ => {
            let format = image.format();
            conversion += &format!(", from {format}");
            let unsupported = || ContentsError::Unsupported(format!("pixels of format {format} cannot be re-encoded"));
            (ColorType::Rgba, image.to_rgba8().ok_or_else(unsupported)?)
        }
    };
    if image.mipmaps() > 1 {
        conversion += ", without the smaller mip levels";
    }
    if image.is_premultiplied() {
        conversion += ", colours multiplied by alpha";
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, image.width(), image.height());
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(Contents { bytes: bytes.into(), conversion: Some(conversion) })
}
