//! Colours as a file means them → colours in sRGB, which is what renderers take numbers for.
//!
//! [`icc`] reads profiles, [`primaries`] has what other tags of files say in a few numbers, [`curve`] is how a number becomes light. The
//! arithmetic is our own, in the order that is written here: colour managers choose instructions by the processor, and their results differ in
//! the last bit. Colours outside of sRGB are clipped channel by channel, as colour managers do for profiles of this sort.

mod curve;
mod icc;
mod primaries;

use rres_format::chunk::image::PixelFormat;

use self::curve::Curve;
pub(super) use self::icc::description;
use super::convert::{Conversion, Pixel};
use super::{Decoded, srgb};

/// How far a conversion may be off from no conversion: one step of 8 bits. Profiles of sRGB have the curve as a table.
const TOLERANCE: f32 = 1.0 / 255.0;

/// How far outside of sRGB a colour may be without being counted: half a step.
const OUTSIDE: f32 = 0.5 / 255.0;

/// What the numbers of a picture mean.
pub(super) struct Profile {
    /// From number to light: red, green and blue, or the same curve three times.
    curves: [Curve; 3],
    /// From the light of the profile to that of sRGB, row by row; `None` if it is for greys.
    matrix: Option<Matrix>,
}

/// Three rows of three numbers.
type Matrix = [[f64; 3]; 3];

/// What became of the pixels.
pub(super) struct Applied {
    /// Pixels whose colour sRGB does not have.
    pub(super) clipped: u64,
    /// All pixels.
    pub(super) all: u64,
}

/// The light of three numbers.
type Light<'a> = dyn Fn([f32; 3]) -> [f32; 3] + 'a;

impl Profile {
    /// Reads an ICC profile.
    ///
    /// # Errors
    /// Why it cannot be applied, as a part of a sentence: "has tables instead of curves".
    pub(super) fn of_icc(bytes: &[u8]) -> Result<Self, &'static str> {
        icc::read(bytes)
    }

    /// The meaning of the code points of a cICP chunk: primaries, transfer, matrix, range.
    ///
    /// # Errors
    /// As [`Self::of_icc`].
    pub(super) fn of_cicp(codes: [u8; 4]) -> Result<Self, &'static str> {
        primaries::of_cicp(codes)
    }

    /// The meaning of a gamma, and of primaries if the file has them: white, red, green and blue as x and y, in units of 1/100000.
    ///
    /// # Errors
    /// As [`Self::of_icc`].
    pub(super) fn of_gamma(gamma: Option<u32>, chromaticities: Option<[u32; 8]>) -> Result<Self, &'static str> {
        primaries::of_gamma(gamma, chromaticities)
    }

    /// Whether numbers mean what they mean in sRGB.
    pub(super) fn is_srgb(&self) -> bool {
        let light = |numbers: [f32; 3]| -> [f32; 3] {
            std::array::from_fn(|channel| self.curves[channel].light(f64::from(numbers[channel])) as f32)
        };
        let is_equal = |numbers: [f32; 3]| {
            let stored = self.stored(&light, numbers).0;
            numbers.iter().zip(stored).all(|(number, stored)| (number - stored).abs() <= TOLERANCE)
        };
        let greys = (0..=255).map(|v| [v as f32 / 255.0; 3]);
        if self.matrix.is_none() {
            return greys.into_iter().all(is_equal);
        }
        let corners = (0..125u32).map(|i| [i / 25, i / 5 % 5, i % 5].map(|v| v as f32 / 4.0));
        greys.chain(corners).all(is_equal)
    }

    /// Whether it is for greys only.
    pub(super) fn is_gray(&self) -> bool {
        self.matrix.is_none()
    }

    /// Whether it can be applied to pixels of this format: colours need a profile for colours.
    pub(super) fn fits(&self, decoded: &Decoded) -> bool {
        decoded.props.format.pixel_block().is_none()
            && decoded.props.mipmaps == 1
            && (!self.is_gray() || is_gray(decoded))
    }

    /// Replaces the numbers by those that mean the same in sRGB. Alpha stays.
    pub(super) fn apply(&self, decoded: &mut Decoded) -> Applied {
        let format = decoded.props.format;
        let is_float = matches!(format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F);
        // Numbers of 8 bits have 256 values, those of 16 bits 65536.
        let steps: u16 = if is_float { u16::MAX } else { 255 };
        let table = |curve: &Curve| -> Vec<f32> {
            (0..=steps).map(|step| curve.light(f64::from(step) / f64::from(steps)) as f32).collect()
        };
        let tables = self.curves.each_ref().map(table);
        let at = |channel: usize, number: f32| {
            tables[channel][usize::from((number.clamp(0.0, 1.0) * f32::from(steps) + 0.5) as u16)]
        };
        self.replace(decoded, &|numbers| std::array::from_fn(|channel| at(channel, numbers[channel])))
    }

    fn replace(&self, decoded: &mut Decoded, light: &Light<'_>) -> Applied {
        const BATCH: usize = 1024;
        let format = decoded.props.format;
        let conversion = Conversion { source: format, target: format, premultiply: false };
        let size = format.bytes_per_pixel().unwrap_or(1) as usize;
        let mut pixels = [[0.0; 4]; BATCH];
        let mut applied = Applied { clipped: 0, all: 0 };
        // Neighbours are often equal.
        let mut last = ([0.0; 3], self.stored(light, [0.0; 3]));
        for bytes in decoded.data_mut().chunks_mut(BATCH * size) {
            let pixels: &mut [Pixel] = &mut pixels[..bytes.len() / size];
            conversion.read(bytes, pixels);
            for [r, g, b, a] in &mut *pixels {
                let numbers = [*r, *g, *b];
                if last.0 != numbers {
                    last = (numbers, self.stored(light, numbers));
                }
                let (stored, is_clipped) = last.1;
                [*r, *g, *b] = stored;
                applied.clipped += u64::from(is_clipped && *a > 0.0);
            }
            applied.all += pixels.len() as u64;
            conversion.write(pixels, bytes);
        }
        applied
    }

    /// The numbers of a colour in sRGB, and whether it is outside.
    fn stored(&self, light: &Light<'_>, numbers: [f32; 3]) -> ([f32; 3], bool) {
        let light = light(numbers);
        let Some(matrix) = &self.matrix else {
            return (light.map(|light| srgb::from_linear(light.clamp(0.0, 1.0))), false);
        };
        let light = light.map(f64::from);
        let mut is_outside = false;
        let stored = matrix.map(|[r, g, b]| {
            let light = (r * light[0] + g * light[1] + b * light[2]) as f32;
            let stored = srgb::from_linear(light);
            is_outside |= !(-OUTSIDE..=1.0 + OUTSIDE).contains(&stored);
            stored.clamp(0.0, 1.0)
        });
        (stored, is_outside)
    }
}

/// Whether all pixels are grey, whatever the format is.
fn is_gray(decoded: &Decoded) -> bool {
    let format = decoded.props.format;
    let Some(size) = format.bytes_per_pixel() else { return false };
    let conversion = Conversion { source: format, target: format, premultiply: false };
    let mut pixels = [[0.0; 4]; 1024];
    decoded.data().chunks(pixels.len() * size as usize).all(|bytes| {
        let pixels = &mut pixels[..bytes.len() / size as usize];
        conversion.read(bytes, pixels);
        pixels.iter().all(|[r, g, b, _]| r == g && g == b)
    })
}
