//! TGA of 16 bits a pixel with a bit of alpha → RGBA8. The decoder of `image` drops that bit.

use std::io::Cursor;

use ::image::codecs::tga::TgaDecoder;
use ::image::{ImageDecoder, ImageResult};
use rres_format::chunk::image::{ImageProps, PixelFormat};

use super::{Decoded, ImportError};

/// The alpha bits, and what they are decoded as: a picture in grey and alpha of 8 bits each has the same layout.
const ALPHA_BITS: u8 = 0x0f;
const GREY_WITH_ALPHA: u8 = 8;

/// Whether a TGA holds colours of 5 bits each and one bit of alpha.
pub(super) fn has_alpha_bit(bytes: &[u8]) -> bool {
    matches!(bytes.get(..18), Some([_, _, 2 | 10, .., 16, descriptor]) if descriptor & ALPHA_BITS == 1)
}

/// Reads such a file. Programs that know nothing of the bit leave it 0 everywhere: then it means nothing, as an image of
/// which nothing shows would not.
pub(super) fn read(bytes: &[u8], failed: impl Fn(::image::ImageError) -> ImportError) -> Result<Decoded, ImportError> {
    let ((width, height), words) = words(bytes).map_err(failed)?;
    let has_alpha = words.chunks_exact(2).any(|word| word[1] & 0x80 != 0);
    let format = if has_alpha { PixelFormat::RGBA8 } else { PixelFormat::RGB8 };
    let mut out = Decoded::zeroed(ImageProps { width, height, format, mipmaps: 1 })?;
    let channels = if has_alpha { 4 } else { 3 };
    for (word, pixel) in words.chunks_exact(2).zip(out.data_mut().chunks_exact_mut(channels)) {
        let word = u16::from_le_bytes([word[0], word[1]]);
        let level = |shift: u32| (((word >> shift & 31) * 255 + 15) / 31) as u8;
        let alpha = if word >> 15 == 1 { 255 } else { 0 };
        pixel.copy_from_slice(&[level(10), level(5), level(0), alpha][..channels]);
    }
    Ok(out)
}

/// The size and the words of the pixels, from the top left.
fn words(bytes: &[u8]) -> ImageResult<((u32, u32), Vec<u8>)> {
    let mut grey = bytes.to_vec();
    // From colours to grey, packed or not.
    grey[2] += 1;
    grey[17] = grey[17] & !ALPHA_BITS | GREY_WITH_ALPHA;
    let decoder = TgaDecoder::new(Cursor::new(grey))?;
    let mut words = vec![0; usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX)];
    let size = decoder.dimensions();
    decoder.read_image(&mut words)?;
    Ok((size, words))
}
