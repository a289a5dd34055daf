//! Mip levels: smaller copies of an image, each half as large, down to one pixel.
//!
//! Each level is a box filter of the previous one: two pixels if the dimension is even, three with shifting weights if
//! it is odd, so that the image does not move and no pixel is left out. sRGB colours are averaged as linear light, and
//! weighted with their alpha so that the colour of invisible pixels does not bleed in.

use rres_format::chunk::image::{ImageProps, PixelFormat, level_edge};

use super::convert::{Conversion, Pixel};
use super::{Decoded, HEAD, ImportError, normals, srgb};

/// What the numbers of an image are, which decides how they are averaged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Srgb,
    Linear,
    /// Directions, whose averages get the length 1 again.
    Normals,
}

/// Level 0 of `decoded` in the target format, and all levels below it.
pub(super) fn with_all_levels(
    decoded: &Decoded,
    conversion: Conversion,
    meaning: Meaning,
) -> Result<Decoded, ImportError> {
    let ImageProps { width, height, format, .. } = decoded.props;
    let target = conversion.target;
    let mipmaps = width.max(height).ilog2() + 1;
    let mut out = Decoded::zeroed(ImageProps { width, height, format: target, mipmaps })?;
    let size = |level: u32| {
        let size = target.level_size(level_edge(width, level), level_edge(height, level));
        // The total size was checked.
        size.unwrap_or(0) as usize
    };
    let row_size = format.level_size(width, 1).unwrap_or(0) as usize;
    let source = &decoded.data()[..row_size * height as usize];
    let (first, mut rest) = out.block[HEAD..].split_at_mut(size(0));
    conversion.convert(source, first);

    let curve = Curve::of(conversion.source, conversion.target, meaning != Meaning::Srgb);
    // The curve is for colours, not for colours times alpha: these are divided, averaged, and multiplied again. Not if some are light that is added,
    // which no colour times its alpha is.
    let may_be_multiplied = decoded.premultiplied && conversion.source.has_alpha() && meaning == Meaning::Srgb;
    let is_multiplied = may_be_multiplied && {
        let mut row: Vec<Pixel> = vec![[0.0; 4]; width as usize];
        !source.chunks_exact(row_size.max(1)).any(|bytes| {
            conversion.read(bytes, &mut row);
            adds_light(&row)
        })
    };
    let weigh =
        conversion.source.has_alpha() && (!decoded.premultiplied || is_multiplied) && meaning != Meaning::Normals;
    let mut above: Vec<Pixel> = Vec::new();
    for level in 1..mipmaps {
        let (w, h) = (level_edge(width, level), level_edge(height, level));
        let from = (level_edge(width, level - 1) as usize, level_edge(height, level - 1) as usize);
        let pixels = if level == 1 {
            halve(from, weigh, |y, row| {
                conversion.read(&source[y * row_size..][..row_size], row);
                if is_multiplied {
                    row.iter_mut().for_each(divide_by_alpha);
                }
                curve.to_light(row);
            })
        } else {
            halve(from, weigh, |y, row| row.copy_from_slice(&above[y * from.0..][..from.0]))
        };
        let (to, tail) = rest.split_at_mut(size(level));
        let mut stored = vec![[0.0; 4]; w as usize];
        let row_size = to.len() / h as usize;
        for (row, to) in pixels.chunks_exact(w as usize).zip(to.chunks_exact_mut(row_size)) {
            stored.copy_from_slice(row);
            curve.to_stored(&mut stored);
            if is_multiplied {
                stored.iter_mut().for_each(multiply_by_alpha);
            }
            if meaning == Meaning::Normals {
                stored.iter_mut().for_each(normals::renormalise);
            }
            conversion.write(&mut stored, to);
        }
        (above, rest) = (pixels, tail);
    }
    Ok(out)
}

/// Whether pixels whose colours count as multiplied by alpha are brighter than that: blending adds them to what is behind, as for sparks and glow.
pub(super) fn adds_light(pixels: &[Pixel]) -> bool {
    // Half a step of 8 bits.
    const ROUNDING: f32 = 0.5 / 255.0;
    pixels.iter().any(|[r, g, b, alpha]| r.max(*g).max(*b) > alpha + ROUNDING)
}

/// The colour of a pixel that was multiplied by its alpha.
pub(super) fn divide_by_alpha([r, g, b, alpha]: &mut Pixel) {
    for v in [r, g, b] {
        *v = if *alpha > 0.0 { (*v / *alpha).min(1.0) } else { 0.0 };
    }
}

/// The colour of a pixel times its alpha.
pub(super) fn multiply_by_alpha([r, g, b, alpha]: &mut Pixel) {
    [r, g, b].into_iter().for_each(|v| *v *= *alpha);
}

/// Converts between stored numbers and linear light, which can be averaged.
pub(super) enum Curve {
    Linear,
    /// A table with the linear value of each 8-bit number.
    Srgb(Box<[f32; 256]>),
    /// The sRGB curve, for numbers of any depth.
    SrgbFloat,
}

