//! Images of floats as Radiance `.hdr` files, if the format can hold them: three mantissas of 8 bits share an exponent.

use rres_runtime::Image;
use rres_runtime::asset::PixelFormat;

use super::{Contents, ExportError};

/// Scanlines of these widths begin with a mark, and each channel is stored by itself, in runs.
const WIDTHS_WITH_RUNS: std::ops::Range<u32> = 8..0x8000;

/// Whether a `.hdr` file holds every pixel of level 0.
pub(super) fn is_exact(image: &Image) -> bool {
    pixels(image).is_some()
}

/// Encodes level 0 of an image as a `.hdr` file.
pub(crate) fn hdr(image: &Image) -> Result<Contents<'static>, ExportError> {
    let inexact = || ExportError::Unsupported("a .hdr file would round its pixels".to_owned());
    let bytes = file(image.width(), image.height(), &pixels(image).ok_or_else(inexact)?);
    let left_out = if image.mipmaps() > 1 { ", without the smaller mip levels" } else { "" };
    Ok(Contents::converted(bytes, format!("pixels as .hdr{left_out}")))
}

fn file(width: u32, height: u32, pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut bytes = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n").into_bytes();
    for row in pixels.chunks(width as usize) {
        if !WIDTHS_WITH_RUNS.contains(&width) {
            bytes.extend(row.iter().flatten());
            continue;
        }
        let [.., high, low] = width.to_be_bytes();
        bytes.extend([2, 2, high, low]);
        for channel in 0..4 {
            // Runs of different values; up to 128 of them.
            for run in row.chunks(128) {
                bytes.push(run.len() as u8);
                bytes.extend(run.iter().map(|pixel| pixel[channel]));
            }
        }
    }
    bytes
}

/// Returns the pixels as mantissas and exponent; `None` if one would be rounded.
fn pixels(image: &Image) -> Option<Vec<[u8; 4]>> {
    if image.format() != PixelFormat::RGB32F {
        return None;
    }
    let (floats, _) = image.level(0)?.pixels.as_chunks::<4>();
    let (pixels, _) = floats.as_chunks::<3>();
    pixels.iter().map(|pixel| shared_exponent(pixel.map(f32::from_le_bytes))).collect()
}

/// Returns three mantissas `m` and the exponent `e` of `m × 2^(e - 136)`.
fn shared_exponent(pixel: [f32; 3]) -> Option<[u8; 4]> {
    let largest = pixel.into_iter().fold(0.0, f32::max);
    if pixel.iter().any(|value| !value.is_finite() || value.is_sign_negative()) {
        return None;
    }
    if largest == 0.0 {
        return Some([0; 4]);
    }
    // The exponent with which the largest mantissa is 128 to 255. Denormal numbers have none.
    let exponent = i32::try_from(largest.to_bits() >> 23).ok().filter(|biased| *biased > 0)? - 127 + 1;
    let stored = u8::try_from(exponent + 128).ok().filter(|stored| *stored > 0)?;
    let mantissa = |value: f32| {
        let scaled = f64::from(value) * f64::from(8 - exponent).exp2();
        (scaled.fract() == 0.0 && scaled < 256.0).then_some(scaled as u8)
    };
    let [r, g, b] = pixel.map(mantissa);
    Some([r?, g?, b?, stored])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pixels_that_are_read_back_the_same_are_exact() {
        let read = |[r, g, b, e]: [u8; 4]| [r, g, b].map(|m| f32::from(m) * f32::from(e as i16 - 136).exp2());
        for pixel in [
            [1.0, 0.5, 0.25],
            [200.0, 3.0, 0.0],
            [1e30, 0.0, 0.0].map(|v: f32| f32::from_bits(v.to_bits() & 0xffff_0000)),
        ] {
            assert_eq!(shared_exponent(pixel).map(read), Some(pixel));
        }
        for pixel in [
            [1.0, 1.0 / 3.0, 0.0],
            [-1.0, 0.0, 0.0],
            [f32::NAN, 0.0, 0.0],
            [1.0, f32::INFINITY, 0.0],
            [256.0, 0.5, 0.0],
        ] {
            assert_eq!(shared_exponent(pixel), None, "{pixel:?}");
        }
        assert_eq!(shared_exponent([0.0; 3]), Some([0; 4]));
    }
}
