//! Images as `.png` files.

use std::borrow::Cow;

use png::{BitDepth, ColorType, Encoder};
use rres_runtime::Image;
use rres_runtime::asset::PixelFormat;

use super::{Contents, ExportError};

/// Encodes the largest mip level of an image.
pub(crate) fn png(image: &Image) -> Result<Contents<'static>, ExportError> {
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
            let unsupported = || ExportError::Unsupported(format!("pixels of format {format} cannot be re-encoded"));
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