impl Curve {
    pub(super) fn of(source: PixelFormat, target: PixelFormat, linear: bool) -> Self {
        use PixelFormat as F;
        match source {
            _ if linear => Self::Linear,
            // The grey of a colour is not an 8-bit integer.
            F::RGB8 | F::RGBA8 if target.bytes_per_pixel() >= Some(3) => Self::srgb_bytes(),
            F::GRAY8 | F::GRAY_ALPHA8 => Self::srgb_bytes(),
            _ => Self::SrgbFloat,
        }
    }

    fn srgb_bytes() -> Self {
        Self::Srgb(Box::new(std::array::from_fn(|v| srgb::to_linear(v as f32 / 255.0))))
    }

    pub(super) fn to_light(&self, row: &mut [Pixel]) {
        match self {
            Self::Linear => {}
            Self::Srgb(light) => {
                for pixel in row {
                    pixel[..3].iter_mut().for_each(|v| *v = light[usize::from((*v * 255.0 + 0.5) as u8)]);
                }
            }
            Self::SrgbFloat => {
                for pixel in row {
                    pixel[..3].iter_mut().for_each(|v| *v = srgb::to_linear(*v));
                }
            }
        }
    }

    pub(super) fn to_stored(&self, row: &mut [Pixel]) {
        if !matches!(self, Self::Linear) {
            for pixel in row {
                pixel[..3].iter_mut().for_each(|v| *v = srgb::from_linear(*v));
            }
        }
    }
}

/// The first source pixel that pixel `i` of the smaller level covers, the weights of up to three pixels from there on,
/// and their number.
fn taps(edge: usize, i: usize) -> (usize, [f32; 3], usize) {
    let half = edge / 2;
    match edge {
        1 => (0, [1.0, 0.0, 0.0], 1),
        _ if edge.is_multiple_of(2) => (2 * i, [0.5, 0.5, 0.0], 2),
        // A pixel of the smaller level covers 2 + 1/half source pixels; its borders shift by 1/half with each pixel.
        _ => {
            let all = edge as f32;
            (2 * i, [(half - i) as f32 / all, half as f32 / all, (i + 1) as f32 / all], 3)
        }
    }
}

/// An image of half the width and height; `row` reads the rows of the larger one.
fn halve((width, height): (usize, usize), weigh: bool, mut row: impl FnMut(usize, &mut [Pixel])) -> Vec<Pixel> {
    let (w, h) = ((width / 2).max(1), (height / 2).max(1));
    let columns: Vec<_> = (0..w).map(|x| taps(width, x)).collect();
    let mut rows = vec![[0.0; 4]; width * 3];
    let mut out = Vec::with_capacity(w * h);
    for y in 0..h {
        let (top, down, count) = taps(height, y);
        for (i, buffer) in rows.chunks_exact_mut(width).take(count).enumerate() {
            row(top + i, buffer);
        }
        for &(left, across, columns) in &columns {
            let (mut plain, mut weighted, mut alpha) = ([0.0; 3], [0.0; 3], 0.0);
            for (weight_down, row) in down.iter().zip(rows.chunks_exact(width)).take(count) {
                for (weight, [r, g, b, a]) in across.iter().zip(&row[left..left + columns]) {
                    let weight = weight * weight_down;
                    let visible = weight * a;
                    for (i, v) in [r, g, b].into_iter().enumerate() {
                        plain[i] += weight * v;
                        weighted[i] += visible * v;
                    }
                    alpha += visible;
                }
            }
            // If all pixels are invisible, their colours have equal weights.
            let [r, g, b] = if weigh && alpha > 0.0 { weighted.map(|v| v / alpha) } else { plain };
            out.push([r, g, b, alpha]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_times_alpha_get_no_brighter_than_their_alpha() {
        let format = PixelFormat::RGBA8;
        let mut image = Decoded::zeroed(ImageProps { width: 2, height: 1, format, mipmaps: 1 }).unwrap();
        image.data_mut().copy_from_slice(&[255, 255, 255, 255, 0, 0, 0, 0]);
        image.premultiplied = true;
        let conversion = Conversion { source: format, target: format, premultiply: false };
        let levels = with_all_levels(&image, conversion, Meaning::Srgb).unwrap();
        assert_eq!(levels.data()[8..], [128; 4]);
    }

    #[test]
    fn light_that_is_added_stays_in_smaller_levels() {
        let format = PixelFormat::RGBA8;
        let mut image = Decoded::zeroed(ImageProps { width: 2, height: 1, format, mipmaps: 1 }).unwrap();
        image.data_mut().copy_from_slice(&[200, 100, 0, 0, 200, 100, 0, 0]);
        image.premultiplied = true;
        let conversion = Conversion { source: format, target: format, premultiply: false };
        let levels = with_all_levels(&image, conversion, Meaning::Srgb).unwrap();
        assert_eq!(levels.data()[8..], [200, 100, 0, 0]);
    }
}
