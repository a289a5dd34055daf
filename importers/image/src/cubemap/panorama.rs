//! Faces of an equirectangular picture: columns are degrees of longitude, rows degrees of latitude, the sky is at the top.
//!
//! The middle of the picture is in the direction +X, a quarter to the right of it is +Z. These are the directions of the usual shaders that
//! look such a picture up: `u = atan(z, x) / 2π + 0.5`, `v = 0.5 - asin(y) / π`.

use rres_format::chunk::image::ImageProps;
use rres_import::exact_math::angle;
use rres_settings::ImageSettings;

use super::wrong;
use crate::convert::{Conversion, Pixel};
use crate::mips::{Curve, Meaning};
use crate::{Decoded, ImportError, checked_size, meaning};

/// The largest number of samples in each direction for a pixel of a face.
const MAX_SAMPLES: u32 = 16;

/// Makes the faces. `size` is their edge in pixels; by default the power of two that is not below a quarter of the width.
pub(super) fn faces(
    picture: &Decoded,
    size: Option<u32>,
    settings: &ImageSettings,
) -> Result<Vec<Decoded>, ImportError> {
    let ImageProps { width, height, format, .. } = picture.props;
    if u64::from(width) != u64::from(height) * 2 {
        return Err(wrong(format!(
            "has {width}×{height} pixels, expected an equirectangular picture, which is twice as wide as high"
        )));
    }
    let edge = size.unwrap_or_else(|| width.div_ceil(4).next_power_of_two());
    // Before the picture becomes numbers, and faces are drawn that cannot be stored together.
    checked_size(&ImageProps { width: edge, height: edge.saturating_mul(6), format, mipmaps: 1 })?;
    let props = ImageProps { width: edge, height: edge, format, mipmaps: 1 };
    let mut faces = (0..6).map(|_| Decoded::zeroed(props)).collect::<Result<Vec<_>, _>>()?;
    let sphere = Sphere::read(picture, meaning(picture, settings));
    // As many samples as there are pixels of the picture in a pixel of the face, where they are smallest.
    let samples = width.div_ceil(4).div_ceil(edge).clamp(2, MAX_SAMPLES);
    for (number, face) in faces.iter_mut().enumerate() {
        (face.linear, face.is_widened) = (picture.linear, picture.is_widened);
        face.premultiplied = picture.premultiplied;
        if number == 0 {
            face.notes.clone_from(&picture.notes);
        }
        let row_size = face.data().len() / edge as usize;
        let mut row = vec![[0.0; 4]; edge as usize];
        for (y, to) in (0..edge).zip(face.data_mut().chunks_exact_mut(row_size)) {
            for (x, pixel) in (0..edge).zip(&mut row) {
                *pixel = sphere.mean(number, (x, y), edge, samples);
            }
            sphere.curve.to_stored(&mut row);
            sphere.conversion.write(&mut row, to);
        }
    }
    Ok(faces)
}

/// The picture as linear light.
struct Sphere {
    width: usize,
    height: usize,
    pixels: Vec<Pixel>,
    curve: Curve,
    conversion: Conversion,
}

impl Sphere {
    fn read(picture: &Decoded, meaning: Meaning) -> Self {
        let ImageProps { width, height, format, .. } = picture.props;
        let conversion = Conversion { source: format, target: format, premultiply: false };
        let curve = Curve::of(format, format, meaning != Meaning::Srgb);
        let mut pixels = vec![[0.0; 4]; width as usize * height as usize];
        conversion.read(picture.data(), &mut pixels);
        curve.to_light(&mut pixels);
        Self { width: width as usize, height: height as usize, pixels, curve, conversion }
    }

    /// The mean of a grid of samples in a pixel of a face.
    fn mean(&self, face: usize, (x, y): (u32, u32), edge: u32, samples: u32) -> Pixel {
        let mut sum = [0.0; 4];
        let at = |pixel: u32, sample: u32| {
            let place = f64::from(pixel) + (f64::from(sample) + 0.5) / f64::from(samples);
            place / f64::from(edge) * 2.0 - 1.0
        };
        for down in 0..samples {
            for across in 0..samples {
                let pixel = self.sample(direction(face, at(x, across), at(y, down)));
                sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += f64::from(value));
            }
        }
        sum.map(|sum| (sum / f64::from(samples * samples)) as f32)
    }

    /// The colour in a direction, between the four pixels around it.
    fn sample(&self, [x, y, z]: [f64; 3]) -> Pixel {
        let u = (angle(z, x) + 0.5) * self.width as f64 - 0.5;
        let v = (0.5 - 2.0 * angle(y, (x * x + z * z).sqrt())) * self.height as f64 - 0.5;
        let (left, top) = (u.floor(), v.floor());
        let (right_part, low_part) = ((u - left) as f32, (v - top) as f32);
        // Longitudes repeat, latitudes end at the poles.
        let column = |offset: i64| (left as i64 + offset).rem_euclid(self.width as i64) as usize;
        let row = |offset: i64| (top as i64 + offset).clamp(0, self.height as i64 - 1) as usize;
        let (columns, rows) = ([column(0), column(1)], [row(0), row(1)]);
        let [[a, b], [c, d]] = rows.map(|row| columns.map(|column| self.pixels[row * self.width + column]));
        std::array::from_fn(|i| {
            let upper = a[i] + (b[i] - a[i]) * right_part;
            let lower = c[i] + (d[i] - c[i]) * right_part;
            upper + (lower - upper) * low_part
        })
    }
}

/// The direction of a point of a face: `u` to the right and `v` down, from -1 to 1, as graphics libraries look cubemaps up.
fn direction(face: usize, u: f64, v: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -v, -u],
        1 => [-1.0, -v, u],
        2 => [u, 1.0, v],
        3 => [u, -1.0, -v],
        4 => [u, -v, 1.0],
        _ => [-u, -v, -1.0],
    }
}
