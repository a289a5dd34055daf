//! Pixels of one format → pixels of another, through numbers from 0 to 1.
//!
//! A channel of `n` bits holding `v` is `v / (2^n - 1)`; it is stored in `m` bits as `v × (2^m - 1) / (2^n - 1)`,
//! rounded to the nearest. For sources of 8 and 16 bits that is exact: no result lies half-way. The grey of a colour is
//! 0.299 R + 0.587 G + 0.114 B of the stored numbers, as in raylib; if the channels are equal, it is their value. Alpha
//! is dropped only if the target format has none, and is 1 if the source has none. Integer formats clamp to the range 0
//! to 1.

use rres_format::chunk::image::PixelFormat;

/// Red, green, blue, alpha.
pub(super) type Pixel = [f32; 4];

/// The source format, the target format, and whether colours are premultiplied with alpha.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    pub(super) source: PixelFormat,
    pub(super) target: PixelFormat,
    pub(super) premultiply: bool,
}

impl Conversion {
    /// Whether the conversion leaves the pixels unchanged.
    pub(super) fn is_identity(&self) -> bool {
        self.source == self.target && !self.premultiply
    }

    /// Converts whole pixels; `from` and `to` contain the same number of pixels.
    pub(super) fn convert(&self, from: &[u8], to: &mut [u8]) {
        const BATCH: usize = 1024;
        let (Some(source), Some(target)) = (self.source.bytes_per_pixel(), self.target.bytes_per_pixel()) else {
            return;
        };
        let mut pixels = [[0.0; 4]; BATCH];
        let batches = from.chunks(BATCH * source as usize).zip(to.chunks_mut(BATCH * target as usize));
        for (from, to) in batches {
            let pixels = &mut pixels[..from.len() / source as usize];
            self.read(from, pixels);
            self.write(pixels, to);
        }
    }

    /// Reads source pixels and gives them the channels of the target. They are not premultiplied yet.
    ///
    /// If the target has no alpha, alpha is kept as long as it is needed to premultiply.
    pub(super) fn read(&self, from: &[u8], pixels: &mut [Pixel]) {
        unpack(self.source, from, pixels);
        let gray = matches!(self.target, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8 | PixelFormat::R32F);
        let drop_alpha = self.source.has_alpha() && !self.target.has_alpha() && !self.premultiply;
        if gray {
            for [r, g, b, _] in &mut *pixels {
                // Weighting equal numbers could change the last bit of a float.
                if r != g || g != b {
                    *r = 0.299 * *r + 0.587 * *g + 0.114 * *b;
                    (*g, *b) = (*r, *r);
                }
            }
        }
        if drop_alpha {
            pixels.iter_mut().for_each(|pixel| pixel[3] = 1.0);
        }
    }

    /// Stores pixels in the target format, premultiplied if the conversion asks for it. Overwrites `pixels`.
    pub(super) fn write(&self, pixels: &mut [Pixel], to: &mut [u8]) {
        if self.premultiply {
            for [r, g, b, a] in &mut *pixels {
                (*r, *g, *b) = (*r * *a, *g * *a, *b * *a);
            }
        }
        pack(self.target, pixels, to);
    }
}

