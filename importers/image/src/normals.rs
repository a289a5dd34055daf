//! Normal maps: colours that represent directions of length 1.

use super::PixelFormat;
use super::convert::Pixel;

/// Gives the direction of a pixel the length 1 again, because an average of directions is shorter. Directions that
/// cancel out become the surface's own.
pub(super) fn renormalise(pixel: &mut Pixel) {
    let [x, y, z] = [pixel[0], pixel[1], pixel[2]].map(|v| v * 2.0 - 1.0);
    let length = (x * x + y * y + z * z).sqrt();
    let direction = if length > 1e-3 { [x, y, z].map(|v| v / length) } else { [0.0, 0.0, 1.0] };
    pixel.iter_mut().zip(direction).for_each(|(to, v)| *to = v * 0.5 + 0.5);
}

/// Whether pixels of a format hold three numbers.
pub(super) fn fit(format: PixelFormat) -> bool {
    !matches!(format, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8 | PixelFormat::R32F)
}
