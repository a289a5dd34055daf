//! Textures as pictures.

use rres_import_nbr::{Pixels, Texture};
use rres_runtime::Image;

use super::super::{Contents, ExportError, dds_of_floats, hdr_of_floats, is_hdr, png};

/// Returns the extension of the file for a texture, with the dot.
pub(super) fn extension(texture: &Texture<'_>) -> &'static str {
    match &texture.pixels {
        Pixels::Rgba8(_) => ".png",
        Pixels::Rgba32F(floats) if is_hdr(floats) => ".hdr",
        Pixels::Rgba32F(_) => ".dds",
    }
}

/// Encodes a texture as a file with this extension.
pub(super) fn texture(texture: &Texture<'_>) -> Result<Contents<'static>, ExportError> {
    let Texture { width, height, pixels } = texture;
    Ok(match pixels {
        Pixels::Rgba8(bytes) => png(&Image::from_rgba8(*width, *height, bytes.to_vec())?)?,
        Pixels::Rgba32F(floats) => {
            hdr_of_floats(*width, *height, floats).unwrap_or_else(|| dds_of_floats(*width, *height, floats))
        }
    })
}
