//! The encoders of blocks alone, for the benchmarks of this repository, which compare them with others.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_import::ImportError;
use rres_settings::{BlockEffort, ImageSettings};

use super::blocks::encode;
use super::decoded::Decoded;

/// Encodes the pixels of a picture, four bytes each, as blocks of `format`.
///
/// # Errors
/// [`ImportError`] if the size and the number of bytes differ, or no encoder of RGBA8 makes the format.
pub fn encode_blocks(
    pixels: &[u8],
    width: u32,
    height: u32,
    format: PixelFormat,
    effort: BlockEffort,
) -> Result<Vec<u8>, ImportError> {
    if format.pixel_block().is_none() || format == PixelFormat::BC6H {
        return Err(ImportError::new(format!("{format} is no block format of colours")));
    }
    let mut prepared = Decoded::zeroed(ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps: 1 })?;
    if prepared.data().len() != pixels.len() {
        let message = format!("{} bytes are no picture of {width}×{height} pixels in RGBA8", pixels.len());
        return Err(ImportError::new(message));
    }
    prepared.data_mut().copy_from_slice(pixels);
    let mut blocks = Decoded::zeroed(ImageProps { format, ..prepared.props })?;
    encode::levels(&prepared, &ImageSettings { effort, ..ImageSettings::default() }, &mut blocks);
    Ok(blocks.data().to_vec())
}
