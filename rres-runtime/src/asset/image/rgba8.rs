//! Any uncompressed pixels → 8-bit RGBA.

use std::borrow::Cow;

use rres_format::chunk::image::PixelFormat;

use super::Image;

impl Image {
    /// Returns level 0 as 8-bit RGBA, without a copy if it already has that format; `None` if the format is
    /// block-compressed. Floats are clamped to 0 to 1. The colour space stays as it is.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(1, 1, [1, 2, 3, 4])?;
    /// assert_eq!(image.to_rgba8().as_deref(), Some(&[1, 2, 3, 4][..]));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn to_rgba8(&self) -> Option<Cow<'_, [u8]>> {
        self.level_to_rgba8(0)
    }

    /// Returns a level as 8-bit RGBA, like [`Self::to_rgba8`]; also `None` beyond the last level.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(1, 1, [1, 2, 3, 4])?; // has one level
    /// assert_eq!(image.level_to_rgba8(0), image.to_rgba8());
    /// assert_eq!(image.level_to_rgba8(1), None);
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn level_to_rgba8(&self, level: u32) -> Option<Cow<'_, [u8]>> {
        let pixels = self.level(level)?.pixels;
        let wide = |bits: u16, shift: u16, max: u16| {
            let value = u32::from(bits >> shift & max) * 255;
            ((value + u32::from(max) / 2) / u32::from(max)) as u8
        };
        let unit = |raw: &[u8]| {
            let value = f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
            (value.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        let each = |size: usize, to_rgba: &dyn Fn(&[u8]) -> [u8; 4]| {
            Some(Cow::Owned(pixels.chunks_exact(size).flat_map(to_rgba).collect()))
        };
        let word = |p: &[u8]| u16::from_le_bytes([p[0], p[1]]);
        match self.format() {
            PixelFormat::RGBA8 => Some(Cow::Borrowed(pixels)),
            PixelFormat::RGB8 => each(3, &|p| [p[0], p[1], p[2], 255]),
            PixelFormat::GRAY8 => each(1, &|p| [p[0], p[0], p[0], 255]),
            PixelFormat::GRAY_ALPHA8 => each(2, &|p| [p[0], p[0], p[0], p[1]]),
            PixelFormat::RGB565 => {
                each(2, &|p| [wide(word(p), 11, 31), wide(word(p), 5, 63), wide(word(p), 0, 31), 255])
            }
            PixelFormat::RGBA5551 => {
                each(2, &|p| [(11, 31), (6, 31), (1, 31), (0, 1)].map(|(shift, max)| wide(word(p), shift, max)))
            }
            PixelFormat::RGBA4444 => each(2, &|p| [12, 8, 4, 0].map(|shift| wide(word(p), shift, 15))),
            PixelFormat::R32F => each(4, &|p| [unit(p), unit(p), unit(p), 255]),
            PixelFormat::RGB32F => each(12, &|p| [unit(p), unit(&p[4..]), unit(&p[8..]), 255]),
            PixelFormat::RGBA32F => each(16, &|p| [unit(p), unit(&p[4..]), unit(&p[8..]), unit(&p[12..])]),
            _ => None,
        }
    }
}
