//! To and from the types of the crate `image`, of level 0. The colour space stays as it is.

use image::{DynamicImage, ImageBuffer, RgbaImage};
use rres_format::chunk::image::PixelFormat;

use super::{Image, inconsistent};
use crate::error::{Error, Result};

/// Converts any uncompressed image to 8-bit RGBA, like [`Image::to_rgba8`].
///
/// ```
/// let white = rres_runtime::Image::from_rgba8(2, 1, [255; 8])?;
/// let mut image = image::RgbaImage::try_from(&white)?;
/// image.put_pixel(0, 0, image::Rgba([255, 0, 0, 255]));
/// let back: rres_runtime::Image = image.into();
/// assert_eq!(back.data()[..4], [255, 0, 0, 255]);
/// # Ok::<(), rres_runtime::Error>(())
/// ```
impl TryFrom<&Image> for RgbaImage {
    type Error = Error;

    fn try_from(image: &Image) -> Result<Self> {
        let pixels = image.to_rgba8().ok_or_else(|| block_compressed(image))?.into_owned();
        buffer(image, pixels)
    }
}

/// Keeps depth and channels if the crate `image` has a variant for them: packed 16 bits become 8-bit RGBA, and a single
/// float becomes three.
///
/// ```
/// let white = rres_runtime::Image::from_rgba8(2, 1, [255; 8])?;
/// let image = image::DynamicImage::try_from(&white)?;
/// assert_eq!((image.color(), image.width()), (image::ColorType::Rgba8, 2));
/// # Ok::<(), rres_runtime::Error>(())
/// ```
impl TryFrom<&Image> for DynamicImage {
    type Error = Error;

    fn try_from(image: &Image) -> Result<Self> {
        let pixels = image.level(0).ok_or_else(|| block_compressed(image))?.pixels;
        let floats = || pixels.chunks_exact(4).map(|raw| f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]));
        Ok(match image.format() {
            PixelFormat::GRAY8 => Self::ImageLuma8(buffer(image, pixels.to_vec())?),
            PixelFormat::GRAY_ALPHA8 => Self::ImageLumaA8(buffer(image, pixels.to_vec())?),
            PixelFormat::RGB8 => Self::ImageRgb8(buffer(image, pixels.to_vec())?),
            PixelFormat::R32F => Self::ImageRgb32F(buffer(image, floats().flat_map(|value| [value; 3]).collect())?),
            PixelFormat::RGB32F => Self::ImageRgb32F(buffer(image, floats().collect())?),
            PixelFormat::RGBA32F => Self::ImageRgba32F(buffer(image, floats().collect())?),
            _ => Self::ImageRgba8(RgbaImage::try_from(image)?),
        })
    }
}

/// Makes an image like [`Image::from_rgba8`], without a copy of the pixels.
impl From<RgbaImage> for Image {
    fn from(image: RgbaImage) -> Self {
        let (width, height) = image.dimensions();
        let mut pixels = image.into_raw();
        // A buffer may be longer than its pixels.
        pixels.truncate(width as usize * height as usize * 4);
        Self::from_rgba8(width, height, pixels).expect("a buffer has all of its pixels")
    }
}

fn buffer<P: image::Pixel>(image: &Image, pixels: Vec<P::Subpixel>) -> Result<ImageBuffer<P, Vec<P::Subpixel>>> {
    let size = pixels.len();
    ImageBuffer::from_raw(image.width(), image.height(), pixels)
        .ok_or_else(|| inconsistent(format!("{size} numbers for {} × {} pixels", image.width(), image.height())))
}

fn block_compressed(image: &Image) -> Error {
    inconsistent(format!("its format is {}, expected one that is not block-compressed", image.format()))
}