/// Reads pixels of an uncompressed format.
fn unpack(format: PixelFormat, from: &[u8], pixels: &mut [Pixel]) {
    let byte = |v: u8| f32::from(v) / 255.0;
    let float = |v: &[u8]| f32::from_le_bytes([v[0], v[1], v[2], v[3]]);
    let bits = |v: u16, shift: u32, max: u16| f32::from((v >> shift) & max) / f32::from(max);
    let word = |v: &[u8]| u16::from_le_bytes([v[0], v[1]]);
    let each = |pixels: &mut [Pixel], size: usize, read: &dyn Fn(&[u8]) -> Pixel| {
        pixels.iter_mut().zip(from.chunks_exact(size)).for_each(|(pixel, v)| *pixel = read(v));
    };
    match format {
        PixelFormat::GRAY8 => {
            for (pixel, v) in pixels.iter_mut().zip(from) {
                let v = byte(*v);
                *pixel = [v, v, v, 1.0];
            }
        }
        PixelFormat::GRAY_ALPHA8 => {
            for (pixel, v) in pixels.iter_mut().zip(from.chunks_exact(2)) {
                let gray = byte(v[0]);
                *pixel = [gray, gray, gray, byte(v[1])];
            }
        }
        PixelFormat::RGB8 => {
            for (pixel, v) in pixels.iter_mut().zip(from.chunks_exact(3)) {
                *pixel = [byte(v[0]), byte(v[1]), byte(v[2]), 1.0];
            }
        }
        PixelFormat::RGBA8 => {
            for (pixel, v) in pixels.iter_mut().zip(from.chunks_exact(4)) {
                *pixel = [byte(v[0]), byte(v[1]), byte(v[2]), byte(v[3])];
            }
        }
        PixelFormat::RGB565 => each(pixels, 2, &|v| {
            let v = word(v);
            [bits(v, 11, 31), bits(v, 5, 63), bits(v, 0, 31), 1.0]
        }),
        PixelFormat::RGBA5551 => each(pixels, 2, &|v| {
            let v = word(v);
            [bits(v, 11, 31), bits(v, 6, 31), bits(v, 1, 31), bits(v, 0, 1)]
        }),
        PixelFormat::RGBA4444 => each(pixels, 2, &|v| {
            let v = word(v);
            [bits(v, 12, 15), bits(v, 8, 15), bits(v, 4, 15), bits(v, 0, 15)]
        }),
        PixelFormat::R32F => each(pixels, 4, &|v| [float(v), float(v), float(v), 1.0]),
        PixelFormat::RGB32F => each(pixels, 12, &|v| [float(v), float(&v[4..]), float(&v[8..]), 1.0]),
        PixelFormat::RGBA32F => {
            each(pixels, 16, &|v| [float(v), float(&v[4..]), float(&v[8..]), float(&v[12..])]);
        }
        _ => pixels.fill([0.0, 0.0, 0.0, 1.0]),
    }
}

/// Writes pixels in an uncompressed format.
pub(super) fn pack(format: PixelFormat, pixels: &[Pixel], to: &mut [u8]) {
    // Adding a half and truncating rounds to the nearest; NaN becomes 0.
    let level = |v: f32, max: u16| (v.clamp(0.0, 1.0) * f32::from(max) + 0.5) as u16;
    let byte = |v: f32| level(v, 255) as u8;
    match format {
        PixelFormat::GRAY8 => pixels.iter().zip(to).for_each(|(pixel, to)| *to = byte(pixel[0])),
        PixelFormat::GRAY_ALPHA8 => {
            for (pixel, to) in pixels.iter().zip(to.chunks_exact_mut(2)) {
                to.copy_from_slice(&[byte(pixel[0]), byte(pixel[3])]);
            }
        }
        PixelFormat::RGB8 => {
            for ([r, g, b, _], to) in pixels.iter().zip(to.chunks_exact_mut(3)) {
                to.copy_from_slice(&[byte(*r), byte(*g), byte(*b)]);
            }
        }
        PixelFormat::RGBA8 => {
            for (pixel, to) in pixels.iter().zip(to.chunks_exact_mut(4)) {
                to.copy_from_slice(&pixel.map(byte));
            }
        }
        PixelFormat::RGB565 | PixelFormat::RGBA5551 | PixelFormat::RGBA4444 => {
            for ([r, g, b, a], to) in pixels.iter().zip(to.chunks_exact_mut(2)) {
                let word = match format {
                    PixelFormat::RGB565 => level(*r, 31) << 11 | level(*g, 63) << 5 | level(*b, 31),
                    PixelFormat::RGBA5551 => {
                        level(*r, 31) << 11 | level(*g, 31) << 6 | level(*b, 31) << 1 | level(*a, 1)
                    }
                    _ => level(*r, 15) << 12 | level(*g, 15) << 8 | level(*b, 15) << 4 | level(*a, 15),
                };
                to.copy_from_slice(&word.to_le_bytes());
            }
        }
        PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F => {
            let channels = match format {
                PixelFormat::R32F => 1,
                PixelFormat::RGB32F => 3,
                _ => 4,
            };
            for (pixel, to) in pixels.iter().zip(to.chunks_exact_mut(4 * channels)) {
                for (value, to) in pixel.iter().zip(to.chunks_exact_mut(4)) {
                    to.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        _ => {}
    }
}
