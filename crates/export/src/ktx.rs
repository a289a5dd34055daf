//! Images in ETC1 and PVRTC, which old mobile graphics chips take, as `.ktx` files (KTX 1.1) with all of their mip levels. KTX 2 has no
//! number for ETC1, and one for PVRTC with and without alpha.

use rres_runtime::Image;
use rres_runtime::asset::PixelFormat;

use super::{Contents, ExportError};

const SIGNATURE: [u8; 12] = *b"\xabKTX 11\xbb\r\n\x1a\n";
/// Readers compare it with their own, to learn the order of bytes.
const ENDIANNESS: u32 = 0x0403_0201;

/// Says that rows go from the top to the bottom.
const ORIENTATION: &[u8] = b"KTXorientation\0S=r,T=d\0";

/// Returns the numbers of OpenGL for the format of an image, which is one in sRGB if the image is, and for its channels.
fn gl_format(image: &Image) -> Option<(u32, u32)> {
    const RGB: u32 = 0x1907;
    const RGBA: u32 = 0x1908;
    let format = image.format();
    let (linear, _) = format.gl_internal_formats()?;
    match format {
        // The number in sRGB is the one of ETC2.
        PixelFormat::ETC1_RGB => Some((linear, RGB)),
        PixelFormat::PVRT_RGB => Some((image.gl_internal_format()?, RGB)),
        PixelFormat::PVRT_RGBA => Some((image.gl_internal_format()?, RGBA)),
        _ => None,
    }
}

/// Encodes all levels of an image as a `.ktx` file.
pub(crate) fn ktx(image: &Image) -> Result<Contents<'static>, ExportError> {
    let format = image.format();
    let unsupported = || ExportError::Unsupported(format!("pixels of format {format} are not written as .ktx"));
    let (gl_format, gl_channels) = gl_format(image).ok_or_else(unsupported)?;
    let levels = image.mipmaps();
    let pair_size = (4 + ORIENTATION.len()).next_multiple_of(4) as u32;
    let mut bytes = SIGNATURE.to_vec();
    // Blocks have neither a type nor a format of pixels; no depth, no array, one face.
    let header =
        [ENDIANNESS, 0, 1, 0, gl_format, gl_channels, image.width(), image.height(), 0, 0, 1, levels, pair_size];
    header.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    bytes.extend_from_slice(&(ORIENTATION.len() as u32).to_le_bytes());
    bytes.extend_from_slice(ORIENTATION);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    for level in image.levels() {
        bytes.extend_from_slice(&(level.pixels.len() as u32).to_le_bytes());
        // Blocks have 8 or 16 bytes, so the next level is aligned.
        bytes.extend_from_slice(level.pixels);
    }
    let of_levels = if levels > 1 { format!(", {levels} mip levels") } else { String::new() };
    Ok(Contents::converted(bytes, format!("blocks as .ktx, {format}{of_levels}")))
}
