//! 8-bit RGBA pixels: smaller, and as the file that takes the least.

use std::borrow::Cow;

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use png::{BitDepth, ColorType, Compression, Encoder};

use super::data_uri;

/// Pixels of 8-bit RGBA, rows from the top.
pub(super) struct Pixels<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba: Cow<'a, [u8]>,
}

/// The quality of photographs, from 1 to 100.
const QUALITY: u8 = 84;

/// A PNG that is smaller than this is not made smaller by losing detail.
const SMALL_PNG: usize = 3000;

impl Pixels<'_> {
    fn longest(&self) -> u32 {
        self.width.max(self.height)
    }

    /// Returns the pixels with edges of at most `longest`, each the average of those it covers. Transparent pixels do not
    /// lend their colour.
    pub(super) fn shrunk(&self, longest: u32) -> Pixels<'_> {
        let Self { width, height, .. } = *self;
        if self.longest() <= longest {
            return Pixels { width, height, rgba: Cow::Borrowed(&self.rgba) };
        }
        let scaled = |edge: u32| (u64::from(edge) * u64::from(longest) / u64::from(self.longest())).max(1) as u32;
        let (new_width, new_height) = (scaled(width), scaled(height));
        // The source pixels from the first to before the last that a new pixel covers.
        let range = |at: u32, new: u32, old: u32| {
            let edge = |at: u32| (u64::from(at) * u64::from(old) / u64::from(new)) as usize;
            edge(at)..edge(at + 1).max(edge(at) + 1)
        };
        let mut rgba = Vec::with_capacity(new_width as usize * new_height as usize * 4);
        for y in 0..new_height {
            for x in 0..new_width {
                let (mut sum, mut alpha, mut count) = ([0u64; 3], 0u64, 0u64);
                for row in range(y, new_height, height) {
                    let columns = range(x, new_width, width);
                    let start = row * width as usize;
                    for pixel in self.rgba[(start + columns.start) * 4..(start + columns.end) * 4].chunks_exact(4) {
                        let weight = u64::from(pixel[3]);
                        (0..3).for_each(|channel| sum[channel] += u64::from(pixel[channel]) * weight);
                        alpha += weight;
                        count += 1;
                    }
                }
                rgba.extend(sum.map(|sum| (sum + alpha / 2).checked_div(alpha).unwrap_or(0) as u8));
                rgba.push((alpha / count) as u8);
            }
        }
        Pixels { width: new_width, height: new_height, rgba: rgba.into() }
    }

    /// Returns the pixels as the largest file of at most `limit` bytes, with its size in pixels; halves the edges until it
    /// fits, down to 16 pixels.
    pub(super) fn fitting(&self, limit: usize, longest: u32) -> Option<(String, u32, u32)> {
        let mut edge = self.longest().min(longest);
        loop {
            // Not even a JPEG takes less than a twelfth of a byte per pixel.
            let area = u64::from(edge) * u64::from(edge) * u64::from(self.width.min(self.height));
            if area / u64::from(self.longest()) / 12 <= limit as u64 {
                let pixels = self.shrunk(edge);
                let uri = pixels.data_uri()?;
                if uri.len() <= limit || edge <= 16 {
                    return Some((uri, pixels.width, pixels.height));
                }
            }
            edge /= 2;
            if edge < 16 {
                let pixels = self.shrunk(16);
                return Some((pixels.data_uri()?, pixels.width, pixels.height));
            }
        }
    }

    /// Encodes the pixels as PNG, or as JPEG if that is far smaller and nothing is transparent.
    fn data_uri(&self) -> Option<String> {
        let png = self.png()?;
        let is_opaque = self.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
        let jpeg = if is_opaque && png.len() > SMALL_PNG { self.jpeg() } else { None };
        Some(match jpeg {
            Some(jpeg) if jpeg.len() * 2 < png.len() => data_uri("image/jpeg", &jpeg),
            _ => data_uri("image/png", &png),
        })
    }

    pub(super) fn png(&self) -> Option<Vec<u8>> {
        let is_opaque = self.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
        let is_gray = is_opaque && self.rgba.chunks_exact(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]);
        let (color, bytes) = match (is_gray, is_opaque) {
            (true, _) => (ColorType::Grayscale, Cow::Owned(self.rgba.iter().copied().step_by(4).collect())),
            (_, true) => (ColorType::Rgb, self.rgb().into()),
            _ => (ColorType::Rgba, Cow::Borrowed(&*self.rgba)),
        };
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, self.width, self.height);
        encoder.set_color(color);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&bytes).ok()?;
        writer.finish().ok()?;
        Some(png)
    }

    fn jpeg(&self) -> Option<Vec<u8>> {
        let mut jpeg = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, QUALITY);
        encoder.encode(&self.rgb(), self.width, self.height, ExtendedColorType::Rgb8).ok()?;
        Some(jpeg)
    }

    fn rgb(&self) -> Vec<u8> {
        self.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}

#[cfg(test)]
mod tests {
    use rres_test_data::random::noise;

    use super::*;

    #[test]
    fn transparent_pixels_lend_no_colour_to_smaller_ones() {
        let rgba = [[200, 100, 0, 255], [0, 0, 0, 0], [200, 100, 0, 255], [0, 0, 0, 0]].concat();
        let small = Pixels { width: 2, height: 2, rgba: rgba.into() };
        assert_eq!(&*small.shrunk(1).rgba, [200, 100, 0, 127]);
        assert_eq!(small.shrunk(2).width, 2);
    }

    #[test]
    fn a_picture_is_shrunk_until_it_fits() {
        let pixels = Pixels { width: 400, height: 100, rgba: noise(400 * 100 * 4).into() };
        let (uri, width, height) = pixels.fitting(4000, 256).unwrap();
        assert!(uri.len() <= 4000, "{}", uri.len());
        assert!(width < 256 && height == width / 4, "{width} × {height}");
        let (_, width, _) = pixels.fitting(usize::MAX, 256).unwrap();
        assert_eq!(width, 256);
    }
}
