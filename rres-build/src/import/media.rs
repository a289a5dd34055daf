//! Pictures and sounds that an importer of a build script has made, as the rules for images and sounds say.

#[cfg(feature = "image")]
use rres_format::chunk::image::PixelFormat;

use super::{Asset, ImportError, Source};

impl Source<'_> {
    /// Makes an image of pixels, row by row from the top, as the rules for the file say: format, mip levels, scale and so on. List
    /// [`AssetKind::Image`](rres_format::AssetKind::Image) in the [`Description`](crate::importer::Description::makes), so that they apply.
    ///
    /// # Errors
    /// [`ImportError`] if the pixels are not `width` × `height` ones in `format`, the image is too large, or it cannot be stored as the
    /// rules ask.
    #[cfg(feature = "image")]
    pub fn image(
        &self,
        width: u32,
        height: u32,
        format: PixelFormat,
        pixels: impl AsRef<[u8]>,
    ) -> Result<Asset, ImportError> {
        super::image::of_pixels(width, height, format, pixels.as_ref(), &self.settings.image)
    }

    /// Makes a sound of samples from -1 to 1, one of each channel in turn, as the rules for the file say. List
    /// [`AssetKind::Sound`](rres_format::AssetKind::Sound) in the [`Description`](crate::importer::Description::makes), so that they apply.
    ///
    /// # Errors
    /// [`ImportError`] if the samples are not a whole number of frames, the sound is too long, or it cannot be stored as the rules ask.
    #[cfg(feature = "sound")]
    pub fn sound(&self, rate: u32, channels: u16, samples: &[f32]) -> Result<Asset, ImportError> {
        super::sound::of_samples(rate, channels, samples, self.path, self.settings)
    }
}
